/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps: values as they are typed, the runs of a cross product, and what is said over seeds.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sweep.h"
#include "sweep_values.h"

/* The text means these values, or this refusal. */
static void expect_values(const char *text, const char *wanted) {
  trouble_t trouble = {0};
  char **value, all[400] = "";
  unsigned count;
  const bool good = sweep_values(text, 100, &value, &count, &trouble);
  for (unsigned i = 0; i < count; i++)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " | " : "", value[i]);
  assert_string_equal(good ? all : trouble.text, wanted);
  sweep_values_free(value, count);
}

/* Lists and ranges by steps or factors, with units. Decimals are exact: .1...4 has 0.3, not
 * 0.30000000000000004. */
static void values_as_they_are_typed(void **unused) {
  (void)unused;
  expect_values("16,32", "16 | 32");
  expect_values("1..4", "1 | 2 | 3 | 4");
  expect_values("-1..1", "-1 | 0 | 1");
  expect_values(".1...4/.1", "0.1 | 0.2 | 0.3 | 0.4"); /* .1 to .4, the second point being the range's */
  expect_values("0..1/.25", "0 | 0.25 | 0.5 | 0.75 | 1");
  expect_values("1..10/4", "1 | 5 | 9");
  expect_values("1..64*4", "1 | 4 | 16 | 64");
  expect_values("350..450/50 MHz", "350 MHz | 400 MHz | 450 MHz");
  expect_values("50..100/25%", "50% | 75% | 100%");
  expect_values("nsu=model,nsu[0,3]=rtl", "nsu=model | nsu[0,3]=rtl");
  expect_values("../a.yaml, b", "../a.yaml | b");
  expect_values("mesh:2x2,1..2", "mesh:2x2 | 1 | 2");
  expect_values("", "'' is an empty list; 16,32,64 or 1..16 would be right");
  expect_values("1,", "'' should be a value, as in 16,32,64");
  expect_values("1..3,2", "'2' is there twice");
  expect_values("3..1", "'3..1' should go from the lesser to the greater number");
  expect_values("1..3/0", "'1..3/0' should go up, as in 1..16, .1..1/.1 or 1..64*2");
  expect_values("0..3*2", "'0..3*2' should go up, as in 1..16, .1..1/.1 or 1..64*2");
  expect_values("1..3*1", "'1..3*1' should go up, as in 1..16, .1..1/.1 or 1..64*2");
  expect_values("1..1000", "'1..1000' are too many values");
}

/* A verb with an option that takes a value and one that does not. */
static suite_option_t option(const char *verb, const char *name) {
  (void)verb;
  if (!name) return SUITE_FLAG;
  if (!strcmp(name, "rate")) return SUITE_VALUE;
  return !strcmp(name, "full") ? SUITE_FLAG : SUITE_NO_OPTION;
}

/* A sweep of `run` with these arguments, an option, and seed 7. */
static sweep_t start_sweep(const char *arguments) {
  return (sweep_t){.verb = "run",
                   .grammar = {"SYSTEM WORKLOAD|FILE.yaml", option},
                   .arguments = json_loads(arguments, 0, NULL),
                   .options = json_pack("[s, s]", "--set", "a.b=1"),
                   .seed = 7};
}

/* Two systems, two rates, a flag and one value are 2 * 2 * 2 * 1 = 8 points, with two seeds 16
 * runs. The last axis changes first, and a point's seeds follow each other. */
static void runs_of_a_cross_product(void **unused) {
  (void)unused;
  sweep_t s = start_sweep("[\"vadd\"]");
  s.seeds = 2;
  assert_true(sweep_over(&s, "system=nsu,tom") && sweep_over(&s, "rate=.1,.2") && sweep_over(&s, "full=false,true") &&
              sweep_over(&s, "gpu.sms=4"));
  assert_true(sweep_plan(&s));
  assert_int_equal(s.points, 8);
  assert_int_equal(s.runs, 16);
  assert_string_equal(s.run[0].key, "run nsu vadd --set a.b=1 --rate .1 --set gpu.sms=4 --seed 7");
  assert_string_equal(s.run[15].key, "run tom vadd --set a.b=1 --rate .2 --full --set gpu.sms=4 --seed 8");
  assert_string_equal(sweep_value(&s, 6, 1), ".2");
  assert_string_equal(sweep_value(&s, 6, 2), "false");
  assert_false(sweep_over(&s, "a.b=2"));
  assert_string_equal(s.trouble.text, "--over a.b: it is given as an option, too; leave one out");
  sweep_free(&s);
}

/* An argument of two kinds has two names. */
static void an_argument_by_each_name(void **unused) {
  (void)unused;
  for (unsigned i = 0; i < 2; i++) {
    sweep_t s = start_sweep("[\"nsu\"]");
    assert_true(sweep_over(&s, i ? "file.yaml=a,b" : "workload=a,b") && sweep_plan(&s));
    assert_string_equal(s.run[1].key, "run nsu b --set a.b=1");
    sweep_free(&s);
  }
}

/* Nothing to sweep over, and more arguments than the verb has places. */
static void what_cannot_be_swept(void **unused) {
  (void)unused;
  sweep_t s = start_sweep("[\"nsu\", \"vadd\"]");
  assert_false(sweep_plan(&s));
  assert_string_equal(s.trouble.text, "nothing is swept over; --over KEY=VALUES or --seeds N would be right");
  assert_true(sweep_over(&s, "workload=a,b"));
  assert_false(sweep_plan(&s));
  assert_string_equal(
      s.trouble.text,
      "'vadd' is an argument too many: run has SYSTEM WORKLOAD|FILE.yaml, and --over fills their places, too");
  sweep_free(&s);
}

/* 10 and 14 of three seeds: mean 12, deviation sqrt((2^2 + 2^2) / (2 - 1)) = sqrt(8); one run
 * without the metric, one not stable. The other point's three runs were not made. */
static void what_is_said_over_seeds(void **unused) {
  (void)unused;
  static char name[] = "cycles", under[] = "";
  sweep_t s = start_sweep("[\"nsu\", \"vadd\"]");
  s.seeds = 3;
  assert_true(sweep_over(&s, "gpu.sms=4,8") && sweep_plan(&s));
  s.metric[s.metrics++] =
      (sweep_metric_t){.name = name, .over = strdup(name), .under = strdup(under), .unit = "", .text = ""};
  for (int i = 0; i < 3; i++) {
    json_t *result = i < 2 ? json_pack("{s:i, s:b}", "cycles", 10 + 4 * i, "stable", i == 0) : json_object();
    sweep_take(&s, &s.run[i], SWEEP_MADE, result);
    json_decref(result);
  }
  const sweep_spread_t one = sweep_spread(&s, 0, 0), none = sweep_spread(&s, 1, 0);
  assert_true(one.mean == 12 && one.least == 10 && one.most == 14);
  assert_float_equal(one.deviation, sqrt(8), 1e-9);
  assert_int_equal(one.count, 2);
  assert_int_equal(one.unstable, 1);
  assert_true(isnan(none.mean) && !none.count);
  assert_int_equal(sweep_count(&s, SWEEP_NOT_RUN), 3);
  sweep_free(&s);
}

/* Values are numbers for an axis if all of them have the same unit. */
static void numbers_with_units(void **unused) {
  (void)unused;
  char *mhz[] = {"350 MHz", "700 MHz"}, *mixed[] = {"350 MHz", "700"}, *words[] = {"4x2", "8x2"};
  double number[2];
  const char *unit;
  assert_true(sweep_numbers(&(sweep_axis_t){.value = mhz, .values = 2}, number, &unit));
  assert_true(number[1] == 700);
  assert_string_equal(unit, " MHz");
  assert_false(sweep_numbers(&(sweep_axis_t){.value = mixed, .values = 2}, number, &unit));
  assert_false(sweep_numbers(&(sweep_axis_t){.value = words, .values = 2}, number, &unit));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_as_they_are_typed), cmocka_unit_test(runs_of_a_cross_product),
      cmocka_unit_test(an_argument_by_each_name), cmocka_unit_test(what_cannot_be_swept),
      cmocka_unit_test(what_is_said_over_seeds),  cmocka_unit_test(numbers_with_units)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
