/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of parts: their defaults, the ends of their ranges, names for values, keys that depend on
 * others, and files of values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "composition.h"
#include "gpu_config.h"
#include "memory_system.h"
#include "mpu_config.h"
#include "part.h"
#include "unit_test.h"

static const char *const systems[] = {"nsu", "baseline", "mpu", "v100"};
enum { SYSTEMS = sizeof systems / sizeof *systems };

static char path[] = "/tmp/test_config_XXXXXX";
static composition_t c;

/* Reads the system of this name, with the defaults of its file. */
static void load_system(const char *system) {
  trouble_t trouble = {0};
  char file[512];
  snprintf(file, sizeof file, "%s/harness/systems/configs/%s.yaml", LOCKSTACK_SOURCE_DIR, system);
  if (!composition_load(&c, file, &trouble)) fail_msg("%s", trouble.text);
}

/* Reads the text as a file of values for the system nsu. */
static bool read_values(const char *text, trouble_t *trouble) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  load_system("nsu");
  return composition_values_of(&c, path, false, trouble);
}

/* The text is refused at "LINE:COLUMN" with a line that contains `what`. */
static void expect_refusal(const char *text, const char *place, const char *what) {
  trouble_t trouble = {0};
  char where[64];
  assert_false(read_values(text, &trouble));
  snprintf(where, sizeof where, "%s:%s: ", path, place);
  if (strncmp(trouble.text, where, strlen(where))) fail_msg("'%s' does not begin with '%s'", trouble.text, where);
  if (!strstr(trouble.text, what)) fail_msg("'%s' does not say '%s'", trouble.text, what);
}

/* One row for each mistake in a file of values. */
static void test_refused_values(void **state) {
  (void)state;
  expect_refusal("gpu:\n  smz: 4\n", "2:8",
                 "unknown key 'gpu.smz'; `lockstack run nsu --print-config` lists them; did you mean gpu.sms?");
  expect_refusal("gpu:\n  sms: many\n", "2:8", "not a whole number; from 1 to 128");
  expect_refusal("gpu:\n  sms: 129\n", "2:8", "out of range; from 1 to 128");
  expect_refusal("gpu:\n  sms: -1\n", "2:8", "not a whole number");
  expect_refusal("gpu:\n  sms: [1, 2]\n", "2:3", "takes one value");
  expect_refusal("gpu: 7\n", "1:6", "unknown key 'gpu'");
  expect_refusal("vault:\n  refresh: 1\n", "2:12", "not false or true");
  expect_refusal("offload:\n  ratio: nan\n", "2:10", "not a number");
  expect_refusal("map:\n  mode: lines\n", "2:9", "map.mode: 'lines' is not pages");
  expect_refusal("offload:\n  policy: nsx\n", "2:11",
                 "offload.policy: 'nsx' is not none, static, dynamic, dynamic_cache or tom");
  expect_refusal("gpu:\n  sms: 4\n  sms: 5\n", "3:3", "already set");
  expect_refusal("clocks:\n  nsu: fast\n", "2:8",
                 "clocks.nsu: 'fast' is not a clock of 1 MHz to 10 GHz; such as 700 MHz or 1.5 ns would be right");
  expect_refusal("clocks:\n  nsu: 350\n", "2:8", "is not a clock");
  expect_refusal("clocks:\n  nsv: 350 MHz\n", "2:8", "did you mean clocks.nsu?");
  expect_refusal("network:\n  topology: \"a\\nb\"\n", "2:13", "is not one line of 1 to 127 characters");
  expect_refusal("parts:\n  gpu: {part: gpu}\n", "1:1",
                 "'parts' is of a system's own file, which `lockstack run FILE` takes");
  expect_refusal("rival: baseline\n", "1:1", "'rival' is of a system's own file");
  expect_refusal("- gpu\n", "1:1", "sections expected");
  expect_refusal("gpu:\n  sms: 4\n bad", "3:2", "did not find expected key");
  trouble_t trouble = {0};
  assert_false(read_values("", &trouble));
  assert_non_null(strstr(trouble.text, "the file is empty"));
  assert_false(composition_values_of(&c, "/nonexistent/x.yaml", false, &trouble));
  assert_non_null(strstr(trouble.text, "/nonexistent/x.yaml: No such file"));
}

/* Values that a file sets, one by one and in braces; keys that a rival does not have may be left
 * out. */
static void test_values(void **state) {
  (void)state;
  trouble_t trouble = {0};
  assert_true(read_values("gpu:\n  sms: 7 # comment\nvault:\n  refresh: false\noffload: {ratio: 0.25}\n"
                          "clocks: {nsu: 1.4 GHz, dram: 1250 ps}\n",
                          &trouble));
  assert_true(composition_settle(&c, &trouble));
  const gpu_config_t *gpu = composition_kind_values(&c, &part_gpu);
  const memory_node_config_t *node = composition_kind_values(&c, &part_stack);
  assert_int_equal(gpu->num_sms, 7);
  assert_int_equal(gpu->num_stacks, 8);
  assert_false(node->stack.vault.refresh);
  assert_true(gpu->nsu.ratio == 0.25);
  assert_int_equal(gpu->offload_policy, GPU_OFFLOAD_static);
  assert_true(composition_mhz(&c, 2, 0) == 1400 && composition_mhz(&c, 1, 0) == 800);
  assert_true(composition_set(&c, "dram.tRRD", "1", &trouble));
  assert_int_equal(node->stack.vault.timing.tRRD, 1);
  assert_false(composition_set(&c, "dram.tRRD", "1x", &trouble));
  /* What a rival has no key for is left out, if one says so. */
  load_system("baseline");
  assert_false(composition_knows(&c, "offload.ratio") || composition_knows(&c, "clocks.nsu"));
  assert_true(composition_values_of(&c, path, true, &trouble));
  gpu = composition_kind_values(&c, &part_gpu);
  assert_int_equal(gpu->num_sms, 7);
  /* Without NSUs nobody gets blocks, whatever the nsu's setting is. */
  assert_int_equal(gpu->offload_policy, GPU_OFFLOAD_none);
  assert_true(composition_set(&c, "offload.policy", "static", &trouble));
  assert_true(composition_settle(&c, &trouble));
  assert_int_equal(gpu->offload_policy, GPU_OFFLOAD_none);
  assert_false(composition_values_of(&c, path, false, &trouble));
}

/* Shares of the dynamic ratio are whole units of 0.05, and the first step lies between least and
 * most. What decides has instances where the policy is dynamic: one, or two with the score of
 * the cache. */
static void test_ratio(void **state) {
  (void)state;
  trouble_t trouble = {0};
  load_system("nsu");
  assert_true(composition_set(&c, "ratio.init", "0.12", &trouble));
  assert_false(composition_settle(&c, &trouble));
  assert_non_null(strstr(trouble.text, "ratio.init is 0.12; a multiple of 0.05 would be right"));
  load_system("nsu");
  assert_true(composition_set(&c, "ratio.step_min", "0.2", &trouble));
  assert_false(composition_settle(&c, &trouble));
  assert_non_null(strstr(
      trouble.text, "ratio.step_init is 0.15; from ratio.step_min to ratio.step_max, 0.2 to 0.15, would be right"));
  /* Each policy that has NSUs, and no other, has instances of what decides. */
  static const char *const policies[] = {"none", "static", "dynamic", "dynamic_cache"};
  for (unsigned p = 0; p < 4; p++) {
    system_family_t family;
    unsigned instances = 0;
    load_system("nsu");
    assert_true(composition_set(&c, "offload.policy", policies[p], &trouble));
    assert_true(composition_settle(&c, &trouble));
    for (unsigned f = 0; system_family(&c, f, &family); f++) {
      if (strcmp(family.name, "ratio") && strcmp(family.name, "score")) continue;
      assert_true(!strncmp(family.path, "gpu.", 4) && !strcmp(family.path + 4, family.name));
      instances += family.count;
    }
    assert_int_equal(instances, p < 2 ? 0 : p - 1);
  }
}

/* The systems' own values are in range, and each key is known by its name. */
static void test_defaults(void **state) {
  (void)state;
  trouble_t trouble = {0};
  for (unsigned s = 0; s < SYSTEMS; s++) {
    const config_key_t *key;
    const void *of;
    unsigned keys = 0;
    load_system(systems[s]);
    if (!composition_settle(&c, &trouble)) fail_msg("%s", trouble.text);
    for (; (key = composition_key(&c, keys, &of)); keys++) {
      if (key->type == CONFIG_TEXT) continue;
      double value = config_value(key, of);
      if (value < key->least || value > key->most) fail_msg("%s: %g", key->key, value);
      assert_true(composition_knows(&c, key->key));
    }
    assert_true(keys > 40);
  }
}

/* Keys whose ends may not fit the others' defaults; they get a message of their own. */
static bool depends_on_others(const char *key) {
  static const char *const parts[] = {"bytes",         "dram.",       "cubes_",    "cores_",
                                      "_latency",      "ratio.step_", "map.bit",   "flit_bytes",
                                      "cube_interval", "gpu.threads", "l2.slices", "l2.ways"};
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(key, parts[i])) return true;
  return false;
}

/* The parts take both ends of each key's range. A key that depends on others may be refused, but
 * never crash. */
static void test_ends(void **state) {
  (void)state;
  trouble_t trouble = {0};
  char value[32];
  for (unsigned s = 0; s < SYSTEMS; s++) {
    const config_key_t *key;
    const void *of;
    load_system(systems[s]);
    for (unsigned i = 0; (key = composition_key(&c, i, &of)); i++) {
      for (unsigned end = 0; key->type < CONFIG_BOOL && end < 2; end++) {
        load_system(systems[s]);
        snprintf(value, sizeof value, "%.17g", end ? key->most : key->least);
        if (!composition_set(&c, key->key, value, &trouble)) fail_msg("%s", trouble.text);
        if (!composition_settle(&c, &trouble) && !depends_on_others(key->key))
          fail_msg("%s=%s: %s", key->key, value, trouble.text);
      }
    }
  }
}

/* The value is in range, but the system with it is refused. */
static void expect_refused_together(const char *system, const char *key, const char *value, const char *says) {
  trouble_t trouble = {0};
  load_system(system);
  assert_true(composition_set(&c, key, value, &trouble));
  assert_false(composition_settle(&c, &trouble));
  if (!strstr(trouble.text, says)) fail_msg("%s=%s: '%s' does not say '%s'", key, value, trouble.text, says);
}

/* Values that are in range one by one, but of which no system can be made together. */
static void test_dependent(void **state) {
  (void)state;
  expect_refused_together("nsu", "dram.tRFC", "65536", "tREFI leaves no time between refreshes");
  expect_refused_together("nsu", "dram.tRP", "10", "tRC 33 is shorter than tRAS + tRP");
  expect_refused_together("mpu", "dram.tRC", "46", "tRC=47 would be right");
  expect_refused_together("nsu", "l1.bytes", "128", "power of two of sets");
  expect_refused_together("nsu", "network.topology", "mesh:3x1",
                          "the number of stacks must be a power of two, 1 to 256");
  expect_refused_together("nsu", "network.topology", "hypercube:4", "gpu: 16 stacks: an NSU's packets name at most 15");
  expect_refused_together("nsu", "network.topology", "rings:8", "rings:8");
  expect_refused_together("nsu", "offload.policy", "tom", "offload.policy=tom is for stacks with SMs");
  expect_refused_together("nsu", "gpu.threads", "2048", "gpu.threads must be 32 to 1536 where blocks are offloaded");
  expect_refused_together("nsu", "l2.slices", "2", "l2.slices is for one die that offloads nothing");
  expect_refused_together("v100", "l2.slices", "3", "l2.slices must be 1, 2, 4, 8 or 16 a stack");
  expect_refused_together("v100", "vault.row_lines", "9", "vault.row_lines must be 1, 2, 4, 8, 16 or 32");
  expect_refused_together("tom", "map.bit", "16", "map.bit is for map.mode=fixed");
  expect_refused_together("tom", "network.flit_bytes", "24", "flit_bytes must be 8, 16, 32 or 64");
  expect_refused_together("tom", "link.rx_flits", "128", "link.rx_flits: 256 would be right");
  expect_refused_together("mpu", "mpu.cores_x", "3", "cores of a processor: powers of two");
  expect_refused_together("mpu", "clocks.core", "2 GHz", "core: 2 GHz: mpu was written for 1000 MHz alone");
}

/* Edges of all clocks fall on whole ticks, and a second must not have too many of them: 9999.997
 * MHz alone can be, but not next to a clock of 1499 ps. */
static void test_ticks(void **state) {
  (void)state;
  trouble_t trouble = {0};
  assert_true(read_values("clocks: {nsu: 9999.997 MHz}\n", &trouble));
  assert_true(composition_settle(&c, &trouble));
  assert_true(read_values("clocks: {nsu: 9999.997 MHz, dram: 1499 ps}\n", &trouble));
  assert_false(composition_settle(&c, &trouble));
  assert_non_null(strstr(
      trouble.text, "nsu: 9999.997 MHz has no tick in common with the clocks above; a rounder number would be right"));
}

/* A key with names takes these, prints them again, and takes no number instead. */
static void test_names(void **state) {
  (void)state;
  static const char *const names[] = {"annotated", "default", "near", "far"};
  trouble_t trouble = {0};
  char text[CONFIG_TEXT_SIZE];
  load_system("mpu");
  const mpu_config_t *mpu = composition_kind_values(&c, &part_mpu);
  for (unsigned i = 0; i < 4; i++) {
    assert_true(composition_set(&c, "mpu.policy", names[i], &trouble));
    assert_string_equal(mpu_policy_name(mpu->policy), names[i]);
    config_text(config_find(part_mpu.keys, "mpu.policy"), mpu, text, sizeof text);
    assert_string_equal(text, names[i]);
  }
  assert_false(composition_set(&c, "mpu.policy", "nearest", &trouble));
  assert_string_equal(trouble.text, "mpu.policy: 'nearest' is not annotated, default, near or far");
  assert_false(composition_set(&c, "mpu.policy", "1", &trouble));
}

/* Makes the file of values that all tests write. */
static int make_files(void **state) {
  (void)state;
  return mkstemp(path) < 0;
}

static int remove_files(void **state) {
  (void)state;
  return unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused_values), cmocka_unit_test(test_values),
                                     cmocka_unit_test(test_defaults),       cmocka_unit_test(test_ratio),
                                     cmocka_unit_test(test_ends),           cmocka_unit_test(test_dependent),
                                     cmocka_unit_test(test_ticks),          cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, make_files, remove_files);
}
