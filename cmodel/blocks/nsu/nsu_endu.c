/* SPDX-License-Identifier: Apache-2.0
 *
 * An END as a small machine: for each register read, take the row, send a beat. Without registers
 * it sends one beat.
 */
#include "nsu_endu.h"

void nsu_endu_reset(nsu_endu_t *s) {
  *s = (nsu_endu_t){.state = ENDU_IDLE};
}

/* Registers of END's list, 0 .. 7. */
static unsigned nsu_endu_count(const nsu_endu_t *s) {
  return isa_imm(s->instr) >> 28;
}

/* True also for an END without registers, which sends one beat. */
static bool nsu_endu_last(const nsu_endu_t *s) {
  return s->k + 1 >= nsu_endu_count(s);
}

/* Rules 5 and 6. Beat 0 carries the credits of this cycle, the others none. */
static void nsu_endu_beat(const nsu_endu_t *s, const nsu_endu_in_t *in, nsu_endu_out_t *out) {
  uint32_t *hdr = out->ack_hdr;
  memset(hdr, 0, sizeof out->ack_hdr);
  HDR_SET(hdr, type, PKT_OFLD_ACK);
  HDR_SET(hdr, src, in->stack_id);
  HDR_SET(hdr, dst, 15);
  HDR_SET(hdr, target, in->stack_id);
  HDR_SET(hdr, sm, s->sm);
  HDR_SET(hdr, warp, s->warp);
  HDR_SET(hdr, seq, s->seq);
  HDR_SET(hdr, slot, s->slot);
  HDR_SET(hdr, mask, s->mask);
  HDR_SET(hdr, lmask, s->mask);
  HDR_SET(hdr, count, nsu_endu_count(s));
  HDR_SET(hdr, beat, s->k);
  if (s->k == 0) {
    HDR_SET(hdr, cr_cmd, in->cr_cmd);
    HDR_SET(hdr, cr_rd, in->cr_rd);
    HDR_SET(hdr, cr_wr, in->cr_wr);
  }
  bool carries = nsu_endu_count(s) > 0;
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++) out->ack_data[i] = carries && (s->mask >> i & 1) ? s->row[i] : 0;
}

void nsu_endu_eval(const nsu_endu_t *s, const nsu_endu_in_t *in, nsu_endu_out_t *out) {
  bool reads = s->state == ENDU_READ, acks = s->state == ENDU_ACK, accepted = acks && in->ack_ready;
  out->ready = s->state == ENDU_IDLE;
  out->rf_rd_valid = reads;
  out->rf_rd_slot = reads ? s->slot : 0;
  out->rf_rd_reg = reads ? isa_imm(s->instr) >> 4 * s->k & 15 : 0;
  out->cr_take = accepted && s->k == 0;
  out->ack_valid = acks;
  if (acks) nsu_endu_beat(s, in, out);
  out->done = accepted && nsu_endu_last(s);
  out->done_slot = out->done ? s->slot : 0;
}

void nsu_endu_step(nsu_endu_t *s, const nsu_endu_in_t *in) {
  switch (s->state) {
  case ENDU_IDLE:
    if (!in->go) break;
    *s = (nsu_endu_t){.instr = in->go_instr,
                      .slot = (uint8_t)in->go_slot,
                      .sm = (uint8_t)in->go_sm,
                      .warp = (uint8_t)in->go_warp,
                      .seq = (uint8_t)in->go_seq,
                      .mask = (uint32_t)in->go_mask};
    s->state = nsu_endu_count(s) ? ENDU_READ : ENDU_ACK;
    break;
  case ENDU_READ:
    if (in->rf_rd_gnt) s->state = ENDU_DATA;
    break;
  case ENDU_DATA:
    memcpy(s->row, in->rf_rd_data, sizeof s->row);
    s->state = ENDU_ACK;
    break;
  case ENDU_ACK:
    if (!in->ack_ready) break;
    s->state = nsu_endu_last(s) ? ENDU_IDLE : ENDU_READ;
    s->k++;
    break;
  }
}

bool nsu_endu_idle(const nsu_endu_t *s) {
  return s->state == ENDU_IDLE;
}

bool nsu_endu_acks(const nsu_endu_t *s) {
  return s->state == ENDU_ACK;
}
