/* SPDX-License-Identifier: Apache-2.0
 *
 * A part's list of counters, and expressions over a canned result: every number is worked out by
 * hand.
 */
#include <string.h>

#include "quantity.h"
#include "unit_test.h"

static const char *colour(unsigned i) {
  static const char *const names[] = {"red", "?", "blue"};
  return names[i];
}

typedef struct {
  uint64_t first, eaten, by[3], last;
} counts_t;

#define COUNTERS_OF counts_t
#include "counter_list.h"
static const counter_t list[] = {COUNTER(first, "cycles", "") WORK(eaten, "", "") WORK_BY(by, 3, colour, "", "")
                                     COUNTER(last, "", ""){0}};

static const uint64_t *values(const counts_t *c) {
  return (const uint64_t *)c;
}

static void lists(void **state) {
  (void)state;
  const counts_t one = {1, 20, {300, 4000, 50000}, 600000}, other = {7, 20, {300, 4000, 50000}, 7};
  counts_t sum = one;
  assert_ptr_equal(counters_find(list, "by"), &list[2]);
  assert_null(counters_find(list, "by "));
  assert_int_equal(counters_work(list, values(&one)), 54320);
  assert_int_equal(counters_work(list, values(&other)), 54320); /* what else is counted is no work */
  counters_add(list, (uint64_t *)&sum, values(&one));
  assert_int_equal(sum.first, 2);
  assert_int_equal(sum.by[2], 100000);
  assert_int_equal(sum.last, 1200000);
  json_t *json = counters_json(list, values(&one));
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

static void is(const char *expression, double wanted) {
  char missing[QUANTITY_NAME];
  double value = -1;
  json_t *root = json_loads(result, 0, NULL);
  if (!quantity(expression, root, &value, missing)) fail_msg("%s: no %s", expression, missing);
  if (value != wanted) fail_msg("%s: %g is not %g", expression, value, wanted);
  json_decref(root);
}

static void has_no(const char *expression, const char *name) {
  char missing[QUANTITY_NAME] = "";
  double value;
  json_t *root = json_loads(result, 0, NULL);
  assert_false(quantity(expression, root, &value, missing));
  assert_string_equal(missing, name);
  json_decref(root);
}

static void quantities(void **state) {
  (void)state;
  is("", 1);
  is("cycles", 12);
  is("dram.hits + dram.misses + cycles", 19.5);
  is("2 * dram.hits + cycles * dram.misses * 10", 546);
  is("dram.*", 7.5);
  is("nsu:instructions", 111);
  is("nsu:by.A", 6);
  is("nsu:# * cycles", 96);
  is("nsu:by.* + stack:reads * 0.5", 19.5);
}

/* What is not there, is spelt otherwise, is no number or no sum: never 0. */
static void what_is_missing(void **state) {
  (void)state;
  has_no("cycle", "cycle");
  has_no("cycles + dram.hit", "dram.hit");
  has_no("name", "name");
  has_no("dram", "dram");
  has_no("cycles.more", "cycles.more");
  has_no("cycles.*", "cycles.*");
  has_no("nsu:instruction", "nsu:instruction");
  has_no("nsu:reads", "nsu:reads");
  has_no("tpu:reads", "tpu:reads");
  has_no("stack:#", "stack:#");
  has_no("stack:reads.*", "stack:reads.*");
  has_no("2x", "2x");
  has_no("cycles cycles", "cycles");
  has_no("cycles +", "+");
  has_no("* cycles", "*");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lists), cmocka_unit_test(quantities),
                                     cmocka_unit_test(what_is_missing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
