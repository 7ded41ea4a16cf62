/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_ranges -- golden model of the table of allocations; contract: rtl/tom/tom_ranges.ports.
 */
#ifndef TOM_RANGES_H
#define TOM_RANGES_H

#include <stdbool.h>

#include "tom_ranges_ports.h"

typedef struct {
  uint64_t start, bytes;
  bool marked;
} tom_range_t;

/* A look-up is worked out when it begins, its cycles are waited for. */
typedef struct {
  tom_range_t entry[Entries];
  uint64_t queue[QueueDepth];
  unsigned waiting;
  bool looks;
  unsigned cycles, reads; /* to go; entries that it reads */
  int found;              /* the entry; -1: none has the address */
  bool rd_mark, done, hit;
  unsigned done_reads;
} tom_ranges_t;

void tom_ranges_reset(tom_ranges_t *s);
void tom_ranges_eval(const tom_ranges_t *s, const tom_ranges_in_t *in, tom_ranges_out_t *out);
void tom_ranges_step(tom_ranges_t *s, const tom_ranges_in_t *in);

#endif
