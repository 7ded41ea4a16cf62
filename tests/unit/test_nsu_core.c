/* SPDX-License-Identifier: Apache-2.0
 *
 * One NSU of a system whose RTL is a fake: an assertion of the RTL must not go unseen.
 */
#include "nsu_core.h"
#include "unit_test.h"

static bool eval_holds, step_holds;

static void *create(void) { return &eval_holds; }
static void destroy(void *dev) { (void)dev; }
static void reset(void *dev) { (void)dev; }
static void set_inputs(void *dev, const void *in) { (void)dev, (void)in; }
static bool eval(void *dev) { return *(bool *)dev; }
static void get_outputs(void *dev, void *out) { (void)dev, ((nsu_out_t *)out)->in_credit = 1; }
static bool step(void *dev) { return (void)dev, step_holds; }
static const char *failure(void *dev) { return (void)dev, "nsu.sv:7: assertion failed"; }

static const dut_t fake = {.block = "nsu", .create = create, .destroy = destroy, .reset = reset, .set_inputs = set_inputs,
                           .eval = eval, .get_outputs = get_outputs, .step = step, .failure = failure};

static const char *cycle(bool eval_result, bool step_result) {
  nsu_core_t core;
  nsu_in_t in = {0};
  nsu_out_t out = {0};
  eval_holds = eval_result, step_holds = step_result;
  assert_null(nsu_core_init(&core, &fake, ENGINE_RTL));
  const char *failed = nsu_core_cycle(&core, &in, &out);
  assert_int_equal(out.in_credit, 1);
  assert_int_equal(core.cycles, 1);
  assert_false(nsu_core_idle(&core));
  nsu_core_free(&core);
  return failed;
}

static void test_rtl_assertion(void **state) {
  (void)state;
  assert_null(cycle(true, true));
  assert_string_equal(cycle(false, true), "nsu.sv:7: assertion failed");
  assert_string_equal(cycle(true, false), "nsu.sv:7: assertion failed");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rtl_assertion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
