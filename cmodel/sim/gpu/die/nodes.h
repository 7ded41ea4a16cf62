/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU that is spread over the nodes of a network (NUPIM paper, section IV): node k has some SMs,
 * slice k of the L2 and stack k. What an SM asks its own node's slice goes over the crossbar alone;
 * all else crosses the network between them.
 *
 * Ports of the crossbar: SMs, slices, then each node's way to the network.
 */
#ifndef NODES_H
#define NODES_H

#include "gpu_config.h"

typedef struct nodes {
  unsigned nodes; /* as many as stacks */
  uint16_t of_sm[GPU_MAX_SMS];
  uint16_t first_sm[GPU_MAX_STACKS + 1]; /* of each node; of all: the last one's end */
} nodes_t;

/* A list of SMs: "4*16", 4 at each of 16 nodes; "8*8,0*8"; "3,5,4*2". Number them by the nodes'
 * order. False: what is wrong with it for so many nodes and SMs. */
bool nodes_parse(nodes_t *nodes, const char *list, unsigned num_nodes, unsigned sms, trouble_t *trouble);

/* The crossbar's port by which a request of an SM goes to a slice, an
 * answer of a slice to an SM. n: NULL: one die without a network. */
static inline unsigned nodes_port_to_slice(const nodes_t *n, const gpu_config_t *c, unsigned sm, unsigned slice) {
  return n && n->of_sm[sm] != slice ? c->num_sms + c->num_stacks + n->of_sm[sm] : c->num_sms + slice;
}
static inline unsigned nodes_port_to_sm(const nodes_t *n, const gpu_config_t *c, unsigned slice, unsigned sm) {
  return n && n->of_sm[sm] != slice ? c->num_sms + c->num_stacks + slice : sm;
}

/* Of the blocks of a launch, the first one of each node where
 * each has a range of its own, by its share of the SMs. */
static inline uint64_t nodes_first_block(const nodes_t *n, unsigned node, uint64_t blocks, unsigned sms) {
  return (uint64_t)((unsigned __int128)blocks * n->first_sm[node] / sms);
}

#endif
