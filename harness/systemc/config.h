/* SPDX-License-Identifier: Apache-2.0
 *
 * A full system's configuration: defaults, a YAML file, and settings from the command line, in this order.
 *
 * config.def lists every key once, with its range and the source of its default. In a file, a key `gpu.sms` is `sms` in the
 * mapping `gpu`. Errors name file and line (or the setting), what is wrong and what would be right.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu_config.h"
#include "memory_system.h"

enum { CONFIG_ERROR_SIZE = 512 };

typedef struct {
  uint64_t seed; /* page placement, offload decision */
  uint64_t watchdog_us;
  gpu_config_t gpu;
  memory_system_config_t memory;
  double core_mhz, xbar_mhz, nsu_mhz;
} system_config_t;

typedef enum { CONFIG_UINT, CONFIG_REAL, CONFIG_BOOL } config_type_t;

typedef struct {
  const char *key, *text; /* "gpu.sms", "streaming multiprocessors (Table 2)" */
  config_type_t type;
  size_t offset, size; /* of the field in system_config_t */
  double least, most;
} config_key_t;

extern const config_key_t config_keys[];
extern const size_t config_num_keys;

void config_default(system_config_t *config);

/* Return NULL, or a message in `error`, which is also returned. */
const char *config_load(system_config_t *config, const char *path, char error[CONFIG_ERROR_SIZE]);
const char *config_set(system_config_t *config, const char *key, const char *value, char error[CONFIG_ERROR_SIZE]);
const char *config_check(const system_config_t *config, char error[CONFIG_ERROR_SIZE]); /* what only holds of all keys together */

double config_value(const system_config_t *config, const config_key_t *key);

#endif
