/* SPDX-License-Identifier: Apache-2.0
 *
 * One stack's NSU with its packet port: the engine that computes the NSU, the phits, and what the
 * node counts.
 *
 * nsu_node_cycle is one NSU clock cycle. It reads the NSU's outputs of the cycle before, so that
 * both sides of the port see registered wires.
 */
#ifndef NSU_NODE_H
#define NSU_NODE_H

#include <stdbool.h>

#include <stdint.h>

#include "block_engine.h"
#include "packet.h"

typedef struct {
  void *ctx;
  packet_t *(*take)(void *ctx, unsigned cls); /* next packet for the NSU, NULL: none */
  bool (*give)(void *ctx, packet_t *packet);  /* takes a packet of the NSU; false: not now */
} nsu_peer_t;

typedef struct {
#define COUNTER(name, ...) uint64_t name;
#define WORK(name, ...) uint64_t name;
#include "part_nsu_counters.def" /* those of the clock and of what there is room for are the part's */
} nsu_node_stats_t;

typedef struct nsu_node nsu_node_t;

/* engine: of block nsu, kept by address; instance: the number of the instance among the engine's;
 * stack: the NSU's node number in packets; credit_batch: as in ni_credits.h; peer is copied. NULL:
 * out of memory, or the engine could not be opened. */
nsu_node_t *nsu_node_new(const block_engine_t *engine, unsigned instance, unsigned stack, unsigned credit_batch,
                         packet_pool_t *pool, const nsu_peer_t *peer);
void nsu_node_free(nsu_node_t *node);

void nsu_node_cycle(nsu_node_t *node);
bool nsu_node_idle(const nsu_node_t *node); /* true: cycles may be skipped until a packet comes; never with RTL */
const char *nsu_node_error(const nsu_node_t *node); /* NULL, or the rule that was broken */
uint64_t nsu_node_errors(const nsu_node_t *node);   /* bits of the NSU's error output that were seen (PKT_ERR) */
nsu_node_stats_t nsu_node_stats(const nsu_node_t *node);

#endif
