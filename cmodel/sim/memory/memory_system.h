/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole memory side: stacks, their GPU links, bridges of near-data parts and the network,
 * made and connected from one configuration.
 *
 *    GPU == from_gpu, to_gpu == stack -- network -- other stacks
 *                                 |
 *                        ni_bridge, one a unit -- near-data part
 *
 * A convenience for tests; every part can be made and ticked alone. The GPU pushes into from_gpu
 * and pops from to_gpu. Unit u of a stack uses ni_bridge_pop of unit[u], and pushes into its
 * from_nsu.
 */
#ifndef MEMORY_SYSTEM_H
#define MEMORY_SYSTEM_H

#include "mem_stack.h"
#include "trouble.h"

typedef struct memory_node_config {
  link_config_t gpu_link, nsu_port;
  mem_stack_config_t stack; /* id is filled in */
} memory_node_config_t;

typedef struct memory_system_config {
  network_config_t network; /* at most 256 stacks */
  memory_node_config_t node;
  unsigned units; /* near-data parts of each stack */
} memory_system_config_t;

typedef struct memory_node {
  link_t from_gpu, to_gpu;
  ni_bridge_t *unit; /* [units]: near-data parts */
  unsigned units;
  mem_stack_t *stack;
} memory_node_t;

typedef struct memory_system {
  unsigned nodes;
  network_t *network;
  memory_node_t *node; /* [nodes] */
} memory_system_t;

memory_system_config_t memory_system_default_config(void);
bool memory_system_check_config(const memory_system_config_t *config, trouble_t *trouble);
/* routers: as network_new has them. NULL: trouble says why. */
memory_system_t *memory_system_new(const memory_system_config_t *config, memory_image_t *image, packet_pool_t *pool,
                                   const block_engine_t *const *routers, trouble_t *trouble);
void memory_system_free(memory_system_t *system);
/* Of a network that stacks are connected to: its sinks must hold the largest packet. */
bool memory_network_check_config(const network_config_t *config, trouble_t *trouble);

/* One stack with its links and bridges. network NULL: one stack alone. init false: out of
 * memory; call memory_node_deinit in any case. */
memory_node_config_t memory_node_default_config(void);
bool memory_node_check_config(const memory_node_config_t *config, trouble_t *trouble);
bool memory_node_init(memory_node_t *node, const memory_node_config_t *config, unsigned id, unsigned units,
                      memory_image_t *image, packet_pool_t *pool, network_t *network);
void memory_node_deinit(memory_node_t *node);
size_t memory_node_describe_waits(const memory_node_t *node, unsigned id, char *text, size_t size); /* as snprintf */

/* At 1.25 GHz; the network's tick comes after those of all stacks. */
void memory_node_tick(memory_node_t *node, uint64_t now);
/* Nothing inside, and nothing at its ports of the network. */
bool memory_node_idle(const memory_node_t *node);
void memory_system_tick(memory_system_t *system, uint64_t now);      /* 1.25 GHz: stacks, links, bridges, network */
void memory_system_tick_dram(memory_system_t *system, uint64_t now); /* tCK */
bool memory_system_idle(const memory_system_t *system);
const trouble_t *memory_system_fault(const memory_system_t *system);                         /* NULL: none so far */
size_t memory_system_describe_waits(const memory_system_t *system, char *text, size_t size); /* as snprintf */

#endif
