/* SPDX-License-Identifier: Apache-2.0
 *
 * A subcore's atomic port (ours; the paper has no atomics). The port splits one atomic
 * instruction at a time into requests, and takes the next instruction while answers are still
 * under way.
 *
 * A request holds up to MPU_ATOMIC_MOST operations on the same 32 bytes of memory. It goes down
 * the TSVs to a near-bank unit of the core, or as a packet to another core.
 *
 * Operations of one warp on one address happen in thread order: they share a request, or their
 * requests arrive in order. Packets between cores can overtake each other, so a request to
 * another core waits for earlier requests of its subcore to the same 32 bytes.
 */
#ifndef ATOMIC_PORT_H
#define ATOMIC_PORT_H

#include "mpu_map.h"
#include "mpu_packet.h"
#include "simt.h"

enum { ATOMIC_PORT_REQUESTS = 32, ATOMIC_PORT_TAGS = 64 };

/* One request that has no answer yet: where it goes, whose it is, which threads' operations it
 * holds. */
typedef struct {
  mpu_place_t place;
  uint8_t tag, count, lane[MPU_ATOMIC_MOST];
} atomic_request_t;

typedef struct {
  bool busy, ready; /* busy: has an instruction; ready: `packet` is a request that has not gone yet */
  /* The instruction is on near-bank shared memory: it is one message, and the port takes nothing
   * else until it is over. */
  bool shared;
  bool waits; /* shared: the message has gone */
  uint8_t tag;
  uint32_t left;        /* threads, a bit each, that are in no request yet */
  uint64_t address[32]; /* device addresses of the threads; of shared memory, offsets */
  mpu_packet_t packet;
  uint32_t live; /* bits: requests under way, with the one that is ready */
  atomic_request_t request[ATOMIC_PORT_REQUESTS];
  uint8_t under_way[ATOMIC_PORT_TAGS]; /* live requests of each instruction, by tag */
} atomic_port_t;

/* Makes the next request of the instruction, if there is none and the port can: a free number,
 * and no earlier request to the same 32 bytes of another core. core, subcore: whose port this
 * is. */
void atomic_port_make(atomic_port_t *p, const simt_op_t *op, const simt_warp_t *w, mpu_map_t map, unsigned core,
                      unsigned subcore);
void atomic_port_sent(atomic_port_t *p); /* the bus or the network took `packet` */
/* A request is over. True: its instruction, *tag, is over with it. */
bool atomic_port_answer(atomic_port_t *p, const mpu_packet_t *answer, unsigned *tag);

/* The request that is ready goes to the core's own near-bank units, or to another core. */
static inline bool atomic_port_has_local(const atomic_port_t *p) {
  return p->ready && p->packet.dest == p->packet.source;
}
static inline bool atomic_port_has_remote(const atomic_port_t *p) {
  return p->ready && p->packet.dest != p->packet.source;
}

#endif
