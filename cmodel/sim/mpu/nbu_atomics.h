/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations near the bank, an extension (the paper has none): a unit beside a near-bank
 * unit's memory controller, the controller's second client. The LSU-Extension does not see
 * atomics.
 *
 * A request is up to MPU_ATOMIC_MOST operations on one transfer of 32 bytes:
 *
 *    NONE -> COMING -> WAITS -> READS -> COMPUTES -> WRITES -> DONE -> NONE
 *            on the             read      one op      write      answer waits
 *            TSVs               pushed    after the   pushed     for the bus
 *                                         other
 *
 * Requests to the same 32 bytes go one after the other, in the order in which they came: one
 * leaves WAITS when the older ones are DONE. Others overlap. The operations take effect when the
 * write passes the bank's I/O (near_mc.h: modify), so a store between read and write is not
 * lost.
 */
#ifndef NBU_ATOMICS_H
#define NBU_ATOMICS_H

#include "mpu_config.h"
#include "mpu_packet.h"

enum { NBU_ATOMICS_MOST = 8, NBU_ATOMICS_CLIENT = 1 /* of the memory controller */ };

typedef enum {
  NBU_ATOMIC_NONE,
  NBU_ATOMIC_COMING,
  NBU_ATOMIC_WAITS,
  NBU_ATOMIC_READS,
  NBU_ATOMIC_COMPUTES,
  NBU_ATOMIC_WRITES,
  NBU_ATOMIC_DONE
} nbu_atomic_state_t;

typedef struct {
  mpu_packet_t packet;
  nbu_atomic_state_t state;
  uint64_t age; /* order of arrival */
  uint64_t at;  /* COMPUTES: the cycle in which it ends */
} nbu_atomic_t;

typedef struct {
  nbu_atomic_t entry[NBU_ATOMICS_MOST];
  uint64_t ages, alu_free;
  unsigned count, owed; /* requests; entries of the controller's queue that the unit uses */
} nbu_atomics_t;

bool nbu_atomics_room(const nbu_atomics_t *u, const mpu_config_t *config);
/* A request starts down the TSVs. Needs room; returns its entry. */
unsigned nbu_atomics_take(nbu_atomics_t *u, const mpu_packet_t *packet);
void nbu_atomics_came(nbu_atomics_t *u, unsigned entry); /* its last beat has come */
/* Once a cycle after the controller's step, while there are requests: pushes at most one read or
 * write. */
void nbu_atomics_step(nbu_atomics_t *u, near_mc_t *mc, const mpu_config_t *config, uint64_t now);
/* An answer of the controller whose client is NBU_ATOMICS_CLIENT. */
void nbu_atomics_answer(nbu_atomics_t *u, const near_mc_answer_t *answer, const mpu_config_t *config, uint64_t now);
/* The controller's `modify`: applies an entry's operations to the 32 bytes in place. The entry's
 * packet gets the old values for its answer. */
void nbu_atomics_modify(void *unit, uint8_t entry, uint8_t bytes[NEAR_MC_BYTES]);
/* The oldest request that is DONE, NULL: none. nbu_atomics_free gives its entry back. */
nbu_atomic_t *nbu_atomics_done(nbu_atomics_t *u);
void nbu_atomics_free(nbu_atomics_t *u, nbu_atomic_t *a);

#endif
