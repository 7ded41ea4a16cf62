/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU spread over the nodes of a network (NUPIM paper, section IV). Node k has some SMs, L2 slice
 * k and stack k. An SM reaches the slice of its own node over the crossbar, the others over the
 * network.
 *
 * Crossbar ports: SMs, slices, then each node's way to the network.
 */
#ifndef NODES_H
#define NODES_H

#include "gpu_config.h"

/* Which node has which SMs. SMs are numbered in the order of nodes. */
typedef struct nodes {
  unsigned nodes;                        /* as many as stacks */
  uint16_t of_sm[GPU_MAX_SMS];           /* node of each SM */
  uint16_t first_sm[GPU_MAX_STACKS + 1]; /* first SM of each node; then the number of SMs */
} nodes_t;

/* Parses the SMs of each node: "4*16" is 4 SMs at each of 16 nodes; also "8*8,0*8" or "3,5,4*2".
 * False: INPUT, what is wrong with it for `num_nodes` nodes and `sms` SMs. */
bool nodes_parse(nodes_t *nodes, const char *list, unsigned num_nodes, unsigned sms, trouble_t *trouble);

/* Crossbar port for a request of an SM to a slice, and for the answer. n NULL: one die, no
 * network. */
static inline unsigned nodes_port_to_slice(const nodes_t *n, const gpu_config_t *c, unsigned sm, unsigned slice) {
  return n && n->of_sm[sm] != slice ? c->num_sms + c->num_stacks + n->of_sm[sm] : c->num_sms + slice;
}
static inline unsigned nodes_port_to_sm(const nodes_t *n, const gpu_config_t *c, unsigned slice, unsigned sm) {
  return n && n->of_sm[sm] != slice ? c->num_sms + c->num_stacks + slice : sm;
}

/* First CTA of a node, if each node has a range in proportion to its SMs. */
static inline uint64_t nodes_first_block(const nodes_t *n, unsigned node, uint64_t blocks, unsigned sms) {
  return (uint64_t)((unsigned __int128)blocks * n->first_sm[node] / sms);
}

#endif
