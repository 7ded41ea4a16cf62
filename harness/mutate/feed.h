/* SPDX-License-Identifier: Apache-2.0
 *
 * A profile's inputs and what the golden model answers, cycle by cycle, without a device.
 */
#ifndef FEED_H
#define FEED_H

#include "run.h"

typedef struct {
  const dut_t *dut;
  driver_t driver;
  void *model;
  uint64_t *in, *out, *mask; /* of the cycle at hand: trimmed inputs, canonical outputs */
  bool reset;                /* a reset instead of it */
  bool crashed;              /* not an assertion of the model: it crashed */
  char text[512];            /* the model's assertion that failed, or how it crashed */
  jmp_buf jump;
} feed_t;

bool feed_open(feed_t *feed, const dut_t *dut, uint64_t seed, unsigned profile); /* false: out of memory */
void feed_close(feed_t *feed);
bool feed_next(feed_t *feed); /* false: an assertion of the model failed, or it crashed */

/* The same with inputs from outside (NULL: a reset). */
bool feed_this(feed_t *feed, const void *in);

#endif
