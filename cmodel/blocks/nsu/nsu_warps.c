/* SPDX-License-Identifier: Apache-2.0
 *
 * The warp table as one mask of slots for each state. Numbers in brackets are rules of the port
 * file.
 */
#include "nsu_warps.h"

#include <assert.h>

#include "bits.h"

void nsu_warps_reset(nsu_warps_t *s) {
  *s = (nsu_warps_t){0};
  s->in_state[WARP_FREE] = bits_ones(NumWarps);
}

/* False also for a slot out of range, so an event for it is ignored. */
static bool nsu_warps_is(const nsu_warps_t *s, uint64_t slot, warp_state_t state) {
  return slot < NumWarps && s->in_state[state] >> slot & 1;
}

/* Asserts that the slot is in state `from`. */
static void nsu_warps_move(nsu_warps_t *s, uint64_t slot, warp_state_t from, warp_state_t to) {
  assert(nsu_warps_is(s, slot, from));
  s->in_state[from] &= ~(UINT64_C(1) << slot);
  s->in_state[to] |= UINT64_C(1) << slot;
}

/* The lowest slot of the set, or -1. */
static int nsu_warps_lowest(uint64_t set) {
  return set ? __builtin_ctzll(set) : -1;
}

/* The first slot of the set at or above ptr, cyclically; -1 if the set is empty. */
static int nsu_warps_in_turn(uint64_t set, unsigned ptr) {
  uint64_t at_or_above = set & ~bits_ones(ptr);
  return nsu_warps_lowest(at_or_above ? at_or_above : set);
}

/* The slot that is fetched for next, or -1 [3]. */
static int nsu_warps_to_fetch(const nsu_warps_t *s) {
  return nsu_warps_in_turn(s->in_state[WARP_FETCH], s->probe_fetch_ptr);
}

uint64_t nsu_warps_ready(const nsu_warps_t *s, uint64_t ack_zero) {
  return ~s->busy &
         (s->in_state[WARP_EX] | s->in_state[WARP_LD] | s->in_state[WARP_ST] | (s->in_state[WARP_EN] & ack_zero));
}

/* The slot whose instruction goes to a unit in this cycle, or -1 [5]. */
static int nsu_warps_to_go(const nsu_warps_t *s, const nsu_warps_in_t *in) {
  uint64_t units = 0; /* slots whose unit is ready */
  if (in->ex_ready) units |= s->in_state[WARP_EX];
  if (in->ld_ready) units |= s->in_state[WARP_LD];
  if (in->st_ready) units |= s->in_state[WARP_ST];
  if (in->en_ready) units |= s->in_state[WARP_EN];
  return nsu_warps_in_turn(units & nsu_warps_ready(s, in->ack_zero), s->probe_go_ptr);
}

/* The slot's fields; zeros for -1, as port files ask for. */
static const nsu_warp_t *nsu_warps_slot(const nsu_warps_t *s, int slot) {
  static const nsu_warp_t none = {0};
  return slot >= 0 ? &s->slot[slot] : &none;
}

static void nsu_warps_show_fetch(const nsu_warps_t *s, nsu_warps_out_t *out) {
  int sel = nsu_warps_to_fetch(s);
  const nsu_warp_t *w = nsu_warps_slot(s, sel);
  out->sel_valid = sel >= 0;
  out->sel_slot = sel >= 0 ? (unsigned)sel : 0;
  out->sel_sm = w->sm;
  out->sel_warp = w->warp;
  out->sel_seq = w->next_seq;
  out->sel_pc = w->next_pc;
  out->sel_count = w->count;
  out->sel_begun = w->begun;
}

static void nsu_warps_show_go(const nsu_warps_t *s, const nsu_warps_in_t *in, nsu_warps_out_t *out) {
  int go = nsu_warps_to_go(s, in);
  const nsu_warp_t *w = nsu_warps_slot(s, go);
  out->go_valid = go >= 0;
  out->go_slot = go >= 0 ? (unsigned)go : 0;
  out->go_sm = w->sm;
  out->go_warp = w->warp;
  out->go_seq = w->seq;
  out->go_pc = w->pc;
  out->go_mask = w->mask;
  out->go_cbase = w->cbase;
  out->go_idx = w->idx;
  out->go_mem = go >= 0 && (w->kind == ISA_LD || w->kind == ISA_ST);
  out->go_entry = out->go_mem ? w->entry : 0;
}

void nsu_warps_eval(const nsu_warps_t *s, const nsu_warps_in_t *in, nsu_warps_out_t *out) {
  out->sp_ready = s->in_state[WARP_FREE] != 0;
  nsu_warps_show_fetch(s, out);
  nsu_warps_show_go(s, in, out);
  out->probe_used = bits_ones(NumWarps) & ~s->in_state[WARP_FREE];
  out->probe_fetch = s->in_state[WARP_FETCH];
  out->probe_ready = nsu_warps_ready(s, in->ack_zero);
  out->probe_fetch_ptr = s->probe_fetch_ptr;
  out->probe_go_ptr = s->probe_go_ptr;
}

/* Slots in state `from` whose instruction has this id move to `to`; id->entry is
 * where their data or addresses are [8]. */
static void nsu_warps_arrive(nsu_warps_t *s, warp_state_t from, warp_state_t to, const nsu_warp_t *id) {
  for (uint64_t left = s->in_state[from]; left; left &= left - 1) {
    nsu_warp_t *w = &s->slot[__builtin_ctzll(left)];
    if (w->sm != id->sm || w->warp != id->warp || w->seq != id->seq) continue;
    w->entry = id->entry;
    nsu_warps_move(s, (unsigned)__builtin_ctzll(left), from, to);
  }
}

/* All slots of a state move: a wake does not say which line came. */
static void nsu_warps_wake(nsu_warps_t *s, warp_state_t from, warp_state_t to) {
  s->in_state[to] |= s->in_state[from];
  s->in_state[from] = 0;
}

/* Only slots that waited at the beginning of the cycle wake, so this
 * comes before the other events. */
static void nsu_warps_wake_all(nsu_warps_t *s, const nsu_warps_in_t *in) {
  const nsu_warp_t rd = {.sm = (uint8_t)in->rd_cpl_sm,
                         .warp = (uint8_t)in->rd_cpl_warp,
                         .seq = (uint8_t)in->rd_cpl_seq,
                         .entry = (uint16_t)in->rd_cpl_idx};
  const nsu_warp_t wr = {.sm = (uint8_t)in->wr_cpl_sm,
                         .warp = (uint8_t)in->wr_cpl_warp,
                         .seq = (uint8_t)in->wr_cpl_seq,
                         .entry = (uint16_t)in->wr_cpl_idx};
  if (in->iwake) nsu_warps_wake(s, WARP_WAIT_I, WARP_FETCH);
  if (in->cwake) nsu_warps_wake(s, WARP_WAIT_C, WARP_LD);
  if (in->rd_cpl) nsu_warps_arrive(s, WARP_WAIT_RD, WARP_LD, &rd);
  if (in->wr_cpl) nsu_warps_arrive(s, WARP_WAIT_WR, WARP_ST, &wr);
}

/* The state of a slot whose next instruction is of this kind [4]. */
static warp_state_t nsu_warps_known(isa_kind_t kind, bool there) {
  switch (kind) {
  case ISA_ALU: return WARP_EX;
  case ISA_LD: return there ? WARP_LD : WARP_WAIT_RD;
  case ISA_ST: return there ? WARP_ST : WARP_WAIT_WR;
  case ISA_END: return WARP_EN;
  default: return WARP_LD; /* OFLD.BEG, LDC */
  }
}

/* What the issue stage found for a slot [4]. */
static void nsu_warps_verdict(nsu_warps_t *s, const nsu_warps_in_t *in) {
  if (!nsu_warps_is(s, in->d_slot, WARP_ASKED)) return;
  nsu_warp_t *w = &s->slot[in->d_slot];
  if (in->d_next != ISA_FETCH_KNOWN) {
    nsu_warps_move(s, in->d_slot, WARP_ASKED, in->d_next == ISA_FETCH_MISS ? WARP_WAIT_I : WARP_HALT);
    return;
  }
  w->kind = (isa_kind_t)in->d_kind;
  w->pc = w->next_pc;
  w->seq = w->next_seq;
  if (in->d_there) w->entry = (uint16_t)in->d_entry;
  w->next_pc = (w->pc + ISA_INSTR_BYTES) & bits_ones(PKT_ADDR_BITS);
  if (w->kind == ISA_LD || w->kind == ISA_ST) w->next_seq = (w->seq + 1) % (1u << PKT_SEQ_BITS);
  if (w->kind == ISA_BEG) w->begun = true;
  nsu_warps_move(s, in->d_slot, WARP_ASKED, nsu_warps_known(w->kind, in->d_there));
}

/* Only LDC and END change the slot's state when done: other warps have
 * gone on to their next fetch [7]. */
static void nsu_warps_done(nsu_warps_t *s, uint64_t slot, warp_state_t from, warp_state_t to) {
  if (nsu_warps_is(s, slot, from)) nsu_warps_move(s, slot, from, to);
}

/* The slot may issue again. */
static void nsu_warps_finish(nsu_warps_t *s, uint64_t slot) {
  s->busy &= ~(UINT64_C(1) << slot);
}

/* LDC and END hold the warp; after the others its next instruction is fetched at once [6]. */
static void nsu_warps_dispatch(nsu_warps_t *s, unsigned slot) {
  switch (s->slot[slot].kind) {
  case ISA_LDC: nsu_warps_move(s, slot, WARP_LD, WARP_CONST); return;
  case ISA_END: nsu_warps_move(s, slot, WARP_EN, WARP_LAST); return;
  case ISA_ALU: nsu_warps_move(s, slot, WARP_EX, WARP_FETCH); break;
  case ISA_ST: nsu_warps_move(s, slot, WARP_ST, WARP_FETCH); break;
  default: nsu_warps_move(s, slot, WARP_LD, WARP_FETCH); break;
  }
  s->busy |= UINT64_C(1) << slot;
}

/* Rule 2. The fields that are not named start at 0. */
static void nsu_warps_spawn(nsu_warps_t *s, unsigned slot, const nsu_warps_in_t *in) {
  nsu_warps_move(s, slot, WARP_FREE, WARP_FETCH);
  s->slot[slot] = (nsu_warp_t){.sm = (uint8_t)in->sp_sm,
                               .warp = (uint8_t)in->sp_warp,
                               .count = (uint8_t)in->sp_count,
                               .idx = (uint8_t)in->sp_idx,
                               .mask = (uint32_t)in->sp_mask,
                               .next_pc = in->sp_pc,
                               .cbase = in->sp_cbase};
}

static void nsu_warps_completions(nsu_warps_t *s, const nsu_warps_in_t *in) {
  if (in->ex_done) nsu_warps_finish(s, in->ex_done_slot);
  if (in->st_done) nsu_warps_finish(s, in->st_done_slot);
  if (in->ld_done) nsu_warps_finish(s, in->ld_done_slot);
  if (in->ld_done) nsu_warps_done(s, in->ld_done_slot, WARP_CONST, WARP_FETCH);
  if (in->ld_miss) nsu_warps_done(s, in->ld_miss_slot, WARP_CONST, WARP_WAIT_C);
  if (in->en_done) nsu_warps_done(s, in->en_done_slot, WARP_LAST, WARP_FREE);
}

/* The three choices use the state at the beginning of the cycle, so they come before any change. */
void nsu_warps_step(nsu_warps_t *s, const nsu_warps_in_t *in) {
  int free_slot = nsu_warps_lowest(s->in_state[WARP_FREE]), sel = nsu_warps_to_fetch(s), go = nsu_warps_to_go(s, in);
  nsu_warps_wake_all(s, in);
  if (in->d_valid) nsu_warps_verdict(s, in);
  nsu_warps_completions(s, in);
  if (sel >= 0) {
    nsu_warps_move(s, (unsigned)sel, WARP_FETCH, WARP_ASKED);
    s->probe_fetch_ptr = ((unsigned)sel + 1) % NumWarps;
  }
  if (go >= 0) {
    nsu_warps_dispatch(s, (unsigned)go);
    s->probe_go_ptr = ((unsigned)go + 1) % NumWarps;
  }
  if (in->sp_valid && free_slot >= 0) nsu_warps_spawn(s, (unsigned)free_slot, in);
}

bool nsu_warps_idle(const nsu_warps_t *s) {
  return !s->in_state[WARP_FETCH];
}
