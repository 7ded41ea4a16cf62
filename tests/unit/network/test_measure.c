/* SPDX-License-Identifier: Apache-2.0
 *
 * Measurement: exact histograms; steady state of a network of fake routers; overload, an early end,
 * a wrong flit and a deadlock are seen.
 */
#include "unit_test.h"

#include <math.h>
#include <string.h>

#include "fake_router.h"
#include "measure.h"

/* Quantiles and mean of 1 to 1000, by hand. A histogram that was freed is empty. */
static void histograms(void **state) {
  (void)state;
  histogram_t h = {0};
  assert_true(histogram_mean(&h) == 0);
  assert_int_equal(histogram_quantile(&h, 0.5), 0);
  for (unsigned i = 1; i <= 1000; i++) assert_true(histogram_add(&h, i));
  assert_true(fabs(histogram_mean(&h) - 500.5) < 1e-9);
  assert_int_equal(histogram_quantile(&h, 0.5), 500);
  assert_int_equal(histogram_quantile(&h, 0.99), 990);
  assert_int_equal(histogram_quantile(&h, 1), 1000);
  assert_int_equal(histogram_quantile(&h, 0), 1);
  assert_int_equal(h.max, 1000);
  assert_true(histogram_add(&h, 0));
  assert_int_equal(histogram_quantile(&h, 0), 0);
  histogram_free(&h);
  assert_true(histogram_add(&h, 7));
  assert_int_equal(histogram_quantile(&h, 0.99), 7);
  histogram_free(&h);
}

/* One measurement with all that it needs, and its result. */
typedef struct rig {
  topology_t t;
  routes_t routes;
  traffic_t *traffic;
  measure_t *measure;
  fabric_t *f;
  bool good; /* measure_run */
  trouble_t trouble;
  measure_result_t result;
} rig_t;

/* Measures a network of fakes. Router 0 has a fault, if it is not FAKE_SOUND. */
static void run_measurement(rig_t *rig, const char *spec, double rate, measure_config_t config, unsigned sink_flits,
                            fake_fault_t fault) {
  static const block_engine_t *engine[64];
  trouble_t trouble = {0};
  router_params_t p = router_params_default();
  for (unsigned i = 0; i < 64; i++) engine[i] = &fake_router_engine;
  *rig = (rig_t){0};
  assert_true(topology_parse(&rig->t, spec, &trouble));
  assert_true(routes_new(&rig->routes, &rig->t, &trouble));
  p = fabric_router_params(&rig->t, p);
  fake_router_setup(&rig->t, &p);
  rig->traffic = traffic_new(
      &(traffic_config_t){.rate = rate, .flits_least = 1, .flits_most = 1, .classes = 1, .divergent = 0.5, .seed = 3},
      &rig->t, &rig->routes, &trouble);
  rig->measure = measure_new(&config, rig->traffic, rig->t.terminals);
  rig->f = fabric_new(&(fabric_config_t){.topology = &rig->t,
                                         .routes = &rig->routes,
                                         .router = p,
                                         .engine = engine,
                                         .sink_flits = sink_flits,
                                         .receive = measure_receive,
                                         .context = rig->measure},
                      &trouble);
  if (!rig->f) fail_msg("%s", trouble.text);
  fake_router_break(fabric_state(rig->f, 0), fault);
  rig->good = measure_run(rig->measure, rig->f, &rig->result, &rig->trouble);
}

static void free_rig(rig_t *rig) {
  measure_result_free(&rig->result);
  fabric_free(rig->f);
  measure_free(rig->measure);
  traffic_free(rig->traffic);
  routes_free(&rig->routes);
  topology_free(&rig->t);
}

/* The group of packets that are measured apart. */
static bool to_itself(void *context, unsigned source, unsigned dest) {
  (void)context;
  return source == dest;
}

/* Hardly loaded, a packet takes 7 + 5 * (routers - 1) cycles. Of 8 nodes 2.5 routers are
 * the mean, so 14.5 cycles. Packets to oneself make an eighth and take 7 at the least. */
static void steady(void **state) {
  (void)state;
  rig_t rig;
  run_measurement(&rig, "hypercube:3", 0.02, (measure_config_t){.critical = to_itself}, 0, FAKE_SOUND);
  const measure_result_t *r = &rig.result;
  assert_true(rig.good);
  assert_true(r->stable);
  assert_true(fabs(histogram_mean(&r->latency[MEASURE_ALL]) - 14.5) < 0.3);
  assert_int_equal(histogram_quantile(&r->latency[MEASURE_CRITICAL], 0.1), 7);
  assert_true(fabs((double)r->latency[MEASURE_CRITICAL].packets / (double)r->latency[MEASURE_ALL].packets - 1.0 / 8) <
              0.02);
  assert_int_equal(r->latency[MEASURE_ALL].packets,
                   r->latency[MEASURE_DIVERGENT].packets + r->latency[MEASURE_NONDIVERGENT].packets);
  assert_int_equal(r->latency[MEASURE_ALL].sum,
                   r->latency[MEASURE_DIVERGENT].sum + r->latency[MEASURE_NONDIVERGENT].sum);
  assert_true(fabs(r->accepted - r->offered) < 0.001);
  assert_true(r->half_width <= 0.006 * histogram_mean(&r->latency[MEASURE_ALL]));
  assert_true(fabs(r->hops - 2.5) < 0.1);
  free_rig(&rig);
}

/* What is asked for is measured: every packet generated in those cycles, no other. */
static void fixed_cycles(void **state) {
  (void)state;
  rig_t rig;
  run_measurement(&rig, "mesh:2x2", 1e-3, (measure_config_t){.cycles = 5000, .warmup = 7000}, 0, FAKE_SOUND);
  assert_int_equal(rig.result.measured, 5000);
  assert_true(rig.result.warmup >= 7000);
  assert_true(fabs(rig.result.offered * 4 * 5000 - (double)rig.result.latency[MEASURE_ALL].packets) < 0.5);
  free_rig(&rig);
  run_measurement(&rig, "mesh:2x2", 0.1, (measure_config_t){.cycles = 100}, 0, FAKE_SOUND);
  assert_int_equal(rig.result.measured, 100);
  free_rig(&rig);
}

/* More traffic than a mesh carries is not stable, and less is accepted than offered. */
static void overload(void **state) {
  (void)state;
  rig_t rig;
  run_measurement(&rig, "mesh:4x4", 1, (measure_config_t){0}, 0, FAKE_SOUND);
  assert_true(rig.good);
  assert_false(rig.result.stable);
  assert_true(rig.result.accepted < 0.9 && rig.result.offered > 0.999);
  free_rig(&rig);
  /* A long run in which source queues are full does not look
   * stable either, nor one that is only just too much. */
  run_measurement(&rig, "mesh:4x4", 1, (measure_config_t){.cycles = 20000, .warmup = 20000}, 0, FAKE_SOUND);
  assert_false(rig.result.stable);
  free_rig(&rig);
}

/* Progress: false ends the measurement. */
static bool stop_at(void *context, uint64_t cycle) {
  (void)context;
  return cycle < 6000;
}

/* The caller ends the measurement in cycle 6000: what was measured so far counts. */
static void progress_can_stop(void **state) {
  (void)state;
  rig_t rig;
  run_measurement(&rig, "mesh:2x2", 0.1, (measure_config_t){.cycles = 50000, .progress = stop_at}, 0, FAKE_SOUND);
  assert_true(rig.good);
  assert_true(rig.result.stopped && !rig.result.stable);
  assert_int_equal(rig.result.cycles, 6000);
  assert_int_equal(rig.result.measured, 6000 - rig.result.warmup);
  assert_true(rig.result.latency[MEASURE_ALL].packets > 0);
  free_rig(&rig);
}

/* A wrong flit ends the measurement; it is no deadlock. */
static void wrong_flit(void **state) {
  (void)state;
  rig_t rig;
  run_measurement(&rig, "mesh:2x2", 0.1, (measure_config_t){0}, 0, FAKE_PAYLOAD);
  assert_false(rig.good);
  assert_false(rig.result.stable || rig.result.deadlock);
  free_rig(&rig);
}

/* Sinks that never make room: everything stops, and the watchdog says so. */
static void deadlock(void **state) {
  (void)state;
  rig_t rig;
  run_measurement(&rig, "mesh:2x2", 0.1, (measure_config_t){0}, 8, FAKE_SOUND);
  assert_false(rig.good);
  assert_true(rig.result.deadlock && !rig.result.stable);
  assert_non_null(strstr(rig.trouble.text, "stuck: nothing has moved"));
  assert_non_null(strstr(rig.result.waits, "packet "));
  free_rig(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(histograms),        cmocka_unit_test(steady),
                                     cmocka_unit_test(fixed_cycles),      cmocka_unit_test(overload),
                                     cmocka_unit_test(progress_can_stop), cmocka_unit_test(wrong_flit),
                                     cmocka_unit_test(deadlock)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
