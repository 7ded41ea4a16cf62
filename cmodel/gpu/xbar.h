/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU's crossbar: SMs on one side, memory partitions (L2 slice and link) on the other; 1250 MHz.
 *
 * Ports 0 .. num_sms-1 are the SMs, then the partitions; any input reaches any output. An input has a bounded FIFO for
 * each message class, an output likewise, so a class that is stuck never stops the other. A packet occupies its input
 * and its output for packet_bytes / xbar_bytes cycles (rounded up) and arrives xbar_latency cycles later. An output
 * serves its inputs round robin, its classes in turn; a packet is granted only if the output's queue has room for it.
 */
#ifndef XBAR_H
#define XBAR_H

#include <stdbool.h>

#include "gpu_config.h"
#include "packet.h"

enum { XBAR_MAX_PORTS = GPU_MAX_SMS + GPU_MAX_STACKS };

typedef struct {
  packet_t *packet;
  uint64_t ready; /* output: cycle of arrival */
  unsigned out;
} xbar_slot_t;

typedef struct {
  xbar_slot_t *slots;
  unsigned head, count;
} xbar_queue_t;

typedef struct {
  unsigned num_sms, num_ports, bytes, latency, in_size, out_size;
  uint64_t time;
  xbar_queue_t in[XBAR_MAX_PORTS][2], out[XBAR_MAX_PORTS][2];
  uint64_t in_busy[XBAR_MAX_PORTS], out_busy[XBAR_MAX_PORTS]; /* until this cycle */
  uint64_t want[2][XBAR_MAX_PORTS][2]; /* class, output, inputs 0..63 and 64..71 whose oldest packet goes there */
  uint64_t wanted[2]; /* outputs that anybody wants, in any class (may be out of date: set too often) */
  unsigned next_in[XBAR_MAX_PORTS];
  uint8_t next_class[XBAR_MAX_PORTS];
  unsigned waiting;                    /* packets in input queues */
  unsigned in_flight;                  /* packets anywhere */
  uint64_t up_bytes, down_bytes;       /* into partitions, into SMs */
} xbar_t;

int xbar_init(xbar_t *x, const gpu_config_t *config); /* -1: out of host memory */
void xbar_deinit(xbar_t *x);

static inline bool xbar_can_send(const xbar_t *x, unsigned in, unsigned cls) {
  return x->in[in][cls].count < x->in_size;
}
void xbar_send(xbar_t *x, unsigned in, unsigned cls, unsigned out, packet_t *packet);

/* The packet that has arrived first and not been taken; NULL: none. */
static inline packet_t *xbar_front(const xbar_t *x, unsigned out, unsigned cls) {
  const xbar_queue_t *q = &x->out[out][cls];
  return q->count && q->slots[q->head].ready <= x->time ? q->slots[q->head].packet : NULL;
}
packet_t *xbar_pop(xbar_t *x, unsigned out, unsigned cls);

void xbar_tick(xbar_t *x);

#endif
