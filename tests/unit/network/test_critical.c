/* SPDX-License-Identifier: Apache-2.0
 *
 * Critical pairs joined to paths, and the packets that pass one, on the tree of modules
 * and on a mesh. A pair is a router with the link by which packets come and the link for
 * which they wait.
 *
 *           M0 (terminals 0 to 7; Mk has terminal 7 + k)
 *      M1   M2    M3   M4
 *          M5 M6      M7 M8
 */
#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

#include "critical.h"

typedef struct rig {
  topology_t t;
  routes_t routes;
  uint64_t stalls[TOPOLOGY_MAX_ROUTERS * TOPOLOGY_MAX_PORTS];
  critical_paths_t paths;
} rig_t;

static rig_t rig;

/* The rig with a topology and its routes, and no stalls. */
static void parse_topology(const char *spec) {
  trouble_t trouble = {0};
  memset(&rig, 0, sizeof rig);
  assert_true(topology_parse(&rig.t, spec, &trouble));
  assert_true(routes_new(&rig.routes, &rig.t, &trouble));
}

static void free_rig(void) {
  critical_paths_free(&rig.paths);
  routes_free(&rig.routes);
  topology_free(&rig.t);
}

/* The port of a by which it is linked to b. */
static unsigned port_to(unsigned a, unsigned b) {
  for (unsigned p = 0; p < rig.t.ports; p++)
    if (topology_port(&rig.t, a, p)->kind == PORT_LINK && topology_port(&rig.t, a, p)->peer == b) return p;
  fail_msg("no link from %u to %u", a, b);
  return 0;
}

/* At router `at`: packets that come from `from` wait for the link to `to`. */
static critical_pair_t pair_at(unsigned from, unsigned at, unsigned to) {
  return (critical_pair_t){.router = (uint16_t)at, .in = (uint8_t)port_to(at, from), .out = (uint8_t)port_to(at, to)};
}

/* The path of this number as a text. */
static void expect_path(unsigned path, const char *wanted) {
  char text[256];
  assert_true(path < rig.paths.paths);
  assert_string_equal(critical_path_text(&rig.paths, &rig.paths.path[path], &rig.t, text, sizeof text), wanted);
}

/* NUPIM paper: M6 -> M2 -> M0 -> M3, and a lighter way into it. */
static void pairs_join_to_paths(void **state) {
  (void)state;
  parse_topology("tree");
  critical_pair_t p[] = {pair_at(2, 0, 3), pair_at(5, 2, 0), pair_at(6, 2, 0), pair_at(4, 0, 3)};
  rig.stalls[0 * rig.t.ports + port_to(0, 3)] = 100;
  rig.stalls[2 * rig.t.ports + port_to(2, 0)] = 50;
  rig.stalls[6 * rig.t.ports + port_to(6, 2)] = 30;
  assert_true(critical_paths(&rig.paths, &rig.t, p, 4, rig.stalls));
  assert_int_equal(rig.paths.paths, 3);
  assert_int_equal(rig.paths.pairs, 4);
  expect_path(0, "M5 -> M2 -> M0 -> M3"); /* the first that leads on takes the pair behind; 150 */
  expect_path(1, "M4 -> M0 -> M3");
  expect_path(2, "M6 -> M2 -> M0"); /* 80 */
  assert_int_equal(rig.paths.path[0].weight, 150);
  free_rig();
}

/* Two ways on: the one with more stalls. A terminal at the end has its router's name and port. */
static void paths_fork_by_stalls(void **state) {
  (void)state;
  parse_topology("tree");
  critical_pair_t p[] = {
      pair_at(6, 2, 0), pair_at(2, 0, 1), pair_at(2, 0, 4), {.router = 4, .in = (uint8_t)port_to(4, 0), .out = 0}};
  rig.stalls[0 * rig.t.ports + port_to(0, 4)] = 9;
  assert_true(critical_paths(&rig.paths, &rig.t, p, 4, rig.stalls));
  expect_path(0, "M6 -> M2 -> M0 -> M4 -> M4.0");
  expect_path(1, "M2 -> M0 -> M1");
  free_rig();
}

/* A ring of pairs, as trackers can make one, ends; every pair is in one path. */
static void rings_of_pairs_end(void **state) {
  (void)state;
  parse_topology("mesh:2x2");
  critical_pair_t p[] = {pair_at(2, 0, 1), pair_at(0, 1, 3), pair_at(1, 3, 2), pair_at(3, 2, 0)};
  assert_true(critical_paths(&rig.paths, &rig.t, p, 4, rig.stalls));
  assert_int_equal(rig.paths.paths, 1);
  expect_path(0, "2 -> 0 -> 1 -> 3 -> 2 -> 0");
  critical_paths_free(&rig.paths);
  assert_true(critical_paths(&rig.paths, &rig.t, p, 0, rig.stalls));
  assert_int_equal(rig.paths.paths, 0);
  free_rig();
}

/* M2, M5 and M6 reach M3 by M2 -> M0 -> M3, and nothing
 * else does. Without pairs no packet is critical. */
static void packets_that_pass_a_path(void **state) {
  (void)state;
  enum { M3 = 10, M5 = 12, M6 = 13 };
  uint8_t map[32];
  parse_topology("tree");
  critical_pair_t p[] = {pair_at(2, 0, 3)};
  assert_true(critical_packets(map, &rig.t, &rig.routes, p, 1));
  for (unsigned s = 0; s < 16; s++) /* M2, M5, M6 to M3 */
    for (unsigned d = 0; d < 16; d++)
      assert_int_equal(critical_packet(map, 16, s, d), d == M3 && (s == 9 || s == M5 || s == M6));
  assert_true(critical_packets(map, &rig.t, &rig.routes, NULL, 0));
  for (unsigned i = 0; i < 32; i++) assert_int_equal(map[i], 0);
  free_rig();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_join_to_paths), cmocka_unit_test(paths_fork_by_stalls),
                                     cmocka_unit_test(rings_of_pairs_end), cmocka_unit_test(packets_that_pass_a_path)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
