/* SPDX-License-Identifier: Apache-2.0
 *
 * Networks of real routers: the zero-load laws of both pipelines, BookSim2's figures for a mesh,
 * every policy carries its traffic, and what computes a router makes no difference.
 */
#include "unit_test.h"

#include <math.h>
#include <string.h>

#include "fabric.h"
#include "router_engine.h"

/* A network of real routers with all that it needs, and what came out of it. */
typedef struct rig {
  topology_t t;
  routes_t routes;
  router_params_t p;
  engines_t *engines;
  fabric_t *f;
  uint64_t warm, measured, latency, signature, when;
} rig_t;

/* The signature is a sum over packets: it shows
 * what came when, and not who was visited first. */
static void note_received(void *context, const fabric_packet_t *p, uint64_t now) {
  rig_t *rig = context;
  uint64_t hash = (p->source * 1024u + p->dest) * 31u + now * 1009 + p->vc;
  rig->signature += test_random(&hash);
  rig->when = now;
  if (p->born < rig->warm) return;
  rig->measured++;
  rig->latency += now - p->born;
}

static bool backwards; /* of networks that start now */

/* `engine` has one for each router; NULL: the model everywhere. */
static void open_network(rig_t *rig, const char *spec, router_params_t p, const engine_t *engine) {
  static const engine_t models[TOPOLOGY_MAX_ROUTERS]; /* all ENGINE_MODEL */
  static const places_t places = {LOCKSTACK_SOURCE_DIR, LOCKSTACK_BINARY_DIR "/dut"};
  trouble_t trouble = {0};
  memset(rig, 0, sizeof *rig);
  if (!topology_parse(&rig->t, spec, &trouble) || !routes_new(&rig->routes, &rig->t, &trouble))
    fail_msg("%s", trouble.text);
  rig->p = fabric_router_params(&rig->t, p);
  engines_config_t config = {.places = &places, .engine = engine ? engine : models, .count = rig->t.routers};
  if (!router_engine_config(&config, &rig->p, &trouble)) fail_msg("%s", trouble.text);
  if (!engines_open(&rig->engines, &config, &trouble)) fail_msg("%s", trouble.text);
  rig->f = fabric_new(&(fabric_config_t){.topology = &rig->t,
                                         .routes = &rig->routes,
                                         .engine = engines_table(rig->engines),
                                         .router = rig->p,
                                         .receive = note_received,
                                         .context = rig,
                                         .backwards = backwards},
                      &trouble);
  if (!rig->f) fail_msg("%s", trouble.text);
}

static void close_network(rig_t *rig) {
  if (fabric_fault(rig->f)) fail_msg("%s", fabric_fault(rig->f)->text);
  fabric_free(rig->f);
  engines_close(rig->engines);
  routes_free(&rig->routes);
  topology_free(&rig->t);
}

/* Every pair alone, packets of one and of three flits: `first` cycles for one
 * router, `further` for each further one, one for each flit behind the head. */
static void check_law(const char *spec, long lookahead, long spec_switch, unsigned first, unsigned further) {
  rig_t rig;
  router_params_t p = router_params_default();
  p.Lookahead = lookahead, p.Spec = spec_switch;
  open_network(&rig, spec, p, NULL);
  for (unsigned i = 0; i < rig.t.terminals * rig.t.terminals; i++) {
    unsigned s = i / rig.t.terminals, d = i % rig.t.terminals, flits = 1 + 2 * (i % 2);
    uint64_t born = fabric_now(rig.f) + i % 3;
    fabric_send(rig.f, s,
                &(fabric_packet_t){.born = born, .dest = (uint16_t)d, .flits = (uint16_t)flits, .vc = FABRIC_ANY_VC});
    fabric_skip(rig.f, born);
    while (fabric_stats(rig.f).received <= i) fabric_cycle(rig.f);
    assert_int_equal(rig.when - born, first + further * (routes_hops(&rig.routes, &rig.t, s, d) - 1) + flits - 1);
    while (!fabric_idle(rig.f)) fabric_cycle(rig.f);
  }
  close_network(&rig);
}

/* 7 cycles, and 5 for each further router. Lookahead
 * saves one of each, a speculative switch another. */
static void zero_load(void **state) {
  (void)state;
  static const char *const specs[] = {"mesh:4x3", "hypercube:3", "tree", "torus:5x3"};
  for (unsigned i = 0; i < 4; i++) {
    check_law(specs[i], 0, 0, 7, 5);
    check_law(specs[i], 1, 1, 5, 3);
    check_law(specs[i], 1, 0, 6, 4);
    check_law(specs[i], 0, 1, 6, 4);
  }
}

/* Uniform traffic of 1 to `flits` flits, so many packets a
 * terminal and cycle. Packets of the first tenth are not measured. */
static void drive_uniform(rig_t *rig, double rate, uint64_t cycles, unsigned flits) {
  uint64_t seed = 1;
  unsigned classes = (unsigned)rig->p.Classes;
  rig->warm = cycles / 10;
  for (uint64_t c = 0; c < cycles; c++) {
    for (unsigned s = 0; s < rig->t.terminals; s++) {
      if ((double)(test_random(&seed) >> 11) * 0x1p-53 >= rate) continue;
      uint64_t any = test_random(&seed);
      fabric_send(rig->f, s,
                  &(fabric_packet_t){.born = c,
                                     .dest = (uint16_t)(any % rig->t.terminals),
                                     .flits = (uint16_t)(1 + any / 1024 % flits),
                                     .cls = (uint8_t)(any >> 40) % classes,
                                     .div = any >> 50 & 1,
                                     .vc = FABRIC_ANY_VC});
    }
    fabric_cycle(rig->f);
  }
}

/* Until everything that was sent has come. */
static void drain_network(rig_t *rig) {
  for (uint64_t c = 0; fabric_stats(rig->f).received < fabric_stats(rig->f).sent; c++) {
    if (c > 200000 || fabric_fault(rig->f))
      fail_msg("%s", fabric_fault(rig->f) ? fabric_fault(rig->f)->text : "packets are missing");
    fabric_cycle(rig->f);
  }
}

/* BookSim2's figures for an 8x8 mesh, within 2 %. */
static void mesh_reference(void **state) {
  (void)state;
  static const double figures[][2] = {{0.01, 33.41}, {0.1, 34.19}, {0.2, 37.01}};
  for (unsigned i = 0; i < 3; i++) {
    rig_t rig;
    open_network(&rig, "mesh:8x8", router_params_default(), NULL);
    drive_uniform(&rig, figures[i][0], 10000, 1);
    double mean = (double)rig.latency / (double)rig.measured;
    if (fabs(mean - figures[i][1]) > 0.02 * figures[i][1]) fail_msg("%.2f should be %.2f", mean, figures[i][1]);
    close_network(&rig);
  }
}

/* Every policy carries all packets, and the order in which routers are visited is not seen. */
static void each_policy_carries_all(void **state) {
  (void)state;
  static const struct {
    long crit, tr, width, dist, vcs, classes, keep, spec;
  } p[] = {{0, 0, 0, 0, 4, 2, 0, 0}, {1, 0, 0, 0, 2, 1, 0, 0}, {1, 1, 0, 0, 2, 1, 0, 1},
           {1, 1, 1, 0, 4, 2, 0, 0}, {0, 0, 0, 1, 2, 2, 0, 1}, {0, 0, 0, 0, 2, 1, 1, 0}};
  for (unsigned i = 0; i < sizeof p / sizeof *p; i++) {
    rig_t rig;
    router_params_t params = router_params_default();
    params.Crit = p[i].crit, params.Tr = p[i].tr, params.Width = p[i].width, params.Dist = p[i].dist,
    params.Spec = p[i].spec;
    params.NumVCs = p[i].vcs, params.Classes = p[i].classes, params.KeepVC = p[i].keep, params.EpochCycles = 500,
    params.Penalty = 20;
    params.OutDepth = 4 * params.Width;
    params.FlitBits = 128;
    uint64_t signature = 0;
    for (unsigned k = 0; k < 2; k++) {
      backwards = k;
      open_network(&rig, i % 2 ? "tree:3x2" : "mesh:3x3", params, NULL);
      drive_uniform(&rig, 0.1, 5000, 4);
      drain_network(&rig);
      if (k) assert_int_equal(rig.signature, signature);
      signature = rig.signature;
      close_network(&rig);
    }
    backwards = false;
  }
}

/* All routers of one engine, for each of the three engines, and then all three
 * mixed: the same packets come in the same cycles. The parameters are those of
 * the default build; a terminal more or less would need another object. */
static void engines_agree(void **state) {
  (void)state;
  rig_t rig;
  uint64_t signature = 0;
  for (unsigned i = 0; i < 4; i++) {
    engine_t engine[64];
    for (unsigned r = 0; r < 64; r++) engine[r] = (engine_t)(i < 3 ? i : r % 3);
    open_network(&rig, "mesh:8x8", router_params_default(), engine);
    drive_uniform(&rig, 0.15, 600, 3);
    drain_network(&rig);
    engines_settle(rig.engines);
    assert_int_equal(engines_divergences(rig.engines), 0);
    for (unsigned r = 0; r < 64; r++) {
      engines_report_t report;
      engines_report(rig.engines, r, &report);
      assert_int_equal(report.engine, engine[r]);
      assert_int_equal(report.compared > 0, engine[r] == ENGINE_LOCKSTEP);
      if (report.compared) assert_true(report.compared >= 600 + 56); /* at least the routes that are not port 0 */
    }
    if (i) assert_int_equal(rig.signature, signature);
    signature = rig.signature;
    close_network(&rig);
  }
}

/* A parameter out of range is refused with its name and range. */
static void bad_parameters(void **state) {
  (void)state;
  trouble_t trouble = {0};
  engines_config_t config = {0};
  router_params_t p = router_params_default();
  p.Depth = 65;
  assert_false(router_engine_config(&config, &p, &trouble));
  assert_string_equal(trouble.text, "router: Depth is 65; it should be 1 to 64");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(zero_load), cmocka_unit_test(mesh_reference),
                                     cmocka_unit_test(each_policy_carries_all), cmocka_unit_test(engines_agree),
                                     cmocka_unit_test(bad_parameters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
