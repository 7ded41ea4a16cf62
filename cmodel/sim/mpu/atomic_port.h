/* SPDX-License-Identifier: Apache-2.0
 *
 * A subcore's way to the atomic units (ours): takes one instruction at a time apart into requests
 * of up to MPU_ATOMIC_MOST operations on the same 32 bytes, which go down the TSVs or to another
 * core; answers may be still to come when the next instruction is taken.
 *
 * Operations of a warp on one address are done in the order of the threads: they are in one
 * request, or in requests that come in order. To another core packets may overtake, so a request
 * waits for those of its subcore to the same 32 bytes.
 */
#ifndef ATOMIC_PORT_H
#define ATOMIC_PORT_H

#include "mpu_map.h"
#include "mpu_packet.h"
#include "simt.h"

enum { ATOMIC_PORT_REQUESTS = 32, ATOMIC_PORT_TAGS = 64 };

typedef struct {
  mpu_place_t place;
  uint8_t tag, count, lane[MPU_ATOMIC_MOST];
} atomic_request_t;

typedef struct {
  bool busy, ready; /* has an instruction; a request of it, in `packet` */
  /* the instruction is on near-bank shared memory: one
   * message, and none beside it until it is over */
  bool shared;
  bool waits; /* its message has gone */
  uint8_t tag;
  uint32_t left; /* threads whose requests are still to be made */
  uint64_t address[32];
  mpu_packet_t packet;
  uint32_t live; /* bits: requests under way, and the one that is ready */
  atomic_request_t request[ATOMIC_PORT_REQUESTS];
  uint8_t under_way[ATOMIC_PORT_TAGS];
} atomic_port_t;

/* core, subcore: whose port it is. Makes a request if there is none and it can. */
void atomic_port_make(atomic_port_t *p, const simt_op_t *op, const simt_warp_t *w, mpu_map_t map, unsigned core,
                      unsigned subcore);
void atomic_port_sent(atomic_port_t *p); /* what was ready */
/* Old values come; true: the instruction, *tag, is over. */
bool atomic_port_answer(atomic_port_t *p, const mpu_packet_t *answer, unsigned *tag);

static inline bool atomic_port_has_local(const atomic_port_t *p) {
  return p->ready && p->packet.dest == p->packet.source;
}
static inline bool atomic_port_has_remote(const atomic_port_t *p) {
  return p->ready && p->packet.dest != p->packet.source;
}

#endif
