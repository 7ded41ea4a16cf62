/* SPDX-License-Identifier: Apache-2.0
 *
 * Energy of a canned result. Each expected figure is worked out by hand from the energies of
 * harness/systems/energy/energy.def, whose factors stand next to the sums.
 */
#include "unit_test.h"

#include <math.h>
#include <string.h>

#include "energy.h"

/* The two agree to a billionth of what is expected. */
static void assert_near(double got, double wanted) {
  if (fabs(got - wanted) > 1e-9 * fabs(wanted)) fail_msg("%.12g should be %.12g", got, wanted);
}

/* The energy of a result with this text, which must have one. */
static json_t *energy(const char *text) {
  json_t *result = json_loads(text, 0, NULL);
  assert_non_null(result);
  trouble_t trouble;
  json_t *e = energy_of(result, &trouble);
  if (!e) fail_msg("%s", trouble.text);
  json_decref(result);
  return e;
}

/* The nanojoules of one component. */
static double nj(const json_t *e, const char *component) {
  return json_number_value(json_object_get(json_object_get(json_object_get(e, "components"), component), "nj"));
}

#define PART(name, kind, counters) "\"" name "\": {\"part\": \"" kind "\", \"counters\": {" counters "}}"
#define SETTINGS_BEGIN \
  "\"settings\": {\"l2\": {\"bytes\": 2000}, \"nsu\": {\"lanes\": 4}, \"network\": {\"flit_bytes\": 16}"
#define SETTINGS SETTINGS_BEGIN "}"
#define PARTS(...) "{" SETTINGS ", \"parts\": {" __VA_ARGS__ "}}"

/* Each component of the MPU's: count times energy of each event, and their total. */
static void mpu_by_hand(void **state) {
  (void)state;
  /* clang-format off */
  json_t *e = energy(PARTS(
      PART("mpu", "mpu", "\"thread_instructions\": 1000, \"near_instructions\": 30, \"far_instructions\": 10,"
           "\"register_moves\": {\"to_far\": 3, \"to_near\": 2}, \"shared_accesses\": 10, \"tsv_beats_down\": "
           "{\"RD\": 60, \"WR\": 10},"
           "\"tsv_beats_up\": {\"CPL\": 30}, \"dram_reads\": 7, \"dram_writes\": 3, \"activates\": 2,"
           "\"refreshes\": 1") ","
      PART("mesh", "mesh", "\"link_flits\": {\"on_chip\": 5, \"between_processors\": 1}")));
  /* clang-format on */
  assert_near(nj(e, "alu"), 4.6);
  assert_near(nj(e, "register"), 4.8 + 1.6596 + 0.4); /* 120 x 40 pJ, 40 x 41.49 pJ, 10 x 40 pJ */
  assert_near(nj(e, "dram"), 1.5 + 1.08 + 1.13);      /* 10 x 0.15 nJ, 2 x (0.27 + 0.27) nJ, 1.13 nJ */
  assert_near(nj(e, "shared"), 0.222);
  assert_near(nj(e, "lsu_ext"), 0.3967);
  assert_near(nj(e, "tsv"), 28.992);             /* 6400 bits x 4.53 pJ */
  assert_near(nj(e, "network"), 0.9216 + 1.152); /* 1280 bits x 0.72 pJ, 256 bits x 4.5 pJ */
  assert_near(json_number_value(json_object_get(e, "total_nj")), 46.8539);
  assert_near(json_number_value(json_object_get(json_object_get(json_object_get(e, "components"), "alu"), "share")),
              4.6 / 46.8539);
  assert_string_equal(json_string_value(json_object_get(e, "left_out")),
                      "leakage, clocks, instruction fetch and decode");
  json_decref(e);
}

#define STACK(name, misses, conflicts, reads, writes, slots)                                   \
  PART(name, "stack",                                                                          \
       "\"row_misses\": " misses ", \"row_conflicts\": " conflicts ", \"read_bursts\": " reads \
       ", \"write_bursts\": " writes ", \"link_slots\": 7, \"idle_slots\": " slots)
#define GPU                                                                                                          \
  PART("gpu", "gpu",                                                                                                 \
       "\"sent_bytes\": {\"a\": 10, \"b\": 20}, \"got_bytes\": {\"c\": 70}, \"warp_instructions\": 10, "             \
       "\"thread_instructions\": 300, \"matrix_work\": 500,"                                                         \
       "\"lines_accessed\": 8, \"target_looks\": 1, \"rdf_l1_hits\": 1, \"rdf_l2_hits\": 2, \"rdf_memory\": 3, "     \
       "\"l1_misses\": 6,"                                                                                           \
       "\"l2_hits\": 1, \"l2_misses\": 4,"                                                                           \
       "\"l2_merges\": 1, \"xbar_up_bytes\": 100, \"xbar_down_bytes\": 25, \"sent_packets\": {\"RDF\": 6, \"WTA\": " \
       "4}, \"outside_bytes\": 100,"                                                                                 \
       "\"link_bytes\": 100")                                                                                        \
  ","
#define NETWORK(slots)   \
  PART("net", "network", \
       "\"link_flits\": 10, \"node_flits\": 0, \"node_slots\": 0, \"stack_flits\": 10, \"stack_slots\": " slots)
#define NSUS "\"near\": {\"part\": \"nsu\", \"count\": 8, \"counters\": {\"instructions\": 5}},"
#define MACHINE(...) "{\"time_ns\": 1000, \"cores\": 64, " SETTINGS ", \"parts\": {" __VA_ARGS__ "}}"

/* The GPU's components. Two parts of one kind give the sum of both. */
static void gpu_by_hand(void **state) {
  (void)state;
  static const char *const same[] = {
      MACHINE(GPU NETWORK("900") "," STACK("stack", "2", "1", "3", "1", "50")),
      MACHINE(GPU NETWORK("0") "," STACK("one", "2", "0", "1", "1", "20") "," STACK("two", "0", "1", "2", "0", "30"))};
  for (unsigned i = 0; i < 2; i++) {
    json_t *e = energy(same[i]);
    assert_near(nj(e, "sm"), 0.134 + 7.5 + 1.0);    /* 10 x 13.4 pJ, 300 x 25 pJ, 500 x 2 pJ */
    assert_near(nj(e, "registers"), 1.764 + 1.124); /* 20 x 88.2 pJ, 10 x 112.4 pJ */
    assert_near(nj(e, "l1"), 1.119 + 0.9186);       /* 15 x 74.6 pJ, 6 x 153.1 pJ */
    assert_near(nj(e, "l2"), 1.4828 + 1.312);       /* 11 x 134.8 pJ, 4 x 328 pJ */
    assert_near(nj(e, "wires"), 2.02);              /* 1000 bits x 2.02 pJ */
    assert_near(nj(e, "static"), 64000 + 1.254);    /* 1 us x 64 W, 2000 bytes x 1000 ns x 0.627 fJ */
    assert_near(nj(e, "gpu_links"), 1.6);           /* 800 bits x 2 pJ */
    assert_near(nj(e, "idle_links"), 9.6 - 1.2);    /* 6400 bits x 1.5 pJ, without 800; the network's are off */
    assert_near(nj(e, "memory_network"), 2.56);     /* 1280 bits x 2 pJ */
    assert_near(nj(e, "dram"), 35.4 + 8.192);       /* 3 x 11.8 nJ, 2048 bits x 4 pJ */
    json_decref(e);
  }
}

/* The energies that the system names count. A kind without any there has the usual ones, and so
 * has a system with an unknown name. */
static void whose_energies(void **state) {
  (void)state;
#define SETTINGS_OF(name) SETTINGS_BEGIN ", \"system\": {\"energy\": \"" name "\"}}"
#define OF(name, ...) "{\"time_ns\": 1000, \"cores\": 80, " SETTINGS_OF(name) ", \"parts\": {" __VA_ARGS__ "}}"
  json_t *e = energy(OF("v100", GPU NETWORK("900") "," STACK("stack", "2", "1", "3", "1", "50")));
  assert_near(nj(e, "sm"), 5.19 + 0.86);       /* 300 x 17.3 pJ, 500 x 1.72 pJ */
  assert_near(nj(e, "l1"), 0.844 + 1.299);     /* 8 x 105.5 pJ, 6 x 216.5 pJ */
  assert_near(nj(e, "l2"), 0.7008 + 1.136);    /* 6 x 116.8 pJ, 4 x 284 pJ */
  assert_near(nj(e, "wires"), 2.3);            /* 1000 bits x 2.3 pJ */
  assert_near(nj(e, "static"), 80000 + 1.254); /* 1 us x 80 W, 2000 bytes x 1000 ns x 0.627 fJ */
  assert_near(nj(e, "dram"), 8.02816);         /* 2048 bits x 3.92 pJ */
  assert_null(json_object_get(json_object_get(e, "components"), "registers"));
  assert_null(json_object_get(json_object_get(e, "components"), "idle_links"));
  assert_string_equal(json_string_value(json_object_get(e, "left_out")),
                      "shared memory, arbiters; DRAM's refresh and background; more activates than are usual");
  json_decref(e);
  e = energy(OF("v100", PART("mesh", "mesh", "\"link_flits\": {\"on_chip\": 5, \"between_processors\": 1}")));
  assert_near(nj(e, "network"), 0.9216 + 1.152);
  json_decref(e);
  e = energy(OF("papers", GPU NETWORK("900") "," STACK("stack", "2", "1", "3", "1", "50")));
  assert_near(nj(e, "sm"), 0.134 + 7.5 + 1.0);
  json_decref(e);
}

/* Eight NSUs with five instructions on four lanes. */
static void nsus_by_hand(void **state) {
  (void)state;
  json_t *e = energy(MACHINE(GPU NSUS NETWORK("900") "," STACK("stack", "0", "0", "0", "0", "50")));
  /* 160 x 25, 5 x 13.4, 10 x 113.4, 5 x 262.7, 20 x 117.8 pJ */
  assert_near(nj(e, "nsu"), 4 + 0.067 + 1.134 + 1.3135 + 2.356);
  assert_near(nj(e, "static"), 64001.254 + 1096 + 1000); /* 8 x 1 us x 137 mW; 8 x 4 x 1 us x 31.25 mW */
  assert_near(nj(e, "idle_links"), 8.4 + 172.8 - 1.92);  /* 115,200 bits x 1.5 pJ, without 1280 */
  json_decref(e);
}

/* Events add up to the total, each is its count times its energy, and each has a source. Over 20
 * events, so that the sum is one of several parts. */
static void the_sum_of_events_is_the_total(void **state) {
  (void)state;
  json_t *e = energy(MACHINE(GPU NSUS NETWORK("77") "," STACK("stack", "5", "0", "9", "0", "70"))), *one;
  double sum = 0;
  size_t i;
  json_array_foreach(json_object_get(e, "events"), i, one) {
    sum += json_number_value(json_object_get(one, "nj"));
    assert_near(json_number_value(json_object_get(one, "count")) * json_number_value(json_object_get(one, "pj")) / 1000,
                json_number_value(json_object_get(one, "nj")));
    assert_true(*json_string_value(json_object_get(one, "source")) &&
                *json_string_value(json_object_get(one, "known")));
  }
  assert_true(i > 20);
  assert_near(sum, json_number_value(json_object_get(e, "total_nj")));
  json_decref(e);
}

/* A system of parts without energies has none, and printing that is harmless. */
static void no_figures_no_energy(void **state) {
  (void)state;
  json_t *e = energy(PARTS(PART("tom", "tom", ""))), *none = energy("{}");
  assert_true(json_is_null(e) && json_is_null(none));
  energy_print(stderr, e);
  json_decref(e), json_decref(none);
}

/* Shares of nothing are 0, not NaN. */
static void an_empty_run_has_shares(void **state) {
  (void)state;
  json_t *e = energy(PARTS(PART("net", "network", "\"link_flits\": 0, \"node_flits\": 0, \"node_slots\": 0")));
  assert_true(json_number_value(json_object_get(e, "total_nj")) == 0);
  assert_true(json_number_value(
                  json_object_get(json_object_get(json_object_get(e, "components"), "memory_network"), "share")) == 0);
  json_decref(e);
}

/* Flits of 16 bytes, 128 bits: 10 are sent at 2 pJ a bit, and 30 of 40 slots are idle at 1.5 pJ
 * a bit. */
static void links_between_nodes(void **state) {
  (void)state;
  json_t *e = energy(PARTS(PART("net", "network", "\"link_flits\": 10, \"node_flits\": 10, \"node_slots\": 40")));
  assert_near(nj(e, "memory_network"), 10 * 128 * 2e-3);
  assert_near(nj(e, "idle_links"), 30 * 128 * 1.5e-3);
  json_decref(e);
}

/* The result lacks this counter, and the message names the line of energy.def that needs it. */
static void expect_missing_counter(const char *text, const char *kind, const char *counter) {
  char wanted[128];
  trouble_t trouble;
  json_t *result = json_loads(text, 0, NULL);
  assert_null(energy_of(result, &trouble));
  snprintf(wanted, sizeof wanted, ": a run of %s has no counter '%s'", kind, counter);
  if (strncmp(trouble.text, "harness/systems/energy/energy.def:", 26) || !strstr(trouble.text, wanted))
    fail_msg("'%s'", trouble.text);
  json_decref(result);
}

/* A counter that is not there, is spelt otherwise, or is no number: never an energy of 0. */
static void a_missing_counter_is_an_error(void **state) {
  (void)state;
  expect_missing_counter(PARTS(PART("gpu", "gpu", "")), "gpu", "gpu:warp_instructions");
  expect_missing_counter(PARTS(PART("mpu", "mpu", "\"thread_instructions\": 3, \"near_instructions\": {}")), "mpu",
                         "mpu:near_instructions");
  expect_missing_counter(PARTS(PART("net", "network", "\"link_flit\": 1")), "network", "network:link_flits");
  expect_missing_counter(PARTS(STACK("stack", "\"7\"", "1", "1", "1", "1")), "stack", "stack:row_misses");
}

/* An event of an unknown kind of part or counter is refused before anything is simulated. */
static void a_wrong_event_is_seen_at_load(void **state) {
  (void)state;
  static const energy_event_t events[] = {{7, "network", "c", "e", "network:link_flits", 1, 1, ASSUMED, "ours"},
                                          {8, "network", "c", "e", "network:link_flit", 1, 1, ASSUMED, "ours"},
                                          {9, "netwrok", "c", "e", "netwrok:link_flits", 1, 1, ASSUMED, "ours"}};
  trouble_t trouble;
  json_t *result = json_loads(PARTS(PART("network", "network", "\"link_flits\": 0")), 0, NULL);
  assert_true(energy_check_events(events, 1, result, &trouble));
  assert_false(energy_check_events(events, 3, result, &trouble));
  assert_string_equal(trouble.text,
                      "harness/systems/energy/energy.def:8: a run of network has no counter 'network:link_flit'");
  assert_false(energy_check_events(events + 2, 1, result, &trouble));
  assert_string_equal(trouble.text, "harness/systems/energy/energy.def:9: there is no kind of part 'netwrok'");
  assert_false(energy_check(result, &trouble)); /* it is not a result of all kinds */
  json_decref(result);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mpu_by_hand),
                                     cmocka_unit_test(gpu_by_hand),
                                     cmocka_unit_test(whose_energies),
                                     cmocka_unit_test(nsus_by_hand),
                                     cmocka_unit_test(the_sum_of_events_is_the_total),
                                     cmocka_unit_test(no_figures_no_energy),
                                     cmocka_unit_test(an_empty_run_has_shares),
                                     cmocka_unit_test(links_between_nodes),
                                     cmocka_unit_test(a_missing_counter_is_an_error),
                                     cmocka_unit_test(a_wrong_event_is_seen_at_load)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
