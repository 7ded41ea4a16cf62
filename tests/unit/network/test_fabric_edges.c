/* SPDX-License-Identifier: Apache-2.0
 *
 * The fabric and its engines: several kinds of routers in one fabric, all that were opened
 * are closed again, some are never idle, long ways, memory that others had before. Each
 * test changes the engine of one router of a mesh of fakes.
 */
#include "unit_test.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "fake_router.h"

static topology_t topology;
static routes_t routes;
static const block_engine_t *engines[TOPOLOGY_MAX_ROUTERS];
static trouble_t trouble;
static uint64_t received;

/* Only how many packets came; where and when is test_fabric's affair. */
static void count_received(void *context, const fabric_packet_t *p, uint64_t now) {
  (void)context, (void)p, (void)now;
  received++;
}

/* All routers of the fake, but for number `other`, which
 * is another kind: changed, if that is not NULL. */
static fabric_t *make_fabric(const char *spec, unsigned other, void (*change)(block_engine_t *e)) {
  static fabric_config_t c;
  static block_engine_t changed;
  if (!topology_parse(&topology, spec, &trouble) || !routes_new(&routes, &topology, &trouble))
    fail_msg("%s", trouble.text);
  received = 0;
  c = (fabric_config_t){.topology = &topology,
                        .routes = &routes,
                        .engine = engines,
                        .receive = count_received,
                        .router = fabric_router_params(&topology, router_params_default())};
  fake_router_setup(&topology, &c.router);
  changed = fake_router_engine;
  if (change) change(&changed);
  for (unsigned r = 0; r < topology.routers; r++) engines[r] = change && r == other ? &changed : &fake_router_engine;
  *trouble.text = 0;
  return fabric_new(&c, &trouble);
}

/* Also without a fabric: the topology and routes are there all the same. */
static void drop_fabric(fabric_t *f) {
  fabric_free(f);
  routes_free(&routes);
  topology_free(&topology);
}

/* ---- Engines --------------------------------------------------------------------------------- */

/* The layout with `err` one word further, and without `err`. */
static int place_apart(const void *context, const char *port) {
  return fake_router_engine.place(context, port) + !strcmp(port, "err");
}
static int place_without(const void *context, const char *port) {
  return strcmp(port, "err") ? fake_router_engine.place(context, port) : -1;
}

/* Changes of an engine that make_fabric() makes at one router. */
static void rename_engine(block_engine_t *e) {
  e->name = "same";
}
static void move_err_port(block_engine_t *e) {
  e->place = place_apart;
}
static void remove_err_port(block_engine_t *e) {
  e->place = place_without;
}

/* Engines with one layout go together. An engine with a port in another
 * place, or without one of the ports, is refused at whichever router it is. */
static void test_layouts(void **state) {
  (void)state;
  for (unsigned r = 0; r < 6; r++) {
    fabric_t *f = make_fabric("mesh:3x2", r, rename_engine); /* another engine of one layout */
    if (!f) fail_msg("%s", trouble.text);
    drop_fabric(f);
    assert_null(make_fabric("mesh:3x2", r, move_err_port));
    assert_string_equal(trouble.text, "routers of different layouts");
    drop_fabric(NULL);
    assert_null(make_fabric("mesh:3x2", r, remove_err_port));
    assert_string_equal(trouble.text, "a router with other ports");
    drop_fabric(NULL);
  }
}

static unsigned closed;
static void count_close(void *state) {
  (void)state;
  closed++;
}
static void count_closes(block_engine_t *e) {
  e->close = count_close;
}

/* The fabric closes an engine that can be closed, at whichever router it is. */
static void test_closed(void **state) {
  (void)state;
  closed = 0;
  for (unsigned r = 0; r < 4; r++) {
    drop_fabric(make_fabric("mesh:2x2", r, count_closes));
    assert_int_equal(closed, r + 1);
  }
}

/* An engine need not say when it is idle. */
static void remove_idle(block_engine_t *e) {
  e->idle = NULL;
}

/* A router that does not say when it is idle is stepped in every cycle, and does the same. */
static void test_never_idle(void **state) {
  (void)state;
  unsigned cycles[5];
  for (unsigned r = 0; r < 5; r++) { /* 4: none */
    fabric_t *f = make_fabric("mesh:4x1", r, remove_idle);
    if (!f) fail_msg("%s", trouble.text);
    fabric_send(f, 0, &(fabric_packet_t){.dest = 3, .flits = 1, .vc = FABRIC_ANY_VC});
    for (cycles[r] = 0; !received; cycles[r]++) {
      assert_true(cycles[r] < 1000);
      fabric_cycle(f);
    }
    drop_fabric(f);
  }
  for (unsigned r = 0; r < 4; r++) assert_int_equal(cycles[r], cycles[4]);
}

/* ---- Packets --------------------------------------------------------------------------------- */

/* A packet on a way of 32 routers is not stuck as long as it moves. */
static void test_long_way(void **state) {
  (void)state;
  fabric_t *f = make_fabric("mesh:32x1", 0, NULL);
  if (!f) fail_msg("%s", trouble.text);
  fabric_send(f, 0, &(fabric_packet_t){.dest = 31, .flits = 1, .vc = FABRIC_ANY_VC});
  for (unsigned t = 0; !received; t++) {
    assert_true(t < 1000);
    fabric_cycle(f);
    if (fabric_stuck(f, 20)) fail_msg("stuck in cycle %u, last moved in %u", t, (unsigned)fabric_stats(f).last_move);
  }
  drop_fabric(f);
}

/* What the memory had before that the fabric gets says nothing of packets. */
static void test_used_memory(void **state) {
  (void)state;
  static char text[8192];
  assert_true(mallopt(M_PERTURB, 0x5a));
  fabric_t *f = make_fabric("mesh:4x1", 0, NULL);
  if (!f) fail_msg("%s", trouble.text);
  for (unsigned i = 0; i < 3; i++) fabric_send(f, i, &(fabric_packet_t){.dest = 3, .flits = 1, .vc = FABRIC_ANY_VC});
  for (unsigned t = 0; t < 8; t++) fabric_cycle(f);
  assert_true(fabric_describe_waits(f, text, sizeof text) < sizeof text);
  unsigned lines = 0;
  for (const char *at = text; (at = strstr(at, "packet ")); at++) lines++;
  assert_int_equal(lines, fabric_in_flight(f));
  assert_int_equal(lines, 3);
  drop_fabric(f);
  mallopt(M_PERTURB, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_layouts), cmocka_unit_test(test_closed),
                                     cmocka_unit_test(test_never_idle), cmocka_unit_test(test_long_way),
                                     cmocka_unit_test(test_used_memory)};
  return cmocka_run_group_tests_name("fabric_edges", tests, NULL, NULL);
}
