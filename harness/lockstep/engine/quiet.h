/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cycles ask nothing of an idle model: no 1-bit input is high, and wider ones are 0 or have
 * never changed.
 */
#ifndef QUIET_H
#define QUIET_H

#include "dut.h"

struct quiet {
  uint64_t age; /* cycles since reset */
  unsigned num_events, num_wide;
  struct event {
    uint32_t word; /* of a 1-bit input */
    bool low;      /* it qualifies others with a ! alone, so that 0 is the event */
  } * events;
  struct wide {
    uint32_t word;
    bool changed;
    uint64_t first;
  } * wide; /* words of wider inputs */
};

/* NULL, or without `events` or `wide`: out of memory. */
struct quiet *quiet_new(const dut_t *dut);
void quiet_free(struct quiet *quiet);

/* Updates the record with this cycle's inputs; true if they are quiet. */
bool quiet_cycle(struct quiet *quiet, const uint64_t *in);

#endif
