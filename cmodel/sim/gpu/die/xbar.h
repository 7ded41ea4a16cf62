/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU's crossbar between SMs and memory partitions (L2 slice and link); 1250 MHz in T2.
 *
 *   inputs: one FIFO a class            outputs: one FIFO a class
 *   SM 0         [REQ][RSP][OFL] \     / [REQ][RSP][OFL]  SM 0
 *   ...                           >---<   ...
 *   partition k  [REQ][RSP][OFL] /     \ [REQ][RSP][OFL]  partition k
 *
 * Ports 0 to num_sms-1 are the SMs, then come the partitions, then the nodes' ways to a network
 * (nodes.h). Every input reaches every output. Each class has its own bounded FIFOs, so a stuck
 * class never stops another. Classes: requests, responses, requests of offloaded blocks (commands,
 * reads and writes for an NSU).
 *
 * A packet occupies its input and its output for ceil(packet_bytes / xbar.bytes) cycles and arrives
 * xbar.latency cycles later. An output serves its inputs round robin and its classes in turn. It
 * grants a packet only if its queue has room.
 */
#ifndef XBAR_H
#define XBAR_H

#include <stdbool.h>

#include "gpu_config.h"
#include "packet.h"

typedef enum { XBAR_REQUEST, XBAR_RESPONSE, XBAR_OFFLOAD, XBAR_CLASSES } xbar_class_t;

/* A packet in a queue. */
typedef struct {
  packet_t *packet;
  uint64_t ready; /* output queues: cycle of arrival */
  unsigned out;   /* input queues: output port */
} xbar_slot_t;

typedef struct {
  xbar_slot_t *slots;
  unsigned head, count;
} xbar_queue_t;

typedef struct {
  /* words: 64-bit words with one bit a port; in_size, out_size: packets of a queue */
  unsigned num_sms, num_ports, words, bytes, latency, in_size, out_size;
  uint64_t time;
  xbar_queue_t (*in)[XBAR_CLASSES], (*out)[XBAR_CLASSES]; /* [num_ports]; so are the arrays below */
  uint64_t *in_busy, *out_busy;                           /* cycle until which the port is occupied */
  /* by class: [num_ports][words], the inputs whose oldest packet goes to an output, one bit each */
  uint64_t *want[XBAR_CLASSES];
  /* by class: [words], outputs that some input wants; a bit may be stale, set too long */
  uint64_t *wanted[XBAR_CLASSES];
  unsigned *next_in;             /* input that each output serves next */
  uint8_t *next_class;           /* class that each output serves next */
  unsigned waiting;              /* packets in input queues */
  unsigned in_flight;            /* packets anywhere */
  uint64_t up_bytes, down_bytes; /* into partitions and the network; into SMs */
} xbar_t;

int xbar_init(xbar_t *x, const gpu_config_t *config); /* -1: out of host memory */
void xbar_deinit(xbar_t *x);

/* Sending: check xbar_can_send, then xbar_send takes the packet over. */
static inline bool xbar_can_send(const xbar_t *x, unsigned in, unsigned cls) {
  return x->in[in][cls].count < x->in_size;
}
void xbar_send(xbar_t *x, unsigned in, unsigned cls, unsigned out, packet_t *packet);

/* Oldest packet that has arrived at an output; NULL: none. xbar_pop removes it. */
static inline packet_t *xbar_front(const xbar_t *x, unsigned out, unsigned cls) {
  const xbar_queue_t *q = &x->out[out][cls];
  return q->count && q->slots[q->head].ready <= x->time ? q->slots[q->head].packet : NULL;
}
packet_t *xbar_pop(xbar_t *x, unsigned out, unsigned cls);

void xbar_tick(xbar_t *x);

#endif
