/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets of any kind over a fabric: nothing is lost, each packet leaves where its user
 * says, none is overtaken, queues and sinks have their ends. On topologies of each form,
 * and with 256 terminals.
 */
#include "packet_net.h"

#include <stdlib.h>
#include <string.h>

#include "router_models.h"
#include "unit_test.h"

enum { MOST = 256, CLASSES = 2, VCS = 2, SOURCE = 3, MAX_FLITS = 5 };

typedef struct {
  uint16_t from, to, flits;
  uint8_t cls;
  uint32_t number;
} load_t;

typedef struct {
  topology_t topology;
  routes_t routes;
  packet_net_t *net;
  uint64_t seed, now, sent, came;
  uint32_t *pushed, *popped; /* [CLASSES][from][to] */
} bed_t;

/* The user's side: where a packet leaves, and how long it is. */
static unsigned exit_of(const void *context, const void *payload) {
  (void)context;
  return ((const load_t *)payload)->to;
}

/* The load's length; the class asked for is its own. */
static unsigned flits_of(const void *context, const void *payload, unsigned cls) {
  (void)context;
  assert_int_equal(((const load_t *)payload)->cls, cls);
  return ((const load_t *)payload)->flits;
}

/* A packet comes where it was sent, over as many routers as its route has. */
static void check_arrival(void *context, const void *payload, unsigned terminal, unsigned cls, unsigned routers) {
  const bed_t *b = context;
  const load_t *p = payload;
  assert_true(p->to == terminal && p->cls == cls);
  assert_int_equal(routers, routes_hops(&b->routes, &b->topology, p->from, p->to));
}

/* Classes share one network, or have a subnet
 * each. Sources hold 3 packets, sinks 8 flits. */
static void make_net_with(bed_t *b, const char *spec, unsigned subnets, unsigned depth) {
  trouble_t trouble = {0};
  memset(b, 0, sizeof *b);
  b->seed = 7;
  if (!topology_parse(&b->topology, spec, &trouble)) fail_msg("%s", trouble.text);
  if (!routes_new(&b->routes, &b->topology, &trouble)) fail_msg("%s", trouble.text);
  router_params_t p = router_params_default();
  p.Classes = CLASSES / subnets, p.NumVCs = p.Classes * VCS, p.Depth = depth, p.KeepVC = 1;
  p = fabric_router_params(&b->topology, p);
  const packet_net_config_t config = {.topology = &b->topology,
                                      .router = p,
                                      .subnets = subnets,
                                      .engine = router_models(p),
                                      .source_packets = SOURCE,
                                      .sink_flits = 8,
                                      .ordered = true,
                                      .exit = exit_of,
                                      .flits = flits_of,
                                      .arrived = check_arrival,
                                      .context = b};
  b->net = packet_net_new(&config, &trouble);
  if (!b->net) fail_msg("%s", trouble.text);
  const size_t pairs = (size_t)CLASSES * b->topology.terminals * b->topology.terminals;
  b->pushed = calloc(pairs, sizeof *b->pushed);
  b->popped = calloc(pairs, sizeof *b->popped);
  assert_true(b->pushed && b->popped);
}

/* One subnet, buffers of four flits. */
static void make_net(bed_t *b, const char *spec) {
  make_net_with(b, spec, 1, 4);
}

static void free_net(bed_t *b) {
  for (unsigned s = 0; s < packet_net_subnets(b->net); s++)
    if (fabric_fault(packet_net_fabric(b->net, s))) fail_msg("%s", fabric_fault(packet_net_fabric(b->net, s))->text);
  packet_net_free(b->net);
  routes_free(&b->routes);
  topology_free(&b->topology);
  free(b->pushed);
  free(b->popped);
}

/* The count of a packet's class, sender and receiver. */
static uint32_t *count_of(const bed_t *b, uint32_t *counts, const load_t *p) {
  return &counts[((size_t)p->cls * b->topology.terminals + p->from) * b->topology.terminals + p->to];
}

/* A packet of 1 to 5 flits, with the next number of its class, sender and receiver. */
static void push_packet(bed_t *b, unsigned from, unsigned to, unsigned cls) {
  load_t *p = malloc(sizeof *p);
  assert_non_null(p);
  *p = (load_t){.from = (uint16_t)from,
                .to = (uint16_t)to,
                .flits = (uint16_t)(1 + test_random(&b->seed) % MAX_FLITS),
                .cls = (uint8_t)cls};
  p->number = (*count_of(b, b->pushed, p))++;
  packet_net_push(b->net, from, cls, from + to, p);
  b->sent++;
}

/* The next packet there, if there is one: it is
 * the next of its class, sender and receiver. */
static bool pop_packet(bed_t *b, unsigned to, unsigned cls) {
  const load_t *front = packet_net_front(b->net, to, cls);
  load_t *p = packet_net_pop(b->net, to, cls);
  assert_ptr_equal(p, front);
  if (!p) return false;
  assert_true(p->to == to && p->cls == cls);
  assert_int_equal(p->number, (*count_of(b, b->popped, p))++);
  b->came++;
  free(p);
  return true;
}

static void tick_net(bed_t *b) {
  packet_net_tick(b->net, b->now++);
}

/* Random traffic for a while, then until all has come. */
static void check_traffic_over(const char *spec, unsigned terminals, unsigned cycles, unsigned subnets) {
  bed_t b;
  make_net_with(&b, spec, subnets, 4);
  assert_int_equal(b.topology.terminals, terminals);
  assert_true(packet_net_idle(b.net) && !packet_net_held(b.net));
  for (; b.now < cycles || packet_net_held(b.net); tick_net(&b)) {
    if (b.now > 50 * cycles) fail_msg("%s: no end", spec);
    for (unsigned t = 0; t < terminals; t++)
      for (unsigned cls = 0; cls < CLASSES; cls++) {
        if (b.now >= cycles || test_random(&b.seed) % 2) pop_packet(&b, t, cls);
        if (b.now < cycles && test_random(&b.seed) % 16 == 0 && packet_net_can_push(b.net, t, cls))
          push_packet(&b, t, (unsigned)(test_random(&b.seed) % terminals), cls);
      }
  }
  assert_true(b.sent == b.came && b.came > terminals);
  free_net(&b);
}

static void check_traffic(const char *spec, unsigned terminals, unsigned cycles) {
  check_traffic_over(spec, terminals, cycles, 1);
}

/* Spec, terminals, cycles. */
static void each_form_of_topology(void **state) {
  (void)state;
  check_traffic("mesh:4x3", 12, 500);
  check_traffic("hypercube:4", 16, 500);
  check_traffic("full:9", 9, 500);
  check_traffic("ring:7", 7, 500);
  check_traffic("torus:2x3", 6, 500); /* parallel links */
  check_traffic("tree", 16, 500);
  check_traffic("tree:3x2", 10, 500);
  check_traffic(LOCKSTACK_SOURCE_DIR "/harness/systems/network/examples/dumbbell.yaml", 8, 500);
}

/* 256 terminals are the most. */
static void many_terminals(void **state) {
  (void)state;
  check_traffic("mesh:16x16", MOST, 300);
}

/* Two classes with a network each. */
static void two_subnets(void **state) {
  (void)state;
  check_traffic_over("mesh:4x3", 12, 500, 2);
  check_traffic_over("tree", 16, 500, 2);
}

/* Each class has links of its own: what both send between
 * two terminals takes as long as what one sends. */
static void subnets_do_not_share(void **state) {
  (void)state;
  uint64_t took[2][2]; /* [both][subnets - 1] */
  for (unsigned both = 0; both < 2; both++)
    for (unsigned subnets = 1; subnets <= 2; subnets++) {
      bed_t b;
      unsigned left[CLASSES] = {200, both ? 200 : 0};
      make_net_with(&b, "mesh:2x1", subnets, 16);
      b.seed = 9;
      for (; left[0] || left[1] || packet_net_held(b.net); tick_net(&b))
        for (unsigned cls = 0; cls < CLASSES; cls++) {
          pop_packet(&b, 1, cls);
          if (left[cls] && packet_net_can_push(b.net, 0, cls)) push_packet(&b, 0, 1, cls), left[cls]--;
        }
      took[both][subnets - 1] = b.now;
      free_net(&b);
    }
  /* in one network both classes together take at least a fifth longer; in two hardly */
  assert_true(took[1][0] > took[0][0] * 12 / 10 && took[1][1] < took[0][1] * 105 / 100);
}

/* What nobody pops fills its sink, the routers and at
 * last the queue of who sends. The other class goes on. */
static void classes_are_apart(void **state) {
  (void)state;
  bed_t b;
  make_net(&b, "mesh:3x1");
  for (unsigned i = 0; i < 2000; i++, tick_net(&b))
    if (packet_net_can_push(b.net, 0, 0)) push_packet(&b, 0, 2, 0);
  assert_false(packet_net_can_push(b.net, 0, 0));
  assert_int_equal(packet_net_waiting(b.net, 0, 0), SOURCE);
  assert_true(packet_net_there(b.net, 2, 0) > 0 && !packet_net_there(b.net, 2, 1));
  push_packet(&b, 0, 2, 1);
  for (unsigned i = 0; i < 200; i++) tick_net(&b);
  assert_true(pop_packet(&b, 2, 1));
  assert_false(pop_packet(&b, 2, 1));
  for (; packet_net_held(b.net); tick_net(&b)) pop_packet(&b, 2, 0);
  assert_int_equal(b.came, b.sent);
  free_net(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_form_of_topology), cmocka_unit_test(many_terminals),
                                     cmocka_unit_test(two_subnets), cmocka_unit_test(subnets_do_not_share),
                                     cmocka_unit_test(classes_are_apart)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
