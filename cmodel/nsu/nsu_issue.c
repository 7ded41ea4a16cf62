/* SPDX-License-Identifier: Apache-2.0 */
#include "nsu_issue.h"

void nsu_issue_reset(nsu_issue_t *s) {
  *s = (nsu_issue_t){0};
}

/* How the held warp leaves. */
typedef struct {
  bool err_opcode, err_not_beg;
  unsigned next;
  isa_kind_t kind;
} nsu_issue_verdict_t;

static nsu_issue_verdict_t nsu_issue_wait(unsigned next) {
  return (nsu_issue_verdict_t){.next = next};
}

static bool nsu_issue_wrong_begin(const nsu_issue_t *s, isa_kind_t kind, uint64_t instr) {
  if (kind != ISA_BEG) return !s->begun;
  return s->begun || isa_imm(instr) >> 28 != s->count;
}

static nsu_issue_verdict_t nsu_issue_judge(const nsu_issue_t *s, const nsu_issue_in_t *in) {
  if (!in->ic_hit) return nsu_issue_wait(ISA_LEAVE_WAIT_I);
  nsu_decode_out_t decoded;
  nsu_decode_eval(&(nsu_decode_t){0}, &(nsu_decode_in_t){.instr = in->ic_data}, &decoded);
  if (!decoded.legal) return (nsu_issue_verdict_t){.next = ISA_LEAVE_HALT, .err_opcode = true};
  isa_kind_t kind = (isa_kind_t)decoded.kind;
  if (nsu_issue_wrong_begin(s, kind, in->ic_data)) return (nsu_issue_verdict_t){.next = ISA_LEAVE_HALT, .err_not_beg = true};
  bool ready = false;
  switch (kind) {
  case ISA_ALU: ready = in->ex_ready; break;
  case ISA_BEG:
  case ISA_LDC: ready = in->ld_ready; break;
  case ISA_LD:
    if (!in->rd_hit) return nsu_issue_wait(ISA_LEAVE_WAIT_RD);
    ready = in->ld_ready;
    break;
  case ISA_ST:
    if (!in->wr_hit) return nsu_issue_wait(ISA_LEAVE_WAIT_WR);
    ready = in->st_ready;
    break;
  case ISA_END:
    if (!(in->ack_zero >> s->slot & 1)) return nsu_issue_wait(ISA_LEAVE_WAIT_ACK);
    ready = in->en_ready;
    break;
  }
  return (nsu_issue_verdict_t){.next = ready ? ISA_LEAVE_DISPATCHED : ISA_LEAVE_RETRY, .kind = kind};
}

static void nsu_issue_dispatch(const nsu_issue_t *s, const nsu_issue_in_t *in, const nsu_issue_verdict_t *v, nsu_issue_out_t *out) {
  out->go_valid = 1;
  out->go_ex = v->kind == ISA_ALU;
  out->go_ld = v->kind == ISA_BEG || v->kind == ISA_LDC || v->kind == ISA_LD;
  out->go_st = v->kind == ISA_ST;
  out->go_en = v->kind == ISA_END;
  out->rd_take = v->kind == ISA_LD;
  out->wr_take = v->kind == ISA_ST;
  out->go_instr = in->ic_data;
  out->go_slot = s->slot;
  out->go_sm = s->sm;
  out->go_warp = s->warp;
  out->go_seq = s->seq;
  out->go_pc = s->pc;
  out->go_mask = s->mask;
  out->go_cbase = s->cbase;
  out->go_idx = s->idx;
}

void nsu_issue_eval(const nsu_issue_t *s, const nsu_issue_in_t *in, nsu_issue_out_t *out) {
  *out = (nsu_issue_out_t){0};
  out->ic_req = in->sel_valid;
  if (in->sel_valid) out->ic_addr = in->sel_pc;
  if (!s->held) return;
  nsu_issue_verdict_t v = nsu_issue_judge(s, in);
  out->lk_sm = s->sm;
  out->lk_warp = s->warp;
  out->lk_seq = s->seq;
  if (v.next == ISA_LEAVE_DISPATCHED) nsu_issue_dispatch(s, in, &v, out);
  out->d_valid = 1;
  out->d_slot = s->slot;
  out->d_next = v.next;
  out->err_opcode = v.err_opcode;
  out->err_not_beg = v.err_not_beg;
}

void nsu_issue_step(nsu_issue_t *s, const nsu_issue_in_t *in) {
  s->held = in->sel_valid;
  if (!in->sel_valid) return;
  *s = (nsu_issue_t){.held = true,
                     .begun = in->sel_begun,
                     .slot = (uint8_t)in->sel_slot,
                     .sm = (uint8_t)in->sel_sm,
                     .warp = (uint8_t)in->sel_warp,
                     .seq = (uint8_t)in->sel_seq,
                     .count = (uint8_t)in->sel_count,
                     .idx = (uint8_t)in->sel_idx,
                     .mask = (uint32_t)in->sel_mask,
                     .pc = in->sel_pc,
                     .cbase = in->sel_cbase};
}

bool nsu_issue_idle(const nsu_issue_t *s) {
  return !s->held;
}
