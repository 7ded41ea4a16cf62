/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AXIS_DROP_FIFO_H
#define AXIS_DROP_FIFO_H

#include "axis_drop_fifo_ports.h"
#include "protocol/stream.h"

enum { ROOM = 1 << ADDR_WIDTH };

typedef struct axis_drop_fifo {
  uint64_t data[ROOM]; /* the oldest word first */
  bool last[ROOM];
  unsigned used, fresh; /* words; those of the frame that has not ended */
  bool skip;            /* it is being dropped */
  bool dropped, passed;
  stream_watch_t watch;
} axis_drop_fifo_t;

void axis_drop_fifo_reset(axis_drop_fifo_t *state);
void axis_drop_fifo_eval(const axis_drop_fifo_t *state, const axis_drop_fifo_in_t *in, axis_drop_fifo_out_t *out);
void axis_drop_fifo_step(axis_drop_fifo_t *state, const axis_drop_fifo_in_t *in);

#endif
