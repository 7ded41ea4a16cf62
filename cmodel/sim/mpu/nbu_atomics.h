/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations near the bank, an extension (the paper has none): a unit beside a near-bank
 * unit's memory controller, a second client of it. The LSU-Extension passes them by.
 *
 * A request is of up to MPU_ATOMIC_MOST operations on one transfer of 32 bytes. It reads them, does
 * the operations one after the other, and writes. Requests to the same 32 bytes go one after the
 * other, in the order in which they came; others overlap. The operations take effect when the write
 * passes the bank's I/O (near_mc.h: modify).
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
  uint64_t age;
  uint64_t at; /* COMPUTES: the end of it */
} nbu_atomic_t;

typedef struct {
  nbu_atomic_t entry[NBU_ATOMICS_MOST];
  uint64_t ages, alu_free;
  unsigned count, owed; /* requests; entries of the controller's queue */
} nbu_atomics_t;

bool nbu_atomics_room(const nbu_atomics_t *u, const mpu_config_t *config);
/* needs room; it is on its way. Returns its entry */
unsigned nbu_atomics_take(nbu_atomics_t *u, const mpu_packet_t *packet);
void nbu_atomics_came(nbu_atomics_t *u, unsigned entry); /* its last beat */
/* after the controller's step; pushes at most one request */
void nbu_atomics_step(nbu_atomics_t *u, near_mc_t *mc, const mpu_config_t *config, uint64_t now);
/* the controller's */
void nbu_atomics_answer(nbu_atomics_t *u, const near_mc_answer_t *answer, const mpu_config_t *config, uint64_t now);
/* the controller's `modify` */
void nbu_atomics_modify(void *unit, uint8_t entry, uint8_t bytes[NEAR_MC_BYTES]);
/* the oldest that is; NULL: none */
nbu_atomic_t *nbu_atomics_done(nbu_atomics_t *u);
void nbu_atomics_free(nbu_atomics_t *u, nbu_atomic_t *a);

#endif
