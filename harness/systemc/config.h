/* SPDX-License-Identifier: Apache-2.0
 *
 * A full system's configuration: defaults, a YAML file, and settings from the command line, in this order.
 *
 * A system's list (config_*.def) has each of its keys once, with its range and the source of its default. In a file, a key `gpu.sms` is
 * `sms` in the mapping `gpu`. Errors name file and line (or the setting), what is wrong and what would be right.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu_config.h"
#include "memory_system.h"
#include "mpu_config.h"

enum { CONFIG_ERROR_SIZE = 512 };

/* Of all systems; each has keys for its own parts. */
typedef struct {
  uint64_t seed; /* page placement, offload decision */
  uint64_t watchdog_us;
  gpu_config_t gpu; /* nsu, baseline */
  memory_system_config_t memory;
  double xbar_mhz, link_mhz, nsu_mhz;
  uint64_t tck_ps;
  mpu_config_t mpu; /* mpu */
} system_config_t;

typedef enum { CONFIG_UINT, CONFIG_REAL, CONFIG_BOOL, CONFIG_ENUM, CONFIG_TEXT } config_type_t;

typedef struct {
  const char *key, *text; /* "gpu.sms", "streaming multiprocessors (Table 2)" */
  config_type_t type;
  size_t offset, size; /* of the field in system_config_t; CONFIG_TEXT: a char array */
  double least, most;
  const char *const *names; /* CONFIG_ENUM: of the values from 0 on, NULL behind the last */
} config_key_t;

typedef struct config_schema {
  const char *system; /* whose --print-config lists the keys */
  const config_key_t *keys;
  size_t num_keys;
  void (*defaults)(system_config_t *config);
  const char *(*check)(system_config_t *config); /* what only holds of all keys together; fills in what follows from them */
} config_schema_t;

extern const config_schema_t config_gpu; /* nsu, baseline */
extern const config_schema_t config_mpu;

void config_default(const config_schema_t *schema, system_config_t *config);

/* Return NULL, or a message in `error`, which is also returned. config_check comes last. */
const char *config_load(const config_schema_t *schema, system_config_t *config, const char *path, char error[CONFIG_ERROR_SIZE]);
const char *config_set(const config_schema_t *schema, system_config_t *config, const char *key, const char *value,
                       char error[CONFIG_ERROR_SIZE]);
const char *config_check(const config_schema_t *schema, system_config_t *config, char error[CONFIG_ERROR_SIZE]);

double config_value(const system_config_t *config, const config_key_t *key); /* not of a text */
void config_text(const system_config_t *config, const config_key_t *key, char *text, size_t size); /* as config_set takes it */

#endif
