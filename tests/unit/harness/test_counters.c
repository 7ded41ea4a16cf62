/* SPDX-License-Identifier: Apache-2.0
 *
 * A part's list of counters, and expressions over a canned result. Each number is worked out by
 * hand.
 */
#include <string.h>

#include "quantity.h"
#include "unit_test.h"

/* Names of the three elements of `by`; the middle one is not to be shown. */
static const char *colour_name(unsigned i) {
  static const char *const names[] = {"red", "?", "blue"};
  return names[i];
}

typedef struct {
  uint64_t first, eaten, by[3], last;
} counts_t;

#define COUNTERS_OF counts_t
#include "counter_list.h"
static const counter_t list[] = {COUNTER(first, "cycles", "") WORK(eaten, "", "") WORK_BY(by, 3, colour_name, "", "")
                                     COUNTER(last, "", ""){0}};

/* A struct of counters is as many numbers in a row as its list says. */
static const uint64_t *as_values(const counts_t *c) {
  return (const uint64_t *)c;
}

/* Work is what WORK entries count: 20 + 300 + 4000 + 50000. A name "?" is not shown. */
static void lists(void **state) {
  (void)state;
  const counts_t one = {1, 20, {300, 4000, 50000}, 600000}, other = {7, 20, {300, 4000, 50000}, 7};
  counts_t sum = one;
  assert_ptr_equal(counters_find(list, "by"), &list[2]);
  assert_null(counters_find(list, "by "));
  assert_int_equal(counters_work(list, as_values(&one)), 54320);
  assert_int_equal(counters_work(list, as_values(&other)), 54320); /* what else is counted is no work */
  counters_add(list, (uint64_t *)&sum, as_values(&one));
  assert_int_equal(sum.first, 2);
  assert_int_equal(sum.by[2], 100000);
  assert_int_equal(sum.last, 1200000);
  json_t *json = counters_json(list, as_values(&one));
  json_t *wanted =
      json_loads("{\"first\": 1, \"eaten\": 20, \"by\": {\"red\": 300, \"blue\": 50000}, \"last\": 600000}", 0, NULL);
  assert_true(json_equal(json, wanted));
  json_decref(json), json_decref(wanted);
}

static const char result[] =
    "{\"cycles\": 12, \"dram\": {\"hits\": 3, \"misses\": 4.5}, \"name\": \"x\", \"parts\": {"
    "\"fast\": {\"part\": \"nsu\", \"count\": 3, \"counters\": {\"instructions\": 100, \"by\": {\"A\": 1, \"B\": 2}}},"
    "\"slow\": {\"part\": \"nsu\", \"count\": 5, \"counters\": {\"instructions\": 11, \"by\": {\"A\": 5, \"B\": 7}}},"
    "\"stack\": {\"part\": \"stack\", \"counters\": {\"reads\": 9}}, \"odd\": {}}}";

/* The expression has this value in the canned result. */
static void expect_quantity(const char *expression, double wanted) {
  char missing[QUANTITY_NAME];
  double value = -1;
  json_t *root = json_loads(result, 0, NULL);
  if (!quantity(expression, root, &value, missing)) fail_msg("%s: no %s", expression, missing);
  if (value != wanted) fail_msg("%s: %g is not %g", expression, value, wanted);
  json_decref(root);
}

/* The expression has no value, because of this name. */
static void expect_missing(const char *expression, const char *name) {
  char missing[QUANTITY_NAME] = "";
  double value;
  json_t *root = json_loads(result, 0, NULL);
  assert_false(quantity(expression, root, &value, missing));
  assert_string_equal(missing, name);
  json_decref(root);
}

/* nsu:instructions is the sum over both parts of that kind, nsu:# counts the instances (3 + 5). */
static void quantities(void **state) {
  (void)state;
  expect_quantity("", 1);
  expect_quantity("cycles", 12);
  expect_quantity("dram.hits + dram.misses + cycles", 19.5);
  expect_quantity("2 * dram.hits + cycles * dram.misses * 10", 546);
  expect_quantity("dram.*", 7.5);
  expect_quantity("nsu:instructions", 111);
  expect_quantity("nsu:by.A", 6);
  expect_quantity("nsu:# * cycles", 96);
  expect_quantity("nsu:by.* + stack:reads * 0.5", 19.5);
}

/* A counter that is not there, is spelt otherwise, is no number or no sum is an error and never
 * 0. */
static void what_is_missing(void **state) {
  (void)state;
  expect_missing("cycle", "cycle");
  expect_missing("cycles + dram.hit", "dram.hit");
  expect_missing("name", "name");
  expect_missing("dram", "dram");
  expect_missing("cycles.more", "cycles.more");
  expect_missing("cycles.*", "cycles.*");
  expect_missing("nsu:instruction", "nsu:instruction");
  expect_missing("nsu:reads", "nsu:reads");
  expect_missing("tpu:reads", "tpu:reads");
  expect_missing("stack:#", "stack:#");
  expect_missing("stack:reads.*", "stack:reads.*");
  expect_missing("2x", "2x");
  expect_missing("cycles cycles", "cycles");
  expect_missing("cycles +", "+");
  expect_missing("* cycles", "*");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lists), cmocka_unit_test(quantities),
                                     cmocka_unit_test(what_is_missing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
