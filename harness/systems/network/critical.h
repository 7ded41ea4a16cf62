/* SPDX-License-Identifier: Apache-2.0
 *
 * Critical pairs of ports (NUPIM paper, III-A): the paths that they make when joined from router to
 * router, and the packets that pass one.
 *
 * A pair says: what comes into `router` at port `in` and leaves at port `out` is on a congested
 * path. Where out's link ends at another pair's in, the path goes on there; no router knows more of
 * it than its own pairs.
 */
#ifndef CRITICAL_H
#define CRITICAL_H

#include "routes.h"

typedef struct critical_pair {
  uint16_t router;
  uint8_t in, out;
  uint8_t place; /* in the router's list: 0 is the most congested */
} critical_pair_t;

typedef struct critical_path {
  unsigned first, count; /* pairs of critical_paths_t, in the order of the way */
  uint64_t weight;       /* stalls of all its links, the first link and the last output too */
} critical_path_t;

typedef struct critical_paths {
  critical_path_t *path; /* by weight, the heaviest first */
  critical_pair_t *pair; /* every pair once */
  unsigned paths, pairs;
} critical_paths_t;

/* Joins pairs to paths, each pair in one. stalls: [routers][ports] of outputs, for the order; of
 * two ways on, the one with more stalls is taken. False: out of memory. */
bool critical_paths(critical_paths_t *paths, const topology_t *t, const critical_pair_t *pair, unsigned pairs,
                    const uint64_t *stalls);
void critical_paths_free(critical_paths_t *paths);

/* "M7 -> M4 -> M0 -> M2", a terminal at its end as "M2.0" (router.port). Returns text. */
char *critical_path_text(const critical_paths_t *paths, const critical_path_t *path, const topology_t *t, char *text,
                         size_t size);

/* Who is at the other side of a port: "M4", "M0.3" for a terminal, "-" for an open port. */
void critical_end_text(const topology_t *t, unsigned router, unsigned port, char *text, size_t size);

/* Which packets pass a pair: bit source * terminals + dest of the map. */
bool critical_packets(uint8_t *map, const topology_t *t, const routes_t *routes, const critical_pair_t *pair,
                      unsigned pairs);

static inline bool critical_packet(const uint8_t *map, unsigned terminals, unsigned source, unsigned dest) {
  size_t bit = (size_t)source * terminals + dest;
  return map[bit / 8] >> bit % 8 & 1;
}

#endif
