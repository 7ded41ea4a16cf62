/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of a GPU, for gpu.c, which runs it, and gpu_waits.c, which reports what waits.
 */
#ifndef GPU_STATE_H
#define GPU_STATE_H

#include "gpu_modules.h"
#include "l2_links.h"
#include "page_homes.h"
#include "sm.h"

/* Parts by value are the GPU's own; gpu_free frees everything. */
struct gpu {
  gpu_config_t config;
  gpu_memory_t memory;
  packet_pool_t *pool;
  page_table_t pages;
  page_homes_t homes;
  const address_map_t *map;
  xbar_t xbar;
  nodes_t nodes;
  const offload_policy_t *policy;
  void *die; /* of the policy; NULL: none */
  sm_t *sms;
  l2_t *slices; /* [gpu_config_slices] */
  l2_links_t links;
  gpu_shared_t shared;
  gpu_run_t run;
  bool running;     /* a launched kernel has not finished */
  unsigned next_sm; /* SM that gets the next CTA */
  /* [stacks]: next and last CTA of each node, for gpu.cta_order=ranges */
  uint64_t *next_block, *end_block;
  gpu_link_flits_t flits;
  ring_t direct[GPU_MAX_NSU_STACKS];
  gpu_stats_t stats;
  trouble_t fault;
  simt_host_text_t text;
  device_heap_t heap;
  texture_table_t textures;
  gpu_modules_t modules;
};

/* gpu_host.c: memory for modules, which is the GPU's own; all modules leave. */
simt_store_t gpu_module_store(gpu_t *gpu);
void gpu_unload_all(gpu_t *gpu);

#endif
