/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets, look-ups and takes for the blocks that are merge buffers (nsu_mergebuf, nsu_rdbuf,
 * nsu_wrbuf).
 *
 * A table of memory instructions, each with an id, its mask and what of it has been sent. Includer:
 * `Depth`.
 */
#ifndef MERGE_STIM_H
#define MERGE_STIM_H

#include "nsu_stim.h"

enum { MIXED, FULL, DIVERGENT, WHOLE, STREAM, ERRORS };

static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "packets of a few instructions in any order"},
    [FULL] = {"full", "fills up with as many instructions as entries, then drains to a half"},
    [DIVERGENT] = {"divergent", "a packet a thread"},
    [WHOLE] = {"whole", "one packet an instruction, empty masks too, taken at once"},
    [STREAM] = {"stream", "few instructions at a time: entries and ids are used again soon"},
    [ERRORS] =
        {"errors",
         "threads that overlap or lie outside, masks and sizes that differ, packets for whole entries, overflow"},
};

enum { OPS = 2 * (Depth), OP_BITS = 11, ID_BITS = 8 + 6 + 6 };

typedef struct {
  bool live, in_buffer;
  uint8_t sm, warp, seq, size;
  uint32_t lmask, left; /* threads to send */
} op_t;

typedef struct {
  rng_t rng;
  unsigned profile;
  unsigned in_buffer;  /* busy entries, as registered */
  bool draining;       /* full and errors: entries are taken until half of them are free */
  uint32_t turn, flip; /* ids: places by which their bits are turned, bits that are inverted */
  unsigned asked;      /* the instruction that was looked up in the last cycle, plus 1 */
  unsigned taken;      /* the entry that was taken in the last cycle, plus 1 */
  op_t op[OPS];
} state_t;

typedef struct {
  bool valid;
  uint8_t sm, warp, seq, size;
  uint32_t mask, lmask;
} stim_packet_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  s->turn = (uint32_t)rng_below(&s->rng, ID_BITS);
  s->flip = (uint32_t)rng_bits(&s->rng, ID_BITS);
}

static inline unsigned merge_stim_window(const state_t *s) {
  switch (s->profile) {
  case STREAM: return OPS < 4 ? OPS : 4;
  case ERRORS: return OPS;
  case MIXED: return Depth < 16 ? Depth : 16;
  default: return Depth;
  }
}

/* Ids differ by construction: some bits are the instruction's number, so that many ids are a bit
 * apart and a comparison that forgets one is seen. Which bits they are changes with each reset; the
 * others are the same for most. */
static void merge_stim_begin(state_t *s, unsigned i) {
  op_t *op = &s->op[i];
  *op = (op_t){.live = true, .lmask = stim_mask(&s->rng), .size = (uint8_t)rng_bits(&s->rng, 2)};
  uint32_t others = rng_below(&s->rng, 4) ? 0 : (uint32_t)rng_bits(&s->rng, ID_BITS - OP_BITS);
  uint32_t id = others << OP_BITS | i;
  id = ((id << s->turn | id >> (ID_BITS - s->turn)) ^ s->flip) & (uint32_t)bits_ones(ID_BITS);
  op->seq = id & 63;
  op->warp = id >> 6 & 63;
  op->sm = (uint8_t)(id >> 12);
  op->left = op->lmask;
}

static uint32_t merge_stim_part(state_t *s, const op_t *op) {
  if (s->profile == WHOLE) return op->left;
  if (s->profile == DIVERGENT) return op->left & (0 - op->left);
  return stim_part(&s->rng, op->left);
}

/* One thread of the mask, which is not empty, or some. */
static uint32_t merge_stim_few(state_t *s, uint32_t mask) {
  if (!rng_below(&s->rng, 4)) return stim_part(&s->rng, mask);
  unsigned thread = (unsigned)rng_below(&s->rng, 32);
  while (!(mask >> thread & 1)) thread = (thread + 1) % 32;
  return 1u << thread;
}

/* Turns a right packet into one that must be dropped; the caller does not count it as sent. */
static bool merge_stim_spoil(state_t *s, const op_t *op, stim_packet_t *p) {
  switch (rng_below(&s->rng, 5)) {
  case 0: /* a thread outside of lmask */
    if (!~p->lmask) return false;
    p->mask |= merge_stim_few(s, ~p->lmask);
    return true;
  case 1: /* a thread that is there */
    if (!op->in_buffer || op->left == op->lmask) return false;
    p->mask |= merge_stim_few(s, op->lmask & ~op->left);
    return true;
  case 2:
    if (!op->in_buffer) return false;
    p->lmask ^= 1u << rng_below(&s->rng, 32);
    return true;
  case 3:
    if (!op->in_buffer) return false;
    p->size ^= (uint8_t)rng_range(&s->rng, 1, 3);
    return true;
  default: return false;
  }
}

static stim_packet_t merge_stim_packet(state_t *s) {
  unsigned i = (unsigned)rng_below(&s->rng, merge_stim_window(s));
  op_t *op = &s->op[i];
  bool errors = s->profile == ERRORS;
  if (!op->live) merge_stim_begin(s, i);
  bool complete = op->in_buffer && !op->left, fits = op->in_buffer || s->in_buffer < Depth;
  if ((complete || !fits) && !(errors && chance8(&s->rng, 4))) return (stim_packet_t){0};
  stim_packet_t p = {.valid = true,
                     .sm = op->sm,
                     .warp = op->warp,
                     .seq = op->seq,
                     .size = op->size,
                     .lmask = op->lmask,
                     .mask = merge_stim_part(s, op)};
  if (complete) { /* an error already; mostly of a thread that is there, whose word must stay */
    if (p.lmask && rng_below(&s->rng, 4)) p.mask = merge_stim_few(s, p.lmask);
    return p;
  }
  if (errors && chance8(&s->rng, 2) && merge_stim_spoil(s, op, &p)) return p;
  if (!fits) return p;
  if (!op->in_buffer) s->in_buffer++;
  op->in_buffer = true;
  op->left &= ~p.mask;
  return p;
}

/* The instruction to look up, and the take of the one that was found in the last cycle. */
static const op_t *merge_stim_look_up(state_t *s, bool hit, uint64_t *take) {
  static const unsigned takes[] = {[MIXED] = 4, [FULL] = 8, [DIVERGENT] = 8, [WHOLE] = 8, [STREAM] = 7, [ERRORS] = 8};
  if (s->in_buffer == Depth && rng_below(&s->rng, 32) == 0) s->draining = true;
  if (s->in_buffer <= Depth / 2) s->draining = false;
  if ((s->profile == FULL || s->profile == ERRORS) && !s->draining) hit = false;
  *take = hit && s->asked && s->op[s->asked - 1].live && chance8(&s->rng, takes[s->profile]);
  const unsigned taken = *take ? s->asked : 0;
  if (*take) {
    s->op[s->asked - 1].live = false;
    s->in_buffer--; /* free from the next cycle on: so the packet of this cycle is made before */
  }
  unsigned i = (unsigned)rng_below(&s->rng, merge_stim_window(s));
  for (unsigned n = 0; n < merge_stim_window(s) && rng_below(&s->rng, 8); n++) { /* rather one that is complete */
    if (s->op[i].live && s->op[i].in_buffer && !s->op[i].left) break;
    i = (i + 1) % merge_stim_window(s);
  }
  s->asked = i + 1 == taken ? 0 : i + 1; /* it is still there in this cycle, but not in the next */
  return &s->op[i];
}

/* The entry found, or now and then the one taken in
 * the last cycle: it is free, and the take nothing. */
static void merge_stim_take(state_t *s, uint64_t *take, uint64_t *idx, uint64_t found) {
  const unsigned last = s->taken;
  s->taken = *take ? (unsigned)found + 1 : 0;
  if (*take) {
    *idx = found;
  } else if (last && rng_below(&s->rng, 4) == 0) {
    *take = 1;
    *idx = last - 1;
  }
}

#endif
