/* SPDX-License-Identifier: Apache-2.0 */
#include "memory_system.h"

#include <stdio.h>
#include <stdlib.h>

#include "describe.h"

memory_node_config_t memory_node_default_config(void) {
  return (memory_node_config_t){
      .gpu_link = link_default_config(), .nsu_port = ni_bridge_default_config(), .stack = mem_stack_default_config(0)};
}

memory_system_config_t memory_system_default_config(void) {
  return (memory_system_config_t){
      .network = network_default_config(), .node = memory_node_default_config(), .units = 1};
}

/* Packets between stacks have at most 256 bytes, those of the GPU 1024. */
bool memory_network_check_config(const network_config_t *c, trouble_t *trouble) {
  if (!network_check_config(c, trouble)) return false;
  if (c->classes != 2) return trouble_set(trouble, TROUBLE_INPUT, "the memory system needs 2 message classes");
  if (c->sink_flits * c->flit_bytes < 256)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "sink_flits must hold the largest packet between stacks: at least 256 bytes");
  if (c->gpu_ports && c->sink_flits * c->flit_bytes < LINK_MIN_FLITS * PACKET_FLIT_BYTES)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "sink_flits must hold the largest packet to and from the GPU: at least 1024 bytes");
  return true;
}

bool memory_node_check_config(const memory_node_config_t *c, trouble_t *trouble) {
  return link_check_config(&c->gpu_link, trouble) && link_check_config(&c->nsu_port, trouble) &&
         mem_stack_check_config(&c->stack, trouble);
}

bool memory_system_check_config(const memory_system_config_t *c, trouble_t *trouble) {
  return memory_network_check_config(&c->network, trouble) && memory_node_check_config(&c->node, trouble);
}

bool memory_node_init(memory_node_t *node, const memory_node_config_t *c, unsigned id, unsigned units,
                      memory_image_t *image, packet_pool_t *pool, network_t *network) {
  link_init(&node->from_gpu, &c->gpu_link);
  link_init(&node->to_gpu, &c->gpu_link);
  node->unit = units ? calloc(units, sizeof *node->unit) : NULL;
  node->units = node->unit ? units : 0;
  for (unsigned u = 0; u < node->units; u++) ni_bridge_init(&node->unit[u], &c->nsu_port);
  mem_stack_config_t config = c->stack;
  config.id = id;
  mem_stack_ports_t ports = {.image = image,
                             .pool = pool,
                             .from_gpu = &node->from_gpu,
                             .to_gpu = &node->to_gpu,
                             .network = network,
                             .unit = node->unit,
                             .units = node->units};
  node->stack = node->units == units ? mem_stack_new(&config, &ports) : NULL;
  return node->stack != NULL;
}

void memory_node_deinit(memory_node_t *node) {
  free(node->unit);
  mem_stack_free(node->stack);
}

memory_system_t *memory_system_new(const memory_system_config_t *c, memory_image_t *image, packet_pool_t *pool,
                                   const block_engine_t *const *routers, trouble_t *trouble) {
  memory_system_t *m = calloc(1, sizeof *m);
  if (!m) return trouble_memory(trouble), NULL;
  m->network = network_new(&c->network, routers, trouble);
  m->nodes = m->network ? network_stacks(m->network) : 0;
  m->node = calloc(m->nodes + 1, sizeof *m->node);
  bool made = m->network && m->node;
  for (unsigned i = 0; i < m->nodes && made; i++)
    made = memory_node_init(&m->node[i], &c->node, i, c->units, image, pool, m->network);
  if (made) return m;
  if (m->network) trouble_memory(trouble);
  memory_system_free(m);
  return NULL;
}

void memory_system_free(memory_system_t *m) {
  if (!m) return;
  for (unsigned i = 0; i < m->nodes && m->node; i++) memory_node_deinit(&m->node[i]);
  free(m->node);
  network_free(m->network);
  free(m);
}

void memory_node_tick(memory_node_t *n, uint64_t now) {
  mem_stack_tick(n->stack, now);
  if (!link_idle(&n->from_gpu)) link_tick(&n->from_gpu, now);
  if (!link_idle(&n->to_gpu)) link_tick(&n->to_gpu, now);
  for (unsigned u = 0; u < n->units; u++) ni_bridge_tick(&n->unit[u], now);
}

bool memory_node_idle(const memory_node_t *n) {
  for (unsigned u = 0; u < n->units; u++)
    if (!ni_bridge_idle(&n->unit[u])) return false;
  return link_idle(&n->from_gpu) && link_idle(&n->to_gpu) && mem_stack_idle(n->stack);
}

void memory_system_tick(memory_system_t *m, uint64_t now) {
  for (unsigned i = 0; i < m->nodes; i++) memory_node_tick(&m->node[i], now);
  network_tick(m->network, now);
}

void memory_system_tick_dram(memory_system_t *m, uint64_t now) {
  for (unsigned i = 0; i < m->nodes; i++) mem_stack_tick_dram(m->node[i].stack, now);
}

bool memory_system_idle(const memory_system_t *m) {
  if (!network_idle(m->network)) return false;
  for (unsigned i = 0; i < m->nodes; i++)
    if (!memory_node_idle(&m->node[i])) return false;
  return true;
}

const trouble_t *memory_system_fault(const memory_system_t *m) {
  for (unsigned i = 0; i < m->nodes; i++) {
    const trouble_t *fault = mem_stack_fault(m->node[i].stack);
    if (fault) return fault;
  }
  return network_fault(m->network);
}

static void describe_link(const link_t *l, const char *what, unsigned node, char *text, size_t size, size_t *used) {
  char name[64];
  snprintf(name, sizeof name, "%s %u", what, node);
  *used += link_describe_waits(l, name, describe_end(text, size, *used), describe_room(size, *used));
}

size_t memory_node_describe_waits(const memory_node_t *n, unsigned id, char *text, size_t size) {
  size_t used = 0;
  describe_link(&n->from_gpu, "link from GPU to stack", id, text, size, &used);
  describe_link(&n->to_gpu, "link to GPU from stack", id, text, size, &used);
  for (unsigned u = 0; u < n->units; u++) {
    char name[48];
    snprintf(name, sizeof name, "port to unit %u of stack", u);
    describe_link(&n->unit[u].to_nsu, name, id, text, size, &used);
    snprintf(name, sizeof name, "port from unit %u of stack", u);
    describe_link(&n->unit[u].from_nsu, name, id, text, size, &used);
    snprintf(name, sizeof name, "port to unit %u of stack %u", u, id);
    used += ni_bridge_describe_waits(&n->unit[u], name, describe_end(text, size, used), describe_room(size, used));
  }
  return used + mem_stack_describe_waits(n->stack, describe_end(text, size, used), describe_room(size, used));
}

size_t memory_system_describe_waits(const memory_system_t *m, char *text, size_t size) {
  size_t used = 0;
  if (size) *text = 0;
  for (unsigned i = 0; i < m->nodes; i++)
    used += memory_node_describe_waits(&m->node[i], i, describe_end(text, size, used), describe_room(size, used));
  return used + network_describe_waits(m->network, describe_end(text, size, used), describe_room(size, used));
}
