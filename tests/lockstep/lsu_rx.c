/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_rx: messages of one or more beats, and consumers of the four classes. `sent`
 * counts places of a class whose credit has not come back.
 */
#include "lsu_rx.h"

#include "lsu_stim.h"

enum { MIXED, DENSE, TRICKLE, SHORT, ERRORS };

/* mixed leaves gaps between beats and keeps FIFOs half full.
 *  dense: a message ends and the next begins in one cycle.
 *  trickle: FIFOs are full.
 *  short: two messages end in one cycle.
 *  errors: drops and flags, also of a FIFO that overflows. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "messages of every type within their credits, gaps, taken at random"},
    [DENSE] = {"dense", "two beats in every cycle, taken at once"},
    [TRICKLE] = {"trickle", "a beat now and then, taken late: FIFOs are full"},
    [SHORT] = {"short", "messages of one and two beats: two may end in one cycle"},
    [ERRORS] = {"errors",
                "also unknown types, messages for others, and more than fit; a class that is not taken for long"},
};

STIM_STATE(lsu_rx, uint64_t nbu; bool sending; uint64_t hdr; unsigned left; unsigned sent[LSU_CLASSES], stopped;)

/* Places of a class: the credits that the core above has after reset. */
static unsigned place(unsigned cls) {
  static const unsigned depth[] = {MemDepth, SmemDepth, WriteDepth, MoveDepth};
  return depth[cls];
}

static unsigned any_type(state_t *s) {
  static const unsigned all[] = {LSU_RD, LSU_WR, LSU_LDO, LSU_STO, LSU_LDS, LSU_STS, LSU_REGW, LSU_RMV};
  static const unsigned one[] = {LSU_RD, LSU_LDO, LSU_STO, LSU_LDS, LSU_STS, LSU_RMV};
  return s->profile == SHORT ? one[rng_below(&s->rng, 6)] : all[rng_below(&s->rng, 8)];
}

/* Begins a message. False: its class has no credit. A credit is a place that is
 * neither taken nor on its way back. */
static bool new_message(state_t *s) {
  unsigned type = any_type(s), wrong = s->profile == ERRORS ? (unsigned)rng_below(&s->rng, 8) : 8;
  int cls = lsu_down_class(type);
  s->hdr = LSU_PUT(stim_lsu_hdr(&s->rng, type), nbu, s->nbu);
  if (wrong == 0) s->hdr = LSU_PUT(s->hdr, type, rng_bits(&s->rng, 4));
  if (wrong == 1) s->hdr = LSU_PUT(s->hdr, nbu, s->nbu ^ 1u << rng_bits(&s->rng, 1));
  s->left = lsu_down_beats((unsigned)LSU_GET(s->hdr, type));
  if (!s->left) s->left = 1;
  if (s->profile == ERRORS) return true;
  if (s->sent[cls] >= place((unsigned)cls)) return false;
  s->sent[cls]++;
  return true;
}

/* One beat of the message being sent. Returns 1 if there is one. */
static uint64_t drive_beat(state_t *s, uint32_t *words) {
  bool begins = !s->sending;
  if (begins && !(s->sending = new_message(s))) return 0;
  uint64_t beat = begins ? s->hdr : rng_next(&s->rng);
  /* this beat may hold the mask */
  if (!begins && chance8(&s->rng, 4)) beat = (beat & ~UINT64_C(0xffffffff)) | stim_mask(&s->rng);
  words[0] = (uint32_t)beat;
  words[1] = (uint32_t)(beat >> 32);
  s->sending = --s->left > 0;
  return 1;
}

static bool takes(state_t *s, unsigned cls, uint64_t valid) {
  static const unsigned often[] = {[MIXED] = 4, [DENSE] = 8, [TRICKLE] = 1, [SHORT] = 6, [ERRORS] = 4};
  return valid && s->stopped != cls && chance8(&s->rng, often[s->profile]);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned often[] = {[MIXED] = 6, [DENSE] = 8, [TRICKLE] = 3, [SHORT] = 7, [ERRORS] = 7};
  state_t *s = state;
  lsu_rx_in_t *in = in_bytes;
  (void)out;
  if (s->profile != TRICKLE && !s->shadow.have && s->shadow.err == 0 && rng_chance(&s->rng, 1, 500) && !s->sending)
    s->nbu = rng_bits(&s->rng, 2);
  in->nbu_id = s->nbu;
  STIM_LOOK(lsu_rx, s, in);
  for (unsigned cls = 0; cls < LSU_CLASSES; cls++) s->sent[cls] -= s->sent[cls] && now.dn_credit >> cls & 1;
  if (chance8(&s->rng, often[s->profile])) in->dn_valid = drive_beat(s, in->dn_beat);
  if (in->dn_valid && chance8(&s->rng, often[s->profile])) in->dn_valid |= drive_beat(s, in->dn_beat + 2) << 1;
  if (!cycle || rng_chance(&s->rng, 1, 128))
    s->stopped = s->profile == ERRORS ? (unsigned)rng_below(&s->rng, 8) : LSU_CLASSES;
  in->m_take = takes(s, LSU_CLASS_MEM, now.m_valid);
  in->s_take = takes(s, LSU_CLASS_SMEM, now.s_valid);
  in->w_take = takes(s, LSU_CLASS_WRITE, now.w_valid);
  in->v_take = takes(s, LSU_CLASS_MOVE, now.v_valid);
  lsu_rx_step(&s->shadow, in);
}

STIM_DEFINE(lsu_rx, .reset = reset)
