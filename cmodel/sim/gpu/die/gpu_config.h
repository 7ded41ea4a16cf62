/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU's numbers, each with its source: NSU paper, Table 2 ("T2"), its text, or ours where the
 * paper is silent.
 */
#ifndef GPU_CONFIG_H
#define GPU_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "simt_limits.h"

enum {
  GPU_MAX_SMS = 128, /* of the 8 bits that a packet has for it, the L2 takes 255 for itself */
  GPU_MAX_STACKS = 256,
  GPU_MAX_NSU_STACKS = 15, /* that the NSU's packets can name */
  GPU_MAX_WARPS = 48,      /* 1536 threads: of an SM whose policy offloads */
  GPU_ALONE_WARPS = 64,    /* 2048 threads: of one that does not */
  GPU_WIDEST_WARPS = 192,  /* of the SM of a stack: four times as many as at first */
  GPU_SCHEDULERS_MOST = 4,
  GPU_MAX_SLICES = 256,   /* of the L2, of all stacks together */
  LINE_GUARD_MOST = 1024, /* places of an SM's line_guard.h */
  READ_ONLY_MOST = 64,    /* lines of an NSU's read_only.h */
};

typedef enum {
#define POLICY(name, text) GPU_OFFLOAD_##name,
#include "offload_policies.def"
#undef POLICY
  GPU_OFFLOAD_POLICIES
} gpu_offload_t;

typedef enum {
#define MAP(name, text) GPU_MAP_##name,
#include "address_maps.def"
#undef MAP
  GPU_MAPS
} gpu_map_t;

typedef enum {
#define SCHEDULER(name, text) GPU_SCHEDULER_##name,
#include "schedulers.def"
#undef SCHEDULER
  GPU_SCHEDULERS
} gpu_scheduler_t;

/* ROUND: the next CTA to the next SM that has room for it; RANGES:
 * each node has a range of them, by its share of the SMs. */
typedef enum { GPU_CTAS_ROUND, GPU_CTAS_RANGES } gpu_cta_order_t;

typedef enum {
#define TARGET(name, text) GPU_TARGET_##name,
#include "offload_targets.def"
#undef TARGET
  GPU_TARGETS
} gpu_target_t;

/* COHERENCE: lists of lines, and the empty L1 that a block begins with (TOM paper, section 4.4.2).
 * ALL: besides, the way of requests and acknowledgements, and that data are in other stacks
 * (section 2, Figure 2). */
typedef enum { TOM_FREE_NOTHING, TOM_FREE_COHERENCE, TOM_FREE_ALL } gpu_tom_free_t;

typedef struct {
  unsigned num_sms;     /* 1..128; T2: 64, and 72 for MoreCore; section 7.3: twice 64 */
  unsigned num_stacks;  /* a power of two, 1..256: links, L2 slices; T2: 8 */
  uint64_t stack_bytes; /* T2: 4 GB a stack */
  uint64_t seed;        /* page placement and static offload decision */
  unsigned map;         /* gpu_map_t: where memory lives */
  bool page_profile;    /* nodes: it is counted whose SMs access which page (page_profile.h) */
  /* map pages: a file that says where they are (page_homes.h);
   * "none": all are drawn; "profile": one that is made before */
  char page_homes[128];
  unsigned map_bit;        /* map fixed: 7..16, the lowest bit of an address that says the stack; else 0 */
  unsigned offload_policy; /* gpu_offload_t */
  double offload_ratio;    /* static: 0..1, share of block instances that are offloaded; 0: none */
  unsigned offload_target; /* gpu_target_t */

  double core_mhz;          /* SMs and L2, for %globaltimer; T2: 700 */
  unsigned sm_threads;      /* T2: 1536 */
  unsigned sm_ctas;         /* T2: 8 */
  unsigned sm_registers;    /* T2: 32768 of 32 bits */
  unsigned sm_shared_bytes; /* T2: 48 KB */
  /* bytes of a thread for functions that call each other
   * in a circle; ours: 1024, as CUDA has it at first */
  unsigned stack;
  char node_sms[64];  /* nodes: how many are at which (nodes.h) */
  unsigned cta_order; /* gpu_cta_order_t; ours: round */
  /* 1 to 4, each issues one instruction a cycle; ours: 2, as the Fermi machine T2 describes */
  unsigned schedulers;
  /* each scheduler has execution units of its own, with
   * the intervals below; ours: false, one of each an SM */
  bool partitions;
  unsigned scheduler; /* gpu_scheduler_t; ours: gto */

  /* local memory takes no place in memory and has the latency of an L1 hit; ours: false */
  bool local_ideal;
  /* constants with addresses in registers are always there, after alu_latency; ours: false */
  bool constant_ideal;
  /* constant cache of an SM: 8 KB (CUDA C++ Programming
   * Guide, technical specifications); ours: 4 */
  unsigned constant_bytes, constant_ways;
  unsigned constant_latency;               /* of what is there; ours: 24 */
  bool l1i_ideal;                          /* no instruction cache, every fetch hits; ours: true */
  unsigned l1i_bytes, l1i_ways, l1i_mshrs; /* T2: 4 KB, 4, 2 */
  unsigned l1_bytes, l1_ways, l1_mshrs;    /* T2: 32 KB, 4, 48 */
  unsigned l1_merges;                      /* loads that may wait on one L1 MSHR; ours: 8 */
  unsigned l2_bytes, l2_ways, l2_mshrs;    /* T2: 2 MB over all slices, 16, 48 (a slice) */
  unsigned l2_merges;                      /* requests that may wait on one L2 MSHR; ours: 16 */
  unsigned l2_slices;                      /* a stack, 1..16, a power of two; with nodes or offloaded blocks 1; T2: 1 */

  unsigned alu_latency; /* cycles from issue to a dependent's issue; ours (Fermi, measured by others: 18) */
  unsigned sfu_latency; /* ours: 30; a scheduler issues to the SFU every 8th cycle (4 units a quarter warp) */
  unsigned sfu_interval;
  /* a unit's f32 instructions; all others of SIMT_ALU; ours: 1, as many as a scheduler issues */
  unsigned fp_interval, int_interval;
  unsigned dp_interval; /* f64: one warp instruction every 16 cycles; ours */
  /* multiplications of f16 that a tensor unit does in a cycle: V100,
   * two tensor cores of 4x4x4 a scheduler, 128 (NVIDIA, 2017) */
  unsigned matrix_rate;
  /* from these cycles' end to a dependent's issue; 22: wmma
   * of 16x16x16 takes 54 (Raihan et al., ISPASS 2019) */
  unsigned matrix_latency;
  unsigned shared_latency; /* ours: 24 */
  unsigned l1_latency;     /* ours: 28 */
  unsigned l2_latency;     /* L2 lookup in 700 MHz cycles; ours: 40 */
  /* cycles besides it between a slice and its link, each
   * way: on-chip network, memory controllers; ours: 0 */
  unsigned l2_memory_latency;
  unsigned texture_latency; /* cycles of the texture unit, from its texels to a result; ours: 24 */
  unsigned lsu_queue;       /* memory instructions waiting for the LSU; ours: 4 */
  unsigned max_loads;       /* load instructions in flight an SM; ours: 128 */

  unsigned xbar_latency;   /* 1250 MHz cycles through the crossbar, besides serialisation; ours: 8 */
  unsigned xbar_bytes;     /* a port's bytes a cycle; ours: 32 */
  unsigned xbar_in_queue;  /* packets a port and class; ours: 8 */
  unsigned xbar_out_queue; /* ours: 16, to cover xbar_latency with packets of one cycle */
  unsigned link_queue;     /* packets a link and class, each way */

  bool networked; /* links lead into a network, and are not the GPU's own */
  bool nodes;     /* SMs, slices and stacks are nodes of a network, as many as stacks (nodes.h) */
  /* in which packets overtake each other: SMs keep the
   * order of their accesses to a line (line_guard.h) */
  bool guard;
  unsigned guard_lines; /* lines that an SM may have under way then, 1..1024; ours: 256 */

  bool paging; /* what the host allocates is the host's until it is accessed (pager.h); ours: false */
  /* cycles from an access until the first page has come: 1..1,000,000;
   * ours: 14,000, 20 us ("tens", NSU paper, section 4.1.1) */
  unsigned paging_latency;
  unsigned paging_interval; /* cycles between pages: 1..1,000,000; ours: 179, 16 GB/s */

  /* of the link to the host's memory (host_link.h): cycles from a
   * request to its answer, 1..1,000,000; ours: 1 us (section 5) */
  unsigned host_latency;
  double host_bytes; /* a cycle each way, above 0, to 1024; ours: 16 GB/s */

  bool tom_beside; /* blocks go to SMs of stacks, too, whatever offload_policy says of NSUs (offload_both.c) */
  /* policy tom: no more blocks than tom_warps at a stack, none that
   * adds traffic to a busy channel (TOM paper, section 3.3) */
  bool tom_control;
  unsigned tom_regions; /* tom_regions_t: what may be a candidate; ours: all */
  unsigned tom_free;    /* gpu_tom_free_t: what costs nothing, as in a machine that cannot be built */
  unsigned tom_warps;   /* of the SM of a stack: 48, 96, 192 (section 6.4) */
  unsigned tlb_entries; /* of the SM of a stack: 32..1024; 0: it has all translations; ours: 0 */
  unsigned tom_queue;   /* without control: blocks that wait there; ours: 16 */
  /* share of a window in which links carry something that
   * makes them busy, 0..1, a multiple of 0.01; ours: 0.9 */
  double tom_busy;
  unsigned tom_window; /* crossbar cycles, 2..65536; ours: 1024 */
  bool tom_watch;      /* no candidate goes, all are watched (tom_learn.h) */
  /* map tmap: share of the first launch's instances from
   * which it is learnt, 0..1 (section 3.2.2: 0.001) */
  double tom_learn;
  /* and lines that an instance accesses until it has been seen, if
   * it has not ended before; 0: it is seen to its end; ours: 64 */
  unsigned tom_look;
  double link_flits; /* flits of 16 bytes that a link can carry each way in a crossbar cycle, above 0 */

  unsigned pending_packets; /* T2: 300 entries of 8 B */
  unsigned ready_packets;   /* T2: 64 entries of 8 B */
  unsigned read_only_lines; /* that each NSU keeps, 0..64 (read_only.h); ours: 0, none */
  /* of each stack: units of its logic layer that are NSUs, one bit each; 1: its only one is */
  uint16_t nsu_units[GPU_MAX_NSU_STACKS];
  uint16_t sm_units[GPU_MAX_NSU_STACKS]; /* the same of its SM */
  unsigned nsu_cmd_entries;              /* these three as rtl/nsu/nsu.ports has them (T2: 10, 256, 256) */
  unsigned nsu_rd_entries;
  unsigned nsu_wr_entries;
} gpu_config_t;

gpu_config_t gpu_config_default(void);

/* Slices of the L2: those of stack k are k * l2_slices and up. */
static inline unsigned gpu_config_slices(const gpu_config_t *config) {
  return config->num_stacks * config->l2_slices;
}

/* Is any block offloaded. */
bool gpu_config_offloads(const gpu_config_t *config);
bool gpu_config_to_nsus(const gpu_config_t *config);
bool gpu_config_to_sms(const gpu_config_t *config); /* of stacks */
bool gpu_config_draws(const gpu_config_t *config);  /* a share that is found as it runs */
bool gpu_config_learns(const gpu_config_t *config); /* where the data of offloaded blocks should be (tom_learn.h) */

/* Blocks of hardware on the die. */
typedef enum {
#define HARDWARE(stem, name, must) GPU_HARDWARE_##stem,
#include "gpu_hardware.def"
#undef HARDWARE
  GPU_HARDWARE
} gpu_hardware_t;
/* that it has; of rv_core: that it can have */
unsigned gpu_config_instances(const gpu_config_t *config, gpu_hardware_t block);

/* Policy tom: blocks that may be under way at a stack; bits of their number in
 * tom_gate; whole flits that a link carries in a crossbar cycle, at most. */
unsigned gpu_config_tom_limit(const gpu_config_t *config);
unsigned gpu_config_tom_places(const gpu_config_t *config); /* requests that wait at a stack, in tom_stack */
unsigned gpu_config_tom_count_bits(const gpu_config_t *config);
unsigned gpu_config_link_flits(const gpu_config_t *config);

/* NULL, or what is wrong and would be right (a constant string). */
const char *gpu_config_check(const gpu_config_t *config);

#endif
