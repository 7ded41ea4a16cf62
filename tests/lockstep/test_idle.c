/* SPDX-License-Identifier: Apache-2.0
 *
 * Models that say when they are idle: does their lockstep test see it when they lie?
 *   test_idle OBJECT.so...
 *
 * Rules held, for each block on the command line:
 *   1. With the model as it is, every profile of its stimulus passes: RTL and model stay equal.
 *   2. In at least 100 cycles of these runs the model says that it is idle.
 *   3. A model that always says so diverges from the RTL in some profile. It falls behind in
 *      cycles with quiet inputs: there the engine steps the RTL, but no model that says it is idle.
 * A block that cannot be caught because nothing is under way while no input is on is marked with a
 * minus, -OBJECT.so: for it rule 3 must fail.
 */
#include "run.h"
#include "unit_test.h"

enum { CYCLES = 5000 };

static const char *const *paths;
static int num_paths;

/* The object's own model_idle, and how often it said yes. They are static because model_idle
 * gets no context. */
static bool (*honest)(const void *model);
static uint64_t slept;

/* Stands in for model_idle: gives its answer and counts the cycles in which it is yes. */
static bool count_idle(const void *model) {
  bool idle = honest(model);
  slept += idle;
  return idle;
}

/* Stands in for model_idle in a model that lies. */
static bool always_idle(const void *model) {
  return (void)model, true;
}

/* Runs one profile of a block's stimulus, with `idle` in place of its model's model_idle. */
static outcome_t run_profile(const dut_t *original, bool (*idle)(const void *model), unsigned profile) {
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

/* Rules 1 to 3. The lie need not be seen in every profile, only in one. */
static void check_object(const char *path, bool can_lie) {
  trouble_t trouble;
  const dut_t *dut;
  bool caught = false;
  if (!dut_load(path, &dut, &trouble)) fail_msg("%s", trouble.text);
  if (!dut->model_idle) fail_msg("%s: its model has no %s_idle", path, dut->block);
  honest = dut->model_idle;
  slept = 0;
  for (unsigned p = 0; p < dut->stim->num_profiles; p++) {
    outcome_t outcome = run_profile(dut, count_idle, p);
    if (outcome != OUTCOME_PASS)
      fail_msg("%s, profile %s: %s", dut->block, dut->stim->profiles[p].name, outcome_name(outcome));
    if (!caught) caught = run_profile(dut, always_idle, p) == OUTCOME_DIVERGED;
  }
  if (slept < 100) fail_msg("%s: its model slept in %u cycles only", dut->block, (unsigned)slept);
  if (caught != can_lie)
    fail_msg("%s: a model that always says it is idle %s", dut->block,
             caught ? "is caught: no minus" : "is not caught");
}

static void test_idle(void **state) {
  (void)state;
  for (int i = 0; i < num_paths; i++) check_object(paths[i] + (paths[i][0] == '-'), paths[i][0] != '-');
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_idle)};
  paths = (const char *const *)argv + 1;
  num_paths = argc - 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
