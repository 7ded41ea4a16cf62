/* SPDX-License-Identifier: Apache-2.0
 *
 * Layout of matrix fragments, and the products of tensor units.
 *
 * PTX leaves the order and rounding of the sums open. Ours: products are exact and are added in the
 * order of k, starting with C.
 *
 *   f16, bf16, tf32    each sum is rounded to binary32, to nearest
 *   f16 result         the sum is kept in binary32 and rounded at the end
 *   f64                fused multiply-add, rounded as the instruction says
 *   integers           exact; cut to 32 bits at the end, or clamped with .satfinite
 *
 * NaN is 0x7fffffff, in f16 0x7fff. The lower 13 bits of a tf32 are ignored.
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

/* Inverse of the layout rule in matrix.h. `part` counts runs of `each` elements: first down the
 * blocks of eight rows, then along the depth. */
void matrix_place(const matrix_view_t *v, unsigned lane, unsigned i, unsigned *row, unsigned *depth) {
  const unsigned part = i / v->each, blocks = v->rows / 8u;
  *row = part % blocks * 8 + lane / 4;
  *depth = part / blocks * 4 * v->each + lane % 4 * v->each + i % v->each;
}

/* ---- Bits of bytes --------------------------------------------------------------------------- */

/* Element i of a packed array, as bits. Elements have 1, 4 or whole bytes. */
static uint64_t get_element(const uint8_t *bytes, unsigned bits, unsigned i) {
  uint64_t x = 0;
  if (bits < 8) return (uint64_t)(bytes[i * bits / 8] >> i * bits % 8) & ((1u << bits) - 1);
  memcpy(&x, bytes + i * (bits / 8), bits / 8);
  return x;
}

/* Writes element i of a packed array; neighbours in the same byte stay. */
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

/* Index of an element in memory order. In TRANSPOSED order depth is less than 8. */
static unsigned index_of(const matrix_view_t *v, matrix_order_t order, unsigned row, unsigned depth) {
  if (order == MATRIX_BY_DEPTH) return depth * v->rows + row;
  if (order == MATRIX_TRANSPOSED) return ((row & ~7u) + depth) * v->depth + (row & 7);
  return row * v->depth + depth;
}

/* Copies a thread's registers of a fragment to `part`, lowest register first. */
static void read_thread(const simt_matrix_t *m, matrix_role_t role, const simt_warp_t *w, unsigned lane,
                        uint8_t part[MATRIX_REGS * 8]) {
  const unsigned bytes = m->view[role].reg_bytes;
  for (unsigned r = 0; r < m->view[role].regs; r++)
    memcpy(part + r * bytes, (const uint8_t *)simt_src(w, m->reg[role][r]) + lane * bytes, bytes);
}

/* Writes all registers of a thread's fragment. A fragment with more registers than elements gets
 * copies. */
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
      set_element(bytes, v->bits, index_of(v, order, row, depth), get_element(part, v->bits, e));
    }
  }
}

/* The inverse of matrix_gather. */
void matrix_scatter(const simt_matrix_t *m, matrix_role_t role, matrix_order_t order, const uint8_t *bytes,
                    simt_warp_t *w) {
  const matrix_view_t *v = &m->view[role];
  uint8_t part[MATRIX_REGS * 8] = {0};
  unsigned row, depth;
  FOR_LANES {
    for (unsigned e = 0; e < matrix_elements(v); e++) {
      matrix_place(v, i, e, &row, &depth);
      set_element(part, v->bits, e, get_element(bytes, v->bits, index_of(v, order, row, depth)));
    }
    write_thread(m, role, w, i, part);
  }
}

/* ---- Products -------------------------------------------------------------------------------- */

/* All elements of a matrix, row by row, as numbers. Every element type fits exactly. */
typedef union {
  float f[MOST_ELEMENTS];
  double d[MATRIX_BYTES / 8];
  int32_t i[MOST_ELEMENTS];
} numbers_t;

/* A factor or sum as binary32; exact for all of these types. */
static float float_of(unsigned type, uint64_t bits) {
  switch (type) {
  case PTX_F16: return (float)half_value(HALF_F16, (uint16_t)bits);
  case PTX_BF16: return (float)half_value(HALF_BF16, (uint16_t)bits);
  case PTX_TF32: return as_f32((uint32_t)bits & 0xffffe000u);
  default: return as_f32((uint32_t)bits);
  }
}

/* A factor or sum as an integer. Unsigned types and b1 need no extension. */
static int32_t whole_of(unsigned type, uint64_t bits) {
  switch (type) {
  case PTX_S8: return (int8_t)bits;
  case PTX_S4: return (int32_t)(bits ^ 8) - 8;
  default: return (int32_t)(uint32_t)bits;
  }
}

/* Collects a matrix from the warp and converts its elements. B is held by columns, so a column
 * of B is contiguous like a row of A. */
static void read_numbers(const simt_matrix_t *m, matrix_role_t role, const simt_warp_t *w, numbers_t *to) {
  const matrix_view_t *v = &m->view[role];
  uint8_t bytes[MATRIX_BYTES] = {0};
  matrix_gather(m, role, MATRIX_BY_ROW, w, bytes);
  for (unsigned i = 0; i < (unsigned)v->rows * v->depth; i++) {
    const uint64_t bits = get_element(bytes, v->bits, i);
    if (v->bits == 64) to->d[i] = as_f64(bits);
    else if (m->type[MATRIX_D] == PTX_S32) to->i[i] = whole_of(m->type[role], bits);
    else to->f[i] = float_of(m->type[role], bits);
  }
}

/* A product of integers. Elements of b1 are 0 or 1: the sum is the popc of a & b, or of a ^ b. */
static int64_t product_of(unsigned pairs, int32_t a, int32_t b) {
  switch (pairs) {
  case MATRIX_AND: return a & b;
  case MATRIX_XOR: return a ^ b;
  default: return (int64_t)a * b;
  }
}

/* Integer sums are exact in 64 bits. */
static uint64_t sum_whole(const simt_matrix_t *m, const int32_t *a, const int32_t *b, int32_t c) {
  int64_t sum = c;
  for (unsigned k = 0; k < m->view[MATRIX_A].depth; k++) sum += product_of(m->pairs, a[k], b[k]);
  if (m->saturates && sum > INT32_MAX) sum = INT32_MAX;
  if (m->saturates && sum < INT32_MIN) sum = INT32_MIN;
  return (uint32_t)sum;
}

/* fmaf rounds once a product, which gives binary32 sums of exact products. */
static uint64_t sum_float(const simt_matrix_t *m, const float *a, const float *b, float c) {
  for (unsigned k = 0; k < m->view[MATRIX_A].depth; k++) c = fmaf(a[k], b[k], c);
  return m->type[MATRIX_D] == PTX_F16 ? simt_half_nearest(HALF_F16, (double)c) : canon(c);
}

static uint64_t sum_double(const simt_matrix_t *m, const double *a, const double *b, double c) {
  for (unsigned k = 0; k < m->view[MATRIX_A].depth; k++) c = fma(a[k], b[k], c);
  return bits_f64(c);
}

/* Element i of D, as bits. row, column: where its factors start in a and b. */
static uint64_t sum_of(const simt_matrix_t *m, const numbers_t *a, const numbers_t *b, const numbers_t *c, unsigned row,
                       unsigned column, unsigned i) {
  switch (m->type[MATRIX_D]) {
  case PTX_F64: return sum_double(m, &a->d[row], &b->d[column], c->d[i]);
  case PTX_S32: return sum_whole(m, &a->i[row], &b->i[column], c->i[i]);
  default: return sum_float(m, &a->f[row], &b->f[column], c->f[i]);
  }
}

/* Computes D into `bytes`, row by row. */
static void multiply_elements(const simt_matrix_t *m, const numbers_t *a, const numbers_t *b, const numbers_t *c,
                              uint8_t *bytes) {
  const matrix_view_t *d = &m->view[MATRIX_D];
  const unsigned depth = m->view[MATRIX_A].depth;
  for (unsigned i = 0; i < (unsigned)d->rows * d->depth; i++) {
    const unsigned row = i / d->depth * depth, column = i % d->depth * depth;
    set_element(bytes, d->bits, i, sum_of(m, a, b, c, row, column, i));
  }
}

/* Executes mma. The rounding mode of the host is set around the sums; only f64 has another one
 * than nearest. Compiled with -frounding-math. */
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
  multiply_elements(op->matrix, &a, &b, &c, bytes);
  fesetround(FE_TONEAREST);
  matrix_scatter(op->matrix, MATRIX_D, MATRIX_BY_ROW, bytes, w);
}

/* Executes movmatrix. */
void matrix_move(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint8_t bytes[MATRIX_BYTES] = {0};
  (void)mask;
  matrix_gather(op->matrix, MATRIX_A, MATRIX_BY_ROW, w, bytes);
  matrix_scatter(op->matrix, MATRIX_D, MATRIX_TRANSPOSED, bytes, w);
}
