/* SPDX-License-Identifier: Apache-2.0
 *
 * A load as a small machine. Numbers in brackets are rules of the port file.
 */
#include "nsu_ldu.h"

#include <assert.h>

void nsu_ldu_reset(nsu_ldu_t *s) {
  *s = (nsu_ldu_t){.state = LDU_IDLE};
}

/* Registers of BEG's list, 0 .. 7. */
static unsigned nsu_ldu_count(const nsu_ldu_t *s) {
  return isa_imm(s->instr) >> 28;
}

static bool nsu_ldu_last(const nsu_ldu_t *s) {
  return s->k + 1 == nsu_ldu_count(s);
}

/* The output rf_wr_valid. */
static bool nsu_ldu_writes(const nsu_ldu_t *s, const nsu_ldu_in_t *in) {
  return s->state == LDU_LD || s->state == LDU_BEG_WRITE || (s->state == LDU_LDC_WRITE && in->cc_hit);
}

/* A loaded word, extended as the opcode says [2]. */
static uint32_t nsu_ldu_extend(unsigned opcode, uint32_t word) {
  switch (opcode) {
  case OP_LD_U8: return (uint8_t)word;
  case OP_LD_S8: return (uint32_t)(int8_t)word;
  case OP_LD_U16: return (uint16_t)word;
  case OP_LD_S16: return (uint32_t)(int16_t)word;
  default: return word;
  }
}

/* The row to be written: read data, a command's register, or a constant in every thread. */
static void nsu_ldu_row(const nsu_ldu_t *s, const nsu_ldu_in_t *in, uint32_t *row) {
  unsigned opcode = isa_opcode(s->instr);
  bool whole_words = s->state == LDU_BEG_WRITE || opcode == OP_LD;
  if (s->state == LDU_LDC_WRITE) {
    for (unsigned i = 0; i < PKT_WARP_WIDTH; i++) row[i] = (uint32_t)in->cc_data;
  } else if (whole_words) {
    memcpy(row, s->state == LDU_LD ? in->rd_row : in->cb_data, LINE_WORDS * sizeof *row);
  } else {
    for (unsigned i = 0; i < PKT_WARP_WIDTH; i++) row[i] = nsu_ldu_extend(opcode, in->rd_row[i]);
  }
}

/* A LD writes the threads of its read data, the others those of the warp. */
static uint32_t nsu_ldu_mask(const nsu_ldu_t *s, const nsu_ldu_in_t *in) {
  return s->state == LDU_LD ? (uint32_t)in->rd_mask : s->mask;
}

static void nsu_ldu_eval_write(const nsu_ldu_t *s, const nsu_ldu_in_t *in, nsu_ldu_out_t *out) {
  out->rf_wr_slot = s->slot;
  out->rf_wr_reg = s->state == LDU_BEG_WRITE ? isa_imm(s->instr) >> 4 * s->k & 15 : isa_rd(s->instr);
  out->rf_wr_mask = nsu_ldu_mask(s, in);
  nsu_ldu_row(s, in, out->rf_wr_row);
}

/* The instruction ends in this cycle: an empty BEG at once, the others with their last grant. */
static bool nsu_ldu_done(const nsu_ldu_t *s, const nsu_ldu_in_t *in) {
  if (s->state == LDU_BEG_EMPTY) return true;
  return nsu_ldu_writes(s, in) && in->rf_wr_gnt && (s->state != LDU_BEG_WRITE || nsu_ldu_last(s));
}

/* The constant's line is not in the cache: the unit gives up, and the
 * warp tries again later [10]. */
static bool nsu_ldu_missed(const nsu_ldu_t *s, const nsu_ldu_in_t *in) {
  return s->state == LDU_LDC_WRITE && !in->cc_hit;
}

/* A unit that ends an instruction in this cycle can accept the next one [1]. */
static bool nsu_ldu_ready(const nsu_ldu_t *s, const nsu_ldu_in_t *in) {
  return s->state == LDU_IDLE || nsu_ldu_done(s, in) || nsu_ldu_missed(s, in);
}

void nsu_ldu_eval(const nsu_ldu_t *s, const nsu_ldu_in_t *in, nsu_ldu_out_t *out) {
  bool done = nsu_ldu_done(s, in), beg = s->state == LDU_BEG_EMPTY || s->state == LDU_BEG_WRITE;
  bool cb_rd = s->state == LDU_BEG_READ, cc_req = s->state == LDU_LDC_READ;
  bool miss = nsu_ldu_missed(s, in);
  out->ready = nsu_ldu_ready(s, in);
  out->cb_rd = cb_rd;
  out->cb_idx = cb_rd ? s->idx : 0;
  out->cb_beat = cb_rd ? s->k : 0;
  out->cb_free = done && beg;
  out->cb_free_idx = done && beg ? s->idx : 0;
  out->cc_req = cc_req;
  out->cc_addr = cc_req ? (s->cbase + isa_imm(s->instr)) & bits_ones(PKT_ADDR_BITS) : 0;
  out->rf_wr_valid = nsu_ldu_writes(s, in);
  if (out->rf_wr_valid) nsu_ldu_eval_write(s, in, out);
  out->done = done;
  out->done_slot = done ? s->slot : 0;
  out->miss = miss;
  out->miss_slot = miss ? s->slot : 0;
}

static void nsu_ldu_accept(nsu_ldu_t *s, const nsu_ldu_in_t *in) {
  const isa_op_t *op = isa_op(isa_opcode(in->go_instr));
  assert(op && (op->kind == ISA_BEG || op->kind == ISA_LD || op->kind == ISA_LDC));
  *s = (nsu_ldu_t){.instr = in->go_instr,
                   .cbase = in->go_cbase,
                   .slot = (uint8_t)in->go_slot,
                   .idx = (uint8_t)in->go_idx,
                   .mask = (uint32_t)in->go_mask};
  if (op->kind == ISA_LD) s->state = LDU_LD;
  else if (op->kind == ISA_LDC) s->state = LDU_LDC_READ;
  else s->state = nsu_ldu_count(s) ? LDU_BEG_READ : LDU_BEG_EMPTY;
}

void nsu_ldu_step(nsu_ldu_t *s, const nsu_ldu_in_t *in) {
  if (nsu_ldu_ready(s, in)) {
    s->state = LDU_IDLE;
    if (in->go) nsu_ldu_accept(s, in);
    return;
  }
  switch (s->state) {
  case LDU_BEG_READ: s->state = LDU_BEG_WRITE; break;
  case LDU_BEG_WRITE:
    if (!in->rf_wr_gnt) break;
    s->k++;
    s->state = LDU_BEG_READ;
    break;
  case LDU_LDC_READ: s->state = LDU_LDC_WRITE; break;
  default: break;
  }
}

bool nsu_ldu_idle(const nsu_ldu_t *s) {
  return s->state == LDU_IDLE;
}
