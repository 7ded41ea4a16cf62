/* SPDX-License-Identifier: Apache-2.0 */
#include "nsu_warps.h"

#include "nsu_isa.h"

#include <assert.h>

#include "bits.h"

void nsu_warps_reset(nsu_warps_t *s) {
  *s = (nsu_warps_t){0};
  s->in_state[WARP_FREE] = bits_ones(NumWarps);
}

static bool nsu_warps_is(const nsu_warps_t *s, uint64_t slot, warp_state_t state) {
  return s->in_state[state] >> slot & 1;
}

static void nsu_warps_move(nsu_warps_t *s, uint64_t slot, warp_state_t from, warp_state_t to) {
  assert(slot < NumWarps && nsu_warps_is(s, slot, from));
  s->in_state[from] &= ~(UINT64_C(1) << slot);
  s->in_state[to] |= UINT64_C(1) << slot;
}

/* An event moves an ISSUED slot; of any other it is nothing. */
static bool nsu_warps_leave(nsu_warps_t *s, uint64_t slot, warp_state_t to) {
  if (slot >= NumWarps || !nsu_warps_is(s, slot, WARP_ISSUED)) return false;
  nsu_warps_move(s, slot, WARP_ISSUED, to);
  return true;
}

/* The lowest slot of the set, or -1. */
static int nsu_warps_lowest(uint64_t set) {
  return set ? __builtin_ctzll(set) : -1;
}

/* The first READY slot at or above the pointer, else the first one at all, or -1. */
static int nsu_warps_selected(const nsu_warps_t *s) {
  uint64_t ready = s->in_state[WARP_READY], at_or_above = ready & ~bits_ones(s->probe_ptr);
  return nsu_warps_lowest(at_or_above ? at_or_above : ready);
}

void nsu_warps_eval(const nsu_warps_t *s, const nsu_warps_in_t *in, nsu_warps_out_t *out) {
  (void)in;
  static const nsu_warp_t none = {0};
  int sel = nsu_warps_selected(s);
  const nsu_warp_t *w = sel >= 0 ? &s->slot[sel] : &none;
  out->sp_ready = s->in_state[WARP_FREE] != 0;
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
  out->probe_used = bits_ones(NumWarps) & ~s->in_state[WARP_FREE];
  out->probe_ready = s->in_state[WARP_READY];
  out->probe_ptr = s->probe_ptr;
}

static bool nsu_warps_has_id(const nsu_warp_t *w, uint64_t sm, uint64_t warp, uint64_t seq) {
  return w->sm == sm && w->warp == warp && w->seq == seq;
}

/* The slots in this state that wait for the event of this id. */
static uint64_t nsu_warps_waiting(const nsu_warps_t *s, warp_state_t state, uint64_t sm, uint64_t warp, uint64_t seq) {
  uint64_t slots = 0;
  for (uint64_t left = s->in_state[state]; left; left &= left - 1)
    if (nsu_warps_has_id(&s->slot[__builtin_ctzll(left)], sm, warp, seq)) slots |= left & (0 - left);
  return slots;
}

static void nsu_warps_wake(nsu_warps_t *s, warp_state_t state, uint64_t slots) {
  slots &= s->in_state[state];
  s->in_state[state] &= ~slots;
  s->in_state[WARP_READY] |= slots;
}

/* The slots that were waiting when the cycle began: before the other events. */
static void nsu_warps_wake_all(nsu_warps_t *s, const nsu_warps_in_t *in) {
  if (in->iwake) nsu_warps_wake(s, WARP_WAIT_I, ~UINT64_C(0));
  if (in->cwake) nsu_warps_wake(s, WARP_WAIT_C, ~UINT64_C(0));
  if (in->rd_cpl) nsu_warps_wake(s, WARP_WAIT_RD, nsu_warps_waiting(s, WARP_WAIT_RD, in->rd_cpl_sm, in->rd_cpl_warp, in->rd_cpl_seq));
  if (in->wr_cpl) nsu_warps_wake(s, WARP_WAIT_WR, nsu_warps_waiting(s, WARP_WAIT_WR, in->wr_cpl_sm, in->wr_cpl_warp, in->wr_cpl_seq));
  nsu_warps_wake(s, WARP_WAIT_ACK, in->ack_zero);
}

static warp_state_t nsu_warps_verdict(uint64_t next) {
  switch (next) {
  case ISA_LEAVE_WAIT_I: return WARP_WAIT_I;
  case ISA_LEAVE_WAIT_RD: return WARP_WAIT_RD;
  case ISA_LEAVE_WAIT_WR: return WARP_WAIT_WR;
  case ISA_LEAVE_WAIT_ACK: return WARP_WAIT_ACK;
  case ISA_LEAVE_HALT: return WARP_HALT;
  case ISA_LEAVE_RETRY: return WARP_READY; /* retry: the same instruction again */
  default: return WARP_ISSUED;
  }
}

static void nsu_warps_complete(nsu_warps_t *s, uint64_t slot, bool seq, bool beg) {
  if (!nsu_warps_leave(s, slot, WARP_READY)) return;
  nsu_warp_t *w = &s->slot[slot];
  w->pc = (w->pc + ISA_INSTR_BYTES) & bits_ones(PKT_ADDR_BITS);
  if (seq) w->seq = (w->seq + 1) % (1u << PKT_SEQ_BITS);
  if (beg) w->begun = true;
}

static void nsu_warps_spawn(nsu_warps_t *s, unsigned slot, const nsu_warps_in_t *in) {
  nsu_warps_move(s, slot, WARP_FREE, WARP_READY);
  s->slot[slot] = (nsu_warp_t){.sm = (uint8_t)in->sp_sm,
                               .warp = (uint8_t)in->sp_warp,
                               .count = (uint8_t)in->sp_count,
                               .idx = (uint8_t)in->sp_idx,
                               .mask = (uint32_t)in->sp_mask,
                               .pc = in->sp_pc,
                               .cbase = in->sp_cbase};
}

void nsu_warps_step(nsu_warps_t *s, const nsu_warps_in_t *in) {
  int free_slot = nsu_warps_lowest(s->in_state[WARP_FREE]), sel = nsu_warps_selected(s);
  nsu_warps_wake_all(s, in);
  if (in->d_valid) nsu_warps_leave(s, in->d_slot, nsu_warps_verdict(in->d_next));
  if (in->ex_done) nsu_warps_complete(s, in->ex_done_slot, false, false);
  if (in->ld_done) nsu_warps_complete(s, in->ld_done_slot, in->ld_done_seq, in->ld_done_beg);
  if (in->st_done) nsu_warps_complete(s, in->st_done_slot, true, false);
  if (in->ld_miss) nsu_warps_leave(s, in->ld_miss_slot, WARP_WAIT_C);
  if (in->en_done) nsu_warps_leave(s, in->en_done_slot, WARP_FREE);
  if (sel >= 0) {
    nsu_warps_move(s, (unsigned)sel, WARP_READY, WARP_ISSUED);
    s->probe_ptr = ((unsigned)sel + 1) % NumWarps;
  }
  if (in->sp_valid && free_slot >= 0) nsu_warps_spawn(s, (unsigned)free_slot, in);
}

bool nsu_warps_idle(const nsu_warps_t *s) {
  return !s->in_state[WARP_READY] && !s->in_state[WARP_WAIT_ACK];
}
