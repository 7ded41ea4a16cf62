/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of fifo_2w: a FIFO that takes up to two words a cycle (rtl/lib/fifo_2w.ports).
 *
 * Call fifo_2w_eval for the outputs of a cycle, then fifo_2w_step with the same inputs for its
 * clock edge. `over` depends on the pushes of the same cycle (Mealy); valid and rdata are state. A
 * word without a place is dropped, even if a word is taken in the same cycle.
 */
#ifndef FIFO_2W_H
#define FIFO_2W_H

#include <stdbool.h>

#include "fifo_2w_ports.h"

typedef struct {
  uint32_t word[Depth][PORT_WORDS(Width)]; /* oldest first */
  unsigned count;                          /* words stored, 0 .. Depth */
} fifo_2w_t;

/* Empties the FIFO; the words stay in memory, where nothing shows them as valid. */
void fifo_2w_reset(fifo_2w_t *s);
void fifo_2w_eval(const fifo_2w_t *s, const fifo_2w_in_t *in, fifo_2w_out_t *out);
void fifo_2w_step(fifo_2w_t *s, const fifo_2w_in_t *in);

#endif
