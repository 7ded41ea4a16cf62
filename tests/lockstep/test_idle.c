/* SPDX-License-Identifier: Apache-2.0
 *
 * Models that say when they are idle: does their lockstep test see it when they lie?   test_idle
 * OBJECT.so...
 *
 * Each block's stimulus must have cycles in which an honest model sleeps, with RTL and model equal,
 * and cycles in which no input is on and a model that says it is idle falls behind: with one that
 * always says so the pair must diverge. A block that cannot be caught because nothing is under way
 * while no input is on is marked with a minus: -OBJECT.so.
 */
#include "run.h"
#include "unit_test.h"

enum { CYCLES = 5000 };

static const char *const *paths;
static int num_paths;

/* The object's table with another model_idle, which has no context but these. */
static bool (*honest)(const void *model);
static uint64_t slept;

static bool count(const void *model) {
  bool idle = honest(model);
  slept += idle;
  return idle;
}

static bool lie(const void *model) {
  return (void)model, true;
}

static outcome_t run(const dut_t *original, bool (*idle)(const void *model), unsigned profile) {
  dut_t dut = *original;
  lockstep_t ls;
  driver_t driver;
  dut.model_idle = idle;
  assert_true(lockstep_open(&ls, &dut));
  assert_true(driver_open(&driver, &dut, 1, profile));
  outcome_t outcome = run_stimulus(&ls, &driver, CYCLES, NULL, NULL);
  driver_close(&driver);
  lockstep_close(&ls);
  return outcome;
}

static void look_at(const char *path, bool can_lie) {
  trouble_t trouble;
  const dut_t *dut;
  bool caught = false;
  if (!dut_load(path, &dut, &trouble)) fail_msg("%s", trouble.text);
  if (!dut->model_idle) fail_msg("%s: its model has no %s_idle", path, dut->block);
  honest = dut->model_idle;
  slept = 0;
  for (unsigned p = 0; p < dut->stim->num_profiles; p++) {
    outcome_t outcome = run(dut, count, p);
    if (outcome != OUTCOME_PASS)
      fail_msg("%s, profile %s: %s", dut->block, dut->stim->profiles[p].name, outcome_name(outcome));
    if (!caught) caught = run(dut, lie, p) == OUTCOME_DIVERGED;
  }
  if (slept < 100) fail_msg("%s: its model slept in %u cycles only", dut->block, (unsigned)slept);
  if (caught != can_lie)
    fail_msg("%s: a model that always says it is idle %s", dut->block,
             caught ? "is caught: no minus" : "is not caught");
}

static void test_idle(void **state) {
  (void)state;
  for (int i = 0; i < num_paths; i++) look_at(paths[i] + (paths[i][0] == '-'), paths[i][0] != '-');
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_idle)};
  paths = (const char *const *)argv + 1;
  num_paths = argc - 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
