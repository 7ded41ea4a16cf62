/* SPDX-License-Identifier: Apache-2.0
 *
 * The fewest runs for the same coverage, greedily: the order of ranks is a list that a shorter
 * regression can take from its start.
 */
#include "cover.h"

#include <stdlib.h>

/* Points of `seen` that are not in `have`. */
static unsigned count_added(const uint64_t *seen, const uint64_t *have, unsigned words) {
  unsigned n = 0;
  for (unsigned w = 0; w < words; w++) n += (unsigned)__builtin_popcountll(seen[w] & ~have[w]);
  return n;
}

bool cover_rank(cover_run_t *runs, unsigned num_runs, unsigned num_points) {
  const unsigned words = (num_points + 63) / 64;
  uint64_t *have = calloc(words + 1, sizeof *have);
  if (!have) return false;
  for (unsigned i = 0; i < num_runs; i++)
    runs[i].hit = count_added(runs[i].seen, have, words), runs[i].rank = runs[i].gain = 0;
  for (unsigned rank = 1;; rank++) {
    cover_run_t *best = NULL;
    unsigned most = 0;
    for (unsigned i = 0; i < num_runs; i++) {
      const unsigned n = runs[i].rank ? 0 : count_added(runs[i].seen, have, words);
      if (n > most) most = n, best = &runs[i];
    }
    if (!best) break;
    best->rank = rank;
    best->gain = most;
    for (unsigned w = 0; w < words; w++) have[w] |= best->seen[w];
  }
  free(have);
  return true;
}
