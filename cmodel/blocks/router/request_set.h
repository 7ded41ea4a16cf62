/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of up to 64 requesters as masks, and whose turn it is among them.
 *
 * A pointer `first` is the requester with the highest priority, 0 .. n - 1. This loop visits the
 * members in ascending order, each as set_lowest(s):
 *
 *   for (set_t s = ...; s; s = set_rest(s))
 */
#ifndef REQUEST_SET_H
#define REQUEST_SET_H

#include <stdint.h>

typedef uint64_t set_t;

static inline set_t set_of(unsigned member) {
  return UINT64_C(1) << member;
}

/* The lowest member; the set must not be empty. */
static inline unsigned set_lowest(set_t set) {
  return (unsigned)__builtin_ctzll(set);
}

/* All members but the lowest; an empty set stays empty. */
static inline set_t set_rest(set_t set) {
  return set & (set - 1);
}

/* The first member at or above `first`, cyclically; -1 if the set is empty. */
static inline int set_turn(set_t set, unsigned first) {
  set_t above = set & (~UINT64_C(0) << first);
  if (above) return (int)set_lowest(above);
  return set ? (int)set_lowest(set) : -1;
}

/* The pointer after `winner`, one of n, has been served: just above it, 0 after the last. */
static inline unsigned set_next(int winner, unsigned n) {
  return (unsigned)winner + 1 == n ? 0 : (unsigned)winner + 1;
}

#endif
