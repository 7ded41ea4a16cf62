/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_busy -- golden model of the channel busy monitor; contract: rtl/tom/tom_busy.ports.
 */
#ifndef TOM_BUSY_H
#define TOM_BUSY_H

#include <stdbool.h>

#include "bits.h"
#include "tom_busy_ports.h"

typedef struct {
  unsigned flits[Links]; /* of the window so far */
  bool hot;              /* of the last window */
  bool link[Links];
} tom_busy_way_t;

typedef struct {
  unsigned count; /* cycles of the window so far */
  tom_busy_way_t tx, rx;
} tom_busy_t;

enum { TOM_BUSY_FLIT_W = CLOG2(Flits + 1), TOM_BUSY_SUM_W = CLOG2((Flits) * ((Window)-1) + 1) };

void tom_busy_reset(tom_busy_t *s);
void tom_busy_eval(const tom_busy_t *s, const tom_busy_in_t *in, tom_busy_out_t *out);
void tom_busy_step(tom_busy_t *s, const tom_busy_in_t *in);

/* Flits of one link in a cycle. */
static inline unsigned tom_busy_flits(const uint32_t *flits, unsigned link) {
  const unsigned n = (unsigned)bits_get(flits, link * TOM_BUSY_FLIT_W, TOM_BUSY_FLIT_W);
  return n > (Flits) ? (Flits) : n;
}

/* For coverage: those of all links with this cycle's; 0: the largest
 * sum that is too small, 1: the smallest that is not, -1: neither. */
static inline int64_t tom_busy_all(const uint32_t *flits, const uint32_t *sums) {
  int64_t all = 0;
  for (unsigned i = 0; i < Links; i++)
    all += tom_busy_flits(flits, i) + (int64_t)bits_get(sums, i * TOM_BUSY_SUM_W, TOM_BUSY_SUM_W);
  return all;
}
static inline int64_t tom_busy_edge(int64_t sum, int64_t least) {
  return sum < least && sum + 100 >= least ? 0 : sum >= least && sum - 100 < least ? 1 : -1;
}

#endif
