/* SPDX-License-Identifier: Apache-2.0
 *
 * The fabric with routers that are not the real ones: a fake of the same contract, five cycles from
 * wire to wire. What is tested is the fabric's own: wires, latencies, credits, sleep, order of
 * visits, checks at the sinks, the watchdog. Long file: its tests share one rig.
 */
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_router.h"

/* A fabric of fakes with all that it needs, and what came out of it. */
typedef struct rig {
  topology_t t;
  routes_t routes;
  const block_engine_t *engine[TOPOLOGY_MAX_ROUTERS];
  fabric_config_t config;
  fabric_t *f;
  uint64_t received, latency, signature; /* signature: of what came when, whatever the order within a cycle */
  fabric_packet_t last;
  uint64_t when;
} rig_t;

/* The signature is a sum over packets: it shows what came when, and not
 * who was visited first. A sink with an end has room again at once. */
static void note_received(void *context, const fabric_packet_t *p, uint64_t now) {
  rig_t *rig = context;
  uint64_t hash = (p->tag * 31 + p->source) * 31 + p->dest + now * 1009 + p->vc;
  rig->received++;
  rig->latency += now - p->born;
  rig->signature += test_random(&hash);
  rig->last = *p;
  rig->when = now;
  if (rig->config.sink_flits) fabric_release(rig->f, p->dest, p->vc, p->flits);
}

/* The rig's topology and routes are there; this adds routers with these parameters. */
static void open_fabric(rig_t *rig, router_params_t p) {
  trouble_t trouble = {0};
  rig->received = rig->latency = rig->signature = 0;
  rig->config.topology = &rig->t, rig->config.routes = &rig->routes, rig->config.engine = rig->engine;
  rig->config.receive = note_received, rig->config.context = rig;
  rig->config.router = fabric_router_params(&rig->t, p);
  fake_router_setup(&rig->t, &rig->config.router);
  for (unsigned r = 0; r < rig->t.routers; r++) rig->engine[r] = &fake_router_engine;
  rig->f = fabric_new(&rig->config, &trouble);
  if (!rig->f) fail_msg("%s", trouble.text);
}

/* A topology with its routes; from its text. */
static rig_t rig_on(topology_t t) {
  trouble_t trouble = {0};
  rig_t rig = {.t = t};
  assert_true(routes_new(&rig.routes, &rig.t, &trouble));
  return rig;
}

static rig_t rig_from_spec(const char *spec) {
  topology_t t;
  trouble_t trouble = {0};
  if (!topology_parse(&t, spec, &trouble)) fail_msg("%s", trouble.text);
  return rig_on(t);
}

static void close_fabric(rig_t *rig) {
  if (fabric_fault(rig->f)) fail_msg("%s", fabric_fault(rig->f)->text);
  fabric_free(rig->f);
  routes_free(&rig->routes);
  topology_free(&rig->t);
}

/* Until everything that was sent has come, at most so many cycles. */
static void run_until_empty(rig_t *rig, uint64_t cycles) {
  uint64_t end = fabric_now(rig->f) + cycles;
  while (fabric_stats(rig->f).received < fabric_stats(rig->f).sent && !fabric_fault(rig->f)) {
    assert_true(fabric_now(rig->f) < end);
    fabric_cycle(rig->f);
  }
}

/* A packet that is born now; its tag says where it goes. */
static fabric_packet_t packet_to(const rig_t *rig, unsigned dest, unsigned flits) {
  return (fabric_packet_t){.tag = dest + 7,
                           .born = fabric_now(rig->f),
                           .dest = (uint16_t)dest,
                           .flits = (uint16_t)flits,
                           .vc = FABRIC_ANY_VC};
}

/* 7 + (4 + latency) a further router, one more for each
 * flit behind the head; also after a jump in time. */
static void zero_load(void **state) {
  (void)state;
  for (unsigned latency = 1; latency <= 60; latency = latency < 3 ? latency + 1 : latency + 19) {
    trouble_t trouble = {0};
    topology_t t;
    assert_true(topology_hypercube(&t, 3, 1, latency, &trouble));
    rig_t rig = rig_on(t);
    router_params_t p = router_params_default();
    p.FlitBits = 256;
    open_fabric(&rig, p);
    for (unsigned s = 0; s < 8; s++) {
      for (unsigned d = 0; d < 8; d++) {
        fabric_packet_t one = packet_to(&rig, d, 1 + d);
        uint64_t born = fabric_now(rig.f) + s * 1000 + d, sent = rig.received;
        fabric_send(rig.f, s, &one); /* in that cycle, as nothing moves before */
        fabric_skip(rig.f, born);
        run_until_empty(&rig, 1000);
        assert_int_equal(rig.received, sent + 1);
        assert_int_equal(rig.when - born, 7 + (4 + latency) * (unsigned)__builtin_popcount(s ^ d) + d);
        assert_int_equal(rig.last.tag, d + 7);
        assert_int_equal(rig.last.source, s);
        assert_int_equal(rig.last.hops, 1 + __builtin_popcount(s ^ d));
        while (!fabric_idle(rig.f)) fabric_cycle(rig.f);
      }
    }
    close_fabric(&rig);
  }
}

/* Uniform traffic of 1 to `flits` flits for so many cycles, and then until all has come. */
static void drive_random(rig_t *rig, double rate, unsigned cycles, unsigned flits, unsigned classes) {
  uint64_t seed = 5;
  for (unsigned c = 0; c < cycles; c++) {
    for (unsigned s = 0; s < rig->t.terminals; s++) {
      if ((double)(test_random(&seed) >> 11) * 0x1p-53 >= rate) continue;
      fabric_packet_t p =
          packet_to(rig, (unsigned)(test_random(&seed) % rig->t.terminals), 1 + (unsigned)(test_random(&seed) % flits));
      p.cls = (uint8_t)(test_random(&seed) % classes);
      p.tag = c;
      fabric_send(rig->f, s, &p);
    }
    fabric_cycle(rig->f);
  }
  run_until_empty(rig, 100000);
}

/* Everything arrives, and nothing depends on who is visited first. */
static void order_does_not_matter(void **state) {
  (void)state;
  static const char *const specs[] = {"mesh:4x5", "hypercube:4", "tree", "tree:3x2",
                                      LOCKSTACK_SOURCE_DIR "/harness/systems/network/examples/dumbbell.yaml"};
  for (unsigned i = 0; i < 2 * sizeof specs / sizeof *specs; i++) {
    uint64_t signature = 0, latency = 0;
    for (unsigned backwards = 0; backwards < 2; backwards++) {
      rig_t rig = rig_from_spec(specs[i / 2]);
      router_params_t p = router_params_default();
      p.NumVCs = 4, p.Classes = 2, p.KeepVC = 1;
      rig.config.backwards = backwards;
      rig.config.sink_flits = i % 2 ? 11 : 0;
      open_fabric(&rig, p);
      drive_random(&rig, 0.05, 2000, 6, 2);
      assert_true(rig.received > 500);
      if (backwards) assert_int_equal(rig.signature, signature);
      if (backwards) assert_int_equal(rig.latency, latency);
      signature = rig.signature, latency = rig.latency;
      close_fabric(&rig);
    }
  }
}

/* Routers that no packet passes never step after the first cycle; an epoch wakes all of them. */
static void sleep_costs_nothing(void **state) {
  (void)state;
  rig_t rig = rig_from_spec("mesh:8x8");
  open_fabric(&rig, router_params_default());
  assert_true(fabric_idle(rig.f));
  uint64_t steps = fabric_stats(rig.f).router_steps;
  for (unsigned i = 0; i < 50; i++) fabric_cycle(rig.f);
  assert_int_equal(fabric_stats(rig.f).router_steps, steps);
  fabric_packet_t p = packet_to(&rig, 7, 1);
  fabric_send(rig.f, 0, &p);
  run_until_empty(&rig, 100);
  assert_in_range(fabric_stats(rig.f).router_steps - steps, 8 * 4, 8 * 10); /* eight routers on the way */
  while (!fabric_idle(rig.f)) fabric_cycle(rig.f);
  close_fabric(&rig);

  rig = rig_from_spec("mesh:8x8");
  router_params_t crit = router_params_default();
  crit.Crit = 1, crit.EpochCycles = 100;
  open_fabric(&rig, crit);
  steps = fabric_stats(rig.f).router_steps;
  fabric_skip(rig.f, 1000);
  assert_int_equal(fabric_now(rig.f), 1000);
  /* ten epochs end, and each wakes all 64 routers */
  assert_int_equal(fabric_stats(rig.f).router_steps - steps, 10 * 64);
  for (unsigned r = 0; r < 64; r++) assert_int_equal(fake_router_epochs(fabric_state(rig.f, r)), 10);
  close_fabric(&rig);
}

/* A source sends one flit a cycle as long as its router
 * takes them, and no faster than credits come back. */
static void full_rate(void **state) {
  (void)state;
  rig_t rig = rig_from_spec("mesh:2x1");
  open_fabric(&rig, router_params_default());
  for (unsigned i = 0; i < 500; i++) {
    fabric_packet_t p = packet_to(&rig, 1, 1);
    fabric_send(rig.f, 0, &p);
  }
  assert_int_equal(fabric_waiting(rig.f, 0, 0), 500);
  run_until_empty(&rig, 520);
  /* the first flit takes 7 + 5 cycles, and 499 follow it without a gap */
  assert_int_equal(rig.when, 500 + 7 + 5 - 1);
  assert_int_equal(fabric_port_stats(rig.f, 0, 2).flits, 500);
  assert_int_equal(fabric_port_stats(rig.f, 1, 0).flits, 500);
  assert_int_equal(fabric_stats(rig.f).hops, 1000);
  close_fabric(&rig);
}

/* Sinks with an end hold the network up until there is room; stalls are counted where they are. */
static void sinks_with_an_end(void **state) {
  (void)state;
  rig_t rig = rig_from_spec("mesh:2x1");
  rig.config.sink_flits = 12;
  open_fabric(&rig, router_params_default());
  rig.config.sink_flits = 0; /* receive() does not make room */
  for (unsigned i = 0; i < 40; i++) {
    fabric_packet_t p = packet_to(&rig, 1, 1);
    fabric_send(rig.f, 0, &p);
  }
  for (unsigned i = 0; i < 200; i++) fabric_cycle(rig.f);
  assert_int_equal(rig.received, 24); /* two VCs */
  assert_true(fabric_port_stats(rig.f, 1, 0).stalls > 100);
  assert_true(fabric_stuck(rig.f, 100));
  assert_false(fabric_stuck(rig.f, 1000));
  fabric_release(rig.f, 1, 0, 5);
  fabric_release(rig.f, 1, 1, 3);
  for (unsigned i = 0; i < 200; i++) fabric_cycle(rig.f);
  assert_int_equal(rig.received, 32);
  fabric_release(rig.f, 1, 0, 7), fabric_release(rig.f, 1, 1, 9);
  run_until_empty(&rig, 100);
  fabric_clear_stats(rig.f);
  assert_int_equal(fabric_port_stats(rig.f, 1, 0).stalls, 0);
  close_fabric(&rig);
}

/* ---- each check fires ---- */

/* The fabric's fault says this. Gives the rig back. */
static void expect_fault(rig_t *rig, const char *text) {
  const trouble_t *fault = fabric_fault(rig->f);
  if (!fault || !strstr(fault->text, text)) fail_msg("'%s' should say '%s'", fault ? fault->text : "nothing", text);
  fabric_free(rig->f);
  routes_free(&rig->routes);
  topology_free(&rig->t);
}

/* Four packets pass a broken router in the middle of three. */
static void expect_broken_with(long classes, fake_fault_t fault, const char *text) {
  rig_t rig = rig_from_spec("mesh:3x1");
  router_params_t p = router_params_default();
  p.FlitBits = 128, p.KeepVC = 1, p.Classes = classes;
  open_fabric(&rig, p);
  fake_router_break(fabric_state(rig.f, 1), fault);
  for (unsigned i = 0; i < 4; i++) {
    fabric_packet_t one = packet_to(&rig, 2, 3);
    fabric_send(rig.f, 0, &one);
  }
  for (unsigned i = 0; i < 100; i++) fabric_cycle(rig.f);
  expect_fault(&rig, text);
}

static void expect_broken(fake_fault_t fault, const char *text) {
  expect_broken_with(1, fault, text);
}

/* Each fault of the fake is found, and said with the place where it was found. */
static void wrong_flits(void **state) {
  (void)state;
  expect_broken(FAKE_PAYLOAD, "terminal 2 received a wrong flit: its payload has changed");
  expect_broken(FAKE_UPPER_WORD, "its payload has changed");
  expect_broken(FAKE_TWICE, "it is not the flit that should come next");
  expect_broken(FAKE_HEAD, "its head or tail flag is wrong");
  expect_broken(FAKE_VC, "its packet has changed its VC");
  expect_broken_with(2, FAKE_VC, "its VC is not of its class"); /* one VC a class */
  expect_broken(FAKE_RECORD, "it belongs to no packet");
  expect_broken(FAKE_WAY, "terminal 1 received a wrong flit: it is another terminal's");
  expect_broken(FAKE_OPEN, "a flit left at a port that is not connected");
  expect_broken(FAKE_ERR, "router 1, cycle");
  expect_broken(FAKE_FAILED, "router 1: the fake has failed");
}

/* A packet that no network could carry is refused when it is sent. */
static void wrong_packets(void **state) {
  (void)state;
  static const fabric_packet_t bad[] = {{.dest = 3, .flits = 1},
                                        {.dest = 1, .flits = 0},
                                        {.dest = 1, .flits = 1024},
                                        {.dest = 1, .flits = 1, .cls = 1},
                                        {.dest = 1, .flits = 1, .vc = 2}};
  static const char *const text[] = {"destination", "1 to 1023 flits", "1 to 1023 flits", "class does not exist",
                                     "VC is not of its class"};
  for (unsigned i = 0; i < 5; i++) {
    rig_t rig = rig_from_spec("mesh:3x1");
    open_fabric(&rig, router_params_default());
    fabric_send(rig.f, 0, &bad[i]);
    expect_fault(&rig, text[i]);
  }
}

/* fabric_new() refuses these parameters with this text. */
static void expect_refused(router_params_t p, unsigned sink_flits, const char *text) {
  rig_t rig = rig_from_spec("mesh:3x1");
  trouble_t trouble = {0};
  for (unsigned r = 0; r < 3; r++) rig.engine[r] = &fake_router_engine;
  rig.config = (fabric_config_t){
      .topology = &rig.t, .routes = &rig.routes, .engine = rig.engine, .router = p, .sink_flits = sink_flits};
  assert_null(fabric_new(&rig.config, &trouble));
  if (!strstr(trouble.text, text)) fail_msg("'%s' should say '%s'", trouble.text, text);
  routes_free(&rig.routes);
  topology_free(&rig.t);
}

/* Parameters that are wrong alone, then combinations that do not go together. */
static void wrong_parameters(void **state) {
  (void)state;
  const struct {
    const char *name, *text;
    long value;
  } wrong[] = {{"Ports", "not the topology's", 4},
               {"Depth", "Depth is 0", 0},
               {"NumVCs", "more than 16 VCs|at most 64", 16},
               {"Width", "Width needs Crit", 1},
               {"FlitBits", "multiple of 64", 96}};
  topology_t t;
  trouble_t trouble = {0};
  assert_true(topology_parse(&t, "mesh:3x1", &trouble));
  for (unsigned i = 0; i < 5; i++) {
    router_params_t p = fabric_router_params(&t, router_params_default());
    assert_true(router_params_set(&p, wrong[i].name, wrong[i].value));
    expect_refused(p, 0, i == 2 ? "at most 64" : wrong[i].text);
  }
  router_params_t p = fabric_router_params(&t, router_params_default());
  expect_refused(p, 7, "sink_flits should be at least Depth");
  p.Tr = 1, p.Depth = 2;
  expect_refused(p, 0, "left with none");
  p.Depth = 8, p.KeepVC = 1;
  expect_refused(p, 0, "KeepVC does not go with Tr");
  p.KeepVC = 0, p.Dist = 1;
  expect_refused(p, 0, "Dist goes with neither");
  p.Dist = p.Tr = 0, p.Crit = p.Width = 1;
  expect_refused(p, 0, "Width needs OutDepth");
  p.Width = 0, p.RankNext = 0;
  expect_refused(p, 0, "RankNext should be 1");
  p.RankNext = 1, p.NumVCs = 3, p.Classes = 2;
  expect_refused(p, 0, "multiple of Classes");
  assert_false(router_params_set(&p, "Nothing", 1));
  topology_free(&t);
}

/* README of the router: 4 flits out of the class's VCs, the first VCs give the odd ones. */
static void depths_of_vcs(void **state) {
  (void)state;
  router_params_t p = router_params_default();
  p.NumVCs = 6, p.Classes = 2, p.Tr = 1;
  static const unsigned depth[] = {6, 7, 7, 6, 7, 7, 4, 4}, cls[] = {0, 0, 0, 1, 1, 1, 0, 1};
  assert_int_equal(router_vcs(&p), 8);
  for (unsigned vc = 0; vc < 8; vc++) {
    assert_int_equal(router_vc_depth(&p, vc), depth[vc]);
    assert_int_equal(router_vc_class(&p, vc), cls[vc]);
  }
  char text[200];
  router_params_text(&p, text, sizeof text);
  assert_string_equal(text, "NumVCs=6,Classes=2,Tr=1");
  memset(text, '#', sizeof text);
  router_params_text(&p, text, 10); /* cut, and no byte beyond */
  assert_memory_equal(text, "NumVCs=6,\0#", 11);
  router_params_text(&p, text + 20, 0);
  assert_int_equal(text[20], '#');
  p = router_params_default();
  router_params_text(&p, text, sizeof text);
  assert_string_equal(text, "");
}

static uint64_t flow_next[8][8]; /* tag that is to come, by source and destination */
static bool in_order;            /* what has come was the next each time */

static void expect_flow(void *context, const fabric_packet_t *p, uint64_t now) {
  (void)context, (void)now;
  in_order = in_order && p->tag == flow_next[p->source][p->dest]++;
}

/* A ring whose routes go round: the fabric itself does not ask
 * routes_check, so it deadlocks, and the watchdog names the ring. */
static void deadlock_is_named(void **state) {
  (void)state;
  rig_t rig = rig_from_spec("mesh:2x2");
  static const uint8_t clockwise[4] = {2, 4, 3, 1}; /* 0 -> 1 -> 3 -> 2 -> 0 */
  trouble_t trouble = {0};
  for (unsigned r = 0; r < 4; r++)
    for (unsigned d = 0; d < 4; d++) rig.routes.port[r * 4 + d] = r == d ? 0 : clockwise[r];
  assert_false(routes_check(&rig.routes, &rig.t, &trouble));
  router_params_t p = router_params_default();
  p.NumVCs = 1, p.Depth = 2;
  open_fabric(&rig, p);
  for (unsigned i = 0; i < 200; i++)
    for (unsigned s = 0; s < 4; s++) {
      fabric_packet_t one = packet_to(&rig, 3 - s, 8);
      fabric_send(rig.f, s, &one);
    }
  for (unsigned i = 0; i < 3000; i++) fabric_cycle(rig.f);
  assert_true(fabric_stuck(rig.f, 1000));
  size_t length = fabric_describe_waits(rig.f, trouble.text, sizeof trouble.text);
  assert_true(length == strlen(trouble.text));
  assert_non_null(
      strstr(trouble.text, "channels wait in a cycle: 0 port 2 -> 1 port 4 -> 3 port 1 -> 2 port 3 -> 0 port 2\n"));
  assert_non_null(strstr(trouble.text, "packet of 8 flits, class 0, from terminal 0 to 3: head at router "));
  close_fabric(&rig);
}

/* Tornado: all send as far as the shorter way round goes, long packets, far more than the ring
 * carries. */
static void load_ring(rig_t *rig) {
  const unsigned routers = rig->t.terminals;
  for (unsigned i = 0; i < 100; i++)
    for (unsigned s = 0; s < routers; s++) {
      fabric_packet_t one = packet_to(rig, (s + (routers - 1) / 2) % routers, 8);
      fabric_send(rig->f, s, &one);
    }
}

/* The same load on the same rings: with datelines all of it arrives, and without them the ring
 * deadlocks. */
static void datelines_keep_rings_moving(void **state) {
  (void)state;
  static const char *const specs[] = {"ring:5", "ring:8", "torus:2x7"};
  for (unsigned i = 0; i < 6; i++) {
    rig_t rig = rig_from_spec(specs[i / 2]);
    const bool with = i % 2;
    trouble_t trouble = {0};
    for (unsigned p = 0; !with && p < rig.t.routers * rig.t.ports; p++) rig.t.port[p].dateline = false;
    if (!with) free(rig.routes.datelines), rig.routes.datelines = NULL, rig.routes.vcs = 1;
    router_params_t p = router_params_default();
    p.NumVCs = with ? 2 : 1, p.Depth = with ? 2 : 4; /* as many buffers */
    open_fabric(&rig, p);
    load_ring(&rig);
    for (unsigned c = 0; c < 100000 && fabric_stats(rig.f).received < fabric_stats(rig.f).sent; c++)
      fabric_cycle(rig.f);
    assert_int_equal(fabric_stats(rig.f).received == fabric_stats(rig.f).sent, with);
    assert_int_equal(fabric_stuck(rig.f, 1000), !with);
    fabric_describe_waits(rig.f, trouble.text, sizeof trouble.text);
    assert_int_equal(strstr(trouble.text, "channels wait in a cycle: ") != NULL, !with);
    close_fabric(&rig);
  }
}

/* Too few VCs for the datelines, priority buffers, routers that change VCs, and a packet on a VC
 * from which its way does not go on. */
static void datelines_ask_for_vcs(void **state) {
  (void)state;
  static const struct {
    long vcs, classes, tr, keep;
    const char *says;
  } row[] = {{1, 1, 0, 1, "ways pass up to 1 datelines, so a class needs 2 VCs and has 1: NumVCs of 2 would be right"},
             {2, 2, 0, 1, "ways pass up to 1 datelines, so a class needs 2 VCs and has 1: NumVCs of 4 would be right"},
             {4, 1, 1, 1, "a policy without tr would be right"},
             {2, 1, 0, 0, "router parameters are not the topology's"}};
  rig_t rig = rig_from_spec("ring:6");
  open_fabric(&rig, router_params_default());
  fabric_packet_t one = packet_to(&rig, 5, 1);
  one.vc = 1;
  fabric_send(rig.f, 0, &one); /* from 0 over the dateline to 5 */
  assert_non_null(fabric_fault(rig.f));
  assert_string_equal(fabric_fault(rig.f)->text, "a packet's VC has too few above it for the datelines on its way");
  fabric_free(rig.f);
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    trouble_t trouble = {0};
    router_params_t p = fabric_router_params(&rig.t, router_params_default());
    assert_int_equal(p.KeepVC, 1);
    p.NumVCs = row[i].vcs, p.Classes = row[i].classes, p.Tr = row[i].tr, p.KeepVC = row[i].keep;
    rig.config.router = p;
    assert_null(fabric_new(&rig.config, &trouble));
    assert_int_equal(trouble.kind, TROUBLE_INPUT);
    if (!strstr(trouble.text, row[i].says)) fail_msg("%s", trouble.text);
  }
  routes_free(&rig.routes);
  topology_free(&rig.t);
}

/* ---- parallel links ---- */

/* Uniform traffic over three links of different latencies between two routers of four terminals
 * each: none carries more than a sixth more or less than a third of what goes there. Packets of
 * a flow come in order. */
static void parallel_links_are_even(void **state) {
  (void)state;
  static const char path[] = "test_fabric_parallel.yaml";
  FILE *file = fopen(path, "w");
  fputs("routers: [A, B]\nlinks:\n  - {a: A, b: B}\n  - {a: A, b: B, latency: 30}\n  - {a: B, b: A, latency: 9}\n"
        "terminals:\n  - {router: A, count: 4}\n  - {router: B, count: 4}\n",
        file);
  fclose(file);
  rig_t rig = rig_from_spec(path);
  router_params_t p = router_params_default();
  p.NumVCs = 1, p.Depth = 64;
  open_fabric(&rig, p);
  rig.config.receive = expect_flow;
  fabric_free(rig.f);
  trouble_t trouble = {0};
  rig.f = fabric_new(&rig.config, &trouble);
  memset(flow_next, 0, sizeof flow_next);
  in_order = true;
  uint64_t sent[8][8] = {{0}}, seed = 3;
  for (unsigned c = 0; c < 20000; c++) {
    const unsigned s = (unsigned)(test_random(&seed) % 8), d = (unsigned)(test_random(&seed) % 8);
    fabric_packet_t one = packet_to(&rig, d, 1);
    one.tag = sent[s][d]++;
    fabric_send(rig.f, s, &one);
    fabric_cycle(rig.f);
  }
  run_until_empty(&rig, 1000);
  assert_true(in_order);
  for (unsigned r = 0; r < 2; r++) {
    uint64_t flits[3], sum = 0;
    for (unsigned l = 0; l < 3; l++) sum += flits[l] = fabric_port_stats(rig.f, r, 4 + l).flits;
    assert_true(sum > 4500);
    for (unsigned l = 0; l < 3; l++)
      if (18 * flits[l] < 5 * sum || 18 * flits[l] > 7 * sum)
        fail_msg("router %u, link %u: %u of %u flits", r, l, (unsigned)flits[l], (unsigned)sum);
  }
  close_fabric(&rig);
}

/* ---- sources ---- */

/* On VC 0, so that packets keep their order. */
static void send_tagged(rig_t *rig, unsigned source, unsigned dest, unsigned flits, uint64_t tag) {
  fabric_packet_t p = packet_to(rig, dest, flits);
  p.tag = tag;
  p.vc = 0;
  fabric_send(rig->f, source, &p);
}

/* The tag that has to come next. */
static uint64_t next_tag;
/* Receives packets that have to come in the order of their tags. */
static void expect_next(void *context, const fabric_packet_t *p, uint64_t now) {
  (void)context, (void)now;
  in_order = in_order && p->tag == next_tag;
  next_tag++;
}

/* A queue that grows while its first packets have gone:
 * tags come in the order in which they were sent. */
static void queue_keeps_order(void **state) {
  (void)state;
  rig_t rig = rig_from_spec("mesh:2x1");
  open_fabric(&rig, router_params_default());
  fabric_free(rig.f);
  rig.config.receive = expect_next;
  trouble_t trouble = {0};
  rig.f = fabric_new(&rig.config, &trouble);
  next_tag = 0, in_order = true;
  uint64_t tag = 0;
  for (unsigned burst = 3; burst < 60; burst += 7) {
    for (unsigned i = 0; i < burst; i++) send_tagged(&rig, 0, 1, 1, tag++);
    for (unsigned i = 0; i < 2; i++) fabric_cycle(rig.f);
  }
  run_until_empty(&rig, 1000);
  assert_true(in_order);
  assert_int_equal(next_tag, tag);
  close_fabric(&rig);
}

/* 512 packets at once on their way: each comes once, to where it was sent. */
static void many_on_their_way(void **state) {
  (void)state;
  rig_t rig = rig_from_spec("mesh:8x8");
  open_fabric(&rig, router_params_default());
  for (unsigned i = 0; i < 8; i++)
    for (unsigned s = 0; s < 64; s++) send_tagged(&rig, s, 63 - s, 1, i * 64 + s);
  uint64_t most = 0;
  while (rig.received < 512 && fabric_now(rig.f) < 1000) {
    fabric_cycle(rig.f);
    if (fabric_in_flight(rig.f) > most) most = fabric_in_flight(rig.f);
  }
  assert_int_equal(rig.received, 512);
  assert_true(most > 300);
  assert_int_equal(fabric_in_flight(rig.f), 0);
  close_fabric(&rig);
}

/* 1023 flits are the most: 7 + 5 cycles for the head, 1022 for the others. */
static void longest_packet(void **state) {
  (void)state;
  rig_t rig = rig_from_spec("mesh:2x1");
  open_fabric(&rig, router_params_default());
  send_tagged(&rig, 0, 1, 1023, 5);
  run_until_empty(&rig, 1100);
  assert_int_equal(rig.last.flits, 1023);
  assert_int_equal(rig.when, 7 + 5 + 1022);
  close_fabric(&rig);
}

/* With priority buffers (VC 2 of 2 normal ones) a packet that is not
 * divergent takes its class's; others the normal ones by turns. */
static void priority_is_for_those_not_divergent(void **state) {
  (void)state;
  rig_t rig = rig_from_spec("mesh:2x1");
  router_params_t p = router_params_default();
  p.NumVCs = 2, p.Tr = 1;
  open_fabric(&rig, p);
  static const unsigned div[] = {0, 1, 1, 0, 1}, vc[] = {2, 0, 1, 2, 0};
  for (unsigned i = 0; i < 5; i++) {
    fabric_packet_t one = packet_to(&rig, 1, 1);
    one.div = (uint8_t)div[i];
    fabric_send(rig.f, 0, &one);
    run_until_empty(&rig, 100);
    assert_int_equal(rig.last.vc, vc[i]);
  }
  close_fabric(&rig);
}

/* ---- time ---- */

/* One VC of one flit: a packet waits for the credit of the one before, which goes the link's way
 * back. So ten cycles more of latency make
 * 20 more from packet to packet, and 10 more for the first. */
static uint64_t last_of_20(unsigned latency) {
  trouble_t trouble = {0};
  topology_t t;
  assert_true(topology_hypercube(&t, 1, 1, latency, &trouble));
  rig_t rig = rig_on(t);
  router_params_t p = router_params_default();
  p.NumVCs = 1, p.Depth = 1;
  open_fabric(&rig, p);
  for (unsigned i = 0; i < 20; i++) send_tagged(&rig, 0, 1, 1, i);
  run_until_empty(&rig, 2000);
  uint64_t when = rig.when;
  close_fabric(&rig);
  return when;
}

/* 19 packets wait for the one before, and the first one
 * comes 10 cycles later. One cycle more is 2 and 1. */
static void credits_take_the_links_time(void **state) {
  (void)state;
  assert_int_equal(last_of_20(11) - last_of_20(1), 19 * 20 + 10);
  assert_int_equal(last_of_20(12) - last_of_20(11), 19 * 2 + 1);
}

/* As long as a packet is anywhere, on a long link too, in even
 * and odd cycles; time that is skipped counts as cycles. */
static void idle_means_nothing_is_there(void **state) {
  (void)state;
  trouble_t trouble = {0};
  topology_t t;
  assert_true(topology_hypercube(&t, 1, 1, 20, &trouble));
  rig_t rig = rig_on(t);
  open_fabric(&rig, router_params_default());
  for (unsigned i = 0; i < 4; i++) {
    uint64_t before = fabric_now(rig.f);
    send_tagged(&rig, i / 2, 1 - i / 2, 1, i);
    while (rig.received == i) {
      assert_false(fabric_idle(rig.f));
      fabric_cycle(rig.f);
      assert_true(fabric_now(rig.f) < before + 40);
    }
    assert_int_equal(rig.when - before, 7 + 4 + 20);
    fabric_skip(rig.f, before + 1001 + i);
    assert_true(fabric_idle(rig.f));
    assert_int_equal(fabric_now(rig.f), before + 1001 + i);
    assert_int_equal(fabric_stats(rig.f).cycles, fabric_now(rig.f));
  }
  close_fabric(&rig);
}

/* The jump takes along what was sent before it, whatever is odd
 * and even: it starts in the cycle that the jump ends with. */
static void jumps_take_along_what_was_sent(void **state) {
  (void)state;
  for (unsigned from = 0; from < 2; from++) {
    for (unsigned by = 3; by < 5; by++) {
      rig_t rig = rig_from_spec("mesh:2x1");
      open_fabric(&rig, router_params_default());
      fabric_skip(rig.f, 10 + from);
      send_tagged(&rig, 0, 1, 1, 1);
      fabric_skip(rig.f, 10 + from + by);
      assert_int_equal(fabric_now(rig.f), 10 + from + by);
      run_until_empty(&rig, 100);
      assert_int_equal(rig.when, 10 + from + by + 7 + 5);
      close_fabric(&rig);
    }
  }
}

/* A pulse in the last cycle of each epoch and in no
 * other: 100 cycles make the first in cycle 99. */
static void epochs_end_on_time(void **state) {
  (void)state;
  rig_t rig = rig_from_spec("mesh:2x1");
  router_params_t p = router_params_default();
  p.Crit = 1, p.EpochCycles = 100;
  open_fabric(&rig, p);
  for (unsigned c = 1; c <= 350; c++) {
    fabric_cycle(rig.f);
    assert_int_equal(fake_router_epochs(fabric_state(rig.f, 0)), c / 100);
    assert_int_equal(fake_router_epochs(fabric_state(rig.f, 1)), c / 100);
  }
  close_fabric(&rig);
}

/* ---- looking at it ---- */

/* The flit leaves three routers five cycles apart; each
 * router's outputs are its own, and each port's count. */
static void outputs_and_counts_are_each_routers_own(void **state) {
  (void)state;
  rig_t rig = rig_from_spec("mesh:3x1");
  open_fabric(&rig, router_params_default());
  uint64_t seen[3] = {0};
  send_tagged(&rig, 0, 2, 1, 1);
  for (unsigned c = 0; c < 30; c++) {
    fabric_cycle(rig.f);
    for (unsigned r = 0; r < 3; r++)
      if (fabric_outputs(rig.f, r)[fabric_layout(rig.f)->out_valid])
        assert_int_equal(seen[r], 0), seen[r] = fabric_now(rig.f);
  }
  assert_true(seen[0] > 0);
  assert_int_equal(seen[1] - seen[0], 5);
  assert_int_equal(seen[2] - seen[1], 5);
  static const unsigned out[] = {2, 2, 0};
  for (unsigned r = 0; r < 3; r++)
    for (unsigned p = 0; p < 5; p++) assert_int_equal(fabric_port_stats(rig.f, r, p).flits, p == out[r]);
  fabric_clear_stats(rig.f);
  for (unsigned r = 0; r < 3; r++)
    for (unsigned p = 0; p < 5; p++) assert_int_equal(fabric_port_stats(rig.f, r, p).flits, 0);
  close_fabric(&rig);
}

/* A sink of 12 flits a VC and a packet of 30: it stands
 * there with 12 of them, and nothing waits in a cycle. */
static void packet_in_a_full_sink_is_described(void **state) {
  (void)state;
  rig_t rig = rig_from_spec("mesh:2x1");
  rig.config.sink_flits = 12;
  open_fabric(&rig, router_params_default());
  rig.config.sink_flits = 0; /* receive() does not make room */
  char text[400] = "before";
  assert_int_equal(fabric_describe_waits(rig.f, text, sizeof text), 0);
  assert_string_equal(text, "");
  send_tagged(&rig, 0, 1, 30, 1);
  for (unsigned i = 0; i < 200; i++) fabric_cycle(rig.f);
  static const char expected[] = "packet from terminal 0 to 1: 12 of 30 flits are there\n";
  assert_int_equal(fabric_describe_waits(rig.f, text, sizeof text), sizeof expected - 1);
  assert_string_equal(text, expected);
  memset(text, '#', sizeof text);
  assert_int_equal(fabric_describe_waits(rig.f, text, 7), sizeof expected - 1); /* as snprintf */
  assert_memory_equal(text, "packet\0#", 8);
  memset(text, '#', sizeof text);
  assert_int_equal(fabric_describe_waits(rig.f, text, 0), sizeof expected - 1);
  assert_int_equal(text[0], '#');
  fabric_release(rig.f, 1, 0, 12);
  for (unsigned i = 0; i < 200; i++) fabric_cycle(rig.f);
  assert_non_null((fabric_describe_waits(rig.f, text, sizeof text), strstr(text, ": 24 of 30 flits are there\n")));
  fabric_release(rig.f, 1, 0, 12);
  run_until_empty(&rig, 100);
  close_fabric(&rig);
}

/* One VC of 8 flits at each of three routers behind a full sink: 24 packets
 * stand, 20 are named. With fewer than 21 there is no such line. */
static void twenty_packets_are_named(void **state) {
  (void)state;
  char text[4000];
  for (unsigned packets = 8 + 20; packets <= 8 + 21; packets++) {
    rig_t rig = rig_from_spec("mesh:3x1");
    rig.config.sink_flits = 8;
    router_params_t p = router_params_default();
    p.NumVCs = 1;
    open_fabric(&rig, p);
    rig.config.sink_flits = 0;
    for (unsigned i = 0; i < packets; i++) send_tagged(&rig, 0, 2, 1, i);
    for (unsigned i = 0; i < 300; i++) fabric_cycle(rig.f);
    assert_int_equal(rig.received, 8);
    assert_int_equal(fabric_in_flight(rig.f), packets - 8);
    size_t length = fabric_describe_waits(rig.f, text, sizeof text);
    unsigned named = 0;
    for (const char *at = text; (at = strstr(at, "packet of 1 flits, class 0, from terminal 0 to 2: head at router "));
         at++)
      named++;
    assert_int_equal(named, 20);
    assert_int_equal(length, strlen(text));
    if (packets == 28) assert_null(strstr(text, "more\n"));
    else assert_string_equal(text + length - 19, "and 1 packets more\n");
    assert_null(strstr(text, "cycle"));
    close_fabric(&rig);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zero_load),
      cmocka_unit_test(order_does_not_matter),
      cmocka_unit_test(sleep_costs_nothing),
      cmocka_unit_test(full_rate),
      cmocka_unit_test(sinks_with_an_end),
      cmocka_unit_test(wrong_flits),
      cmocka_unit_test(wrong_packets),
      cmocka_unit_test(wrong_parameters),
      cmocka_unit_test(depths_of_vcs),
      cmocka_unit_test(deadlock_is_named),
      cmocka_unit_test(datelines_keep_rings_moving),
      cmocka_unit_test(datelines_ask_for_vcs),
      cmocka_unit_test(parallel_links_are_even),
      cmocka_unit_test(queue_keeps_order),
      cmocka_unit_test(many_on_their_way),
      cmocka_unit_test(longest_packet),
      cmocka_unit_test(priority_is_for_those_not_divergent),
      cmocka_unit_test(credits_take_the_links_time),
      cmocka_unit_test(idle_means_nothing_is_there),
      cmocka_unit_test(jumps_take_along_what_was_sent),
      cmocka_unit_test(epochs_end_on_time),
      cmocka_unit_test(outputs_and_counts_are_each_routers_own),
      cmocka_unit_test(packet_in_a_full_sink_is_described),
      cmocka_unit_test(twenty_packets_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
