/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_config.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "address_map.h"
#include "nodes.h"
#include "nsu_ports.h"
#include "page_homes.h"
#include "tom_compiler.h"

gpu_config_t gpu_config_default(void) {
  return (gpu_config_t){
      .num_sms = 64,
      .num_stacks = 8,
      .stack_bytes = 4ull << 30,
      .seed = 1,
      .map = GPU_MAP_pages,
      .page_homes = "none",
      .offload_policy = GPU_OFFLOAD_static,
      .offload_ratio = 0,
      .offload_target = GPU_TARGET_first,
      .core_mhz = 700,
      .sm_threads = 1536,
      .sm_ctas = 8,
      .sm_registers = 32768,
      .sm_shared_bytes = 48 << 10,
      .node_sms = "4*16",
      .cta_order = GPU_CTAS_ROUND,
      .schedulers = 2,
      .scheduler = GPU_SCHEDULER_gto,
      .constant_bytes = 8 << 10,
      .constant_ways = 4,
      .constant_latency = 24,
      .l1i_ideal = true,
      .l1i_bytes = 4 << 10,
      .l1i_ways = 4,
      .l1i_mshrs = 2,
      .l1_bytes = 32 << 10,
      .l1_ways = 4,
      .l1_mshrs = 48,
      .stack = 1024,
      .l1_merges = 8,
      .l2_bytes = 2 << 20,
      .l2_ways = 16,
      .l2_mshrs = 48,
      .l2_merges = 16,
      .l2_slices = 1,
      .alu_latency = 18,
      .sfu_latency = 30,
      .sfu_interval = 8,
      .fp_interval = 1,
      .int_interval = 1,
      .dp_interval = 16,
      .matrix_rate = 128,
      .matrix_latency = 22,
      .shared_latency = 24,
      .l1_latency = 28,
      .l2_latency = 40,
      .texture_latency = 24,
      .lsu_queue = 4,
      .max_loads = 128,
      .xbar_latency = 8,
      .xbar_bytes = 32,
      .xbar_in_queue = 8,
      .xbar_out_queue = 16,
      .link_queue = 16,
      .guard_lines = 256,
      .paging_latency = 14000,
      .paging_interval = 179,
      .host_latency = 700,
      .host_bytes = 22.857,
      .tom_learn = 0.001,
      .tom_look = 64,
      .tom_control = true,
      .tom_warps = 48,
      .tom_queue = 16,
      .tom_busy = 0.9,
      .tom_window = 1024,
      .link_flits = 1,
      .pending_packets = 300,
      .ready_packets = 64,
      .nsu_cmd_entries = CmdBufDepth,
      .nsu_rd_entries = RdBufDepth,
      .nsu_wr_entries = WrBufDepth,
      .nsu_units = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
      .sm_units = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
  };
}

static const char *check_sm(const gpu_config_t *c) {
  if (c->num_sms < 1 || c->num_sms > GPU_MAX_SMS) return "num_sms must be 1 to 128";
  if (!(c->core_mhz >= 1 && c->core_mhz <= 10000)) return "core_mhz must be 1 to 10000";
  if (c->sm_threads < 32 || c->sm_threads > 32 * GPU_ALONE_WARPS) return "sm_threads must be 32 to 2048";
  if (c->sm_threads > 32 * GPU_MAX_WARPS && gpu_config_offloads(c))
    return "gpu.threads must be 32 to 1536 where blocks are offloaded";
  if (c->sm_ctas < 1 || c->sm_ctas > 48) return "sm_ctas must be 1 to 48";
  if (c->schedulers < 1 || c->schedulers > GPU_SCHEDULERS_MOST) return "schedulers must be 1 to 4";
  if (c->scheduler >= GPU_SCHEDULERS) return "scheduler must be one of schedulers.def";
  if (c->alu_latency < 1 || c->alu_latency > 60 || c->sfu_latency < 1 || c->sfu_latency > 60)
    return "alu_latency and sfu_latency must be 1 to 60";
  if (c->shared_latency < 1 || c->shared_latency > 60 || c->l1_latency < 1 || c->l1_latency > 60)
    return "shared_latency and l1_latency must be 1 to 60";
  if (c->sfu_interval < 1 || c->sfu_interval > 32 || c->dp_interval < 1 || c->dp_interval > 32)
    return "sfu_interval and dp_interval must be 1 to 32";
  if (c->fp_interval < 1 || c->fp_interval > 32 || c->int_interval < 1 || c->int_interval > 32)
    return "fp_interval and int_interval must be 1 to 32";
  if (c->matrix_rate < 1 || c->matrix_rate > 65536 || c->matrix_latency < 1 || c->matrix_latency > 1000)
    return "matrix_rate must be 1 to 65536, matrix_latency 1 to 1000";
  if (c->texture_latency < 1 || c->texture_latency > 1000) return "texture_latency must be 1 to 1000";
  if (c->lsu_queue < 1 || c->lsu_queue > 32) return "lsu_queue must be 1 to 32";
  if (c->stack < 16 || c->stack > 524288) return "stack must be 16 to 524288";
  if (c->max_loads < 4 || c->max_loads > 1024) return "max_loads must be 4 to 1024";
  return NULL;
}

static const char *check_cache(unsigned bytes, unsigned ways, unsigned mshrs, unsigned merges) {
  unsigned lines = bytes / GPU_LINE_BYTES;
  if (ways < 1 || ways > 32 || bytes % GPU_LINE_BYTES || lines < ways || lines % ways ||
      (lines / ways & (lines / ways - 1)))
    return "a cache must have a power of two of sets of 1 to 32 ways of 128-byte lines";
  if (mshrs < 1 || mshrs > 64) return "a cache must have 1 to 64 MSHRs";
  if (merges < 1 || merges > 64) return "an MSHR must merge 1 to 64 requests";
  return NULL;
}

bool gpu_config_draws(const gpu_config_t *c) {
  return c->offload_policy == GPU_OFFLOAD_dynamic || c->offload_policy == GPU_OFFLOAD_dynamic_cache;
}

bool gpu_config_to_nsus(const gpu_config_t *c) {
  return gpu_config_draws(c) || (c->offload_policy == GPU_OFFLOAD_static && c->offload_ratio > 0);
}

bool gpu_config_to_sms(const gpu_config_t *c) {
  return c->offload_policy == GPU_OFFLOAD_tom || c->tom_beside;
}

bool gpu_config_offloads(const gpu_config_t *c) {
  return gpu_config_to_nsus(c) || gpu_config_to_sms(c);
}

bool gpu_config_learns(const gpu_config_t *c) {
  return gpu_config_offloads(c) && c->map < GPU_MAPS && address_maps[c->map]->choose;
}

static unsigned nsus(const gpu_config_t *c) {
  unsigned sum = 0;
  for (unsigned k = 0; k < c->num_stacks && k < GPU_MAX_NSU_STACKS; k++)
    sum += (unsigned)__builtin_popcount(c->nsu_units[k]);
  return sum;
}

unsigned gpu_config_tom_limit(const gpu_config_t *c) {
  return c->tom_warps + (c->tom_control ? 0 : c->tom_queue);
}

unsigned gpu_config_tom_places(const gpu_config_t *c) {
  return c->tom_queue ? c->tom_queue : 1;
}

unsigned gpu_config_tom_count_bits(const gpu_config_t *c) {
  unsigned bits = 8;
  while (gpu_config_tom_limit(c) >> bits) bits++;
  return bits;
}

unsigned gpu_config_link_flits(const gpu_config_t *c) {
  return (unsigned)ceil(c->link_flits);
}

unsigned gpu_config_instances(const gpu_config_t *c, gpu_hardware_t block) {
  const bool tom = gpu_config_to_sms(c), learns = gpu_config_learns(c);
  switch (block) {
  case GPU_HARDWARE_ofld_ratio: return gpu_config_draws(c);
  case GPU_HARDWARE_ofld_score: return c->offload_policy == GPU_OFFLOAD_dynamic_cache;
  case GPU_HARDWARE_ofld_credits: return gpu_config_to_nsus(c) ? nsus(c) : 0;
  case GPU_HARDWARE_tom_ctrl: return tom ? c->num_sms : 0;
  case GPU_HARDWARE_tom_gate: return tom || learns;
  case GPU_HARDWARE_tom_busy: return tom && c->tom_control;
  case GPU_HARDWARE_tom_map: return learns || (tom && c->tom_watch) ? c->num_sms : 0;
  case GPU_HARDWARE_tom_ranges: return learns;
  case GPU_HARDWARE_rv_core: return gpu_config_draws(c);
  default: return 0;
  }
}

/* What its blocks of hardware are made for. */
static const char *check_tom(const gpu_config_t *c) {
  const bool tom = gpu_config_to_sms(c);
  if (c->num_sms > 64 && !tom)
    return "what blocks access is learnt from at most 64 SMs; gpu.sms=64, or another map.mode, would be right";
  if (c->num_stacks > 8 && !tom)
    return "what blocks access is learnt of at most 8 stacks; fewer stacks, or another map.mode, would be right";
  if (c->num_sms > 64)
    return "blocks go to stacks from at most 64 SMs; gpu.sms=64, or tom.offload=none, would be right";
  if (c->num_stacks > 8) return "blocks go to at most 8 stacks; fewer stacks, or tom.offload=none, would be right";
  if (tom && gpu_config_link_flits(c) > 15)
    return "links of at most 15 flits a crossbar cycle are watched; fewer, or tom.offload=none, would be right";
  if (gpu_config_instances(c, GPU_HARDWARE_tom_map) && c->num_stacks < 2)
    return "with one stack there is no map to be learnt; map.mode=bmap without tom.offload=watch would be right";
  return NULL;
}

static const char *check_slices(const gpu_config_t *c) {
  if (c->l2_slices < 1 || c->l2_slices > 16 || (c->l2_slices & (c->l2_slices - 1)))
    return "l2_slices must be 1, 2, 4, 8 or 16 a stack";
  if (gpu_config_slices(c) > GPU_MAX_SLICES)
    return "there are at most 256 slices of the L2; a smaller l2.slices would be right";
  if (c->l2_slices > 1 && (c->nodes || c->paging || gpu_config_offloads(c)))
    return "l2.slices is for one die that offloads nothing and has no pages at the host; 1 would be right";
  return c->l2_bytes % gpu_config_slices(c) ? "l2_bytes must divide over the slices" : NULL;
}

static const char *check_nodes(const gpu_config_t *c) {
  nodes_t nodes;
  if (c->cta_order > GPU_CTAS_RANGES) return "cta_order must be one of gpu_cta_order_t";
  if (c->page_profile && !c->nodes) return "map.profile is for SMs at nodes of a network; false would be right";
  if (!c->nodes)
    return c->cta_order == GPU_CTAS_ROUND
               ? NULL
               : "gpu.cta_order=ranges is for SMs at nodes of a network; round would be right";
  if (c->guard_lines < 1 || c->guard_lines > LINE_GUARD_MOST) return "guard_lines must be 1 to 1024";
  if (gpu_config_offloads(c)) return "SMs at nodes of a network offload no blocks; offload.policy=none would be right";
  if (c->paging)
    return "pages that come from the host are with no SM at a node of a network; paging.demand=false would be right";
  return nodes_parse(&nodes, c->node_sms, c->num_stacks, c->num_sms);
}

static const char *check_homes(const gpu_config_t *c) {
  static char wrong[300];
  if (!strcmp(c->page_homes, "none")) return NULL;
  if (c->map != GPU_MAP_pages) return "map.homes says where pages are; map.mode=pages would be right with it";
  if (!strcmp(c->page_homes, "profile"))
    return c->nodes ? NULL : "map.homes=profile is for SMs at nodes of a network; none would be right";
  return page_homes_read(NULL, c->page_homes, c->num_stacks, wrong, sizeof wrong) ? wrong : NULL;
}

const char *gpu_config_check(const gpu_config_t *c) {
  const char *bad = check_sm(c);
  if (bad) return bad;
  if (c->num_stacks < 1 || c->num_stacks > GPU_MAX_STACKS || (c->num_stacks & (c->num_stacks - 1)))
    return "the number of stacks must be a power of two, 1 to 256";
  if (c->stack_bytes < 1 << 20 || c->stack_bytes > 4ull << 30 || c->stack_bytes % 4096)
    return "stack_bytes must be 1 MB to 4 GB in 4 KB pages";
  if (c->map >= GPU_MAPS) return "map must be one of address_maps.def";
  const address_map_shape_t shape = {c->num_stacks, c->stack_bytes, c->seed, c->map_bit, NULL};
  const address_map_t *map = address_maps[c->map];
  if (map->check ? (bad = map->check(&shape)) != NULL : c->map_bit != 0)
    return bad ? bad : "map.bit is for map.mode=fixed; 0 would be right";
  if (c->offload_policy >= GPU_OFFLOAD_POLICIES) return "offload_policy must be one of offload_policies.def";
  if (c->offload_target >= GPU_TARGETS) return "offload_target must be one of offload_targets.def";
  if (!(c->offload_ratio >= 0 && c->offload_ratio <= 1)) return "offload_ratio must be 0 to 1";
  if (gpu_config_offloads(c) && c->num_stacks > GPU_MAX_NSU_STACKS)
    return gpu_config_draws(c) ? "offload_policy must be none or static with more than 15 stacks"
                               : "offload_ratio must be 0 with more than 15 stacks";
  if ((bad = check_cache(c->constant_bytes, c->constant_ways, 1, 1))) return bad;
  if (c->constant_latency < 1 || c->constant_latency > 1000) return "constant_latency must be 1 to 1000";
  if ((bad = check_cache(c->l1i_bytes, c->l1i_ways, c->l1i_mshrs, 1))) return bad;
  if ((bad = check_cache(c->l1_bytes, c->l1_ways, c->l1_mshrs, c->l1_merges))) return bad;
  if ((bad = check_slices(c))) return bad;
  if ((bad = check_cache(c->l2_bytes / gpu_config_slices(c), c->l2_ways, c->l2_mshrs, c->l2_merges))) return bad;
  if ((bad = check_nodes(c)) || (bad = check_homes(c))) return bad;
  if (c->l2_latency < 1 || c->l2_latency > 1000 || c->l2_memory_latency > 1000 || c->xbar_latency > 1000)
    return "latencies must be 1 to 1000 cycles";
  if (c->xbar_bytes < 1 || c->xbar_bytes > 256) return "xbar_bytes must be 1 to 256";
  if (c->xbar_in_queue < 1 || c->xbar_in_queue > 64 || c->xbar_out_queue < 1 || c->xbar_out_queue > 64 ||
      c->link_queue < 1 || c->link_queue > 1024)
    return "queues must hold 1 to 64 packets (link_queue: 1 to 1024)";
  if (c->paging_latency < 1 || c->paging_latency > 1000000 || c->paging_interval < 1 || c->paging_interval > 1000000)
    return "paging_latency and paging_interval must be 1 to 1000000 cycles";
  if (c->tom_warps < 2 ||
      (c->tom_warps > GPU_MAX_WARPS && c->tom_warps != 2 * GPU_MAX_WARPS && c->tom_warps != GPU_WIDEST_WARPS))
    return "tom.warps must be 2 to 48, 96 or 192";
  if (c->tom_regions > TOM_REGIONS_LOOPS) return "tom_regions must be one of tom_regions_t";
  if (c->tom_free > TOM_FREE_ALL) return "tom_free must be one of gpu_tom_free_t";
  if (c->tlb_entries > 1024 || (c->tlb_entries && c->tlb_entries < 32)) return "tlb.entries must be 0 or 32 to 1024";
  if (c->tom_queue > 64) return "tom_queue must be 0 to 64";
  if (!(c->tom_learn >= 0 && c->tom_learn <= 1)) return "tom_learn must be 0 to 1";
  if (c->host_latency < 1 || c->host_latency > 1000000 || !(c->host_bytes > 0 && c->host_bytes <= 1024))
    return "host_latency must be 1 to 1000000 cycles, host_bytes above 0, to 1024";
  if (!(c->tom_busy >= 0 && c->tom_busy <= 1) || fabs(c->tom_busy * 100 - round(c->tom_busy * 100)) > 1e-9)
    return "tom.busy must be 0 to 1, in steps of 0.01";
  if (c->tom_window < 2 || c->tom_window > 65536 || !(c->link_flits > 0))
    return "tom_window must be 2 to 65536, link_flits above 0";
  if ((gpu_config_to_sms(c) || gpu_config_learns(c)) && (bad = check_tom(c))) return bad;
  if (c->pending_packets < 256 || c->pending_packets > 65535 || c->ready_packets < 1 || c->ready_packets > 65535)
    return "pending_packets must be 256 (one instruction) or more, ready_packets 1 or more";
  if (c->read_only_lines > READ_ONLY_MOST) return "read_only_lines must be 0 to 64";
  if (c->read_only_lines && gpu_config_to_sms(c))
    return "what SMs of stacks write the GPU hears of too late for read-only lines of NSUs; nsu.read_only_lines=0, or "
           "tom.offload=none, would be right";
  if (c->nsu_cmd_entries < 1 || c->nsu_cmd_entries > 255 || c->nsu_rd_entries < 1 || c->nsu_rd_entries > 1023 ||
      c->nsu_wr_entries < 1 || c->nsu_wr_entries > 1023)
    return "NSU buffers must have 1 to 255 command and 1 to 1023 data entries";
  return NULL;
}
