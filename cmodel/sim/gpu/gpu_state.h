/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU's state, for the files of its top: gpu.c runs it, gpu_waits.c says who waits for what.
 */
#ifndef GPU_STATE_H
#define GPU_STATE_H

#include "gpu_modules.h"
#include "l2_links.h"
#include "page_homes.h"
#include "sm.h"

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
  void *die; /* the policy's; NULL: it has nothing */
  sm_t *sms;
  l2_t *slices; /* [gpu_config_slices] */
  l2_links_t links;
  gpu_shared_t shared;
  gpu_run_t run;
  bool running;
  unsigned next_sm;
  uint64_t *next_block, *end_block; /* [stacks], CTAs in ranges: of each node's */
  gpu_link_flits_t flits;
  ring_t direct[GPU_MAX_NSU_STACKS];
  gpu_stats_t stats;
  trouble_t fault;
  simt_host_text_t text;
  device_heap_t heap;
  texture_table_t textures;
  gpu_modules_t modules;
};

#endif
