/* SPDX-License-Identifier: Apache-2.0
 *
 * The NDP buffer manager (NSU paper, section 4.3): credits for the buffers of every NSU.
 *
 *   request --> queue of an NSU --> grant --> the block's packets --> NSU
 *                                     ^                                |
 *                                     +---- credits: freed entries <---+
 *
 * A request asks for one command entry, and for read data and write address entries of an NSU of
 * one stack. The manager grants a request whole or not at all, in FIFO order an NSU. A small
 * request never passes a large one, so none starves. Each NSU has at most one grant a cycle (ours).
 * Credits come back as the NSU frees entries.
 *
 * If a stack has several NSUs, a request goes to the one with the fewest blocks before it: waiting
 * requests plus used command entries (ours). Of equals, the lowest number wins. A faster NSU thus
 * gets more blocks. The choice holds for the block.
 *
 * With ndp_manager_hardware, one instance of ofld_credits an NSU grants; otherwise the same rule in
 * C does.
 */
#ifndef NDP_MANAGER_H
#define NDP_MANAGER_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_config.h"
#include "offload_credits.h"

/* A request: warp, read data entries, write address entries. */
typedef struct {
  uint16_t sm, warp, rd, wr;
} ndp_request_t;

/* An NSU, as the manager sees it. */
typedef struct {
  unsigned stack, unit; /* unit: number of the unit in the stack's logic layer */
  unsigned cmd, rd, wr; /* free entries */
  unsigned head, count; /* ring of waiting requests */
  unsigned fed;         /* of these, requests that the instance has */
  offload_credits_t hardware;
  bool granted; /* the instance grants the first request in this cycle */
} ndp_nsu_t;

/* State of the manager. ndp_manager_deinit frees the arrays. */
typedef struct {
  unsigned nsus, queue_size;
  unsigned max_cmd, max_rd, max_wr; /* entries of each NSU */
  ndp_nsu_t *nsu;                   /* [nsus], by stack, then by unit */
  ndp_request_t *queue;             /* [nsus][queue_size]: at most one request a warp of the GPU */
  /* index of each stack's first NSU; the last one is nsus */
  unsigned first[GPU_MAX_NSU_STACKS + 1];
  bool instances; /* instances of ofld_credits grant */
  uint8_t *asked; /* [SM][warp]: unit of the block that the warp has under way */
} ndp_manager_t;

int ndp_manager_init(ndp_manager_t *m, const gpu_config_t *config); /* -1: out of host memory */
/* Opens the instances of ofld_credits, one an NSU. -1: out of host memory, or an engine failed. */
int ndp_manager_hardware(ndp_manager_t *m, const struct block_engine *const *engines);
void ndp_manager_deinit(ndp_manager_t *m);
/* next cycle of the instances, before the grants */
void ndp_manager_tick(ndp_manager_t *m, trouble_t *fault);

/* False: the request exceeds an NSU's buffers, and can never be granted. */
bool ndp_manager_fits(const ndp_manager_t *m, unsigned rd, unsigned wr);
/* Queues a request that fits; the stack has an NSU. */
void ndp_manager_request(ndp_manager_t *m, unsigned stack, ndp_request_t request);
/* Grants the oldest request of an NSU, if its entries are free. */
bool ndp_manager_grant(ndp_manager_t *m, unsigned nsu, ndp_request_t *granted);

/* Unit of the NSU that the warp's block asked for last. */
unsigned ndp_manager_unit(const ndp_manager_t *m, unsigned sm, unsigned warp);

/* Returns entries. false, and no change: more than the NSU has (it is broken), or no such NSU. */
bool ndp_manager_credit(ndp_manager_t *m, unsigned stack, unsigned unit, unsigned cmd, unsigned rd, unsigned wr);

#endif
