/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of an SM's warps, by what each can do or waits for, and a timing wheel. Slots are in banks
 * of 64, one bit each. An SM of the GPU has one bank, the SM of a memory stack up to three.
 *
 * A live warp is in exactly one set, so a cycle in which nothing can issue costs the host little:
 *
 *   ready           can issue
 *   wheel           its operands are ready in at most 63 cycles, or it is looked at again then
 *   wait_data       a load has to arrive
 *   wait_memory     all its accesses have to end
 *   wait_ack        an offloaded block has to end
 *   wait_barrier    a barrier has to open
 *   wait_fetch      its instruction has to arrive
 *   wait_page       a page has to arrive from the host
 *   wait_room       the policy has to free room for an access of an offloaded block
 */
#ifndef WARP_SETS_H
#define WARP_SETS_H

#include "gpu_config.h"
#include "sm_warp.h"

/* Cycles of the wheel, slots of a bank, banks; WARP_NONE: no warp. */
enum { WARP_WHEEL = 64, WARP_BANK = 64, WARP_BANKS = GPU_WIDEST_WARPS / WARP_BANK, WARP_NONE = GPU_WIDEST_WARPS };

/* Sets of one bank. */
typedef struct {
  uint64_t live, ready;
  /* of the ready warps: the unit that the next instruction needs */
  uint64_t next_lsu, next_fp, next_int, next_sfu, next_dp, next_matrix;
  uint64_t wait_data, wait_memory, wait_ack, wait_barrier, wait_fetch, wait_page, wait_room;
  /* by cycle modulo WARP_WHEEL; bit i: entry i is not empty */
  uint64_t wheel[WARP_WHEEL], wheel_used;
} warp_bank_t;

/* The banks, and the order of warps. */
typedef struct {
  unsigned banks;                               /* in use */
  int last[GPU_SCHEDULERS_MOST];                /* warp that each scheduler issued last; -1: none */
  uint64_t of[GPU_SCHEDULERS_MOST][WARP_BANKS]; /* warps of each scheduler */
  warp_bank_t bank[WARP_BANKS];
  uint64_t age[GPU_WIDEST_WARPS], ages; /* order in which warps were started, or went last */
  unsigned first;                       /* scheduler that issues first in a cycle */
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

/* Removes the lowest warp from a bank's set and returns its slot. */
static inline unsigned warp_take(unsigned bank, uint64_t *left) {
  const unsigned warp = bank * WARP_BANK + (unsigned)__builtin_ctzll(*left);
  *left &= *left - 1;
  return warp;
}

/* Assigns slots to schedulers. */
static inline void warp_sets_share(warp_sets_t *s, unsigned schedulers) {
  for (unsigned warp = 0; warp < GPU_WIDEST_WARPS; warp++) s->of[warp % schedulers][warp / WARP_BANK] |= warp_bit(warp);
}

static inline void warp_sets_start(warp_sets_t *s, unsigned warp) {
  warp_bank(s, warp)->live |= warp_bit(warp);
  s->age[warp] = s->ages++;
}

/* A warp that waits for what another one does goes behind all others: it is the youngest now, and
 * its scheduler the last of a cycle. */
static inline void warp_sets_go_last(warp_sets_t *s, unsigned policy, unsigned schedulers, unsigned warp) {
  const unsigned scheduler = warp % schedulers;
  s->age[warp] = s->ages++;
  if (policy != GPU_SCHEDULER_lrr && s->last[scheduler] == (int)warp) s->last[scheduler] = -1;
  s->first = (scheduler + 1) % schedulers;
}

/* Removes a warp from all sets but live, wheel and wait_barrier. */
static inline void warp_bank_clear(warp_bank_t *b, uint64_t warp) {
  const uint64_t off = ~warp;
  b->ready &= off, b->next_lsu &= off, b->next_fp &= off, b->next_int &= off, b->next_sfu &= off, b->next_dp &= off,
      b->next_matrix &= off;
  b->wait_data &= off, b->wait_memory &= off, b->wait_ack &= off, b->wait_fetch &= off, b->wait_page &= off,
      b->wait_room &= off;
}

/* The warp has exited. */
static inline void warp_bank_end(warp_bank_t *b, uint64_t warp) {
  b->live &= ~warp;
  b->ready &= ~warp;
}

/* Makes a warp wait for cycle `when`. True: the cycle has come, and the caller makes the warp
 * ready. */
static inline bool warp_bank_until(warp_bank_t *b, uint64_t warp, uint64_t when, uint64_t now) {
  if (when == SM_NEVER) b->wait_data |= warp;
  if (when == SM_NEVER || when <= now) return when <= now;
  const uint64_t delay = when - now < WARP_WHEEL ? when - now : WARP_WHEEL - 1; /* and look again then */
  const unsigned at = (now + delay) % WARP_WHEEL;
  b->wheel[at] |= warp;
  b->wheel_used |= 1ull << at;
  return false;
}

/* Warps whose cycle has come; empties their entry of the wheel. */
static inline uint64_t warp_bank_turn(warp_bank_t *b, uint64_t now) {
  const unsigned at = now % WARP_WHEEL;
  const uint64_t woken = b->wheel[at];
  if (!(b->wheel_used >> at & 1)) return 0;
  b->wheel[at] = 0;
  b->wheel_used &= ~(1ull << at);
  return woken;
}

/* A ready warp found no room at its policy. warp_bank_room makes such warps ready again. */
static inline void warp_bank_await_room(warp_bank_t *b, uint64_t warp) {
  b->ready &= ~warp;
  b->wait_room |= warp;
}

static inline void warp_bank_room(warp_bank_t *b, uint64_t warps) {
  b->ready |= b->wait_room & warps;
  b->wait_room &= ~warps;
}

/* Notes the unit that a ready warp's next instruction needs. */
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

/* ---- Choice of a candidate; WARP_NONE: there is none ----------------------------------------- */

/* Loose round robin: the next slot above the last one, cyclically. */
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

/* Greedy, then oldest: the last warp, else the one that was started first. */
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

/* Chooses by policy, a gpu_scheduler_t. */
static inline unsigned warp_sets_choose(const warp_sets_t *s, unsigned policy, unsigned scheduler,
                                        const uint64_t candidates[WARP_BANKS]) {
  return policy == GPU_SCHEDULER_lrr ? warp_sets_next(s, scheduler, candidates)
                                     : warp_sets_oldest(s, scheduler, candidates);
}

/* ---- For reports ----------------------------------------------------------------------------- */

#define WARP_SETS_COUNT(sets, set)                                             \
  ({                                                                           \
    unsigned warps_in_set = 0;                                                 \
    for (unsigned bank_ = 0; bank_ < (sets)->banks; bank_++)                   \
      warps_in_set += (unsigned)__builtin_popcountll((sets)->bank[bank_].set); \
    warps_in_set;                                                              \
  })

#endif
