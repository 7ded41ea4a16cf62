/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of tom_ranges, the table of allocations: which of them do offloading candidates
 * access? (TOM paper, sections 4.3 and 6.6; rtl/tom/tom_ranges.ports.)
 *
 * Call tom_ranges_eval for the outputs of a cycle, then tom_ranges_step with the same inputs for
 * its clock edge. All outputs are state (Moore). Writes without cfg_ready and addresses without
 * q_ready are ignored.
 */
#ifndef TOM_RANGES_H
#define TOM_RANGES_H

#include <stdbool.h>

#include "tom_ranges_ports.h"

/* An allocation: byte address, size in bytes; a candidate has accessed it. */
typedef struct {
  uint64_t start, bytes;
  bool marked;
} tom_range_t;

/* The model finds a look-up's result when it begins, and waits for its cycles. */
typedef struct {
  tom_range_t entry[Entries]; /* reset leaves start and bytes, and clears the marks */
  uint64_t queue[QueueDepth]; /* addresses, the oldest first */
  unsigned waiting;           /* addresses in the queue */
  bool looks;                 /* a look-up is under way */
  unsigned cycles, reads;     /* cycles left of it; entries that it reads */
  int found;                  /* the entry that has the address; -1: none */
  bool rd_mark, done, hit;    /* outputs of this cycle: the mark read; a look-up ended; it hit */
  unsigned done_reads;        /* entries read by the look-up that ended last */
} tom_ranges_t;

void tom_ranges_reset(tom_ranges_t *s);
void tom_ranges_eval(const tom_ranges_t *s, const tom_ranges_in_t *in, tom_ranges_out_t *out);
void tom_ranges_step(tom_ranges_t *s, const tom_ranges_in_t *in);

#endif
