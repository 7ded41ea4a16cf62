/* SPDX-License-Identifier: Apache-2.0
 *
 * Fetch and dispatch. The fetch stage holds a warp for one cycle, in which the cache answers.
 * Numbers in brackets are rules of the port file.
 */
#include "nsu_issue.h"

#include <assert.h>

void nsu_issue_reset(nsu_issue_t *s) {
  s->held = false;
}

/* What the fetch of the held warp found. */
typedef struct {
  unsigned next; /* ISA_FETCH_* */
  isa_kind_t kind;
  bool err_opcode, err_not_beg;
} nsu_issue_verdict_t;

/* A block begins with exactly one BEG, and its register count is that of the command [3]. */
static bool nsu_issue_wrong_begin(const nsu_issue_t *s, isa_kind_t kind, uint64_t instr) {
  if (kind != ISA_BEG) return !s->begun;
  return s->begun || isa_imm(instr) >> 28 != s->count;
}

/* The lines of rule 3, in order. */
static nsu_issue_verdict_t nsu_issue_judge(const nsu_issue_t *s, const nsu_issue_in_t *in) {
  if (!in->ic_hit) return (nsu_issue_verdict_t){.next = ISA_FETCH_MISS};
  nsu_decode_out_t decoded;
  nsu_decode_eval(&(nsu_decode_t){0}, &(nsu_decode_in_t){.instr = in->ic_data}, &decoded);
  if (!decoded.legal) return (nsu_issue_verdict_t){.next = ISA_FETCH_HALT, .err_opcode = true};
  isa_kind_t kind = (isa_kind_t)decoded.kind;
  if (nsu_issue_wrong_begin(s, kind, in->ic_data))
    return (nsu_issue_verdict_t){.next = ISA_FETCH_HALT, .err_not_beg = true};
  return (nsu_issue_verdict_t){.next = ISA_FETCH_KNOWN, .kind = kind};
}

/* A LD or ST is there when its buffer has a complete entry for the held warp's id [4]. */
static void nsu_issue_fetched(const nsu_issue_t *s, const nsu_issue_in_t *in, nsu_issue_out_t *out) {
  nsu_issue_verdict_t v = nsu_issue_judge(s, in);
  bool known = v.next == ISA_FETCH_KNOWN, rd = known && v.kind == ISA_LD && in->rd_hit,
       wr = known && v.kind == ISA_ST && in->wr_hit;
  out->lk_sm = s->sm;
  out->lk_warp = s->warp;
  out->lk_seq = s->seq;
  out->d_valid = 1;
  out->d_slot = s->slot;
  out->d_next = v.next;
  out->d_kind = known ? v.kind : 0;
  out->d_there = rd || wr;
  out->d_entry = rd ? in->rd_idx : wr ? in->wr_idx : 0;
  out->err_opcode = v.err_opcode;
  out->err_not_beg = v.err_not_beg;
}

/* The kept instruction of the slot, and the unit of its kind [5]. */
static void nsu_issue_dispatch(const nsu_issue_t *s, const nsu_issue_in_t *in, nsu_issue_out_t *out) {
  assert(in->go_slot < NumWarps);
  const uint64_t instr = s->instr[in->go_slot];
  const isa_op_t *op = isa_op(isa_opcode(instr));
  out->go_instr = instr;
  if (!op) return;
  out->go_ex = op->kind == ISA_ALU;
  out->go_ld = op->kind == ISA_BEG || op->kind == ISA_LDC || op->kind == ISA_LD;
  out->go_st = op->kind == ISA_ST;
  out->go_en = op->kind == ISA_END;
  out->rd_take = op->kind == ISA_LD;
  out->wr_take = op->kind == ISA_ST;
}

void nsu_issue_eval(const nsu_issue_t *s, const nsu_issue_in_t *in, nsu_issue_out_t *out) {
  *out = (nsu_issue_out_t){0};
  out->ic_req = in->sel_valid;
  if (in->sel_valid) out->ic_addr = in->sel_pc;
  if (s->held) nsu_issue_fetched(s, in, out);
  if (in->go_valid) nsu_issue_dispatch(s, in, out);
}

void nsu_issue_step(nsu_issue_t *s, const nsu_issue_in_t *in) {
  if (s->held && nsu_issue_judge(s, in).next == ISA_FETCH_KNOWN) s->instr[s->slot] = in->ic_data;
  s->held = in->sel_valid;
  if (!in->sel_valid) return;
  assert(in->sel_slot < NumWarps);
  s->begun = in->sel_begun;
  s->slot = (uint8_t)in->sel_slot;
  s->sm = (uint8_t)in->sel_sm;
  s->warp = (uint8_t)in->sel_warp;
  s->seq = (uint8_t)in->sel_seq;
  s->count = (uint8_t)in->sel_count;
}

bool nsu_issue_idle(const nsu_issue_t *s) {
  return !s->held;
}
