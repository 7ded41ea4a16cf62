/* SPDX-License-Identifier: Apache-2.0 */
#include "nsu_warps.h"

#include <assert.h>

#include "bits.h"

void nsu_warps_reset(nsu_warps_t *s) { *s = (nsu_warps_t){0}; }

static int nsu_warps_first_free(const nsu_warps_t *s) {
  for (unsigned i = 0; i < NumWarps; i++)
    if (s->slot[i].state == WARP_FREE) return (int)i;
  return -1;
}

static int nsu_warps_selected(const nsu_warps_t *s) {
  for (unsigned i = 0; i < NumWarps; i++) {
    unsigned slot = s->probe_ptr + i < NumWarps ? s->probe_ptr + i : s->probe_ptr + i - NumWarps;
    if (s->slot[slot].state == WARP_READY) return (int)slot;
  }
  return -1;
}

void nsu_warps_eval(const nsu_warps_t *s, const nsu_warps_in_t *in, nsu_warps_out_t *out) {
  (void)in;
  static const nsu_warp_t none = {0};
  int sel = nsu_warps_selected(s);
  const nsu_warp_t *w = sel >= 0 ? &s->slot[sel] : &none;
  out->sp_ready = nsu_warps_first_free(s) >= 0;
  out->sel_valid = sel >= 0;
  out->sel_slot = sel >= 0 ? (unsigned)sel : 0;
  out->sel_sm = w->sm;
  out->sel_warp = w->warp;
  out->sel_seq = w->seq;
  out->sel_pc = w->pc;
  out->sel_mask = w->mask;
  out->sel_cbase = w->cbase;
  out->sel_count = w->count;
  out->sel_idx = w->idx;
  out->sel_begun = w->begun;
  out->probe_used = out->probe_ready = 0;
  for (unsigned i = 0; i < NumWarps; i++) {
    out->probe_used |= (uint64_t)(s->slot[i].state != WARP_FREE) << i;
    out->probe_ready |= (uint64_t)(s->slot[i].state == WARP_READY) << i;
  }
  out->probe_ptr = s->probe_ptr;
}

static bool nsu_warps_has_id(const nsu_warp_t *w, uint64_t sm, uint64_t warp, uint64_t seq) {
  return w->sm == sm && w->warp == warp && w->seq == seq;
}

/* Does an event of this cycle wake this slot? */
static bool nsu_warps_wakes(const nsu_warp_t *w, unsigned slot, const nsu_warps_in_t *in) {
  switch (w->state) {
  case WARP_WAIT_I: return in->iwake;
  case WARP_WAIT_C: return in->cwake;
  case WARP_WAIT_RD: return in->rd_cpl && nsu_warps_has_id(w, in->rd_cpl_sm, in->rd_cpl_warp, in->rd_cpl_seq);
  case WARP_WAIT_WR: return in->wr_cpl && nsu_warps_has_id(w, in->wr_cpl_sm, in->wr_cpl_warp, in->wr_cpl_seq);
  case WARP_WAIT_ACK: return in->ack_zero >> slot & 1;
  default: return false;
  }
}

/* An ISSUED slot, as every event but a wake concerns. */
static nsu_warp_t *nsu_warps_issued(nsu_warps_t *s, uint64_t slot) {
  assert(slot < NumWarps && s->slot[slot].state == WARP_ISSUED);
  return &s->slot[slot];
}

static void nsu_warps_verdict(nsu_warp_t *w, uint64_t next) {
  switch (next) {
  case 1: w->state = WARP_WAIT_I; break;
  case 2: w->state = WARP_WAIT_RD; break;
  case 3: w->state = WARP_WAIT_WR; break;
  case 4: w->state = WARP_WAIT_ACK; break;
  case 5: w->state = WARP_HALT; break;
  default: break;
  }
}

static void nsu_warps_complete(nsu_warp_t *w, bool seq, bool beg) {
  w->state = WARP_READY;
  w->pc = (w->pc + ISA_INSTR_BYTES) & bits_ones(PKT_ADDR_BITS);
  if (seq) w->seq = (w->seq + 1) % (1u << PKT_SEQ_BITS);
  if (beg) w->begun = true;
}

static void nsu_warps_spawn(nsu_warp_t *w, const nsu_warps_in_t *in) {
  *w = (nsu_warp_t){.state = WARP_READY, .sm = (uint8_t)in->sp_sm, .warp = (uint8_t)in->sp_warp,
    .count = (uint8_t)in->sp_count, .idx = (uint8_t)in->sp_idx, .mask = (uint32_t)in->sp_mask, .pc = in->sp_pc,
    .cbase = in->sp_cbase};
}

void nsu_warps_step(nsu_warps_t *s, const nsu_warps_in_t *in) {
  int free_slot = nsu_warps_first_free(s), sel = nsu_warps_selected(s);
  for (unsigned i = 0; i < NumWarps; i++)
    if (nsu_warps_wakes(&s->slot[i], i, in)) s->slot[i].state = WARP_READY;
  if (in->d_valid) nsu_warps_verdict(nsu_warps_issued(s, in->d_slot), in->d_next);
  if (in->ex_done) nsu_warps_complete(nsu_warps_issued(s, in->ex_done_slot), false, false);
  if (in->ld_done) nsu_warps_complete(nsu_warps_issued(s, in->ld_done_slot), in->ld_done_seq, in->ld_done_beg);
  if (in->st_done) nsu_warps_complete(nsu_warps_issued(s, in->st_done_slot), true, false);
  if (in->ld_miss) nsu_warps_issued(s, in->ld_miss_slot)->state = WARP_WAIT_C;
  if (in->en_done) nsu_warps_issued(s, in->en_done_slot)->state = WARP_FREE;
  if (sel >= 0 && in->sel_ready) {
    s->slot[sel].state = WARP_ISSUED;
    s->probe_ptr = ((unsigned)sel + 1) % NumWarps;
  }
  if (in->sp_valid && free_slot >= 0) nsu_warps_spawn(&s->slot[free_slot], in);
  s->waits_ack = 0;
  for (unsigned i = 0; i < NumWarps; i++) s->waits_ack |= (uint64_t)(s->slot[i].state == WARP_WAIT_ACK) << i;
}

bool nsu_warps_idle(const nsu_warps_t *s) { return nsu_warps_selected(s) < 0; }
