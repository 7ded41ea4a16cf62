/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration of a GPU. Users set keys; a list (.def) has each key's range, default and
 * source. Fields that follow from the rest of the machine are declared below.
 *
 *   gpu_keys.def          keys of the part gpu
 *   gpu_nsu_keys.def      keys of the NSUs that the GPU needs, too
 *   gpu_tom_keys.def      keys of the stacks' SMs that the GPU needs, too
 *
 * "T2" is Table 2 of the NSU paper.
 */
#ifndef GPU_CONFIG_H
#define GPU_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "simt_limits.h"

/* Limits. The numbers of packets, masks and hardware blocks give them. */
enum {
  GPU_MAX_SMS = 128, /* a packet has 8 bits for the SM; the L2 uses 255, the pager 254 */
  GPU_MAX_STACKS = 256,
  GPU_MAX_NSU_STACKS = 15, /* limit of the NSU's packets */
  GPU_MAX_WARPS = 48,      /* 1536 threads: an SM whose policy offloads */
  GPU_ALONE_WARPS = 64,    /* 2048 threads: an SM whose policy does not */
  GPU_WIDEST_WARPS = 192,  /* the SM of a stack: 4 x GPU_MAX_WARPS */
  GPU_SCHEDULERS_MOST = 4,
  GPU_MAX_SLICES = 256,   /* L2 slices of all stacks */
  LINE_GUARD_MOST = 1024, /* lines of a line_guard.h */
  READ_ONLY_MOST = 64,    /* lines of a read_only.h, per NSU */
};

typedef enum {
#define POLICY(name, text) GPU_OFFLOAD_##name,
#include "offload_policy_list.def"
#undef POLICY
  GPU_OFFLOAD_POLICIES
} gpu_offload_t;

typedef enum {
#define MAP(name, text) GPU_MAP_##name,
#include "address_map_list.def"
#undef MAP
  GPU_MAPS
} gpu_map_t;

typedef enum {
#define SCHEDULER(name, text) GPU_SCHEDULER_##name,
#include "schedulers.def"
#undef SCHEDULER
  GPU_SCHEDULERS
} gpu_scheduler_t;

/* Order of CTAs. ROUND: the next CTA goes to the next SM with room. RANGES: each node gets a
 * contiguous range, in proportion to its SMs. */
typedef enum { GPU_CTAS_ROUND, GPU_CTAS_RANGES } gpu_cta_order_t;

typedef enum {
#define TARGET(name, text) GPU_TARGET_##name,
#include "offload_targets.def"
#undef TARGET
  GPU_TARGETS
} gpu_target_t;

/* What costs nothing (tom.free). COHERENCE: line lists, and the L1 flush before a block (TOM
 * paper, section 4.4.2). ALL: also the transfer of requests and acknowledgements, and accesses
 * to other stacks (section 2, Figure 2). */
typedef enum { TOM_FREE_NOTHING, TOM_FREE_COHERENCE, TOM_FREE_ALL } gpu_tom_free_t;

typedef enum { TOM_OFFLOAD_NONE, TOM_OFFLOAD_WATCH, TOM_OFFLOAD_CTRL, TOM_OFFLOAD_ALWAYS } gpu_tom_offload_t;

#define KEYS_AS_FIELDS
#include "key_list.h"

/* What the GPU knows of NSUs and of the stacks' SMs. */
typedef struct {
#include "gpu_nsu_keys.def"
} gpu_nsu_config_t;

typedef struct {
#include "gpu_tom_keys.def"
} gpu_tom_config_t;

/* The configuration. Each unit's keys are a struct of their own: struct gpu_sm_config sm, struct
 * gpu_l1_config l1, ... */
typedef struct {
#include "gpu_keys.def"
  gpu_nsu_config_t nsu;
  gpu_tom_config_t tom;
  unsigned num_stacks;  /* power of two, 1 to 256; T2: 8 */
  uint64_t stack_bytes; /* of a stack; T2: 4 GB */
  uint64_t seed;        /* for page placement and the static offload decision */
  /* the system's keys of these names (simt_unwritten.h) */
  uint32_t uninitialised;
  bool check_uninitialised;
  double core_mhz; /* clock of SMs and L2 in MHz, 1 to 10000; T2: 700 */

  bool networked; /* links lead into a network that the GPU does not own */
  bool nodes;     /* SMs, slices and stacks are nodes of a network, as many as stacks (nodes.h) */
  /* the network may reorder packets; SMs keep the order of accesses to a line (line_guard.h) */
  bool guard;

  /* blocks also go to SMs of stacks, beside the NSUs of offload_policy (offload_both.c) */
  bool tom_beside;
  /* policy tom: a stack has at most tom.warps blocks, and no block adds traffic to a busy
   * channel (TOM paper, section 3.3) */
  bool tom_control;
  bool tom_watch;    /* policy tom: all candidates are watched, none is offloaded (tom_learn.h) */
  double link_flits; /* 16-byte flits that a link carries each way in a crossbar cycle; above 0 */

  /* units of each stack's logic layer that are NSUs, one bit each; 1: the only unit is one */
  uint16_t nsu_units[GPU_MAX_NSU_STACKS];
  uint16_t sm_units[GPU_MAX_NSU_STACKS]; /* the same for SMs */
  unsigned nsu_cmd_entries;              /* these three as in rtl/nsu/nsu.ports; T2: 10, 256, 256 */
  unsigned nsu_rd_entries;
  unsigned nsu_wr_entries;
} gpu_config_t;

/* Keys of gpu_config_t, gpu_nsu_config_t and gpu_tom_config_t. */
extern const config_key_t gpu_keys[], gpu_nsu_keys[], gpu_tom_keys[];
extern const char *const gpu_targets[GPU_TARGETS + 1]; /* names of offload.target's values */

gpu_config_t gpu_config_default(void);
gpu_nsu_config_t gpu_nsu_config_default(void);
gpu_tom_config_t gpu_tom_config_default(void);

/* Number of L2 slices. Stack k has slices k * l2.slices and up. */
static inline unsigned gpu_config_slices(const gpu_config_t *config) {
  return config->num_stacks * config->l2.slices;
}

/* Whether any block may be offloaded; to NSUs; to SMs of stacks. */
bool gpu_config_offloads(const gpu_config_t *config);
bool gpu_config_to_nsus(const gpu_config_t *config);
bool gpu_config_to_sms(const gpu_config_t *config);
/* whether the offload share is found at run time */
bool gpu_config_draws(const gpu_config_t *config);
/* whether the placement of data is learnt (tom_learn.h) */
bool gpu_config_learns(const gpu_config_t *config);

/* Hardware blocks on the die (gpu_hardware.def). */
typedef enum {
#define HARDWARE(stem, name, must) GPU_HARDWARE_##stem,
#include "gpu_hardware.def"
#undef HARDWARE
  GPU_HARDWARE
} gpu_hardware_t;
/* Number of instances of a block; for rv_core, the most that there can be. */
unsigned gpu_config_instances(const gpu_config_t *config, gpu_hardware_t block);

/* Policy tom, in this order: most blocks under way at a stack; most requests that wait at a
 * stack (tom_stack); bits of a block count in tom_gate. Then: whole flits of a link in a
 * crossbar cycle, rounded up. */
unsigned gpu_config_tom_limit(const gpu_config_t *config);
unsigned gpu_config_tom_places(const gpu_config_t *config);
unsigned gpu_config_tom_count_bits(const gpu_config_t *config);
unsigned gpu_config_link_flits(const gpu_config_t *config);

/* False: INPUT, what is wrong and what would be right. */
bool gpu_config_check(const gpu_config_t *config, trouble_t *trouble);

#endif
