/* SPDX-License-Identifier: Apache-2.0
 *
 * A system's YAML configuration, by the keys of each system; what was taken can be written and set again.
 */
#include "config.h"

#include "fuzz.h"

static void check_again(const config_schema_t *schema, system_config_t *config) {
  char text[64], error[CONFIG_ERROR_SIZE];
  for (size_t i = 0; i < schema->num_keys; i++) {
    config_text(config, &schema->keys[i], text, sizeof text);
    double value = schema->keys[i].type == CONFIG_TEXT ? 0 : config_value(config, &schema->keys[i]);
    if (value < 1e9) /* as many digits as are written */
      fuzz_check(!config_set(schema, config, schema->keys[i].key, text, error), "a value in range can be set again");
  }
}

static void read_by(const config_schema_t *schema, const char *path) {
  system_config_t config;
  char error[CONFIG_ERROR_SIZE] = "";
  config_default(schema, &config);
  const char *failed = config_load(schema, &config, path, error);
  if (!failed) failed = config_check(schema, &config, error);
  if (failed) fuzz_check_error(failed);
  else check_again(schema, &config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *path = fuzz_file(data, size);
  read_by(&config_gpu, path);
  read_by(&config_mpu, path);
  return 0;
}
