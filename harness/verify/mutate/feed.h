/* SPDX-License-Identifier: Apache-2.0
 *
 * Inputs of a profile and the golden model's answers, cycle by cycle, without a device.
 */
#ifndef FEED_H
#define FEED_H

#include "run.h"

typedef struct {
  const dut_t *dut;
  driver_t driver;
  void *model;
  uint64_t *in, *out, *mask; /* the current cycle's trimmed inputs and canonical outputs */
  bool reset;                /* a reset in place of the cycle */
  bool crashed;              /* the model crashed */
  bool not_moore;            /* nor that: KIND(moore), and its outputs take inputs into account */
  char text[512];            /* the model's assertion that failed, how it crashed, which output it is */
  uint64_t *state_out;       /* outputs with the inputs of the cycle before */
  uint64_t cycle;            /* cycle number, resets included */
  jmp_buf jump;
} feed_t;

bool feed_open(feed_t *feed, const dut_t *dut, uint64_t seed, unsigned profile); /* false: out of memory */
void feed_close(feed_t *feed);
bool feed_next(feed_t *feed); /* false: an assertion of the model failed, it crashed, or is not what its KIND says */

/* One cycle with these inputs; NULL: all are 0. `reset`: a reset, of which feed->in then has those
 * inputs that count in it. */
bool feed_this(feed_t *feed, const void *in, bool reset);

#endif
