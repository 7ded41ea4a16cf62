/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU's crossbar: SMs on one side, memory partitions (L2 slice and link) on the other; 1250
 * MHz.
 *
 * Ports 0 .. num_sms-1 are the SMs, then the partitions, then ways to a network that nodes have
 * (nodes.h); any input reaches any output. An input has a bounded FIFO for each message class, an
 * output likewise, so a class that is stuck never stops another: requests, responses, and requests
 * of offloaded blocks (commands, reads and writes for an NSU). A packet occupies its input and its
 * output for packet_bytes / xbar.bytes cycles (rounded up) and arrives xbar.latency cycles later.
 * An output serves its inputs round robin, its classes in turn; a packet is granted only if the
 * output's queue has room for it.
 */
#ifndef XBAR_H
#define XBAR_H

#include <stdbool.h>

#include "gpu_config.h"
#include "packet.h"

typedef enum { XBAR_REQUEST, XBAR_RESPONSE, XBAR_OFFLOAD, XBAR_CLASSES } xbar_class_t;

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
  unsigned num_sms, num_ports, words, bytes, latency, in_size, out_size; /* words: that have a bit for each port */
  uint64_t time;
  xbar_queue_t (*in)[XBAR_CLASSES], (*out)[XBAR_CLASSES]; /* [num_ports], by class; this and what follows is by port */
  uint64_t *in_busy, *out_busy;                           /* until this cycle */
  /* by class: [num_ports][words], for each output the
   * inputs whose oldest packet goes there, a bit each */
  uint64_t *want[XBAR_CLASSES];
  /* by class: [words]: outputs that anybody wants (may be out of date: set too often) */
  uint64_t *wanted[XBAR_CLASSES];
  unsigned *next_in;
  uint8_t *next_class;
  unsigned waiting;              /* packets in input queues */
  unsigned in_flight;            /* packets anywhere */
  uint64_t up_bytes, down_bytes; /* into partitions and the network, into SMs */
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
