/* SPDX-License-Identifier: Apache-2.0
 *
 * A store as a small machine: read the register, start nsu_wgen, wait for its last packet.
 */
#include "nsu_stu.h"

void nsu_stu_reset(nsu_stu_t *s) {
  *s = (nsu_stu_t){.state = STU_IDLE};
  nsu_wgen_reset(&s->wgen);
}

/* nsu_wgen's inputs. It starts with the rows on the register file's and the
 * write address buffer's outputs. */
static void nsu_stu_wgen_in(const nsu_stu_t *s, const nsu_stu_in_t *in, nsu_wgen_in_t *wgen) {
  wgen->stack_id = in->stack_id;
  wgen->wr_ready = in->wr_ready;
  wgen->start = s->state == STU_START;
  if (!wgen->start) return;
  wgen->slot = s->slot;
  wgen->sm = s->sm;
  wgen->warp = s->warp;
  wgen->seq = s->seq;
  wgen->mask = in->wa_mask;
  wgen->size = in->wa_size;
  memcpy(wgen->addrs, in->wa_row, sizeof in->wa_row);
  memcpy(wgen->data, in->rf_rd_data, sizeof in->rf_rd_data);
}

void nsu_stu_eval(const nsu_stu_t *s, const nsu_stu_in_t *in, nsu_stu_out_t *out) {
  bool reads = s->state == STU_READ;
  out->ready = s->state == STU_IDLE;
  out->rf_rd_valid = reads;
  out->rf_rd_slot = reads ? s->slot : 0;
  out->rf_rd_reg = reads ? isa_ra(s->instr) : 0;
  out->wr_valid = out->sent = out->sent_slot = out->done = out->done_slot = 0;
  if (s->state != STU_WRITE) return;
  nsu_wgen_in_t wgen_in;
  nsu_wgen_out_t wgen;
  nsu_stu_wgen_in(s, in, &wgen_in);
  nsu_wgen_eval(&s->wgen, &wgen_in, &wgen);
  out->wr_valid = wgen.wr_valid;
  if (wgen.wr_valid) {
    memcpy(out->wr_hdr, wgen.wr_hdr, sizeof wgen.wr_hdr);
    memcpy(out->wr_data, wgen.wr_data, sizeof wgen.wr_data);
  }
  out->sent = wgen.wr_valid && in->wr_ready;
  out->sent_slot = out->sent ? s->slot : 0;
  out->done = wgen.done;
  out->done_slot = wgen.done ? s->slot : 0;
  if (wgen.done) out->ready = 1;
}

/* nsu_wgen keeps its state: it is idle, but its registers are. */
static void nsu_stu_accept(nsu_stu_t *s, const nsu_stu_in_t *in) {
  *s = (nsu_stu_t){.state = STU_READ,
                   .instr = in->go_instr,
                   .slot = (uint8_t)in->go_slot,
                   .sm = (uint8_t)in->go_sm,
                   .warp = (uint8_t)in->go_warp,
                   .seq = (uint8_t)in->go_seq,
                   .wgen = s->wgen};
}

void nsu_stu_step(nsu_stu_t *s, const nsu_stu_in_t *in) {
  if (s->state >= STU_START) {
    nsu_wgen_in_t wgen_in;
    nsu_stu_wgen_in(s, in, &wgen_in);
    nsu_wgen_step(&s->wgen, &wgen_in);
  }
  switch (s->state) {
  case STU_IDLE:
    if (in->go) nsu_stu_accept(s, in);
    break;
  case STU_READ:
    if (in->rf_rd_gnt) s->state = STU_START;
    break;
  case STU_START: s->state = STU_WRITE; break;
  case STU_WRITE:
    if (!nsu_wgen_idle(&s->wgen)) break;
    s->state = STU_IDLE; /* done was 1 in this cycle */
    if (in->go) nsu_stu_accept(s, in);
    break;
  }
}

bool nsu_stu_idle(const nsu_stu_t *s) {
  return s->state == STU_IDLE;
}

bool nsu_stu_writes(const nsu_stu_t *s) {
  return s->state == STU_WRITE && s->wgen.pending;
}
