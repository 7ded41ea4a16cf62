/* SPDX-License-Identifier: Apache-2.0
 *
 * Energy of a canned result: every expected figure is worked out by hand.
 */
#include "unit_test.h"

#include <math.h>
#include <string.h>

#include "energy.h"

static void near_to(double got, double wanted) {
  if (fabs(got - wanted) > 1e-9 * fabs(wanted)) fail_msg("%.12g should be %.12g", got, wanted);
}

static json_t *energy(const char *text) {
  json_t *result = json_loads(text, 0, NULL);
  assert_non_null(result);
  char error[256];
  json_t *e = energy_of(result, error, sizeof error);
  if (!e) fail_msg("%s", error);
  json_decref(result);
  return e;
}

static double nj(const json_t *e, const char *component) {
  return json_number_value(json_object_get(json_object_get(json_object_get(e, "components"), component), "nj"));
}

static void mpu_by_hand(void **state) {
  (void)state;
  json_t *e =
      energy("{\"machine\": \"mpu\", \"thread_instructions\": 1000, \"near_instructions\": 30, \"far_instructions\": 10,"
             "\"register_moves\": {\"to_far\": 3, \"to_near\": 2}, \"shared_accesses\": 10, \"tsv\": {\"beats\": 100},"
             "\"dram\": {\"reads\": 7, \"writes\": 3, \"activates\": 2, \"refreshes\": 1},"
             "\"network\": {\"link_flits_on_chip\": 5, \"link_flits_between_processors\": 1}}");
  near_to(nj(e, "alu"), 4.6);
  near_to(nj(e, "register"), 4.8 + 1.6596 + 0.4); /* 120 x 40 pJ, 40 x 41.49 pJ, 10 x 40 pJ */
  near_to(nj(e, "dram"), 1.5 + 1.08 + 1.13);      /* 10 x 0.15 nJ, 2 x (0.27 + 0.27) nJ, 1.13 nJ */
  near_to(nj(e, "shared"), 0.222);
  near_to(nj(e, "lsu_ext"), 0.3967);
  near_to(nj(e, "tsv"), 28.992);             /* 6400 bits x 4.53 pJ */
  near_to(nj(e, "network"), 0.9216 + 1.152); /* 1280 bits x 0.72 pJ, 256 bits x 4.5 pJ */
  near_to(json_number_value(json_object_get(e, "total_nj")), 46.8539);
  near_to(json_number_value(json_object_get(json_object_get(json_object_get(e, "components"), "alu"), "share")),
          4.6 / 46.8539);
  json_decref(e);
}

static void nsu_by_hand(void **state) {
  (void)state;
  json_t *e = energy("{\"machine\": \"gpu\", \"traffic_bytes\": {\"gpu_to_memory\": {\"a\": 10, \"b\": 20}, "
                     "\"memory_to_gpu\": {\"c\": 70},"
                     "\"memory_network\": {\"a\": 50}}, \"network_link_flits\": 10, \"dram\": {\"row_misses\": 2, "
                     "\"row_conflicts\": 1, \"read_bursts\": 3, \"write_bursts\": 1}}");
  near_to(nj(e, "gpu_links"), 1.6);       /* 800 bits x 2 pJ */
  near_to(nj(e, "memory_network"), 2.56); /* 1280 bits x 2 pJ */
  near_to(nj(e, "dram"), 35.4 + 8.192);   /* 3 x 11.8 nJ, 2048 bits x 4 pJ */
  near_to(json_number_value(json_object_get(e, "total_nj")), 47.752);
  json_decref(e);
}

static void the_sum_of_events_is_the_total(void **state) {
  (void)state;
  json_t *e = energy("{\"machine\": \"gpu\", \"traffic_bytes\": {\"gpu_to_memory\": {\"a\": 3}, \"memory_to_gpu\": {}}, \"network_link_flits\": 0,"
                     "\"dram\": {\"row_misses\": 5, \"row_conflicts\": 0, \"read_bursts\": 9, \"write_bursts\": 0}}"), *one;
  double sum = 0;
  size_t i;
  json_array_foreach(json_object_get(e, "events"), i, one) {
    sum += json_number_value(json_object_get(one, "nj"));
    near_to(json_number_value(json_object_get(one, "count")) * json_number_value(json_object_get(one, "pj")) / 1000,
            json_number_value(json_object_get(one, "nj")));
    assert_true(*json_string_value(json_object_get(one, "source")));
  }
  assert_int_equal(i, 4);
  near_to(sum, json_number_value(json_object_get(e, "total_nj")));
  json_decref(e);
}

static void no_figures_no_energy(void **state) {
  (void)state;
  json_t *e = energy("{\"machine\": \"tom\"}"), *none = energy("{}");
  assert_true(json_is_null(e) && json_is_null(none));
  energy_print(stderr, e);
  json_decref(e), json_decref(none);
}

static void an_empty_run_has_shares(void **state) {
  (void)state;
  json_t *e =
      energy("{\"machine\": \"mpu\", \"thread_instructions\": 0, \"near_instructions\": 0, \"far_instructions\": 0,"
             "\"register_moves\": {\"to_far\": 0, \"to_near\": 0}, \"shared_accesses\": 0, \"tsv\": {\"beats\": 0},"
             "\"dram\": {\"reads\": 0, \"writes\": 0, \"activates\": 0, \"refreshes\": 0},"
             "\"network\": {\"link_flits_on_chip\": 0, \"link_flits_between_processors\": 0}}");
  assert_true(json_number_value(json_object_get(e, "total_nj")) == 0);
  assert_true(json_number_value(json_object_get(json_object_get(json_object_get(e, "components"), "tsv"), "share")) ==
              0);
  json_decref(e);
}

static void refused(const char *text, const char *counter) {
  char error[256] = "", wanted[128];
  json_t *result = json_loads(text, 0, NULL);
  assert_null(energy_of(result, error, sizeof error));
  snprintf(wanted, sizeof wanted, ": a run of gpu has no counter '%s'", counter);
  if (strncmp(error, "harness/energy/energy.def:", 26) || !strstr(error, wanted)) fail_msg("'%s'", error);
  json_decref(result);
}

/* A counter that is not there, is spelt otherwise, or is no number: never an energy of 0. */
static void a_missing_counter_is_an_error(void **state) {
  (void)state;
  refused("{\"machine\": \"gpu\"}", "traffic_bytes.gpu_to_memory.*");
  refused("{\"machine\": \"gpu\", \"traffic_bytes\": {\"gpu_to_memory\": {}, \"memory_to_gpu\": 3}}", "traffic_bytes.memory_to_gpu.*");
  refused("{\"machine\": \"gpu\", \"traffic_bytes\": {\"gpu_to_memory\": {}, \"memory_to_gpu\": {}}, \"network_link_flit\": 1}", "network_link_flits");
  refused("{\"machine\": \"gpu\", \"traffic_bytes\": {\"gpu_to_memory\": {}, \"memory_to_gpu\": {}}, \"network_link_flits\": 1, \"dram\": {"
          "\"row_misses\": \"7\"}}", "dram.row_misses");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mpu_by_hand), cmocka_unit_test(nsu_by_hand),
                                     cmocka_unit_test(the_sum_of_events_is_the_total),
                                     cmocka_unit_test(no_figures_no_energy), cmocka_unit_test(an_empty_run_has_shares),
                                     cmocka_unit_test(a_missing_counter_is_an_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
