/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "unit_test.h"

static char path[] = "/tmp/test_config_XXXXXX";

static const char *load(const char *text, char error[CONFIG_ERROR_SIZE]) {
  static system_config_t config;
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  config_default(&config_gpu, &config);
  return config_load(&config_gpu, &config, path, error);
}

static void expect(const char *text, const char *place, const char *what) {
  char error[CONFIG_ERROR_SIZE], where[64];
  assert_non_null(load(text, error));
  snprintf(where, sizeof where, "%s:%s: ", path, place);
  if (strncmp(error, where, strlen(where))) fail_msg("'%s' does not begin with '%s'", error, where);
  if (!strstr(error, what)) fail_msg("'%s' does not say '%s'", error, what);
}

static void test_errors(void **state) {
  (void)state;
  expect("gpu:\n  smz: 4\n", "2:8", "unknown key 'gpu.smz'");
  expect("gpu:\n  sms: many\n", "2:8", "not a whole number; from 1 to 64");
  expect("gpu:\n  sms: 65\n", "2:8", "out of range; from 1 to 64");
  expect("gpu:\n  sms: -1\n", "2:8", "not a whole number");
  expect("gpu:\n  sms: [1, 2]\n", "2:3", "takes one value");
  expect("gpu: 7\n", "1:6", "unknown key 'gpu'");
  expect("vault:\n  refresh: 1\n", "2:12", "not false or true");
  expect("offload:\n  ratio: nan\n", "2:10", "not a number");
  expect("gpu:\n  sms: 4\n  sms: 5\n", "3:3", "already set");
  expect("- gpu\n", "1:1", "sections expected");
  expect("gpu:\n  sms: 4\n bad", "3:2", "did not find expected key");
  char error[CONFIG_ERROR_SIZE];
  assert_non_null(load("", error));
  assert_non_null(strstr(error, "the file is empty"));
  assert_non_null(config_load(&config_gpu, &(system_config_t){0}, "/nonexistent/x.yaml", error));
  assert_non_null(strstr(error, "/nonexistent/x.yaml: No such file"));
}

static void test_values(void **state) {
  (void)state;
  static system_config_t config;
  char error[CONFIG_ERROR_SIZE];
  assert_null(load("gpu:\n  sms: 7 # comment\nvault:\n  refresh: false\noffload: {ratio: 0.25}\n", error));
  config_default(&config_gpu, &config);
  assert_null(config_load(&config_gpu, &config, path, error));
  assert_int_equal(config.gpu.num_sms, 7);
  assert_false(config.memory.node.stack.vault.refresh);
  assert_true(config.gpu.offload_ratio == 0.25);
  assert_null(config_set(&config_gpu, &config, "dram.tRRD", "1", error));
  assert_int_equal(config.memory.node.stack.vault.timing.tRRD, 1);
  assert_non_null(config_set(&config_gpu, &config, "dram.tRRD", "1x", error));
}

static const config_schema_t *const schemas[] = {&config_gpu, &config_mpu};
enum { SCHEMAS = sizeof schemas / sizeof *schemas };

/* The defaults themselves are in range and hold together. */
static void test_defaults(void **state) {
  (void)state;
  static system_config_t config;
  char error[CONFIG_ERROR_SIZE];
  for (unsigned s = 0; s < SCHEMAS; s++) {
    config_default(schemas[s], &config);
    assert_null(config_check(schemas[s], &config, error));
    for (size_t i = 0; i < schemas[s]->num_keys; i++) {
      const config_key_t *key = &schemas[s]->keys[i];
      if (key->type == CONFIG_TEXT) continue;
      double value = config_value(&config, key);
      if (value < key->least || value > key->most) fail_msg("%s: %g", key->key, value);
    }
  }
}

/* Keys whose ends may not go with the others' defaults, and get a message of their own. */
static bool depends(const char *key) {
  static const char *const parts[] = {"bytes", "dram.", "cubes_", "cores_", "_latency"};
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(key, parts[i])) return true;
  return false;
}

/* A value that is in range is taken by the parts, and the range is all that they take. */
static void test_ends(void **state) {
  (void)state;
  static system_config_t config;
  char error[CONFIG_ERROR_SIZE], value[32];
  for (unsigned i = 0; i < config_gpu.num_keys + config_mpu.num_keys; i++) {
    const config_schema_t *schema = i < config_gpu.num_keys ? &config_gpu : &config_mpu;
    const config_key_t *key = &schema->keys[i < config_gpu.num_keys ? i : i - config_gpu.num_keys];
    for (unsigned end = 0; key->type < CONFIG_BOOL && end < 2; end++) {
      config_default(schema, &config);
      snprintf(value, sizeof value, "%.17g", end ? key->most : key->least);
      if (config_set(schema, &config, key->key, value, error)) fail_msg("%s", error);
      if (config_check(schema, &config, error) && !depends(key->key)) fail_msg("%s=%s: %s", key->key, value, error);
    }
  }
}

static void test_dependent(void **state) {
  (void)state;
  static system_config_t config;
  char error[CONFIG_ERROR_SIZE];
  config_default(&config_gpu, &config);
  assert_null(config_set(&config_gpu, &config, "dram.tRFC", "65536", error));
  assert_non_null(config_check(&config_gpu, &config, error));
  assert_non_null(strstr(error, "tREFI leaves no time between refreshes"));
  config_default(&config_gpu, &config);
  assert_null(config_set(&config_gpu, &config, "l1.bytes", "128", error));
  assert_non_null(config_check(&config_gpu, &config, error));
  assert_non_null(strstr(error, "power of two of sets"));
  config_default(&config_mpu, &config);
  assert_null(config_set(&config_mpu, &config, "mpu.cores_x", "3", error));
  assert_non_null(config_check(&config_mpu, &config, error));
  assert_non_null(strstr(error, "cores of a processor: powers of two"));
}

/* Names instead of numbers. */
static void test_names(void **state) {
  (void)state;
  static const char *const names[] = {"annotated", "default", "near", "far"};
  static system_config_t config;
  char error[CONFIG_ERROR_SIZE], text[32];
  config_default(&config_mpu, &config);
  for (unsigned i = 0; i < 4; i++) {
    assert_null(config_set(&config_mpu, &config, "mpu.policy", names[i], error));
    assert_string_equal(mpu_policy_name(config.mpu.policy), names[i]);
    for (size_t k = 0; k < config_mpu.num_keys; k++) {
      if (config_mpu.keys[k].type != CONFIG_ENUM) continue;
      config_text(&config, &config_mpu.keys[k], text, sizeof text);
      assert_string_equal(text, names[i]);
    }
  }
  assert_non_null(config_set(&config_mpu, &config, "mpu.policy", "nearest", error));
  assert_string_equal(error, "mpu.policy: 'nearest' is not annotated, default, near or far");
  assert_non_null(config_set(&config_mpu, &config, "mpu.policy", "1", error));
}

static int setup(void **state) {
  (void)state;
  return mkstemp(path) < 0;
}

static int teardown(void **state) {
  (void)state;
  return unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors), cmocka_unit_test(test_values),
                                     cmocka_unit_test(test_defaults), cmocka_unit_test(test_ends),
                                     cmocka_unit_test(test_dependent), cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
