/* SPDX-License-Identifier: Apache-2.0
 *
 * Routes: minimal, in the promised order of dimensions, tables for lookahead one step ahead; a
 * cycle of channels is found and named.
 */
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channels.h"
#include "routes.h"

typedef struct net {
  topology_t t;
  routes_t r;
} net_t;

/* A topology with its routes, which have to be good. */
static net_t make_routes(const char *spec) {
  net_t n;
  trouble_t trouble = {0};
  if (!topology_parse(&n.t, spec, &trouble)) fail_msg("%s", trouble.text);
  if (!routes_new(&n.r, &n.t, &trouble)) fail_msg("%s", trouble.text);
  return n;
}

/* Routes and their topology. */
static void free_routes(net_t *n) {
  routes_free(&n->r);
  topology_free(&n->t);
}

/* Every pair arrives; the port table at the next router is what the lookahead table says. */
static void check_ways(const net_t *n) {
  for (unsigned s = 0; s < n->t.terminals; s++) {
    for (unsigned d = 0; d < n->t.terminals; d++) {
      unsigned r = n->t.terminal[s].router, hops = 1;
      while (topology_port(&n->t, r, routes_port(&n->r, r, d))->kind == PORT_LINK) {
        unsigned ahead = n->r.next[r * n->t.terminals + d];
        r = topology_port(&n->t, r, routes_port(&n->r, r, d))->peer;
        assert_int_equal(ahead, routes_port(&n->r, r, d));
        assert_true(++hops <= n->t.routers);
      }
      assert_int_equal(topology_port(&n->t, r, routes_port(&n->r, r, d))->peer, d);
      assert_int_equal(n->r.next[r * n->t.terminals + d], 0);
      assert_int_equal(hops, routes_hops(&n->r, &n->t, s, d));
    }
  }
}

/* Each form of topology, and a file. */
static void all_arrive(void **state) {
  (void)state;
  static const char *const specs[] = {
      "mesh:8x8",    "mesh:1x7", "mesh:5x3",   "hypercube:4",
      "hypercube:0", "tree",     "tree:3x2x2", LOCKSTACK_SOURCE_DIR "/harness/systems/network/examples/dumbbell.yaml"};
  for (unsigned i = 0; i < sizeof specs / sizeof *specs; i++) {
    net_t n = make_routes(specs[i]);
    check_ways(&n);
    free_routes(&n);
  }
}

/* A mesh's ways have as many links as rows and columns lie between, X first.
 * A hypercube's have as many as bits differ, the lowest dimension first. */
static void minimal_and_in_order(void **state) {
  (void)state;
  net_t n = make_routes("mesh:6x4");
  for (unsigned s = 0; s < 24; s++)
    for (unsigned d = 0; d < 24; d++)
      assert_int_equal(routes_hops(&n.r, &n.t, s, d),
                       1 + (unsigned)abs((int)(s % 6) - (int)(d % 6)) + (unsigned)abs((int)(s / 6) - (int)(d / 6)));
  assert_int_equal(routes_port(&n.r, 0, 23), 2); /* X first */
  assert_int_equal(routes_port(&n.r, 5, 23), 4);
  free_routes(&n);
  n = make_routes("hypercube:5");
  for (unsigned s = 0; s < 32; s++)
    for (unsigned d = 0; d < 32; d++) assert_int_equal(routes_hops(&n.r, &n.t, s, d), 1 + __builtin_popcount(s ^ d));
  assert_int_equal(routes_port(&n.r, 0, 0x16), 1 + 1); /* lowest dimension first */
  free_routes(&n);
}

/* A square has two ways of the same length to the far
 * corner: the lowest port. And not the long way round. */
static void files_take_the_lowest_port(void **state) {
  (void)state;
  static const char path[] = "test_routes.yaml";
  FILE *file = fopen(path, "w");
  fputs("routers: [A, B, C, D]\nlinks:\n  - {a: A, b: C, latency: 9}\n  - {a: A, b: B}\n  - {a: B, b: D}\n"
        "  - {a: C, b: D}\n"
        "terminals:\n  - {router: A}\n  - {router: D}\n",
        file);
  fclose(file);
  net_t n = make_routes(path);
  assert_int_equal(routes_port(&n.r, 0, 1), 1);
  assert_int_equal(routes_port(&n.r, 3, 0), 1);
  assert_int_equal(topology_port(&n.t, 3, 1)->peer, 1);
  check_ways(&n);
  free_routes(&n);
}

/* B, next to A in the file, has no terminal: its port 0 is
 * a link to X, which is three hops from A and not one. */
static void ports_end_at_the_next_router(void **state) {
  (void)state;
  static const char path[] = "test_routes_line.yaml";
  FILE *file = fopen(path, "w");
  fputs("routers: [A, B, P, X]\nlinks:\n  - {a: B, b: X}\n  - {a: A, b: P}\n  - {a: P, b: B}\nterminals:\n"
        "  - {router: A}\n  - {router: X}\n",
        file);
  fclose(file);
  net_t n = make_routes(path);
  assert_int_equal(topology_port(&n.t, 1, 0)->kind, PORT_LINK);
  assert_int_equal(topology_port(&n.t, 1, 0)->peer, 3);
  assert_int_equal(routes_hops(&n.r, &n.t, 1, 0), 4);
  check_ways(&n);
  free_routes(&n);
}

/* Rings of five or more: shortest ways all round it, so every channel waits for the next. */
static void write_ring(char *path, unsigned routers) {
  FILE *file = fopen(path, "w");
  fprintf(file, "routers: [R0");
  for (unsigned i = 1; i < routers; i++) fprintf(file, ", R%u", i);
  fprintf(file, "]\nlinks:\n");
  for (unsigned i = 0; i < routers; i++) fprintf(file, "  - {a: R%u, b: R%u}\n", i, (i + 1) % routers);
  fprintf(file, "terminals:\n");
  for (unsigned i = 0; i < routers; i++) fprintf(file, "  - {router: R%u}\n", i);
  fclose(file);
}

/* Rings of three and four routers are good. From five
 * on their shortest ways wait for each other all round. */
static void cycles_are_refused(void **state) {
  (void)state;
  static char path[] = "test_routes_ring.yaml";
  for (unsigned routers = 3; routers < 300; routers = routers < 8 ? routers + 1 : routers * 3) {
    net_t n;
    trouble_t trouble = {0};
    write_ring(path, routers);
    assert_true(topology_parse(&n.t, path, &trouble));
    bool good = routes_new(&n.r, &n.t, &trouble);
    assert_int_equal(good, routers < 5);
    if (good) routes_free(&n.r);
    else if (!strstr(trouble.text, "routes can deadlock, channels wait in a cycle: ") || !strstr(trouble.text, " -> R"))
      fail_msg("%s", trouble.text);
    topology_free(&n.t);
  }
}

/* Both ends of the text are the same channel, and each arrow is a link. */
static void cycle_is_named(void **state) {
  (void)state;
  static char path[] = "test_routes_ring.yaml";
  net_t n;
  trouble_t trouble = {0};
  char name[2][16];
  unsigned port[2], first = 0, links = 0;
  write_ring(path, 5);
  assert_true(topology_parse(&n.t, path, &trouble));
  assert_false(routes_new(&n.r, &n.t, &trouble));
  const char *at = strstr(trouble.text, "cycle: ") + 7;
  for (unsigned i = 0; sscanf(at, "%15s port %u", name[i % 2], &port[i % 2]) == 2; i++) {
    unsigned r = (unsigned)atoi(name[i % 2] + 1);
    if (i == 0) first = r;
    else
      links++, assert_int_equal(topology_port(&n.t, (unsigned)atoi(name[(i + 1) % 2] + 1), port[(i + 1) % 2])->peer, r);
    if (!strstr(at, "-> ")) {
      assert_int_equal(r, first);
      break;
    }
    at = strstr(at, "-> ") + 3;
  }
  assert_int_equal(links, 5);
  topology_free(&n.t);
}

/* By hand: a way that leads nowhere, one to another
 * terminal, and one that goes round for ever. */
static void bad_tables(void **state) {
  (void)state;
  trouble_t trouble = {0};
  net_t n = make_routes("mesh:2x2");
  uint8_t *port = &n.r.port[0 * 4 + 3];
  *port = 1;
  assert_false(routes_check(&n.r, &n.t, &trouble));
  assert_string_equal(trouble.text, "router 0 has no way to terminal 3");
  *port = 0;
  assert_false(routes_check(&n.r, &n.t, &trouble));
  *port = 2;
  assert_true(routes_check(&n.r, &n.t, &trouble));
  n.r.port[1 * 4 + 3] = 1; /* back to 0 */
  assert_false(routes_check(&n.r, &n.t, &trouble));
  assert_non_null(strstr(trouble.text, "0 port 2 -> 1 port 1 -> 0 port 2"));
  free_routes(&n);
}

/* A ring of 40 routers with long names in a text of 120 bytes: the
 * first channels, "...", and the first again, and no byte beyond. */
static void long_cycle_is_cut(void **state) {
  (void)state;
  enum { ROUTERS = 40, SIZE = 120 };
  topology_t t;
  trouble_t trouble = {0};
  char text[200];
  uint16_t wants[ROUTERS * 5] = {0};
  assert_true(topology_mesh(&t, ROUTERS / 2, 2, &trouble));
  for (unsigned r = 0; r < ROUTERS; r++) snprintf(t.name[r], sizeof t.name[r], "a-long-name-%03u", r);
  /* to the right in the upper row, down, to the left in the lower one, up */
  unsigned router[ROUTERS + 1], port[ROUTERS + 1];
  for (unsigned i = 0; i <= ROUTERS; i++) {
    unsigned k = i % ROUTERS, half = ROUTERS / 2;
    router[i] = k < half ? k : ROUTERS - 1 - (k - half);
    if (k + 1 < half) port[i] = 2;
    else if (k < half) port[i] = 4;
    else port[i] = k + 1 < ROUTERS ? 1 : 3;
  }
  for (unsigned i = 0; i < ROUTERS; i++) wants[router[i] * 5 + port[i]] = (uint16_t)(1U << port[i + 1]);
  memset(text, '#', sizeof text);
  assert_true(channel_cycle(&t, wants, text, SIZE));
  assert_int_equal(text[SIZE], '#');
  assert_true(strlen(text) < SIZE);
  static const char start[] = "a-long-name-000 port 2 -> a-long-name-001 port 2 -> ",
                    end[] = "... -> a-long-name-000 port 2";
  assert_memory_equal(text, start, sizeof start - 1);
  assert_string_equal(text + strlen(text) - (sizeof end - 1), end);
  topology_free(&t);
}

/* Two ways into one channel that ends: no cycle. A cycle behind
 * it is found from where it is, whatever was followed before. */
static void cycles_are_found_behind_dead_ends(void **state) {
  (void)state;
  topology_t t;
  trouble_t trouble = {0};
  char text[200];
  assert_true(topology_mesh(&t, 4, 1, &trouble));
  uint16_t wants[4 * 5] = {0};
  wants[0 * 5 + 2] = 1U << 2 | 1U << 1; /* 0 -> 1: on, and back */
  wants[1 * 5 + 2] = 1U << 2;
  wants[2 * 5 + 1] = 1U << 1;
  assert_false(channel_cycle(&t, wants, text, sizeof text));
  memset(wants, 0, sizeof wants);
  wants[0 * 5 + 2] = 1U << 2;
  wants[2 * 5 + 2] = 1U << 1; /* 2 -> 3 -> 2 -> 3 */
  wants[3 * 5 + 1] = 1U << 2;
  assert_true(channel_cycle(&t, wants, text, sizeof text));
  assert_string_equal(text, "2 port 2 -> 3 port 1 -> 2 port 2");
  topology_free(&t);
}

/* A root with two routers below it, its ways written down, and those of the router after. */
static void small_ones_by_hand(void **state) {
  (void)state;
  net_t n = make_routes("tree:2"); /* 0 has 1 and 2 below: ports terminal, 1, 2; theirs terminal, parent */
  static const uint8_t way[3][3] = {{0, 1, 2}, {1, 0, 1}, {1, 1, 0}}, behind[3][3] = {{0, 0, 0}, {0, 0, 2}, {0, 1, 0}};
  for (unsigned r = 0; r < 3; r++)
    for (unsigned d = 0; d < 3; d++) {
      assert_int_equal(routes_port(&n.r, r, d), way[r][d]);
      assert_int_equal(n.r.next[r * 3 + d], behind[r][d]);
    }
  assert_int_equal(routes_hops(&n.r, &n.t, 1, 2), 3);
  assert_int_equal(routes_hops(&n.r, &n.t, 1, 1), 1);
  free_routes(&n);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_arrive),
      cmocka_unit_test(minimal_and_in_order),
      cmocka_unit_test(files_take_the_lowest_port),
      cmocka_unit_test(ports_end_at_the_next_router),
      cmocka_unit_test(cycles_are_refused),
      cmocka_unit_test(cycle_is_named),
      cmocka_unit_test(bad_tables),
      cmocka_unit_test(long_cycle_is_cut),
      cmocka_unit_test(cycles_are_found_behind_dead_ends),
      cmocka_unit_test(small_ones_by_hand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
