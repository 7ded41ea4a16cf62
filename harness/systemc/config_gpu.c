/* SPDX-License-Identifier: Apache-2.0
 *
 * Configuration of the systems nsu and baseline.
 */
#include "config.h"
#include "config_keys.h"

static const config_key_t keys[] = {
#include "config_gpu.def"
};

static void defaults(system_config_t *config) {
  config->xbar_mhz = 1250;
  config->link_mhz = 1250;
  config->tck_ps = 1500;
  config->nsu_mhz = 350;
  config->gpu = gpu_config_default();
  config->memory = memory_system_default_config();
}

static const char *check(system_config_t *config) {
  config->gpu.seed = config->seed;
  const char *wrong = memory_system_check_config(&config->memory);
  if (wrong) return wrong;
  config->gpu.num_stacks = network_config_nodes(&config->memory.network);
  return gpu_config_check(&config->gpu);
}

const config_schema_t config_gpu = {"nsu", keys, sizeof keys / sizeof *keys, defaults, check};
