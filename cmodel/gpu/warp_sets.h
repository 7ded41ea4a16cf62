/* SPDX-License-Identifier: Apache-2.0
 *
 * What the warps of an SM can do or wait for: sets of slots, a bit each, and a wheel of those that wait for a cycle.
 *
 * A warp is in exactly one of these sets: ready; on the wheel (its operands are ready in at most 63 cycles); wait_data (a
 * load), wait_memory (all its accesses, before what must not be overtaken), wait_ack (an offloaded block), wait_barrier, wait_fetch (its instruction),
 * wait_page (of what it accesses, from the host), wait_room (its policy's, for an access of an offloaded block). So a cycle costs the host next to
 * nothing when nobody can issue.
 */
#ifndef WARP_SETS_H
#define WARP_SETS_H

#include "gpu_config.h"
#include "sm_warp.h"

enum { WARP_WHEEL = 64 };
typedef struct {
  uint64_t live, ready;
  uint64_t next_lsu, next_sfu, next_dp; /* of those that are ready: what the next instruction needs */
  uint64_t wait_data, wait_memory, wait_ack, wait_barrier, wait_fetch, wait_page, wait_room;
  uint64_t wheel[WARP_WHEEL], wheel_used;
  uint64_t age[GPU_MAX_WARPS], ages; /* order in which warps were started */
  int last[2];                       /* warp that each scheduler issued last */
} warp_sets_t;

static inline void warp_sets_start(warp_sets_t *s, unsigned warp) {
  s->live |= 1ull << warp;
  s->age[warp] = s->ages++;
}

/* In none of the sets that say what a warp can do or waits for. */
static inline void warp_sets_clear(warp_sets_t *s, unsigned warp) {
  const uint64_t off = ~(1ull << warp);
  s->ready &= off, s->next_lsu &= off, s->next_sfu &= off, s->next_dp &= off;
  s->wait_data &= off, s->wait_memory &= off, s->wait_ack &= off, s->wait_fetch &= off, s->wait_page &= off, s->wait_room &= off;
}

/* The warp waits for its registers; true: they are ready. */
static inline bool warp_sets_until(warp_sets_t *s, unsigned warp, uint64_t when, uint64_t now) {
  const uint64_t bit = 1ull << warp;
  if (when == SM_NEVER) s->wait_data |= bit;
  if (when == SM_NEVER || when <= now) return when <= now;
  const uint64_t delay = when - now < WARP_WHEEL ? when - now : WARP_WHEEL - 1; /* and look again then */
  const unsigned at = (now + delay) % WARP_WHEEL;
  s->wheel[at] |= bit;
  s->wheel_used |= 1ull << at;
  return false;
}

/* Those whose cycle it is. */
static inline uint64_t warp_sets_turn(warp_sets_t *s, uint64_t now) {
  const unsigned at = now % WARP_WHEEL;
  const uint64_t woken = s->wheel[at];
  if (!(s->wheel_used >> at & 1)) return 0;
  s->wheel[at] = 0;
  s->wheel_used &= ~(1ull << at);
  return woken;
}

/* It could not issue for want of its policy's room; it can try again. */
static inline void warp_sets_await_room(warp_sets_t *s, unsigned warp) {
  s->ready &= ~(1ull << warp);
  s->wait_room |= 1ull << warp;
}

static inline void warp_sets_room(warp_sets_t *s, uint64_t warps) {
  s->ready |= s->wait_room & warps;
  s->wait_room &= ~warps;
}

/* Needs a unit, as the operation's kind says. */
static inline void warp_sets_needs(warp_sets_t *s, unsigned warp, unsigned kind) {
  const uint64_t bit = 1ull << warp;
  if (kind == SIMT_LOAD || kind == SIMT_STORE || kind == SIMT_ATOM) s->next_lsu |= bit;
  else if (kind == SIMT_SFU) s->next_sfu |= bit;
  else if (kind == SIMT_DP) s->next_dp |= bit;
}

/* The next above the last one, cyclically. */
static inline unsigned warp_sets_next(const warp_sets_t *s, unsigned scheduler, uint64_t candidates) {
  const uint64_t above = s->last[scheduler] < 0 ? candidates : candidates & ~0ull << s->last[scheduler] << 1;
  return (unsigned)__builtin_ctzll(above ? above : candidates);
}

/* Greedy, then oldest. */
static inline unsigned warp_sets_oldest(const warp_sets_t *s, unsigned scheduler, uint64_t candidates) {
  const int last = s->last[scheduler];
  if (last >= 0 && candidates >> last & 1) return (unsigned)last;
  unsigned best = (unsigned)__builtin_ctzll(candidates);
  for (candidates &= candidates - 1; candidates; candidates &= candidates - 1) {
    const unsigned w = (unsigned)__builtin_ctzll(candidates);
    if (s->age[w] < s->age[best]) best = w;
  }
  return best;
}

/* One of those that can issue; policy: gpu_scheduler_t. */
static inline unsigned warp_sets_choose(const warp_sets_t *s, unsigned policy, unsigned scheduler, uint64_t candidates) {
  return policy == GPU_SCHEDULER_lrr ? warp_sets_next(s, scheduler, candidates) : warp_sets_oldest(s, scheduler, candidates);
}

#endif
