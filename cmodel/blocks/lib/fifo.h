/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of fifo: Depth words of Width bits, first in, first out. Outputs are state.
 * Errors: a push into a full one is dropped, a pop of an empty one ignored; both are remembered
 * until reset.
 */
#ifndef FIFO_H
#define FIFO_H

#include "fifo_ports.h"

#include <stdbool.h>

typedef struct fifo {
  uint32_t words[Depth][PORT_WORDS(Width)];
  uint64_t pushed, popped; /* words ever pushed and popped: the difference is the count */
  bool overflow, underflow;
} fifo_t;

void fifo_reset(fifo_t *fifo);
void fifo_eval(const fifo_t *fifo, const fifo_in_t *in, fifo_out_t *out);
void fifo_step(fifo_t *fifo, const fifo_in_t *in);

#endif
