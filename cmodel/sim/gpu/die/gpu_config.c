/* SPDX-License-Identifier: Apache-2.0
 *
 * Defaults and tables of the GPU's keys, and what follows from a configuration.
 */
#include "gpu_config.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "address_map.h"
#include "nsu_ports.h"
#include "tom_compiler.h"

static const char *const gpu_maps[] = {
#define MAP(name, text) #name,
#include "address_map_list.def"
#undef MAP
    NULL};

static const char *const gpu_policies[] = {
#define POLICY(name, text) #name,
#include "offload_policy_list.def"
#undef POLICY
    NULL};

static const char *const gpu_schedulers[] = {
#define SCHEDULER(name, text) #name,
#include "schedulers.def"
#undef SCHEDULER
    NULL};

static const char *const gpu_cta_orders[] = {"round", "ranges", NULL};

const char *const gpu_targets[GPU_TARGETS + 1] = {
#define TARGET(name, text) #name,
#include "offload_targets.def"
#undef TARGET
};

static const char *const gpu_tom_regions[] = {[TOM_REGIONS_ALL] = "all", [TOM_REGIONS_LOOPS] = "loops", NULL};
static const char *const gpu_tom_frees[] = {
    [TOM_FREE_NOTHING] = "nothing", [TOM_FREE_COHERENCE] = "coherence", [TOM_FREE_ALL] = "all", NULL};
static const char *const gpu_tom_offloads[] = {[TOM_OFFLOAD_NONE] = "none",
                                               [TOM_OFFLOAD_WATCH] = "watch",
                                               [TOM_OFFLOAD_CTRL] = "ctrl",
                                               [TOM_OFFLOAD_ALWAYS] = "always",
                                               NULL};

#define KEYS_OF gpu_config_t
#define KEYS_IN
#define KEYS_AS_TABLE
#include "key_list.h"

const config_key_t gpu_keys[] = {
#include "gpu_keys.def"
    {0},
};

#undef KEYS_OF
#define KEYS_OF gpu_nsu_config_t
const config_key_t gpu_nsu_keys[] = {
#include "gpu_nsu_keys.def"
    {0},
};

#undef KEYS_OF
#define KEYS_OF gpu_tom_config_t
const config_key_t gpu_tom_keys[] = {
#include "gpu_tom_keys.def"
    {0},
};

#define KEYS_AS_DEFAULTS
#include "key_list.h"

gpu_nsu_config_t gpu_nsu_config_default(void) {
  gpu_nsu_config_t c, *values = &c;
#include "gpu_nsu_keys.def"
  return c;
}

gpu_tom_config_t gpu_tom_config_default(void) {
  gpu_tom_config_t c, *values = &c;
#include "gpu_tom_keys.def"
  return c;
}

gpu_config_t gpu_config_default(void) {
  gpu_config_t c = {
      .nsu = gpu_nsu_config_default(),
      .tom = gpu_tom_config_default(),
      .num_stacks = 8,
      .stack_bytes = 4ull << 30,
      .seed = 1,
      .core_mhz = 700,
      .tom_control = true,
      .link_flits = 1,
      .nsu_cmd_entries = CmdBufDepth,
      .nsu_rd_entries = RdBufDepth,
      .nsu_wr_entries = WrBufDepth,
      .nsu_units = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
      .sm_units = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
  };
  gpu_config_t *values = &c;
#include "gpu_keys.def"
  return c;
}

bool gpu_config_draws(const gpu_config_t *c) {
  return c->offload_policy == GPU_OFFLOAD_dynamic || c->offload_policy == GPU_OFFLOAD_dynamic_cache;
}

bool gpu_config_to_nsus(const gpu_config_t *c) {
  return gpu_config_draws(c) || (c->offload_policy == GPU_OFFLOAD_static && c->nsu.ratio > 0);
}

bool gpu_config_to_sms(const gpu_config_t *c) {
  return c->offload_policy == GPU_OFFLOAD_tom || c->tom_beside;
}

bool gpu_config_offloads(const gpu_config_t *c) {
  return gpu_config_to_nsus(c) || gpu_config_to_sms(c);
}

/* Only maps with `choose` learn, and only blocks that are offloaded give something to learn. */
bool gpu_config_learns(const gpu_config_t *c) {
  return gpu_config_offloads(c) && c->map.mode < GPU_MAPS && address_maps[c->map.mode]->choose;
}

/* NSUs of all stacks. */
static unsigned count_nsus(const gpu_config_t *c) {
  unsigned sum = 0;
  for (unsigned k = 0; k < c->num_stacks && k < GPU_MAX_NSU_STACKS; k++)
    sum += (unsigned)__builtin_popcount(c->nsu_units[k]);
  return sum;
}

/* Without control a stack also accepts blocks that wait for a warp. */
unsigned gpu_config_tom_limit(const gpu_config_t *c) {
  return c->tom.warps + (c->tom_control ? 0 : c->tom.queue);
}

unsigned gpu_config_tom_places(const gpu_config_t *c) {
  return c->tom.queue ? c->tom.queue : 1;
}

unsigned gpu_config_tom_count_bits(const gpu_config_t *c) {
  unsigned bits = 8;
  while (gpu_config_tom_limit(c) >> bits) bits++;
  return bits;
}

unsigned gpu_config_link_flits(const gpu_config_t *c) {
  return (unsigned)ceil(c->link_flits);
}

/* tom_gate, tom_map and tom_ranges also serve NSU policies that learn the placement of data. */
unsigned gpu_config_instances(const gpu_config_t *c, gpu_hardware_t block) {
  const bool tom = gpu_config_to_sms(c), learns = gpu_config_learns(c);
  switch (block) {
  case GPU_HARDWARE_ofld_ratio: return gpu_config_draws(c);
  case GPU_HARDWARE_ofld_score: return c->offload_policy == GPU_OFFLOAD_dynamic_cache;
  case GPU_HARDWARE_ofld_credits: return gpu_config_to_nsus(c) ? count_nsus(c) : 0;
  case GPU_HARDWARE_tom_ctrl: return tom ? c->num_sms : 0;
  case GPU_HARDWARE_tom_gate: return tom || learns;
  case GPU_HARDWARE_tom_busy: return tom && c->tom_control;
  case GPU_HARDWARE_tom_map: return learns || (tom && c->tom_watch) ? c->num_sms : 0;
  case GPU_HARDWARE_tom_ranges: return learns;
  case GPU_HARDWARE_rv_core: return gpu_config_draws(c);
  default: return 0;
  }
}
