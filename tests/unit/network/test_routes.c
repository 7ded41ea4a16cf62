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
    for (unsigned d = 0; d < n->r.addresses; d++) {
      unsigned r = n->t.terminal[s].router, hops = 1;
      while (topology_port(&n->t, r, routes_port(&n->r, r, d))->kind == PORT_LINK) {
        unsigned ahead = n->r.next[r * n->r.addresses + d];
        r = topology_port(&n->t, r, routes_port(&n->r, r, d))->peer;
        assert_int_equal(ahead, routes_port(&n->r, r, d));
        assert_true(++hops <= n->t.routers);
      }
      assert_int_equal(topology_port(&n->t, r, routes_port(&n->r, r, d))->peer, d % n->t.terminals);
      assert_int_equal(n->r.next[r * n->r.addresses + d], 0);
      assert_int_equal(hops, routes_hops(&n->r, &n->t, s, d % n->t.terminals));
    }
  }
}

/* Each form of topology, and a file. */
static void all_arrive(void **state) {
  (void)state;
  static const char *const specs[] = {
      "mesh:8x8",    "mesh:1x7", "mesh:5x3",   "hypercube:4",
      "ring:1",      "ring:7",   "torus:2x5",  "torus:4x3x2",
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

/* ---- tori ---- */

/* Links between two places of a ring, the shorter way round. */
static unsigned ring_distance(unsigned size, unsigned a, unsigned b) {
  const unsigned forth = (b + size - a) % size;
  return forth < size - forth ? forth : size - forth;
}

/* Dally and Towles, "Principles and Practices of Interconnection Networks", chapter 5: links of
 * a mean way in a ring of k are k/4, or k/4 - 1/(4k) if k is odd. Here times 4k, so that it is
 * whole. */
static unsigned mean_times_4k(unsigned size) {
  return size * size - size % 2;
}

/* Ways of tori are minimal in each dimension, and as long in the mean as the closed form says. */
static void tori_are_minimal(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    unsigned size[3];
  } row[] = {{"ring:2", {2, 1, 1}},    {"ring:3", {3, 1, 1}},    {"ring:8", {8, 1, 1}},    {"ring:9", {9, 1, 1}},
             {"torus:8x8", {8, 8, 1}}, {"torus:5x7", {5, 7, 1}}, {"torus:2x6", {2, 6, 1}}, {"torus:3x4x5", {3, 4, 5}}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    const unsigned *k = row[i].size, routers = k[0] * k[1] * k[2];
    uint64_t sum = 0, wanted = 0;
    net_t n = make_routes(row[i].spec);
    for (unsigned s = 0; s < routers; s++)
      for (unsigned d = 0; d < routers; d++) {
        const unsigned links = ring_distance(k[0], s % k[0], d % k[0]) +
                               ring_distance(k[1], s / k[0] % k[1], d / k[0] % k[1]) +
                               ring_distance(k[2], s / k[0] / k[1], d / k[0] / k[1]);
        assert_int_equal(routes_hops(&n.r, &n.t, s, d), 1 + links);
        sum += links;
      }
    for (unsigned d = 0; d < 3; d++) wanted += (uint64_t)routers * routers / k[d] * mean_times_4k(k[d]);
    assert_int_equal(4 * sum, wanted);
    free_routes(&n);
  }
}

/* The graph of buffers, which are channels with a VC: who holds which can want which. */
typedef struct buffers {
  unsigned vcs, count;
  uint8_t *edge; /* [count][ports][vcs]: to that port at the router behind, and that VC */
  unsigned *indegree;
} buffers_t;

/* Follows a packet that starts on a VC, and adds what it wants of what it holds. */
static void add_way(buffers_t *b, const net_t *n, unsigned source, unsigned dest, unsigned vc) {
  const unsigned address = routes_address(&n->r, source, dest);
  unsigned r = n->t.terminal[source].router, held = b->count;
  for (;;) {
    const unsigned p = routes_port(&n->r, r, address);
    const topology_port_t *port = topology_port(&n->t, r, p);
    if (port->kind != PORT_LINK) return;
    vc += port->dateline;
    assert_true(vc < b->vcs);
    if (held != b->count) {
      uint8_t *edge = &b->edge[(held * n->t.ports + p) * b->vcs + vc];
      b->indegree[(r * n->t.ports + p) * b->vcs + vc] += !*edge;
      *edge = 1;
    }
    held = (r * n->t.ports + p) * b->vcs + vc;
    r = port->peer;
  }
}

/* Takes away buffers that nobody wants, until all are gone (Kahn); what cannot go is a cycle, or
 * behind one. */
static bool buffers_have_cycle(buffers_t *b, const net_t *n) {
  unsigned *queue = calloc(b->count, sizeof *queue), last = 0;
  for (unsigned i = 0; i < b->count; i++)
    if (!b->indegree[i]) queue[last++] = i;
  for (unsigned first = 0; first < last; first++) {
    const unsigned channel = queue[first] / b->vcs, behind = n->t.port[channel].peer;
    if (n->t.port[channel].kind != PORT_LINK) continue;
    for (unsigned e = 0; e < n->t.ports * b->vcs; e++) {
      const unsigned to = behind * n->t.ports * b->vcs + e;
      if (b->edge[queue[first] * n->t.ports * b->vcs + e] && !--b->indegree[to]) queue[last++] = to;
    }
  }
  free(queue);
  return last < b->count;
}

/* All that packets of a network of so many VCs can hold and want, on every VC on which they may
 * start. */
static bool can_deadlock(const net_t *n, unsigned vcs) {
  buffers_t b = {.vcs = vcs, .count = n->t.routers * n->t.ports * vcs};
  b.edge = calloc((size_t)b.count * n->t.ports * vcs, 1);
  b.indegree = calloc(b.count, sizeof *b.indegree);
  for (unsigned s = 0; s < n->t.terminals; s++)
    for (unsigned d = 0; d < n->t.terminals; d++) {
      const unsigned passed = routes_datelines(&n->r, n->t.terminal[s].router, routes_address(&n->r, s, d));
      for (unsigned vc = 0; vc + passed < vcs; vc++) add_way(&b, n, s, d, vc);
    }
  const bool cycle = buffers_have_cycle(&b, n);
  free(b.edge);
  free(b.indegree);
  return cycle;
}

/* Datelines off: links are what they were without them. */
static void remove_datelines(net_t *n) {
  for (unsigned i = 0; i < n->t.routers * n->t.ports; i++) n->t.port[i].dateline = false;
  free(n->r.datelines);
  n->r.datelines = NULL;
}

/* Tori whose dimensions have at least five routers have cycles of channels that datelines break,
 * with as many VCs as are asked for and with more. With datelines off the check of routes finds
 * a cycle, as the graph of buffers does. Shorter dimensions need none. */
static void datelines_break_cycles(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    unsigned vcs;
    bool ring; /* cycles without datelines */
  } row[] = {{"ring:2", 1, false},   {"ring:3", 1, false},      {"ring:4", 1, false},     {"ring:5", 2, true},
             {"ring:6", 2, true},    {"ring:17", 2, true},      {"torus:4x4", 1, false},  {"torus:2x3", 1, false},
             {"torus:2x5", 2, true}, {"torus:5x3", 2, true},    {"torus:5x7", 3, true},   {"torus:8x6", 3, true},
             {"torus:1x6", 2, true}, {"torus:4x2x4", 1, false}, {"torus:5x2x6", 3, true}, {"torus:5x5x5", 4, true}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    trouble_t trouble = {0};
    net_t n = make_routes(row[i].spec);
    assert_int_equal(n.r.vcs, row[i].vcs);
    assert_false(can_deadlock(&n, row[i].vcs));
    assert_false(can_deadlock(&n, row[i].vcs + 2));
    remove_datelines(&n);
    assert_int_equal(can_deadlock(&n, row[i].vcs), row[i].ring);
    assert_int_equal(routes_check(&n.r, &n.t, &trouble), !row[i].ring);
    if (row[i].ring) assert_non_null(strstr(trouble.text, "routes can deadlock, channels wait in a cycle: "));
    free_routes(&n);
  }
}

/* A ring of a file, with no dateline, one, and three: its ways pass at most two links of three. */
static void datelines_of_files(void **state) {
  (void)state;
  static const char path[] = "test_routes_datelines.yaml";
  for (unsigned datelines = 0; datelines < 4; datelines++) {
    net_t n;
    trouble_t trouble = {0};
    FILE *file = fopen(path, "w");
    fputs("routers: [A, B, C, D, E, F, G]\nlinks:\n", file);
    for (unsigned i = 0; i < 7; i++)
      fprintf(file, "  - {a: %c, b: %c%s}\n", 'A' + i, 'A' + (i + 1) % 7, i < datelines ? ", dateline: true" : "");
    fputs("terminals:\n", file);
    for (unsigned i = 0; i < 7; i++) fprintf(file, "  - {router: %c}\n", 'A' + i);
    fclose(file);
    assert_true(topology_parse(&n.t, path, &trouble));
    const bool good = routes_new(&n.r, &n.t, &trouble);
    assert_int_equal(good, datelines > 0);
    if (!good) assert_non_null(strstr(trouble.text, "`dateline: true` at a link of each circle would be right"));
    else {
      assert_int_equal(n.r.vcs, 1 + datelines);
      assert_false(can_deadlock(&n, n.r.vcs));
      routes_free(&n.r);
    }
    topology_free(&n.t);
  }
}

/* ---- parallel links ---- */

/* Two routers, `left` and `right` terminals, `links` between them. */
static net_t make_pair(unsigned left, unsigned right, unsigned links) {
  static char path[] = "test_routes_pair.yaml";
  FILE *file = fopen(path, "w");
  fputs("routers: [A, B]\nlinks:\n", file);
  for (unsigned i = 0; i < links; i++) fputs("  - {a: A, b: B}\n", file);
  fprintf(file, "terminals:\n  - {router: A, count: %u}\n  - {router: B, count: %u}\n", left, right);
  fclose(file);
  return make_routes(path);
}

/* Flows from one router to the other, of bit complement only or all: flow[port]. */
static void count_flows(const net_t *n, unsigned from, bool complement, unsigned *flow) {
  for (unsigned s = 0; s < n->t.terminals; s++)
    for (unsigned d = 0; d < n->t.terminals; d++) {
      if (n->t.terminal[s].router != from || n->t.terminal[d].router == from) continue;
      if (complement && d != n->t.terminals - 1 - s) continue;
      flow[routes_port(&n->r, from, routes_address(&n->r, s, d))]++;
    }
}

/* Flows of uniform traffic on parallel links are even but for one. All arrive. Of bit complement
 * no link gets all. */
static void parallel_links_share(void **state) {
  (void)state;
  static const struct {
    unsigned left, right, links, most; /* most: by which flows of two links are apart */
  } row[] = {{4, 4, 3, 1}, {6, 6, 3, 0}, {4, 4, 2, 0}, {8, 8, 4, 0},
             {1, 8, 3, 1}, {8, 1, 3, 1}, {5, 3, 2, 1}, {8, 7, 7, 1}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    net_t n = make_pair(row[i].left, row[i].right, row[i].links);
    assert_int_equal(n.r.aliases, row[i].links);
    check_ways(&n);
    for (unsigned from = 0; from < 2; from++) {
      unsigned flow[TOPOLOGY_MAX_PORTS] = {0}, mirrored[TOPOLOGY_MAX_PORTS] = {0}, least = 1000, most = 0, all = 0;
      const unsigned first = from ? row[i].right : row[i].left; /* port of the first link */
      count_flows(&n, from, false, flow);
      count_flows(&n, from, true, mirrored);
      for (unsigned p = first; p < first + row[i].links; p++) {
        least = flow[p] < least ? flow[p] : least, most = flow[p] > most ? flow[p] : most, all += flow[p];
        if (row[i].left == row[i].right) assert_true(mirrored[p] < row[i].left);
      }
      assert_int_equal(all, row[i].left * row[i].right);
      if (most - least > row[i].most) fail_msg("row %u from %u: %u to %u flows", i, from, least, most);
    }
    free_routes(&n);
  }
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
      cmocka_unit_test(tori_are_minimal),
      cmocka_unit_test(datelines_break_cycles),
      cmocka_unit_test(datelines_of_files),
      cmocka_unit_test(parallel_links_share),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
