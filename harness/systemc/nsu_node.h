/* SPDX-License-Identifier: Apache-2.0
 *
 * One stack's NSU with its packet port: the engine that computes it, the phits, and what is counted of it.
 *
 * nsu_node_cycle is one NSU clock cycle. It reads the NSU's outputs of the cycle before, so that both sides of the port see
 * registered wires. In lockstep the model's outputs drive the system; the RTL's are compared with them every cycle.
 */
#ifndef NSU_NODE_H
#define NSU_NODE_H

#include <stdbool.h>

#include "instance.h"
#include "packet.h"

typedef struct {
  void *ctx;
  packet_t *(*take)(void *ctx, unsigned cls); /* next packet for the NSU, NULL: none */
  bool (*give)(void *ctx, packet_t *packet);  /* a packet of the NSU's; false: not now */
} nsu_peer_t;

enum { NSU_NODE_TEXT = 512 };

typedef struct {
  uint64_t cycles;         /* computed; those left out while it was idle are not counted */
  uint64_t compared;       /* lockstep: cycles compared */
  uint64_t divergences;    /* 1: RTL and model differed, or an assertion failed; comparison ended there */
  uint64_t first_cycle;    /* in which cycle of this NSU */
  char first[NSU_NODE_TEXT];  /* outcome and port, or the assertion */
  char replay[NSU_NODE_TEXT]; /* replay file of this NSU alone; "": none */
  uint64_t instructions;   /* that left the issue stage for a unit */
  uint64_t warp_cycles;    /* sum over cycles of warp slots in use */
  uint64_t errors;         /* bits of the NSU's error output that were seen (PKT_ERR) */
  uint64_t icache_lines;   /* different lines that its instruction cache was filled with */
} nsu_node_stats_t;

typedef struct nsu_object nsu_object_t; /* the loadable NSU */
typedef struct nsu_node nsu_node_t;

/* NULL on error; *why then says it. */
const nsu_object_t *nsu_object_load(const char *path, const char **why);
nsu_node_t *nsu_node_new(const nsu_object_t *object, engine_t engine, unsigned stack, packet_pool_t *pool,
                         const nsu_peer_t *peer, const char **why);
void nsu_node_free(nsu_node_t *node);

void nsu_node_cycle(nsu_node_t *node);

/* After a divergence: writes a replay file of this NSU, made small, and remembers it. NULL, or what failed. */
const char *nsu_node_capture(nsu_node_t *node, const capture_t *capture);
bool nsu_node_idle(const nsu_node_t *node); /* cycles may be left out until a packet comes; never with RTL */
const char *nsu_node_error(const nsu_node_t *node); /* NULL, or the rule that was broken */
nsu_node_stats_t nsu_node_stats(const nsu_node_t *node);

#endif
