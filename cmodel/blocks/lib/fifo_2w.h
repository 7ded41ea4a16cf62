/* SPDX-License-Identifier: Apache-2.0
 *
 * fifo_2w -- golden model of a FIFO that takes up to two words a cycle; contract:
 * rtl/lib/fifo_2w.ports.
 */
#ifndef FIFO_2W_H
#define FIFO_2W_H

#include <stdbool.h>

#include "fifo_2w_ports.h"

typedef struct {
  uint32_t word[Depth][PORT_WORDS(Width)]; /* oldest first */
  unsigned count;
} fifo_2w_t;

void fifo_2w_reset(fifo_2w_t *s);
void fifo_2w_eval(const fifo_2w_t *s, const fifo_2w_in_t *in, fifo_2w_out_t *out);
void fifo_2w_step(fifo_2w_t *s, const fifo_2w_in_t *in);

#endif
