/* SPDX-License-Identifier: Apache-2.0
 *
 * Topologies: both ends of every link agree, sizes and port numbers are as promised, bad ones are
 * refused in one line.
 */
#include "unit_test.h"

#include <stdio.h>
#include <string.h>

#include "topology.h"

/* A topology that must be right. */
static topology_t parse_spec(const char *spec) {
  topology_t t;
  trouble_t trouble = {0};
  if (!topology_parse(&t, spec, &trouble)) fail_msg("%s", trouble.text);
  return t;
}

/* Ends agree; every terminal is at the port that says so; at most t->ports ports. */
static void check_topology(const topology_t *t) {
  unsigned terminals = 0;
  for (unsigned r = 0; r < t->routers; r++) {
    for (unsigned p = 0; p < t->ports; p++) {
      const topology_port_t *port = topology_port(t, r, p);
      if (port->kind == PORT_TERMINAL) {
        terminals++;
        assert_true(port->peer < t->terminals);
        assert_int_equal(t->terminal[port->peer].router, r);
        assert_int_equal(t->terminal[port->peer].port, p);
      } else if (port->kind == PORT_LINK) {
        const topology_port_t *back = topology_port(t, port->peer, port->peer_port);
        assert_int_equal(back->kind, PORT_LINK);
        assert_int_equal(back->peer, r);
        assert_int_equal(back->peer_port, p);
        assert_int_equal(back->latency, port->latency);
        assert_true(port->latency >= 1);
      }
    }
  }
  assert_int_equal(terminals, t->terminals);
}

/* Links are counted in both directions: a mesh of 8 x 8 has 2 * 2 * 7 * 8 of them. */
static void sizes_of_specs(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    unsigned routers, terminals, ports, links;
  } expected[] = {
      {"mesh:8x8", 64, 64, 5, 224},
      {"mesh:1x1", 1, 1, 5, 0},
      {"mesh:3x5", 15, 15, 5, 44},
      {"mesh:32x32", 1024, 1024, 5, 3968},
      {"hypercube:0", 1, 1, 1, 0},
      {"hypercube:3", 8, 8, 4, 24},
      {"hypercube:10", 1024, 1024, 11, 10240},
      {"full:1", 1, 1, 2, 0},
      {"full:4", 4, 4, 4, 12},
      {"full:16", 16, 16, 16, 240},
      {"tree", 9, 16, 12, 16},
      {"tree:4x2", 13, 13, 5, 24},
      {"tree:1", 2, 2, 2, 2},
      {"tree:3x3x3", 40, 40, 5, 78},
  };
  for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
    topology_t t = parse_spec(expected[i].spec);
    check_topology(&t);
    assert_int_equal(t.routers, expected[i].routers);
    assert_int_equal(t.terminals, expected[i].terminals);
    assert_int_equal(t.ports, expected[i].ports);
    assert_int_equal(topology_links(&t), expected[i].links);
    topology_free(&t);
  }
}

/* The tree of modules: M0 in the middle has terminals 0 to 7
 * and M1 to M4, M2 has M5 and M6, M4 has M7 and M8. Each other
 * module has a terminal at port 0 and its parent at port 1. */
static void tree_of_modules(void **state) {
  (void)state;
  static const unsigned parent[] = {0, 0, 0, 0, 0, 2, 2, 4, 4};
  topology_t t = parse_spec("tree");
  for (unsigned m = 1; m < 9; m++) {
    assert_int_equal(t.parent[m], parent[m]);
    assert_int_equal(topology_port(&t, m, 0)->peer, 7 + m); /* own terminal */
    assert_int_equal(topology_port(&t, m, 1)->peer, parent[m]);
  }
  for (unsigned p = 0; p < 8; p++) assert_int_equal(topology_port(&t, 0, p)->peer, p);
  for (unsigned p = 8; p < 12; p++) assert_int_equal(topology_port(&t, 0, p)->peer, p - 7);
  assert_string_equal(t.name[8], "M8");
  topology_free(&t);
}

/* Several terminals a router: they have the
 * first ports, dimensions the ports behind them. */
static void cubes_of_stacks(void **state) {
  (void)state;
  topology_t t;
  trouble_t trouble = {0};
  assert_true(topology_hypercube(&t, 3, 4, 7, &trouble));
  check_topology(&t);
  assert_int_equal(t.terminals, 32);
  assert_int_equal(t.terminal[13].router, 3);
  assert_int_equal(topology_port(&t, 5, 4 + 1)->peer, 7);
  assert_int_equal(topology_port(&t, 5, 4 + 1)->latency, 7);
  topology_free(&t);
}

/* Several terminals where one was: a cube is the cube that is made so at
 * once; links of a mesh's corner stay where edge routers have theirs. */
static void spread_terminals(void **state) {
  (void)state;
  topology_t t = parse_spec("hypercube:3"), cube;
  trouble_t trouble = {0};
  assert_true(topology_spread(&t, 4, 7, &trouble));
  assert_true(topology_hypercube(&cube, 3, 4, 7, &trouble));
  check_topology(&t);
  assert_int_equal(t.ports, cube.ports);
  assert_int_equal(t.terminals, cube.terminals);
  assert_memory_equal(t.port, cube.port, cube.routers * cube.ports * sizeof *cube.port);
  assert_memory_equal(t.terminal, cube.terminal, cube.terminals * sizeof *cube.terminal);
  topology_free(&t);
  topology_free(&cube);
  static const char *const specs[] = {"mesh:3x2", "full:4", "tree:4x2", "mesh:1x1"};
  for (unsigned i = 0; i < sizeof specs / sizeof *specs; i++) {
    t = parse_spec(specs[i]);
    const unsigned terminals = t.terminals, links = topology_links(&t), ports = t.ports;
    assert_true(topology_spread(&t, 2, 3, &trouble));
    check_topology(&t);
    assert_int_equal(t.terminals, 2 * terminals);
    assert_int_equal(topology_links(&t), links);
    assert_int_equal(t.ports, ports + 1);
    for (unsigned k = 0; k < t.terminals; k++) assert_int_equal(t.terminal[k].port, k % 2);
    for (unsigned k = 0; k < t.routers * t.ports; k++)
      if (t.port[k].kind == PORT_LINK) assert_int_equal(t.port[k].latency, 3);
    topology_free(&t);
  }
  t = parse_spec("full:16");
  assert_false(topology_spread(&t, 2, 1, &trouble));
  assert_string_equal(trouble.text, "router 0 has 17 ports, and there are 32 terminals; at most 16 and 1024");
  assert_int_equal(t.terminals, 16); /* as it was */
  topology_free(&t);
  t = parse_spec("hypercube:1");
  assert_false(topology_spread(&t, 1, 61, &trouble));
  assert_string_equal(trouble.text, "a link of router 0 has a latency of 61 cycles; at most 60");
  topology_free(&t);
}

/* A file with this text, in the working directory; its path. */
static const char *write_topology_file(const char *text) {
  static const char path[] = "test_topology.yaml";
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  return path;
}

/* Routers, links with their latencies and terminals
 * are numbered as they stand in the file. */
static void topologies_from_files(void **state) {
  (void)state;
  topology_t t = parse_spec(
      write_topology_file("routers: [A, B, C]\nlinks:\n  - {a: A, b: B}\n  - {a: C, b: B, latency: 4}\nterminals:\n"
                          "  - {router: C, count: 2}\n  - {router: A}\n"));
  check_topology(&t);
  assert_int_equal(t.routers, 3);
  assert_int_equal(t.terminals, 3);
  assert_int_equal(t.ports, 3);
  assert_int_equal(topology_port(&t, 2, 2)->latency, 4);
  assert_int_equal(topology_port(&t, 2, 2)->peer, 1);
  assert_string_equal(t.name[2], "C");
  topology_free(&t);
  t = parse_spec(LOCKSTACK_SOURCE_DIR "/harness/systems/network/examples/dumbbell.yaml");
  check_topology(&t);
  assert_int_equal(t.routers, 6);
  topology_free(&t);
}

/* Rings close in every dimension. Long ones have a dateline between their last router and their
 * first; one of two has two links, one of one none. */
static void tori(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    unsigned routers, ports, links, datelines; /* links and datelines: one-way */
  } row[] = {{"ring:1", 1, 3, 0, 0},        {"ring:2", 2, 3, 4, 0},     {"ring:3", 3, 3, 6, 0},
             {"ring:4", 4, 3, 8, 0},        {"ring:5", 5, 3, 10, 2},    {"torus:5x3", 15, 5, 60, 6},
             {"torus:6x5", 30, 5, 120, 22}, {"torus:1x7", 7, 5, 14, 2}, {"torus:2x2x2", 8, 7, 48, 0}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    topology_t t = parse_spec(row[i].spec);
    unsigned datelines = 0;
    for (unsigned p = 0; p < t.routers * t.ports; p++) datelines += t.port[p].dateline;
    assert_int_equal(t.routers, row[i].routers);
    assert_int_equal(t.terminals, row[i].routers);
    assert_int_equal(t.ports, row[i].ports);
    assert_int_equal(topology_links(&t), row[i].links);
    assert_int_equal(datelines, row[i].datelines);
    topology_free(&t);
  }
  topology_t t = parse_spec("torus:5x3");
  assert_int_equal(topology_port(&t, 4, 2)->peer, 0); /* +x of the last in a row, -y of a column's first */
  assert_int_equal(topology_port(&t, 4, 2)->peer_port, 1);
  assert_true(topology_port(&t, 4, 2)->dateline && topology_port(&t, 0, 1)->dateline);
  assert_int_equal(topology_port(&t, 1, 3)->peer, 11);
  trouble_t trouble = {0};
  assert_true(topology_spread(&t, 3, 2, &trouble)); /* two terminals more before the links */
  assert_int_equal(topology_port(&t, 4, 4)->peer, 0);
  assert_true(topology_port(&t, 4, 4)->dateline && topology_port(&t, 0, 3)->dateline);
  assert_false(topology_port(&t, 4, 3)->dateline);
  topology_free(&t);
}

/* A file says where its datelines are; both directions of the link have it. */
static void datelines_of_a_file(void **state) {
  (void)state;
  topology_t t = parse_spec(write_topology_file("routers: [A, B, C]\nlinks:\n  - {a: A, b: B}\n"
                                                "  - {a: B, b: C, dateline: true}\n  - {a: C, b: A, dateline: false}\n"
                                                "terminals:\n  - {router: A}\n"));
  assert_true(topology_has_datelines(&t));
  assert_true(topology_port(&t, 1, 1)->dateline && topology_port(&t, 2, 0)->dateline);
  assert_false(topology_port(&t, 0, 1)->dateline || topology_port(&t, 2, 1)->dateline);
  topology_free(&t);
}

/* Refused as wrong input, with this text, in one line. */
static void expect_refused(const char *spec, const char *says) {
  topology_t t;
  trouble_t trouble = {0};
  assert_false(topology_parse(&t, spec, &trouble));
  assert_int_equal(trouble.kind, TROUBLE_INPUT);
  if (!strstr(trouble.text, says) || strchr(trouble.text, '\n')) fail_msg("'%s' should say '%s'", trouble.text, says);
}

/* What cannot be read as a spec, and sizes out of range. */
static void bad_specs(void **state) {
  (void)state;
  expect_refused("mesh:8", "mesh:XxY");
  expect_refused("mesh:8x", "mesh:XxY");
  expect_refused("mesh:8x8x8", "mesh:XxY");
  expect_refused("mesh:8,8", "mesh:XxY");
  expect_refused("mesh:8x8 ", "mesh:XxY");
  expect_refused("tree:4x2y", "tree:AxB");
  expect_refused("mesh:10000x1", "mesh:XxY");
  expect_refused("mesh:1025x1", "1 to 1024 routers");
  expect_refused("mesh:-8x8", "mesh:XxY");
  expect_refused("mesh:0x8", "1 to 1024 routers");
  expect_refused("mesh:33x32", "1 to 1024 routers");
  expect_refused("hypercube:", "hypercube:N");
  expect_refused("hypercube:11", "0 to 10 dimensions");
  expect_refused("full:0", "1 to 16 routers");
  expect_refused("full:17", "1 to 16 routers");
  expect_refused("full:4x4", "full:N");
  expect_refused("tree:", "tree:AxB");
  expect_refused("tree:4x0", "tree:AxB");
  expect_refused("tree:16", "16 ports a router");
  expect_refused("tree:10x10x10x10", "1024 routers");
  expect_refused("torus:", "torus:XxY");
  expect_refused("torus:8x", "torus:XxY");
  expect_refused("torus:0x8", "1 to 1024 routers");
  expect_refused("torus:33x32", "1 to 1024 routers");
  expect_refused("torus:9999x9999x9999x9999x9999x9999x9999", "1 to 1024 routers");
  expect_refused("torus:1x1x1x1x1x1x1x1", "torus:XxY");
  expect_refused("ring:", "ring:N");
  expect_refused("ring:0", "1 to 1024 routers");
  expect_refused("ring:4x4", "ring:N");
  expect_refused("loop:8", "mesh:XxY, torus:XxY, ring:N, hypercube:N");
}

/* Each message names the file, and the line or the number of the link or terminal. */
static void bad_files(void **state) {
  (void)state;
#define HEAD "routers: [A, B]\nlinks:\n  - {a: A, b: B"
#define TAIL "}\nterminals:\n  - {router: A}\n"
  expect_refused(write_topology_file(""), "test_topology.yaml: empty; a topology file has");
  expect_refused(write_topology_file("routers: [A, B\n"), "test_topology.yaml:1: ");
  expect_refused(write_topology_file("links: []\nterminals: [{router: A}]\n"),
                 "Missing required mapping field: routers");
  expect_refused(write_topology_file("routers: []\nterminals: [{router: A}]\n"), "test_topology.yaml:1: ");
  expect_refused(write_topology_file(HEAD ", latncy: 3" TAIL), "test_topology.yaml:3: Unexpected key: latncy");
  expect_refused(write_topology_file(HEAD ", latency: x" TAIL), "test_topology.yaml:3: ");
  expect_refused(write_topology_file(HEAD ", dateline: flase" TAIL), "test_topology.yaml:3: ");
  expect_refused(write_topology_file(HEAD ", latency: 0" TAIL),
                 "test_topology.yaml: link 1: latency 0; it should be 1 to 60 cycles");
  expect_refused(write_topology_file(HEAD ", latency: 61" TAIL), "link 1: latency 61");
  expect_refused(write_topology_file(HEAD "}\n  - {a: A, b: X" TAIL), "link 2: no router X");
  expect_refused(write_topology_file(HEAD "}\n  - {a: A, b: A" TAIL), "link 2: from A to itself");
  expect_refused(write_topology_file("routers: [A, A]\nterminals:\n  - {router: A}\n"), "two routers are called A");
  expect_refused(write_topology_file("routers: [A, B]\nterminals:\n  - {router: A}\n"), "no links lead from A to B");
  expect_refused(write_topology_file("routers: [A]\nterminals:\n  - {router: B}\n"), "terminal 1: no router B");
  expect_refused(write_topology_file("routers: [A]\nterminals:\n  - {router: A, count: 0}\n"), "terminal 1: count 0");
  expect_refused(
      write_topology_file("routers: [A]\nterminals:\n  - {router: A, count: 9}\n  - {router: A, count: 8}\n"),
      "router A has 17 links");
}

/* What the functions refuse that no spec can ask for. */
static void bad_cubes(void **state) {
  (void)state;
  static const struct {
    unsigned dims, terminals, latency;
    const char *says; /* NULL: good */
  } cubes[] = {{3, 1, 0, "1 to 60 cycles"},
               {3, 1, 61, "1 to 60 cycles"},
               {3, 1, 60, NULL},
               {3, 1, 1, NULL},
               {3, 0, 1, "0 to 10 dimensions"},
               {3, 13, 1, NULL},
               {3, 14, 1, "1024 terminals"},
               {10, 2, 1, "1024 terminals"}};
  for (unsigned i = 0; i < sizeof cubes / sizeof *cubes; i++) {
    topology_t t;
    trouble_t trouble = {0};
    bool good = topology_hypercube(&t, cubes[i].dims, cubes[i].terminals, cubes[i].latency, &trouble);
    assert_int_equal(good, !cubes[i].says);
    if (good) topology_free(&t);
    else assert_non_null(strstr(trouble.text, cubes[i].says));
  }
}

/* Links of a cube join routers whose numbers differ in the
 * dimension's bit. A mesh's edge leaves ports open. */
static void small_ones_by_hand(void **state) {
  (void)state;
  topology_t t = parse_spec("hypercube:2");
  static const unsigned peer[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 3, 0}, {3, 2, 1}}; /* port 0: its own terminal */
  for (unsigned r = 0; r < 4; r++)
    for (unsigned p = 0; p < 3; p++) assert_int_equal(topology_port(&t, r, p)->peer, peer[r][p]);
  assert_int_equal(topology_links(&t), 8);
  topology_free(&t);
  assert_null(t.port);
  assert_int_equal(t.routers, 0);
  t = parse_spec("mesh:3x1");
  static const unsigned kind[3][5] = {
      {PORT_TERMINAL, PORT_OPEN, PORT_LINK}, {PORT_TERMINAL, PORT_LINK, PORT_LINK}, {PORT_TERMINAL, PORT_LINK}};
  for (unsigned r = 0; r < 3; r++)
    for (unsigned p = 0; p < 5; p++) assert_int_equal(topology_port(&t, r, p)->kind, kind[r][p]);
  topology_free(&t);
}

/* A router is built with two ports at the least; a file may have
 * 1024 terminals, 16 at each of 64 routers, but not 65 times 16. */
static void sizes_of_files(void **state) {
  (void)state;
  topology_t t = parse_spec(write_topology_file("routers: [A]\nterminals: [{router: A}]\n"));
  assert_int_equal(t.ports, 2);
  topology_free(&t);
  char text[4000];
  size_t used = (size_t)snprintf(text, sizeof text, "routers: [R0");
  for (unsigned i = 1; i < 65; i++) used += (size_t)snprintf(text + used, sizeof text - used, ", R%u", i);
  used += (size_t)snprintf(text + used, sizeof text - used, "]\nterminals:\n");
  for (unsigned i = 0; i < 65; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "  - {router: R%u, count: 16}\n", i);
  expect_refused(write_topology_file(text), "1040 terminals; at most 1024");
  text[strlen(text) - strlen("  - {router: R64, count: 16}\n")] = 0;
  expect_refused(write_topology_file(text), "no links lead from R0 to R1"); /* their number is good */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_of_specs),
      cmocka_unit_test(tree_of_modules),
      cmocka_unit_test(cubes_of_stacks),
      cmocka_unit_test(spread_terminals),
      cmocka_unit_test(topologies_from_files),
      cmocka_unit_test(tori),
      cmocka_unit_test(datelines_of_a_file),
      cmocka_unit_test(bad_specs),
      cmocka_unit_test(bad_files),
      cmocka_unit_test(bad_cubes),
      cmocka_unit_test(small_ones_by_hand),
      cmocka_unit_test(sizes_of_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
