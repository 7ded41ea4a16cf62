/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks whether a configuration is a GPU that can be built: first each key against its own range,
 * then combinations of keys.
 */
#include "gpu_config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "address_map.h"
#include "nodes.h"
#include "nsu_ports.h"
#include "page_homes.h"
#include "tom_compiler.h"

/* Ranges come from the lists of keys. */
static bool check_keys(const gpu_config_t *c, trouble_t *trouble) {
  return config_check(gpu_keys, c, trouble) && config_check(gpu_nsu_keys, &c->nsu, trouble) &&
         config_check(gpu_tom_keys, &c->tom, trouble);
}

/* Sets are a power of two, because the set index is a mask. */
static bool check_cache(unsigned bytes, unsigned ways, trouble_t *trouble) {
  unsigned lines = bytes / GPU_LINE_BYTES;
  if (bytes % GPU_LINE_BYTES || lines < ways || lines % ways || (lines / ways & (lines / ways - 1)))
    return trouble_set(trouble, TROUBLE_INPUT,
                       "a cache must have a power of two of sets of 1 to 32 ways of 128-byte lines");
  return true;
}

/* Limits of the hardware blocks of rtl/tom. */
static bool check_tom(const gpu_config_t *c, trouble_t *trouble) {
  const bool tom = gpu_config_to_sms(c);
  if (c->num_sms > 64 && !tom)
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "what blocks access is learnt from at most 64 SMs; gpu.sms=64, or another map.mode, would be right");
  if (c->num_stacks > 8 && !tom)
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "what blocks access is learnt of at most 8 stacks; fewer stacks, or another map.mode, would be right");
  if (c->num_sms > 64)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "blocks go to stacks from at most 64 SMs; gpu.sms=64, or tom.offload=none, would be right");
  if (c->num_stacks > 8)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "blocks go to at most 8 stacks; fewer stacks, or tom.offload=none, would be right");
  if (tom && gpu_config_link_flits(c) > 15)
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "links of at most 15 flits a crossbar cycle are watched; fewer, or tom.offload=none, would be right");
  if (gpu_config_instances(c, GPU_HARDWARE_tom_map) && c->num_stacks < 2)
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "with one stack there is no map to be learnt; map.mode=bmap without tom.offload=watch would be right");
  return true;
}

/* Several slices a stack, for one die without offloading and paging. */
static bool check_slices(const gpu_config_t *c, trouble_t *trouble) {
  if (c->l2.slices & (c->l2.slices - 1))
    return trouble_set(trouble, TROUBLE_INPUT, "l2.slices must be 1, 2, 4, 8 or 16 a stack");
  if (gpu_config_slices(c) > GPU_MAX_SLICES)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "there are at most 256 slices of the L2; a smaller l2.slices would be right");
  if (c->l2.slices > 1 && (c->nodes || c->paging.demand || gpu_config_offloads(c)))
    return trouble_set(trouble, TROUBLE_INPUT,
                       "l2.slices is for one die that offloads nothing and has no pages at the host; 1 would be right");
  if (c->l2.bytes % gpu_config_slices(c))
    return trouble_set(trouble, TROUBLE_INPUT, "l2.bytes must divide over the slices");
  return true;
}

/* SMs at nodes of a network. */
static bool check_nodes(const gpu_config_t *c, trouble_t *trouble) {
  nodes_t nodes;
  if (c->map.profile && !c->nodes)
    return trouble_set(trouble, TROUBLE_INPUT, "map.profile is for SMs at nodes of a network; false would be right");
  if (!c->nodes)
    return c->sm.cta_order == GPU_CTAS_ROUND ||
           trouble_set(trouble, TROUBLE_INPUT,
                       "gpu.cta_order=ranges is for SMs at nodes of a network; round would be right");
  if (gpu_config_offloads(c))
    return trouble_set(trouble, TROUBLE_INPUT,
                       "SMs at nodes of a network offload no blocks; offload.policy=none would be right");
  if (c->paging.demand)
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "pages that come from the host are with no SM at a node of a network; paging.demand=false would be right");
  return nodes_parse(&nodes, c->sm.node_sms, c->num_stacks, c->num_sms, trouble);
}

/* A file of page homes is read here once, so that its errors come early. */
static bool check_homes(const gpu_config_t *c, trouble_t *trouble) {
  if (!strcmp(c->map.homes, "none")) return true;
  if (c->map.mode != GPU_MAP_pages)
    return trouble_set(trouble, TROUBLE_INPUT, "map.homes says where pages are; map.mode=pages would be right with it");
  if (!strcmp(c->map.homes, "profile"))
    return c->nodes || trouble_set(trouble, TROUBLE_INPUT,
                                   "map.homes=profile is for SMs at nodes of a network; none would be right");
  return page_homes_read(NULL, c->map.homes, c->num_stacks, trouble);
}

bool gpu_config_check(const gpu_config_t *c, trouble_t *trouble) {
  if (!check_keys(c, trouble)) return false;
  if (!(c->core_mhz >= 1 && c->core_mhz <= 10000))
    return trouble_set(trouble, TROUBLE_INPUT, "core_mhz must be 1 to 10000");
  if (c->sm.threads > 32 * GPU_MAX_WARPS && gpu_config_offloads(c))
    return trouble_set(trouble, TROUBLE_INPUT, "gpu.threads must be 32 to 1536 where blocks are offloaded");
  if (c->num_stacks < 1 || c->num_stacks > GPU_MAX_STACKS || (c->num_stacks & (c->num_stacks - 1)))
    return trouble_set(trouble, TROUBLE_INPUT, "the number of stacks must be a power of two, 1 to 256");
  if (c->stack_bytes < 1 << 20 || c->stack_bytes > 4ull << 30 || c->stack_bytes % 4096)
    return trouble_set(trouble, TROUBLE_INPUT, "stack_bytes must be 1 MB to 4 GB in 4 KB pages");
  const address_map_shape_t shape = {c->num_stacks, c->stack_bytes, c->seed, c->map.bit, NULL};
  const address_map_t *map = address_maps[c->map.mode];
  if (map->check && !map->check(&shape, trouble)) return false;
  if (!map->check && c->map.bit)
    return trouble_set(trouble, TROUBLE_INPUT, "map.bit is for map.mode=fixed; 0 would be right");
  if (gpu_config_offloads(c) && c->num_stacks > GPU_MAX_NSU_STACKS)
    return trouble_set(trouble, TROUBLE_INPUT, "%s with more than 15 stacks",
                       gpu_config_draws(c) ? "offload.policy must be none or static" : "offload.ratio must be 0");
  if (!check_cache(c->constant.bytes, c->constant.ways, trouble)) return false;
  if (!check_cache(c->l1i.bytes, c->l1i.ways, trouble)) return false;
  if (!check_cache(c->l1.bytes, c->l1.ways, trouble)) return false;
  if (!check_slices(c, trouble)) return false;
  if (!check_cache(c->l2.bytes / gpu_config_slices(c), c->l2.ways, trouble)) return false;
  if (!check_nodes(c, trouble) || !check_homes(c, trouble)) return false;
  if (c->tom.warps > GPU_MAX_WARPS && c->tom.warps != 2 * GPU_MAX_WARPS && c->tom.warps != GPU_WIDEST_WARPS)
    return trouble_set(trouble, TROUBLE_INPUT, "tom.warps must be 2 to 48, 96 or 192");
  if (c->tom.tlb_entries && c->tom.tlb_entries < 32)
    return trouble_set(trouble, TROUBLE_INPUT, "tlb.entries must be 0 or 32 to 1024");
  if (fabs(c->tom.busy * 100 - round(c->tom.busy * 100)) > 1e-9)
    return trouble_set(trouble, TROUBLE_INPUT, "tom.busy must be 0 to 1, in steps of 0.01");
  if (!(c->link_flits > 0)) return trouble_set(trouble, TROUBLE_INPUT, "link_flits must be above 0");
  if ((gpu_config_to_sms(c) || gpu_config_learns(c)) && !check_tom(c, trouble)) return false;
  if (c->nsu.read_only_lines && gpu_config_to_sms(c))
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "what SMs of stacks write the GPU hears of too late for read-only lines of NSUs; nsu.read_only_lines=0, or "
        "tom.offload=none, would be right");
  if (c->nsu_cmd_entries < 1 || c->nsu_cmd_entries > 255 || c->nsu_rd_entries < 1 || c->nsu_rd_entries > 1023 ||
      c->nsu_wr_entries < 1 || c->nsu_wr_entries > 1023)
    return trouble_set(trouble, TROUBLE_INPUT, "NSU buffers must have 1 to 255 command and 1 to 1023 data entries");
  return true;
}
