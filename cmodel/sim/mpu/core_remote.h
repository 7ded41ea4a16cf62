/* SPDX-License-Identifier: Apache-2.0
 *
 * A core's LSU-Remote (rtl/lsu, golden model) with its wires. It serves other cores' loads and
 * stores.
 *
 *    network -> push -> LSU-Remote -> offer -> TSV bus -> near-bank unit
 *    network <- end  <- LSU-Remote <- answer <-----------------'
 */
#ifndef CORE_REMOTE_H
#define CORE_REMOTE_H

#include "core_base.h"
#include "mpu_packet.h"
#include "tsv.h"

/* The part that callers read in every cycle; core_remote.c has the rest. */
typedef struct {
  bool awake;
} core_remote_t;

core_remote_t *core_remote_new(void); /* NULL: out of host memory */
void core_remote_free(core_remote_t *r);
bool core_remote_room(const core_remote_t *r); /* takes a request in this cycle; at most one a cycle */
void core_remote_push(core_remote_t *r, const mpu_packet_t *p);
void core_remote_answer(core_remote_t *r, unsigned id, const uint32_t *data); /* 32 bytes; NULL: a write is done */

/* A cycle is begin, the bus, end. While it is idle neither is needed. */
static inline bool core_remote_idle(const core_remote_t *r) {
  return !r->awake;
}
/* True: *offer is a message for the bus. */
bool core_remote_begin(core_remote_t *r, core_base_t *base, tsv_offer_t *offer);
/* taken: the bus took the offer; room: the network takes a packet. True: *answer is that packet. */
bool core_remote_end(core_remote_t *r, const core_base_t *base, bool taken, bool room, mpu_packet_t *answer);

#endif
