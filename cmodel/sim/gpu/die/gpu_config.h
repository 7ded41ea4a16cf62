/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU's numbers. What a user sets is in lists of keys, each with its range, default and source;
 * what follows from the rest of a machine is declared here.
 *
 * gpu_keys.def: keys of the part gpu; gpu_nsu_keys.def, gpu_tom_keys.def: keys of NSUs and of SMs
 * of stacks that the GPU knows, too.
 */
#ifndef GPU_CONFIG_H
#define GPU_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
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

typedef enum { TOM_OFFLOAD_NONE, TOM_OFFLOAD_WATCH, TOM_OFFLOAD_CTRL, TOM_OFFLOAD_ALWAYS } gpu_tom_offload_t;

#define KEYS_AS_FIELDS
#include "key_list.h"

/* What the GPU knows of NSUs, of SMs of stacks. */
typedef struct {
#include "gpu_nsu_keys.def"
} gpu_nsu_config_t;

typedef struct {
#include "gpu_tom_keys.def"
} gpu_tom_config_t;

/* Each unit's values are a struct of its own: struct gpu_sm_config sm, gpu_l1_config l1, ... */
typedef struct {
#include "gpu_keys.def"
  gpu_nsu_config_t nsu;
  gpu_tom_config_t tom;
  unsigned num_stacks;  /* a power of two, 1..256: links, L2 slices; T2: 8 */
  uint64_t stack_bytes; /* T2: 4 GB a stack */
  uint64_t seed;        /* page placement and static offload decision */
  double core_mhz;      /* SMs and L2, for %globaltimer; T2: 700 */

  bool networked; /* links lead into a network, and are not the GPU's own */
  bool nodes;     /* SMs, slices and stacks are nodes of a network, as many as stacks (nodes.h) */
  /* in which packets overtake each other: SMs keep the
   * order of their accesses to a line (line_guard.h) */
  bool guard;

  bool tom_beside; /* blocks go to SMs of stacks, too, whatever offload_policy says of NSUs (offload_both.c) */
  /* policy tom: no more blocks than tom.warps at a stack, none that
   * adds traffic to a busy channel (TOM paper, section 3.3) */
  bool tom_control;
  bool tom_watch;    /* no candidate goes, all are watched (tom_learn.h) */
  double link_flits; /* flits of 16 bytes that a link can carry each way in a crossbar cycle, above 0 */

  /* of each stack: units of its logic layer that are NSUs, one bit each; 1: its only one is */
  uint16_t nsu_units[GPU_MAX_NSU_STACKS];
  uint16_t sm_units[GPU_MAX_NSU_STACKS]; /* the same of its SM */
  unsigned nsu_cmd_entries;              /* these three as rtl/nsu/nsu.ports has them (T2: 10, 256, 256) */
  unsigned nsu_rd_entries;
  unsigned nsu_wr_entries;
} gpu_config_t;

extern const config_key_t gpu_keys[], gpu_tom_keys[];  /* of gpu_config_t, of gpu_tom_config_t */
extern const char *const gpu_targets[GPU_TARGETS + 1]; /* names of offload.target's values */

gpu_config_t gpu_config_default(void);
gpu_nsu_config_t gpu_nsu_config_default(void);
gpu_tom_config_t gpu_tom_config_default(void);

/* Slices of the L2: those of stack k are k * l2.slices and up. */
static inline unsigned gpu_config_slices(const gpu_config_t *config) {
  return config->num_stacks * config->l2.slices;
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

bool gpu_config_check(const gpu_config_t *config, trouble_t *trouble);

#endif
