/* SPDX-License-Identifier: Apache-2.0
 *
 * The FIFO as two counters: word n goes to place n % Depth, and the counters' difference is the
 * count. The probes are the same places, as the RTL's pointers show them.
 */
#include "fifo.h"

#include <assert.h>
#include <string.h>

/* The words keep their values: no output shows them as valid. */
void fifo_reset(fifo_t *fifo) {
  fifo->pushed = fifo->popped = 0;
  fifo->overflow = fifo->underflow = false;
}

void fifo_eval(const fifo_t *fifo, const fifo_in_t *in, fifo_out_t *out) {
  (void)in;
  uint64_t count = fifo->pushed - fifo->popped;
  assert(count <= Depth);
  out->full = count == Depth;
  out->empty = count == 0;
  out->not_empty = count != 0;
  out->count = count;
  memcpy(out->rdata, fifo->words[fifo->popped % Depth], sizeof out->rdata);
  out->overflow = fifo->overflow;
  out->underflow = fifo->underflow;
  out->probe_wptr = fifo->pushed % Depth;
  out->probe_rptr = fifo->popped % Depth;
}

/* Push and pop decide by the count at the beginning of the cycle. A push into a full FIFO is
 * lost even with a pop. A pop of an empty FIFO is an error even with a push. */
void fifo_step(fifo_t *fifo, const fifo_in_t *in) {
  uint64_t count = fifo->pushed - fifo->popped;
  if (in->push && count == Depth) fifo->overflow = true;
  if (in->pop && count == 0) fifo->underflow = true;
  if (in->push && count < Depth) memcpy(fifo->words[fifo->pushed++ % Depth], in->wdata, sizeof in->wdata);
  if (in->pop && count > 0) fifo->popped++;
}
