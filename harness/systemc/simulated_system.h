/* SPDX-License-Identifier: Apache-2.0
 *
 * What a system has to give to be one of `systems`: its struct begins with a simulated_system_t, its kind's operations are below. system.c
 * calls them.
 */
#ifndef SIMULATED_SYSTEM_H
#define SIMULATED_SYSTEM_H

#include <stdio.h>

#include "system.h"

typedef struct simulated_system simulated_system_t;

typedef struct system_ops {
  size_t size;                                                        /* of its struct, which is zeroed */
  int (*make)(simulated_system_t *s, char error[SYSTEM_ERROR]);       /* `options` and `engines` are there; ends with ticks_per_ns and parts added */
  void (*destroy)(simulated_system_t *s);                             /* also of what `make` left half made */
  int (*load)(simulated_system_t *s, const ptx_module_t *module, gpu_error_t *err);
  uint64_t (*malloc)(simulated_system_t *s, uint64_t bytes, gpu_error_t *err);
  int (*release)(simulated_system_t *s, uint64_t addr, gpu_error_t *err);
  int (*copy_in)(simulated_system_t *s, uint64_t addr, const void *data, size_t bytes, gpu_error_t *err);
  int (*copy_out)(simulated_system_t *s, void *data, uint64_t addr, size_t bytes, gpu_error_t *err);
  int (*launch)(simulated_system_t *s, const rt_launch_t *launch, gpu_error_t *err);
  bool (*running)(const simulated_system_t *s);
  double (*progress)(const simulated_system_t *s);
  uint64_t (*activity)(const simulated_system_t *s);                  /* anything that moves moves this */
  int (*check_rules)(const simulated_system_t *s, char error[SYSTEM_ERROR]); /* 0, or the exit status: a fault, a broken rule */
  size_t (*describe_waits)(const simulated_system_t *s, char *text, size_t size); /* as snprintf */
  void (*stats)(const simulated_system_t *s, system_stats_t *stats);  /* all but those of the instances */
} system_ops_t;

struct simulated_system {
  const system_ops_t *ops;
  system_options_t options;
  engines_t *engines[SYSTEM_FAMILIES];
  char (*replay[SYSTEM_FAMILIES])[SYSTEM_TEXT];                       /* files of instances that diverged; "": none */
  uint64_t ticks_per_ns;
};

/* A launch as the SIMT models take it. */
static inline simt_launch_t system_launch_of(const rt_launch_t *l) {
  return (simt_launch_t){.kernel = l->kernel, .grid = {l->grid.x, l->grid.y, l->grid.z}, .block = {l->block.x, l->block.y, l->block.z},
                         .shared_bytes = l->shared_bytes, .params = l->params, .param_bytes = l->param_bytes};
}

static inline int system_fail(char error[SYSTEM_ERROR], int status, const char *text) {
  snprintf(error, SYSTEM_ERROR, "%s", text);
  return status;
}

#endif
