/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of fifo: Depth words of Width bits, first in, first out (rtl/lib/fifo.ports).
 *
 * Call fifo_eval for the outputs of a cycle, then fifo_step with the same inputs for its clock
 * edge. All outputs are state, so fifo_eval does not read `in`. A push into a full FIFO is dropped,
 * even with a pop in the same cycle. A pop of an empty FIFO does nothing. Both errors set a flag
 * that stays until reset. fifo_eval asserts that the count is at most Depth.
 */
#ifndef FIFO_H
#define FIFO_H

#include "fifo_ports.h"

#include <stdbool.h>

typedef struct fifo {
  uint32_t words[Depth][PORT_WORDS(Width)]; /* a ring: word n since reset is at n % Depth; reset leaves them */
  uint64_t pushed, popped;                  /* words since reset; the difference is the count, 0 .. Depth */
  bool overflow, underflow;                 /* a push was dropped, a pop found no word, since reset */
} fifo_t;

void fifo_reset(fifo_t *fifo);
void fifo_eval(const fifo_t *fifo, const fifo_in_t *in, fifo_out_t *out);
void fifo_step(fifo_t *fifo, const fifo_in_t *in);

#endif
