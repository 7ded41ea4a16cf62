/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX leaves open in which order products are added and how that is rounded. Ours: products are
 * exact and are added one after the other in the order of k, beginning with C; each sum is rounded
 * to binary32, to nearest, for f16, bf16 and tf32, and to binary64 as the instruction says for f64
 * (a fused multiply-add). A sum in f16 is kept in binary32 and rounded at the end. NaN is
 * 0x7fffffff, of f16 0x7fff. Of tf32 the lower 13 bits are not looked at. Sums of whole numbers are
 * exact, and at the end cut to 32 bits, or to the nearest that there is with .satfinite.
 */
#include "matrix.h"

#include <fenv.h>
#include <math.h>

#include "simt_lanes.h"

enum { MOST_ELEMENTS = 4096 }; /* b1: 16 by 256 */

unsigned matrix_bytes(const matrix_view_t *v) {
  return (unsigned)v->rows * v->depth * v->bits / 8;
}

unsigned matrix_elements(const matrix_view_t *v) {
  return (unsigned)v->rows * v->depth / 32;
}

void matrix_place(const matrix_view_t *v, unsigned lane, unsigned i, unsigned *row, unsigned *depth) {
  const unsigned part = i / v->each, blocks = v->rows / 8u;
  *row = part % blocks * 8 + lane / 4;
  *depth = part / blocks * 4 * v->each + lane % 4 * v->each + i % v->each;
}

/* ---- Bits of bytes --------------------------------------------------------------------------- */

/* Element i. */
static uint64_t element(const uint8_t *bytes, unsigned bits, unsigned i) {
  uint64_t x = 0;
  if (bits < 8) return (uint64_t)(bytes[i * bits / 8] >> i * bits % 8) & ((1u << bits) - 1);
  memcpy(&x, bytes + i * (bits / 8), bits / 8);
  return x;
}

static void set_element(uint8_t *bytes, unsigned bits, unsigned i, uint64_t x) {
  if (bits >= 8) {
    memcpy(bytes + i * (bits / 8), &x, bits / 8);
    return;
  }
  const unsigned mask = ((1u << bits) - 1) << i * bits % 8;
  uint8_t *at = bytes + i * bits / 8;
  *at = (uint8_t)((*at & ~mask) | ((unsigned)x << i * bits % 8 & mask));
}

/* ---- Threads' parts -------------------------------------------------------------------------- */

static unsigned index_of(const matrix_view_t *v, matrix_order_t order, unsigned row, unsigned depth) {
  if (order == MATRIX_BY_DEPTH) return depth * v->rows + row;
  if (order == MATRIX_TRANSPOSED) return ((row & ~7u) + depth) * v->depth + (row & 7);
  return row * v->depth + depth;
}

static void read_thread(const simt_matrix_t *m, matrix_role_t role, const simt_warp_t *w, unsigned lane,
                        uint8_t part[MATRIX_REGS * 8]) {
  const unsigned bytes = m->view[role].reg_bytes;
  for (unsigned r = 0; r < m->view[role].regs; r++)
    memcpy(part + r * bytes, (const uint8_t *)simt_src(w, m->reg[role][r]) + lane * bytes, bytes);
}

/* All registers, whatever they hold an element how often. */
static void write_thread(const simt_matrix_t *m, matrix_role_t role, simt_warp_t *w, unsigned lane,
                         const uint8_t part[MATRIX_REGS * 8]) {
  const matrix_view_t *v = &m->view[role];
  const unsigned bytes = v->reg_bytes, once = matrix_elements(v) * v->bits / 8 / bytes;
  for (unsigned r = 0; r < v->regs; r++)
    if (m->reg[role][r] != SIMT_NO_OPERAND)
      memcpy((uint8_t *)simt_dst(w, m->reg[role][r]) + lane * bytes, part + r % once * bytes, bytes);
}

void matrix_gather(const simt_matrix_t *m, matrix_role_t role, matrix_order_t order, const simt_warp_t *w,
                   uint8_t *bytes) {
  const matrix_view_t *v = &m->view[role];
  uint8_t part[MATRIX_REGS * 8];
  unsigned row, depth;
  FOR_LANES {
    read_thread(m, role, w, i, part);
    for (unsigned e = 0; e < matrix_elements(v); e++) {
      matrix_place(v, i, e, &row, &depth);
      set_element(bytes, v->bits, index_of(v, order, row, depth), element(part, v->bits, e));
    }
  }
}

void matrix_scatter(const simt_matrix_t *m, matrix_role_t role, matrix_order_t order, const uint8_t *bytes,
                    simt_warp_t *w) {
  const matrix_view_t *v = &m->view[role];
  uint8_t part[MATRIX_REGS * 8] = {0};
  unsigned row, depth;
  FOR_LANES {
    for (unsigned e = 0; e < matrix_elements(v); e++) {
      matrix_place(v, i, e, &row, &depth);
      set_element(part, v->bits, e, element(bytes, v->bits, index_of(v, order, row, depth)));
    }
    write_thread(m, role, w, i, part);
  }
}

/* ---- Products -------------------------------------------------------------------------------- */

/* All elements of a matrix, row by row, as numbers: exact in any of these. */
typedef union {
  float f[MOST_ELEMENTS];
  double d[MATRIX_BYTES / 8];
  int32_t i[MOST_ELEMENTS];
} numbers_t;

static float float_of(unsigned type, uint64_t bits) {
  switch (type) {
  case PTX_F16: return (float)half_value(HALF_F16, (uint16_t)bits);
  case PTX_BF16: return (float)half_value(HALF_BF16, (uint16_t)bits);
  case PTX_TF32: return as_f32((uint32_t)bits & 0xffffe000u);
  default: return as_f32((uint32_t)bits);
  }
}

static int32_t whole_of(unsigned type, uint64_t bits) {
  switch (type) {
  case PTX_S8: return (int8_t)bits;
  case PTX_S4: return (int32_t)(bits ^ 8) - 8;
  default: return (int32_t)(uint32_t)bits;
  }
}

static void read_numbers(const simt_matrix_t *m, matrix_role_t role, const simt_warp_t *w, numbers_t *to) {
  const matrix_view_t *v = &m->view[role];
  uint8_t bytes[MATRIX_BYTES] = {0};
  matrix_gather(m, role, MATRIX_BY_ROW, w, bytes);
  for (unsigned i = 0; i < (unsigned)v->rows * v->depth; i++) {
    const uint64_t bits = element(bytes, v->bits, i);
    if (v->bits == 64) to->d[i] = as_f64(bits);
    else if (m->type[MATRIX_D] == PTX_S32) to->i[i] = whole_of(m->type[role], bits);
    else to->f[i] = float_of(m->type[role], bits);
  }
}

static uint64_t sum_whole(const simt_matrix_t *m, const int32_t *a, const int32_t *b, int32_t c) {
  int64_t sum = c;
  for (unsigned k = 0; k < m->view[MATRIX_A].depth; k++)
    sum += m->pairs == MATRIX_AND ? a[k] & b[k] : m->pairs == MATRIX_XOR ? a[k] ^ b[k] : (int64_t)a[k] * b[k];
  if (m->saturates) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
  return (uint32_t)sum;
}

static uint64_t sum_float(const simt_matrix_t *m, const float *a, const float *b, float c) {
  for (unsigned k = 0; k < m->view[MATRIX_A].depth; k++) c = fmaf(a[k], b[k], c);
  return m->type[MATRIX_D] == PTX_F16 ? simt_half_nearest(HALF_F16, (double)c) : canon(c);
}

static uint64_t sum_double(const simt_matrix_t *m, const double *a, const double *b, double c) {
  for (unsigned k = 0; k < m->view[MATRIX_A].depth; k++) c = fma(a[k], b[k], c);
  return bits_f64(c);
}

static void multiply(const simt_matrix_t *m, const numbers_t *a, const numbers_t *b, const numbers_t *c,
                     uint8_t *bytes) {
  const matrix_view_t *d = &m->view[MATRIX_D];
  const unsigned depth = m->view[MATRIX_A].depth;
  for (unsigned i = 0; i < (unsigned)d->rows * d->depth; i++) {
    const unsigned row = i / d->depth * depth, column = i % d->depth * depth;
    const uint64_t bits = m->type[MATRIX_D] == PTX_F64   ? sum_double(m, &a->d[row], &b->d[column], c->d[i])
                          : m->type[MATRIX_D] == PTX_S32 ? sum_whole(m, &a->i[row], &b->i[column], c->i[i])
                                                         : sum_float(m, &a->f[row], &b->f[column], c->f[i]);
    set_element(bytes, d->bits, i, bits);
  }
}

void matrix_multiply(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  static const int modes[] = {
      [SIMT_RN] = FE_TONEAREST, [SIMT_RZ] = FE_TOWARDZERO, [SIMT_RM] = FE_DOWNWARD, [SIMT_RP] = FE_UPWARD};
  numbers_t a, b, c;
  uint8_t bytes[MATRIX_BYTES] = {0};
  (void)mask;
  read_numbers(op->matrix, MATRIX_A, w, &a);
  read_numbers(op->matrix, MATRIX_B, w, &b);
  read_numbers(op->matrix, MATRIX_C, w, &c);
  fesetround(modes[op->round]);
  multiply(op->matrix, &a, &b, &c, bytes);
  fesetround(FE_TONEAREST);
  matrix_scatter(op->matrix, MATRIX_D, MATRIX_BY_ROW, bytes, w);
}

void matrix_move(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint8_t bytes[MATRIX_BYTES] = {0};
  (void)mask;
  matrix_gather(op->matrix, MATRIX_A, MATRIX_BY_ROW, w, bytes);
  matrix_scatter(op->matrix, MATRIX_D, MATRIX_TRANSPOSED, bytes, w);
}
