/* SPDX-License-Identifier: Apache-2.0
 *
 * What the warps of an SM can do or wait for: sets of slots, and a wheel of those that wait for a
 * cycle. Slots are in banks of 64, a bit each: an SM of the GPU has one bank, that of a memory
 * stack up to three.
 *
 * A warp is in exactly one of these sets: ready; on the wheel (its operands are ready in at most 63
 * cycles); wait_data (a load), wait_memory (all its accesses, before what must not be overtaken),
 * wait_ack (an offloaded block), wait_barrier, wait_fetch (its instruction), wait_page (of what it
 * accesses, from the host), wait_room (its policy's, for an access of an offloaded block). So a
 * cycle costs the host next to nothing when nobody can issue.
 */
#ifndef WARP_SETS_H
#define WARP_SETS_H

#include "gpu_config.h"
#include "sm_warp.h"

enum { WARP_WHEEL = 64, WARP_BANK = 64, WARP_BANKS = GPU_WIDEST_WARPS / WARP_BANK, WARP_NONE = GPU_WIDEST_WARPS };

typedef struct {
  uint64_t live, ready;
  /* of those that are ready: what the next instruction needs */
  uint64_t next_lsu, next_fp, next_int, next_sfu, next_dp, next_matrix;
  uint64_t wait_data, wait_memory, wait_ack, wait_barrier, wait_fetch, wait_page, wait_room;
  uint64_t wheel[WARP_WHEEL], wheel_used;
} warp_bank_t;

typedef struct {
  unsigned banks;                               /* in use */
  int last[GPU_SCHEDULERS_MOST];                /* warp that each scheduler issued last */
  uint64_t of[GPU_SCHEDULERS_MOST][WARP_BANKS]; /* whose warps are which: slots modulo their number */
  warp_bank_t bank[WARP_BANKS];
  uint64_t age[GPU_WIDEST_WARPS], ages; /* order in which warps were started */
} warp_sets_t;

static inline unsigned warp_sets_banks(unsigned warps) {
  return (warps + WARP_BANK - 1) / WARP_BANK;
}

static inline warp_bank_t *warp_bank(warp_sets_t *s, unsigned warp) {
  return &s->bank[warp / WARP_BANK];
}

static inline uint64_t warp_bit(unsigned warp) {
  return 1ull << warp % WARP_BANK;
}

/* Of what is left of a bank's set, the lowest; then it is out. */
static inline unsigned warp_take(unsigned bank, uint64_t *left) {
  const unsigned warp = bank * WARP_BANK + (unsigned)__builtin_ctzll(*left);
  *left &= *left - 1;
  return warp;
}

static inline void warp_sets_share(warp_sets_t *s, unsigned schedulers) {
  for (unsigned warp = 0; warp < GPU_WIDEST_WARPS; warp++) s->of[warp % schedulers][warp / WARP_BANK] |= warp_bit(warp);
}

static inline void warp_sets_start(warp_sets_t *s, unsigned warp) {
  warp_bank(s, warp)->live |= warp_bit(warp);
  s->age[warp] = s->ages++;
}

/* In none of the sets that say what a warp can do or waits for. */
static inline void warp_bank_clear(warp_bank_t *b, uint64_t warp) {
  const uint64_t off = ~warp;
  b->ready &= off, b->next_lsu &= off, b->next_fp &= off, b->next_int &= off, b->next_sfu &= off, b->next_dp &= off,
      b->next_matrix &= off;
  b->wait_data &= off, b->wait_memory &= off, b->wait_ack &= off, b->wait_fetch &= off, b->wait_page &= off,
      b->wait_room &= off;
}

/* It has exited. */
static inline void warp_bank_end(warp_bank_t *b, uint64_t warp) {
  b->live &= ~warp;
  b->ready &= ~warp;
}

/* The warp waits for its registers; true: they are ready. */
static inline bool warp_bank_until(warp_bank_t *b, uint64_t warp, uint64_t when, uint64_t now) {
  if (when == SM_NEVER) b->wait_data |= warp;
  if (when == SM_NEVER || when <= now) return when <= now;
  const uint64_t delay = when - now < WARP_WHEEL ? when - now : WARP_WHEEL - 1; /* and look again then */
  const unsigned at = (now + delay) % WARP_WHEEL;
  b->wheel[at] |= warp;
  b->wheel_used |= 1ull << at;
  return false;
}

/* Those whose cycle it is. */
static inline uint64_t warp_bank_turn(warp_bank_t *b, uint64_t now) {
  const unsigned at = now % WARP_WHEEL;
  const uint64_t woken = b->wheel[at];
  if (!(b->wheel_used >> at & 1)) return 0;
  b->wheel[at] = 0;
  b->wheel_used &= ~(1ull << at);
  return woken;
}

/* It could not issue for want of its policy's room; it can try again. */
static inline void warp_bank_await_room(warp_bank_t *b, uint64_t warp) {
  b->ready &= ~warp;
  b->wait_room |= warp;
}

static inline void warp_bank_room(warp_bank_t *b, uint64_t warps) {
  b->ready |= b->wait_room & warps;
  b->wait_room &= ~warps;
}

/* Needs a unit, as the operation says. */
static inline void warp_bank_needs(warp_bank_t *b, uint64_t warp, const simt_op_t *op) {
  switch (op->kind) {
  case SIMT_LOAD:
  case SIMT_STORE:
  case SIMT_ATOM:
  case SIMT_COPY:
  case SIMT_TEXTURE: b->next_lsu |= warp; break;
  case SIMT_ALU: *(op->single ? &b->next_fp : &b->next_int) |= warp; break;
  case SIMT_SFU: b->next_sfu |= warp; break;
  case SIMT_DP: b->next_dp |= warp; break;
  case SIMT_MATRIX: b->next_matrix |= warp; break;
  default:;
  }
}

/* ---- Which of the candidates of each bank issues; WARP_NONE: there are none ------------------ */

/* The next above the last one, cyclically. */
static inline unsigned warp_sets_next(const warp_sets_t *s, unsigned scheduler, const uint64_t candidates[WARP_BANKS]) {
  const int last = s->last[scheduler];
  unsigned b = last < 0 ? 0 : (unsigned)last / WARP_BANK;
  uint64_t set = last < 0 ? candidates[0] : candidates[b] & ~0ull << last % WARP_BANK << 1;
  for (unsigned i = 0; !set && i < s->banks; i++) {
    b = b + 1 < s->banks ? b + 1 : 0;
    set = candidates[b];
  }
  return set ? warp_take(b, &set) : WARP_NONE;
}

/* Greedy, then oldest. */
static inline unsigned warp_sets_oldest(const warp_sets_t *s, unsigned scheduler,
                                        const uint64_t candidates[WARP_BANKS]) {
  const int last = s->last[scheduler];
  if (last >= 0 && candidates[last / WARP_BANK] & warp_bit((unsigned)last)) return (unsigned)last;
  unsigned best = WARP_NONE;
  for (unsigned b = 0; b < s->banks; b++)
    for (uint64_t left = candidates[b]; left;) {
      const unsigned w = warp_take(b, &left);
      if (best == WARP_NONE || s->age[w] < s->age[best]) best = w;
    }
  return best;
}

/* One of those that can issue; policy: gpu_scheduler_t. */
static inline unsigned warp_sets_choose(const warp_sets_t *s, unsigned policy, unsigned scheduler,
                                        const uint64_t candidates[WARP_BANKS]) {
  return policy == GPU_SCHEDULER_lrr ? warp_sets_next(s, scheduler, candidates)
                                     : warp_sets_oldest(s, scheduler, candidates);
}

/* ---- To be looked at ------------------------------------------------------------------------- */

#define WARP_SETS_COUNT(sets, set)                                             \
  ({                                                                           \
    unsigned warps_in_set = 0;                                                 \
    for (unsigned bank_ = 0; bank_ < (sets)->banks; bank_++)                   \
      warps_in_set += (unsigned)__builtin_popcountll((sets)->bank[bank_].set); \
    warps_in_set;                                                              \
  })

#endif
