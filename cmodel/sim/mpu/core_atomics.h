/* SPDX-License-Identifier: Apache-2.0
 *
 * Other cores' atomics in a core, beside the LSU-Remote: requests that wait for the TSVs, answers
 * that wait for the network.
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
