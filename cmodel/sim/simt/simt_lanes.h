/* SPDX-License-Identifier: Apache-2.0
 *
 * Tools of the simt_*.c files, which implement instructions over 32 lanes. A function computes all
 * lanes into a local array, then commits the active lanes.
 */
#ifndef SIMT_LANES_H
#define SIMT_LANES_H

#include <string.h>

#include "half.h"
#include "simt.h"

/* Operand types that functions are specialised for. */
typedef enum { TI_U16, TI_S16, TI_U32, TI_S32, TI_U64, TI_S64, TI_F32, TI_F64, TI_PRED, TI_NONE } simt_ti_t;

static inline simt_ti_t simt_ti(unsigned ptx_type) {
  switch (ptx_type) {
  case PTX_B16:
  case PTX_U16: return TI_U16;
  case PTX_S16: return TI_S16;
  case PTX_B32:
  case PTX_U32: return TI_U32;
  case PTX_S32: return TI_S32;
  case PTX_B64:
  case PTX_U64: return TI_U64;
  case PTX_S64: return TI_S64;
  case PTX_F32: return TI_F32;
  case PTX_F64: return TI_F64;
  case PTX_PRED: return TI_PRED;
  default: return TI_NONE;
  }
}

/* Write the lanes in `mask` to a destination. SIMT_NO_OPERAND: nothing is written. */
static inline void commit32(simt_warp_t *w, uint32_t at, const uint32_t *r, uint32_t mask) {
  if (at == SIMT_NO_OPERAND) return;
  uint32_t *d = simt_dst(w, at);
  if (mask == ~0u) memcpy(d, r, 128);
  else
    for (; mask; mask &= mask - 1) d[__builtin_ctz(mask)] = r[__builtin_ctz(mask)];
}

static inline void commit64(simt_warp_t *w, uint32_t at, const uint64_t *r, uint32_t mask) {
  if (at == SIMT_NO_OPERAND) return;
  uint64_t *d = simt_dst(w, at);
  if (mask == ~0u) memcpy(d, r, 256);
  else
    for (; mask; mask &= mask - 1) d[__builtin_ctz(mask)] = r[__builtin_ctz(mask)];
}

static inline void commit_pred(simt_warp_t *w, uint32_t at, uint32_t r, uint32_t mask) {
  if (at == SIMT_NO_OPERAND) return;
  uint32_t *d = simt_dst(w, at);
  *d = (*d & ~mask) | (r & mask);
}

static inline uint32_t pred_of(const simt_warp_t *w, uint32_t at, bool negated) {
  uint32_t p = *(const uint32_t *)simt_src(w, at);
  return negated ? ~p : p;
}

/* For each operand type X: lane_X is its lane (16-bit values use 32-bit lanes), commit_X writes
 * it, t_X is the C type, un_X the unsigned type of the same width. */
typedef uint32_t lane_u16, lane_s16, lane_u32, lane_s32, lane_f32;
typedef uint64_t lane_u64, lane_s64, lane_f64;
#define commit_u16 commit32
#define commit_s16 commit32
#define commit_u32 commit32
#define commit_s32 commit32
#define commit_f32 commit32
#define commit_u64 commit64
#define commit_s64 commit64
#define commit_f64 commit64
typedef uint16_t t_u16;
typedef int16_t t_s16;
typedef uint32_t t_u32;
typedef int32_t t_s32;
typedef uint64_t t_u64;
typedef int64_t t_s64;
typedef uint16_t un_u16, un_s16;
typedef uint32_t un_u32, un_s32;
typedef uint64_t un_u64, un_s64;

#define FOR_LANES for (unsigned i = 0; i < 32; i++)

static inline float as_f32(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}
static inline uint32_t bits_f32(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}
static inline double as_f64(uint64_t bits) {
  double f;
  memcpy(&f, &bits, 8);
  return f;
}
static inline uint64_t bits_f64(double f) {
  uint64_t bits;
  memcpy(&bits, &f, 8);
  return bits;
}
static inline bool nan_bits(uint32_t bits) {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}
/* f32 bits with every NaN replaced by the canonical one, 0x7fffffff. */
static inline uint32_t canon(float f) {
  uint32_t bits = bits_f32(f);
  return nan_bits(bits) ? 0x7fffffffu : bits;
}
/* .ftz: a subnormal becomes a zero of the same sign. */
static inline uint32_t flush(uint32_t bits) {
  return bits & 0x7f800000u ? bits : bits & 0x80000000u;
}
/* .sat: clamps to [0, 1]; NaN becomes +0. */
static inline uint32_t saturate(uint32_t bits) {
  float f = as_f32(bits);
  if (!(f > 0)) return 0;
  return f < 1 ? bits : 0x3f800000u;
}
static inline double saturate64(double f) {
  if (!(f > 0)) return 0;
  return f < 1 ? f : 1;
}

/* Bits of simt_op_t.imm of arithmetic: min and max return NaN (.NaN), XOR the signs
 * (.xorsign.abs), or turn a negative result into 0 (.relu). */
enum { SIMT_MIN_NAN = 1, SIMT_MIN_XORSIGN = 2, SIMT_RELU = 4 };

simt_round_t simt_round(const ptx_instr_t *instr);
/* Sets .NaN and .xorsign.abs in imm. false: PTX has no such form. */
bool simt_minimum_form(simt_op_t *op, const ptx_instr_t *instr);

/* Functions for an instruction. A find returns NULL, a bind false, if there is none for these
 * types. */
simt_fn_t *simt_int_find(const ptx_instr_t *instr, simt_ti_t ti);
bool simt_bits_bind(simt_op_t *op, const ptx_instr_t *instr); /* prmt, lop3, bmsk, szext, fns, dp2a, dp4a */
simt_fn_t *simt_float_find(const ptx_instr_t *instr, simt_ti_t ti, bool slow);
simt_cmp_t *simt_cmp_find(ptx_mod_t cmp, simt_ti_t ti);
bool simt_cvt_bind(simt_op_t *op, const ptx_instr_t *instr);
bool simt_is_fp8(unsigned type); /* e4m3x2, e5m2x2: two 8-bit numbers */
bool simt_fp8_bind(simt_op_t *op, const ptx_instr_t *instr);
/* numbers in a type: f16, bf16: 1; f16x2, bf16x2: 2; others: 0 */
unsigned simt_halves(unsigned type);
half_format_t simt_half_format(unsigned type);
unsigned simt_half_nearest(half_format_t format, double value); /* rounds to nearest; NaN: 0x7fff */
bool simt_half_bind(simt_op_t *op, const ptx_instr_t *instr);
/* false: no such comparison */
bool simt_half_compare(simt_op_t *op, unsigned type, unsigned cmp, unsigned *halves);
simt_cmp_t simt_half_low, simt_half_high;
/* applies .relu and .sat */
unsigned simt_half_finish(const simt_op_t *op, half_format_t format, unsigned bits);
bool simt_group_bind(simt_op_t *op, const ptx_instr_t *instr); /* vote, match, redux */
/* Executes one collective operation for a group of threads that are at several instructions.
 * at[i] is the instruction of thread i. */
void simt_exchange(const simt_op_t *const at[32], simt_warp_t *w, uint32_t group);
bool simt_video_bind(simt_op_t *op, const ptx_instr_t *instr); /* instructions of simt_is_video() */

static inline bool simt_is_video(unsigned op) {
  /* video instructions are contiguous in ptx_op.def */
  return op >= PTX_OP_vabsdiff && op <= PTX_OP_vsub4;
}

/* Writes the bytes of element k to its register, sign- or zero-extended to the register's width. */
static inline void simt_write_bytes(simt_warp_t *w, const simt_op_t *op, unsigned k, unsigned lane,
                                    const uint8_t *bytes) {
  if (op->v[k] == SIMT_NO_OPERAND) return;
  uint64_t x = 0;
  memcpy(&x, bytes, op->bytes);
  unsigned shift = 64 - 8 * op->bytes;
  if (op->flags & SIMT_SIGNED) x = (uint64_t)((int64_t)(x << shift) >> shift);
  if (op->reg_bytes == 8) ((uint64_t *)simt_dst(w, op->v[k]))[lane] = x;
  else ((uint32_t *)simt_dst(w, op->v[k]))[lane] = op->x == 2 || op->x == 1 ? (uint32_t)x & 0xffff : (uint32_t)x;
}

/* The same; `bytes` are all elements of the thread. */
static inline void simt_write_element(simt_warp_t *w, const simt_op_t *op, unsigned k, unsigned lane,
                                      const uint8_t *bytes) {
  simt_write_bytes(w, op, k, lane, bytes + k * op->bytes);
}

/* Copies a thread's store data, all op->vec elements, to `bytes`. */
static inline void simt_read_elements(const simt_warp_t *w, const simt_op_t *op, unsigned lane, uint8_t *bytes) {
  for (unsigned k = 0; k < op->vec; k++) {
    const void *from = simt_src(w, op->v[k]);
    uint64_t x = op->reg_bytes == 8 ? ((const uint64_t *)from)[lane] : ((const uint32_t *)from)[lane];
    memcpy(bytes + k * op->bytes, &x, op->bytes);
  }
}

#endif
