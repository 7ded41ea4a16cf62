/* SPDX-License-Identifier: Apache-2.0
 *
 * Two short queues of a core for other cores' atomic requests. In parallel to the LSU-Remote,
 * which serves other cores' loads and stores.
 *
 *    network -> in  -> TSV bus -> atomic unit of an NBU -> out -> network
 */
#ifndef CORE_ATOMICS_H
#define CORE_ATOMICS_H

#include <stddef.h>

#include "mpu_packet.h"

enum { CORE_ATOMICS = 4 };

typedef struct {
  mpu_packet_t packet[CORE_ATOMICS];
  uint8_t head, count;
} core_packets_t;

typedef struct {
  core_packets_t in, out;
} core_atomics_t;

/* Rings of CORE_ATOMICS packets. Push needs room, pop needs a packet. */
static inline bool core_packets_room(const core_packets_t *q) {
  return q->count < CORE_ATOMICS;
}

static inline const mpu_packet_t *core_packets_front(const core_packets_t *q) {
  return q->count ? &q->packet[q->head] : NULL;
}

static inline void core_packets_push(core_packets_t *q, const mpu_packet_t *p) {
  q->packet[(q->head + q->count++) % CORE_ATOMICS] = *p;
}

static inline void core_packets_pop(core_packets_t *q) {
  q->head = (uint8_t)((q->head + 1) % CORE_ATOMICS);
  q->count--;
}

#endif
