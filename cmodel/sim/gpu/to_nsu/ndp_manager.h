/* SPDX-License-Identifier: Apache-2.0
 *
 * NDP buffer manager (NSU paper, section 4.3): credits for the buffers of every NSU. Who is
 * granted, instances of ofld_credits say, one an NSU, where there are any (ndp_manager_hardware);
 * else the same rule here.
 *
 * A request asks for one offload command entry and some read data and write address entries of an
 * NSU of one stack. It is granted whole or not at all, in the order of requests to that NSU: a
 * small request never passes a large one (no starvation). At most one grant per NSU and tick
 * (ours). Credits come back as the NSU frees entries.
 *
 * Which NSU, where a stack has several (ours): the one before which fewest blocks stand, those that
 * wait for a grant and those in its command buffer; of equals the one with the lowest number. So a
 * faster one gets more blocks. It is chosen when a block asks, and holds for that block.
 */
#ifndef NDP_MANAGER_H
#define NDP_MANAGER_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_config.h"
#include "offload_credits.h"

typedef struct {
  uint16_t sm, warp, rd, wr;
} ndp_request_t;

typedef struct {
  unsigned stack, unit; /* which of the stack's units it is */
  unsigned cmd, rd, wr; /* free entries */
  unsigned head, count; /* of its queue */
  unsigned fed;         /* of these, requests that the instance has */
  offload_credits_t hardware;
  bool granted; /* the instance grants the first of the queue in this cycle */
} ndp_nsu_t;

typedef struct {
  unsigned nsus, queue_size;
  unsigned max_cmd, max_rd, max_wr;
  ndp_nsu_t *nsu;                         /* [nsus], in the order of stacks and units */
  ndp_request_t *queue;                   /* [nsus][queue_size]: one request per warp of the GPU at most */
  unsigned first[GPU_MAX_NSU_STACKS + 1]; /* of each stack's, and where they end */
  bool instances;                         /* of ofld_credits */
  uint8_t *asked;                         /* the unit of the block that a warp has under way, by SM and warp */
} ndp_manager_t;

int ndp_manager_init(ndp_manager_t *m, const gpu_config_t *config); /* -1: out of host memory */
/* Instances of ofld_credits, with as many entries as the configuration
 * says: [m->nsus] engines. -1: out of host memory, or one cannot be had. */
int ndp_manager_hardware(ndp_manager_t *m, const struct block_engine *const *engines);
void ndp_manager_deinit(ndp_manager_t *m);
void ndp_manager_tick(ndp_manager_t *m, trouble_t *fault); /* the instances' next cycle, before its grants */

/* False: more than an NSU has, can never be granted. */
bool ndp_manager_fits(const ndp_manager_t *m, unsigned rd, unsigned wr);
/* must fit; the stack must have an NSU */
void ndp_manager_request(ndp_manager_t *m, unsigned stack, ndp_request_t request);
/* the oldest, if its credits are there */
bool ndp_manager_grant(ndp_manager_t *m, unsigned nsu, ndp_request_t *granted);

/* The unit of the NSU that the block of this warp has asked for last. */
unsigned ndp_manager_unit(const ndp_manager_t *m, unsigned sm, unsigned warp);

/* False, and nothing changed: more credits than there
 * are entries (a broken NSU), or no such NSU. */
bool ndp_manager_credit(ndp_manager_t *m, unsigned stack, unsigned unit, unsigned cmd, unsigned rd, unsigned wr);

#endif
