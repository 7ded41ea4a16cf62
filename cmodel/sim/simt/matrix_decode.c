/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoder of matrix instructions: which shapes and types PTX has, which registers a fragment needs,
 * and in which pieces a matrix lies in memory. Anything else is refused with a reason.
 */
#include "matrix_decode.h"

#include <stdlib.h>

typedef struct {
  unsigned m, n, k;
} shape_t;

/* Parses the first modifier with a shape, such as m16n8k8. Returns PTX_MOD_NONE without one. */
static ptx_mod_t shape_of(const ptx_instr_t *in, shape_t *shape) {
  for (unsigned i = 0; i < in->num_mods; i++) {
    const char *text = ptx_mod_name((ptx_mod_t)in->mod[i]);
    char *end;
    if (text[0] != 'm' || text[1] < '0' || text[1] > '9') continue;
    *shape = (shape_t){.m = (unsigned)strtoul(text + 1, &end, 10)};
    if (*end == 'n') shape->n = (unsigned)strtoul(end + 1, &end, 10);
    if (*end == 'k') shape->k = (unsigned)strtoul(end + 1, &end, 10);
    return (ptx_mod_t)in->mod[i];
  }
  return PTX_MOD_NONE;
}

/* ---- Shapes and types that there are --------------------------------------------------------- */

static unsigned bits_of(unsigned type) {
  switch (type) {
  case PTX_B1: return 1;
  case PTX_S4:
  case PTX_U4: return 4;
  default: return 8 * ptx_type_bytes((ptx_type_t)type);
  }
}

static bool is_whole(unsigned type) {
  return type == PTX_S8 || type == PTX_U8 || type == PTX_S4 || type == PTX_U4 || type == PTX_B1;
}

/* Unsigned factors have the shapes of signed ones. */
static unsigned kind_of(unsigned type) {
  switch (type) {
  case PTX_U8: return PTX_S8;
  case PTX_U4: return PTX_S4;
  default: return type;
  }
}

/* True if PTX has this shape for factors of this kind. wide: wmma. */
static bool has_shape(bool wide, unsigned kind, ptx_mod_t shape) {
  static const struct {
    bool wide;
    uint8_t kind;
    uint8_t shapes[4];
  } has[] = {{false, PTX_F16, {PTX_MOD_m16n8k8, PTX_MOD_m16n8k16}},
             {false, PTX_BF16, {PTX_MOD_m16n8k8, PTX_MOD_m16n8k16}},
             {false, PTX_TF32, {PTX_MOD_m16n8k4, PTX_MOD_m16n8k8}},
             {false, PTX_F64, {PTX_MOD_m8n8k4, PTX_MOD_m16n8k4, PTX_MOD_m16n8k8, PTX_MOD_m16n8k16}},
             {false, PTX_S8, {PTX_MOD_m8n8k16, PTX_MOD_m16n8k16, PTX_MOD_m16n8k32}},
             {false, PTX_S4, {PTX_MOD_m8n8k32, PTX_MOD_m16n8k32, PTX_MOD_m16n8k64}},
             {false, PTX_B1, {PTX_MOD_m8n8k128, PTX_MOD_m16n8k128, PTX_MOD_m16n8k256}},
             {true, PTX_F16, {PTX_MOD_m16n16k16, PTX_MOD_m32n8k16, PTX_MOD_m8n32k16}},
             {true, PTX_BF16, {PTX_MOD_m16n16k16, PTX_MOD_m32n8k16, PTX_MOD_m8n32k16}},
             {true, PTX_S8, {PTX_MOD_m16n16k16, PTX_MOD_m32n8k16, PTX_MOD_m8n32k16}},
             {true, PTX_TF32, {PTX_MOD_m16n16k8}},
             {true, PTX_F64, {PTX_MOD_m8n8k4}},
             {true, PTX_S4, {PTX_MOD_m8n8k32}},
             {true, PTX_B1, {PTX_MOD_m8n8k128}}};
  for (unsigned i = 0; i < sizeof has / sizeof *has; i++)
    for (unsigned s = 0; s < 4 && has[i].wide == wide && has[i].kind == kind; s++)
      if (has[i].shapes[s] == shape && shape) return true;
  return false;
}

/* True if products of this kind may be summed in this type. */
static bool is_sum(unsigned kind, unsigned type) {
  if (kind == PTX_F64) return type == PTX_F64;
  if (is_whole(kind)) return type == PTX_S32;
  if (kind == PTX_F16 && type == PTX_F16) return true;
  return type == PTX_F32 && (kind == PTX_F16 || kind == PTX_BF16 || kind == PTX_TF32);
}

/* ---- Registers ------------------------------------------------------------------------------- */

/* Layout of a matrix of mma or wmma. Factors fill a register with adjacent elements, or two for
 * f64; sums have two adjacent elements. */
static matrix_view_t view_of(matrix_role_t role, shape_t s, unsigned type, bool wide) {
  const unsigned bits = bits_of(type), reg = bits == 64 ? 8 : 4;
  matrix_view_t v = {.rows = (uint16_t)(role == MATRIX_B ? s.n : s.m),
                     .depth = (uint16_t)(role < MATRIX_C ? s.k : s.n),
                     .bits = (uint8_t)bits,
                     .each = (uint8_t)(role < MATRIX_C ? 8 * reg / bits : 2),
                     .reg_bytes = (uint8_t)reg};
  v.regs = (uint8_t)(matrix_bytes(&v) / 32 / reg);
  if (wide && type == PTX_F16 && role < MATRIX_C) v.regs = MATRIX_REGS; /* as PTX has it of all shapes */
  return v;
}

/* Places of the view's registers. The operand is a list of registers, or one register. */
static int place_registers(simt_decoder_t *d, simt_matrix_t *m, matrix_role_t role, const ptx_operand_t *o) {
  const ptx_operand_t *e = o->kind == PTX_OPND_VEC ? &d->k->func->elements[o->first] : o;
  const matrix_view_t *v = &m->view[role];
  if ((o->kind == PTX_OPND_VEC ? o->count : 1) != v->regs) return simt_refuse(d, "number of a matrix's registers");
  for (unsigned i = 0; i < v->regs; i++) {
    if (e[i].kind == PTX_OPND_REG && ptx_type_bytes(d->k->func->regs[e[i].index].type) != v->reg_bytes)
      return simt_refuse(d, "width of a matrix's registers");
    m->reg[role][i] = simt_operand(d, &e[i], v->reg_bytes, v->reg_bytes);
    if (m->reg[role][i] == SIMT_NO_OPERAND && role != MATRIX_D) d->bad = true;
  }
  return 0;
}

/* ---- mma, wmma.mma --------------------------------------------------------------------------- */

/* Time of a multiplication on a tensor unit, in sixteenths of an f16 multiplication: the rates
 * of an A100. */
static unsigned product_cost(unsigned kind) {
  switch (kind) {
  case PTX_F64: return 256;
  case PTX_TF32: return 32;
  case PTX_S8: return 8;
  case PTX_S4: return 4;
  case PTX_B1: return 1;
  default: return 16;
  }
}

/* Types of A, B, C and D. wmma of f16 names only those of D and C. */
static int decode_types(simt_decoder_t *d, simt_matrix_t *m, bool wide) {
  const ptx_instr_t *in = d->in;
  const bool halves = wide && in->num_types == 2;
  if (!halves && in->num_types != 4) return simt_refuse(d, "form");
  m->type[MATRIX_D] = in->type[0];
  m->type[MATRIX_A] = halves ? PTX_F16 : in->type[1];
  m->type[MATRIX_B] = halves ? PTX_F16 : in->type[2];
  m->type[MATRIX_C] = in->type[halves ? 1 : 3];
  const unsigned kind = kind_of(m->type[MATRIX_A]);
  const bool alike = kind == kind_of(m->type[MATRIX_B]);
  const bool sums = is_sum(kind, m->type[MATRIX_D]) && is_sum(kind, m->type[MATRIX_C]) &&
                    (wide || m->type[MATRIX_D] == m->type[MATRIX_C]);
  return alike && sums ? 0 : simt_refuse(d, "types of matrices");
}

static uint8_t pairs_of(const ptx_instr_t *in) {
  if (ptx_has(in, PTX_MOD_and)) return MATRIX_AND;
  return ptx_has(in, PTX_MOD_xor) ? MATRIX_XOR : MATRIX_MULTIPLY;
}

static uint8_t rounding_of(const ptx_instr_t *in) {
  if (ptx_has(in, PTX_MOD_rz)) return SIMT_RZ;
  if (ptx_has(in, PTX_MOD_rm)) return SIMT_RM;
  return ptx_has(in, PTX_MOD_rp) ? SIMT_RP : SIMT_RN;
}

/* Rounding, saturation and the combination of b1 factors. Combinations that PTX has not are
 * refused. */
static int decode_finish(simt_decoder_t *d, simt_op_t *op, simt_matrix_t *m) {
  const ptx_instr_t *in = d->in;
  const unsigned kind = kind_of(m->type[MATRIX_A]);
  const bool popc = ptx_has(in, PTX_MOD_popc);
  m->saturates = ptx_has(in, PTX_MOD_satfinite);
  m->pairs = pairs_of(in);
  op->round = rounding_of(in);
  if (popc != (kind == PTX_B1) || popc != (m->pairs != MATRIX_MULTIPLY)) return simt_refuse(d, "form");
  if (op->round != SIMT_RN && kind != PTX_F64) return simt_refuse(d, "rounding of these types");
  if (m->saturates && (!is_whole(kind) || kind == PTX_B1)) return simt_refuse(d, ".satfinite of these types");
  return 0;
}

/* True for a modifier that the decoder does not know: sparse matrices, scales, formats of 8 bits
 * or fewer. */
static bool has_other(const ptx_instr_t *in) {
  for (unsigned i = 0; i < in->num_mods; i++)
    if (in->mod[i] == PTX_MOD_OTHER) return true;
  return false;
}

/* mma and wmma.mma. */
static int decode_product(simt_decoder_t *d, simt_op_t *op, simt_matrix_t *m) {
  static const matrix_role_t order[] = {MATRIX_D, MATRIX_A, MATRIX_B, MATRIX_C};
  const ptx_instr_t *in = d->in;
  const bool wide = in->op == PTX_OP_wmma;
  shape_t s;
  const ptx_mod_t shape = shape_of(in, &s);
  if (has_other(in)) return simt_refuse(d, "sparse matrices, scales, or a shape that PTX has not");
  if (!wide && shape == PTX_MOD_m8n8k4 && in->num_types == 4 && in->type[1] == PTX_F16)
    return simt_refuse(d, "four products of f16 by eight threads each");
  if (in->num_operands != 4) return simt_refuse(d, "form");
  if (decode_types(d, m, wide)) return -1;
  const unsigned kind = kind_of(m->type[MATRIX_A]);
  if (!has_shape(wide, kind, shape)) return simt_refuse(d, "shape of these types");
  if (!wide && (!ptx_has(in, PTX_MOD_row) || !ptx_has(in, PTX_MOD_col))) return simt_refuse(d, "layout");
  if (decode_finish(d, op, m)) return -1;
  for (unsigned i = 0; i < 4; i++) {
    m->view[order[i]] = view_of(order[i], s, m->type[order[i]], wide);
    if (place_registers(d, m, order[i], &in->operand[i])) return -1;
  }
  m->products = s.m * s.n * s.k;
  m->work = m->products * product_cost(kind) / 16;
  op->kind = SIMT_MATRIX;
  op->fn = matrix_multiply;
  return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Address operand. Only ldmatrix and stmatrix are restricted to shared memory. */
static int decode_address(simt_decoder_t *d, simt_op_t *op, simt_matrix_t *m, bool store, const ptx_operand_t *o) {
  op->kind = store ? SIMT_STORE : SIMT_LOAD;
  op->space = d->in->space;
  op->bytes = m->piece_bytes;
  op->vec = 1;
  op->reg_bytes = m->view[MATRIX_D].reg_bytes;
  if (simt_address_operand(d, op, o)) return -1;
  const bool shared = op->space == PTX_SPACE_SHARED, global = op->space == PTX_SPACE_GLOBAL && !m->by_thread;
  return shared || global || op->space == PTX_SPACE_GENERIC ? 0 : simt_refuse(d, "a matrix in this space");
}

/* Matrices of ldmatrix or stmatrix; without any of .x1, .x2, .x4 one. */
static unsigned count_matrices(const ptx_instr_t *in) {
  if (ptx_has(in, PTX_MOD_x4)) return 4;
  return ptx_has(in, PTX_MOD_x2) ? 2 : 1;
}

/* ldmatrix and stmatrix: one, two or four 8 x 8 matrices of 16-bit elements. Each thread has the
 * address of one row. */
static int decode_rows(simt_decoder_t *d, simt_op_t *op, simt_matrix_t *m) {
  const ptx_instr_t *in = d->in;
  const bool store = in->op == PTX_OP_stmatrix;
  const unsigned count = count_matrices(in);
  if (!ptx_has(in, PTX_MOD_m8n8) || in->num_types != 1 || in->type[0] != PTX_B16)
    return simt_refuse(d, "matrices other than eight by eight of 16 bits");
  if (has_other(in) || (count == 1 && !ptx_has(in, PTX_MOD_x1))) return simt_refuse(d, "form");
  m->view[MATRIX_D] = (matrix_view_t){
      .rows = (uint16_t)(8 * count), .depth = 8, .bits = 16, .each = 2, .reg_bytes = 4, .regs = (uint8_t)count};
  m->order = ptx_has(in, PTX_MOD_trans) ? MATRIX_TRANSPOSED : MATRIX_BY_ROW;
  m->pieces = (uint8_t)(8 * count);
  m->piece_bytes = m->row_bytes = MATRIX_ROW_BYTES;
  m->by_thread = true;
  if (place_registers(d, m, MATRIX_D, &in->operand[store])) return -1;
  return decode_address(d, op, m, store, &in->operand[!store]);
}

/* How a matrix of wmma lies in memory. Rows are contiguous, with .col columns. A piece is as
 * long as a thread's fragment or a row, at most 16 bytes. */
static void set_pieces(simt_matrix_t *m, matrix_role_t role, bool row) {
  const matrix_view_t *v = &m->view[MATRIX_D];
  const unsigned own = (unsigned)v->regs * v->reg_bytes;
  m->order = (role == MATRIX_B) != row ? MATRIX_BY_ROW : MATRIX_BY_DEPTH;
  m->row_bytes = (m->order == MATRIX_BY_ROW ? v->depth : v->rows) * (unsigned)v->bits / 8;
  m->piece_bytes = MATRIX_ROW_BYTES;
  if (own < m->piece_bytes) m->piece_bytes = (uint8_t)own;
  if (m->row_bytes < m->piece_bytes) m->piece_bytes = (uint8_t)m->row_bytes;
  m->pieces = (uint8_t)(matrix_bytes(v) / m->piece_bytes);
}

/* True if wmma has a matrix of this role, type and shape. */
static bool may_load(matrix_role_t role, unsigned type, ptx_mod_t shape) {
  static const uint8_t kinds[] = {PTX_F16, PTX_BF16, PTX_TF32, PTX_F64, PTX_S8, PTX_S4, PTX_B1};
  if (role < MATRIX_C) return has_shape(true, kind_of(type), shape);
  for (unsigned i = 0; i < sizeof kinds; i++)
    if (has_shape(true, kinds[i], shape) && is_sum(kinds[i], type)) return true;
  return false;
}

/* The matrix that wmma.load or wmma.store names. */
static matrix_role_t role_of(const ptx_instr_t *in, bool store) {
  if (store) return MATRIX_D;
  if (ptx_has(in, PTX_MOD_a)) return MATRIX_A;
  return ptx_has(in, PTX_MOD_b) ? MATRIX_B : MATRIX_C;
}

/* wmma.load and wmma.store. */
static int decode_wide(simt_decoder_t *d, simt_op_t *op, simt_matrix_t *m) {
  const ptx_instr_t *in = d->in;
  const bool store = ptx_has(in, PTX_MOD_store), row = ptx_has(in, PTX_MOD_row);
  const matrix_role_t role = role_of(in, store);
  static const ptx_mod_t named[] = {PTX_MOD_a, PTX_MOD_b, PTX_MOD_c, PTX_MOD_d};
  shape_t s;
  const ptx_mod_t shape = shape_of(in, &s);
  if (has_other(in)) return simt_refuse(d, "a shape that PTX has not");
  if (in->num_types != 1 || in->num_operands < 2 || in->num_operands > 3 || !ptx_has(in, named[role]) ||
      row == ptx_has(in, PTX_MOD_col))
    return simt_refuse(d, "form");
  if (!may_load(role, in->type[0], shape)) return simt_refuse(d, "shape of these types");
  if (bits_of(in->type[0]) < 8 && row != (role == MATRIX_A)) return simt_refuse(d, "layout");
  m->view[MATRIX_D] = view_of(role, s, in->type[0], true);
  set_pieces(m, role, row);
  if (place_registers(d, m, MATRIX_D, &in->operand[store])) return -1;
  if (in->num_operands == 3) m->stride = simt_operand(d, &in->operand[2], 4, 4);
  return decode_address(d, op, m, store, &in->operand[!store]);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* movmatrix. */
static int decode_move(simt_decoder_t *d, simt_op_t *op, simt_matrix_t *m) {
  const ptx_instr_t *in = d->in;
  if (!ptx_has(in, PTX_MOD_m8n8) || !ptx_has(in, PTX_MOD_trans) || has_other(in) || in->num_types != 1 ||
      in->type[0] != PTX_B16)
    return simt_refuse(d, "matrices other than eight by eight of 16 bits");
  m->view[MATRIX_A] = m->view[MATRIX_D] =
      (matrix_view_t){.rows = 8, .depth = 8, .bits = 16, .each = 2, .reg_bytes = 4, .regs = 1};
  op->kind = SIMT_ALU;
  op->fn = matrix_move;
  return place_registers(d, m, MATRIX_D, &in->operand[0]) || place_registers(d, m, MATRIX_A, &in->operand[1]) ? -1 : 0;
}

int matrix_decode(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  if (d->placement) return simt_refuse(d, "matrices"); /* only GPUs have tensor units */
  if (!ptx_has(in, PTX_MOD_sync)) return simt_refuse(d, "form");
  simt_matrix_t *m = calloc(1, sizeof *m);
  if (!m) return trouble_fail(d->err, TROUBLE_ENVIRONMENT, "out of memory");
  m->next = d->k->matrices;
  m->stride = SIMT_NO_OPERAND;
  d->k->matrices = m;
  op->matrix = m;
  if (in->op == PTX_OP_movmatrix) return decode_move(d, op, m);
  if (in->op == PTX_OP_ldmatrix || in->op == PTX_OP_stmatrix) return decode_rows(d, op, m);
  return in->op == PTX_OP_wmma && !ptx_has(in, PTX_MOD_mma) ? decode_wide(d, op, m) : decode_product(d, op, m);
}

void matrix_free(simt_kernel_t *k) {
  while (k->matrices) {
    simt_matrix_t *m = k->matrices;
    k->matrices = m->next;
    free(m);
  }
}
