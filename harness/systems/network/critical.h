/* SPDX-License-Identifier: Apache-2.0
 *
 * Critical pairs of ports (NUPIM paper, III-A), the paths that they form from router to router, and
 * the packets that pass one.
 *
 * A pair says that what comes into `router` at port `in` and leaves at port `out` is on a congested
 * path. If out's link ends at the `in` of another pair, the path goes on there. A router knows only
 * its own pairs; the paths exist in this file alone.
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

/* Joins pairs to paths; each pair is in one path. stalls, [routers][ports]: stalled cycles of the
 * outputs. They order the paths, and of two ways to go on the one with more stalls wins. False: out
 * of memory; paths is then empty. */
bool critical_paths(critical_paths_t *paths, const topology_t *t, const critical_pair_t *pair, unsigned pairs,
                    const uint64_t *stalls);
void critical_paths_free(critical_paths_t *paths);

/* Writes "M7 -> M4 -> M0 -> M2". An end at a terminal is router.port, "M2.0". A text too long is
 * cut. Returns text. */
char *critical_path_text(const critical_paths_t *paths, const critical_path_t *path, const topology_t *t, char *text,
                         size_t size);

/* What is at the other side of a port: "M4" for a router, "M0.3" for a terminal, "-" for an open
 * port. */
void critical_end_text(const topology_t *t, unsigned router, unsigned port, char *text, size_t size);

/* Sets bit source * terminals + dest of map for each packet whose route passes a pair; clears the
 * others. map has (terminals^2 + 7) / 8 bytes. False: out of memory. */
bool critical_packets(uint8_t *map, const topology_t *t, const routes_t *routes, const critical_pair_t *pair,
                      unsigned pairs);

/* Reads a bit that critical_packets wrote. */
static inline bool critical_packet(const uint8_t *map, unsigned terminals, unsigned source, unsigned dest) {
  size_t bit = (size_t)source * terminals + dest;
  return map[bit / 8] >> bit % 8 & 1;
}

#endif
