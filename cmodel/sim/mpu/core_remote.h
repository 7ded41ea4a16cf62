/* SPDX-License-Identifier: Apache-2.0
 *
 * A core's LSU-Remote with its wires: requests of other cores come in, messages to near-bank units
 * and answers go out.
 */
#ifndef CORE_REMOTE_H
#define CORE_REMOTE_H

#include "core_base.h"
#include "mpu_packet.h"
#include "tsv.h"

/* What can be seen of it at a glance; the rest is core_remote.c's. */
typedef struct {
  bool awake;
} core_remote_t;

core_remote_t *core_remote_new(void); /* NULL: out of host memory */
void core_remote_free(core_remote_t *r);
bool core_remote_room(const core_remote_t *r); /* for a request */
void core_remote_push(core_remote_t *r, const mpu_packet_t *p);
void core_remote_answer(core_remote_t *r, unsigned id, const uint32_t *data); /* of a unit; NULL: of a write */

/* A cycle's begin and end; neither is needed while it is idle. */
static inline bool core_remote_idle(const core_remote_t *r) {
  return !r->awake;
}
/* true: it has a message for the bus */
bool core_remote_begin(core_remote_t *r, core_base_t *base, tsv_offer_t *offer);
/* taken: the bus took it; room: for a packet to the network. True: *answer is one. */
bool core_remote_end(core_remote_t *r, const core_base_t *base, bool taken, bool room, mpu_packet_t *answer);

#endif
