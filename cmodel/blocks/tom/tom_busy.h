/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of tom_busy, the channel busy monitor: are the links from the GPU to the stacks
 * (tx), or those back (rx), used above a threshold? (TOM paper, sections 3.3 and 4.1;
 * rtl/tom/tom_busy.ports.)
 *
 * Call tom_busy_eval for the outputs of a cycle, then tom_busy_step with the same inputs for its
 * clock edge. All outputs are state (Moore). The clock is that of the links; flits are counted over
 * windows of Window cycles.
 */
#ifndef TOM_BUSY_H
#define TOM_BUSY_H

#include <stdbool.h>

#include "bits.h"
#include "tom_busy_ports.h"

/* One direction. */
typedef struct {
  unsigned flits[Links]; /* of this window so far */
  bool hot;              /* the last window reached the limit */
  bool link[Links];      /* likewise, by link */
} tom_busy_way_t;

typedef struct {
  unsigned count; /* cycles of this window so far, 0 .. Window - 1 */
  tom_busy_way_t tx, rx;
} tom_busy_t;

/* Bits of a link's flits in a cycle, and of its sum in an unfinished window. */
enum { TOM_BUSY_FLIT_W = CLOG2(Flits + 1), TOM_BUSY_SUM_W = CLOG2((Flits) * ((Window)-1) + 1) };

void tom_busy_reset(tom_busy_t *s);
void tom_busy_eval(const tom_busy_t *s, const tom_busy_in_t *in, tom_busy_out_t *out);
void tom_busy_step(tom_busy_t *s, const tom_busy_in_t *in);

/* Flits of one link in a cycle; more than Flits count as Flits. */
static inline unsigned tom_busy_flits(const uint32_t *flits, unsigned link) {
  const unsigned n = (unsigned)bits_get(flits, link * TOM_BUSY_FLIT_W, TOM_BUSY_FLIT_W);
  return n > (Flits) ? (Flits) : n;
}

/* For coverage. tom_busy_all is the sum of all links, with this cycle's flits. tom_busy_edge takes
 * sums times 100: 0 is the largest sum below `least`, 1 the smallest not below, -1 any other. */
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
