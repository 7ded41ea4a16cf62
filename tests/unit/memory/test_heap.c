/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap of the memory side and its network. Whatever is made is given back. Whichever
 * allocation fails, the call says so, keeps nothing and breaks nothing.
 *
 * A scenario runs once without a failure, to count its allocations, and then once for each of
 * them: in run n allocation n fails.
 */
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failing_heap.h"
#include "fake_router.h"
#include "memory_system.h"

/* A scenario makes something, uses it and gives it
 * back; false: it could not, and trouble says why. */
typedef bool scenario_t(trouble_t *trouble);

/* Once without a failure, then with each of its
 * allocations failing. It should make at least `least`. */
static void check_each_allocation(scenario_t *scenario, unsigned least) {
  trouble_t trouble = {0};
  heap_fail_at = 0, heap_asked = 0, heap_live = 0;
  assert_true(scenario(&trouble));
  assert_int_equal(heap_live, 0);
  unsigned all = heap_asked;
  assert_true(all >= least);
  for (unsigned i = 1; i <= all; i++) {
    heap_fail_at = i, heap_asked = 0;
    trouble = (trouble_t){0};
    bool good = scenario(&trouble);
    heap_fail_at = 0;
    if (good) fail_msg("allocation %u of %u failed, and nobody noticed", i, all);
    assert_string_equal(trouble.text, "out of memory");
    assert_int_equal(trouble.kind, TROUBLE_ENVIRONMENT);
    if (heap_live) fail_msg("allocation %u of %u failed, and %ld blocks are left", i, all, heap_live);
  }
}

/* ---- network ---- */

/* A mesh, a hypercube with two terminals a router, a tree with fanouts of 3 and 2. */
static bool make_topologies(trouble_t *trouble) {
  topology_t t;
  const unsigned fanout[] = {3, 2};
  if (!topology_mesh(&t, 3, 2, trouble)) return false;
  topology_free(&t);
  if (!topology_hypercube(&t, 2, 2, 3, trouble)) return false;
  topology_free(&t);
  if (!topology_tree(&t, fanout, 2, trouble)) return false;
  topology_free(&t);
  return true;
}

/* Routes of a mesh. These functions are what
 * check_each_allocation() runs: true, or trouble says why not. */
static bool make_routes(trouble_t *trouble) {
  topology_t t;
  routes_t r;
  if (!topology_mesh(&t, 3, 2, trouble)) return false;
  bool good = routes_new(&r, &t, trouble);
  if (good) routes_free(&r);
  topology_free(&t);
  return good;
}

/* Queues that grow, records that grow, flits on long links. */
static bool drive_traffic(fabric_t *f, trouble_t *trouble) {
  for (unsigned c = 0; c < 60 && !fabric_fault(f); c++) {
    for (unsigned s = 0; s < 8; s++)
      fabric_send(f, s, &(fabric_packet_t){.dest = (uint16_t)((s + c) % 8), .flits = 1, .vc = FABRIC_ANY_VC});
    if (!fabric_fault(f)) fabric_cycle(f);
  }
  if (fabric_fault(f)) *trouble = *fabric_fault(f);
  return !fabric_fault(f);
}

/* The same fake router at every place: these tests look at the heap, not at routers. */
static const block_engine_t *const *fake_engines(const topology_t *t, const router_params_t *p) {
  static const block_engine_t *engine[TOPOLOGY_MAX_ROUTERS];
  fake_router_setup(t, p);
  for (unsigned r = 0; r < TOPOLOGY_MAX_ROUTERS; r++) engine[r] = &fake_router_engine;
  return engine;
}

/* Eight terminals send for 60 cycles. */
static bool make_fabric_on(const topology_t *t, trouble_t *trouble) {
  routes_t r;
  if (!routes_new(&r, t, trouble)) return false;
  fabric_config_t config = {.topology = t, .routes = &r, .router = fabric_router_params(t, router_params_default())};
  config.engine = fake_engines(t, &config.router);
  fabric_t *f = fabric_new(&config, trouble);
  bool good = f && drive_traffic(f, trouble);
  fabric_free(f);
  routes_free(&r);
  return good;
}

/* Four routers with two terminals each. Links of nine cycles hold several flits. */
static bool make_fabric(trouble_t *trouble) {
  topology_t t;
  if (!topology_hypercube(&t, 2, 2, 9, trouble)) return false;
  bool good = make_fabric_on(&t, trouble);
  topology_free(&t);
  return good;
}

static void network_parts(void **state) {
  (void)state;
  check_each_allocation(make_topologies, 10); /* ports, terminals, names each; a tree has parents too */
  check_each_allocation(make_routes, 5);      /* two tables */
}

static void fabric_and_engines(void **state) {
  (void)state;
  check_each_allocation(make_fabric, 3 + 2 + 11 + 8 + 3);
}

/* Of routes that are refused nothing is left: a ring of five, all ways round it. */
static void refused_routes(void **state) {
  (void)state;
  static const char path[] = "test_heap_ring.yaml";
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("routers: [A, B, C, D, E]\nlinks: [{a: A, b: B}, {a: B, b: C}, {a: C, b: D}, {a: D, b: E}, {a: E, b: A}]\n"
        "terminals: [{router: A}, {router: B}, {router: C}, {router: D}, {router: E}]\n",
        file);
  fclose(file);
  topology_t t;
  routes_t r;
  trouble_t trouble = {0};
  assert_true(topology_parse(&t, path, &trouble));
  long before = heap_live;
  assert_false(routes_new(&r, &t, &trouble));
  assert_int_equal(heap_live, before);
  assert_null(r.port);
  topology_free(&t);
}

/* ---- memory ---- */

/* 1300 pages: the table of 1024 slots grows twice. */
static bool write_pages(trouble_t *trouble) {
  memory_image_t *m = memory_image_new();
  bool good = m != NULL;
  for (uint64_t page = 0; good && page < 1300; page++) {
    const uint8_t byte = 1;
    good = page % 2 ? memory_image_write(m, page << 12, &byte, 1) : memory_image_line_to_write(m, page << 12) != NULL;
    if (good) assert_int_equal(memory_image_pages(m), page + 1);
  }
  memory_image_free(m);
  return good || trouble_memory(trouble);
}

/* Two stacks, each with its links, vaults and port, on a hypercube of one dimension. */
static bool make_system_of_two(trouble_t *trouble) {
  static router_params_t p; /* asked for once, before anything fails */
  memory_system_config_t config = memory_system_default_config();
  strcpy(config.network.topology, "hypercube:1");
  if (!p.Ports) p = network_router_params(&config.network);
  memory_image_t *image = memory_image_new();
  packet_pool_t *pool = packet_pool_new();
  memory_system_t *m = NULL;
  if (!image || !pool) trouble_memory(trouble);
  else m = memory_system_new(&config, image, pool, fake_engines(NULL, &p), trouble);
  bool good = m != NULL;
  memory_system_free(m);
  packet_pool_free(pool);
  memory_image_free(image);
  return good;
}

/* One allocation for each of 1300 pages, and the table at three sizes. */
static void memory_pages(void **state) {
  (void)state;
  check_each_allocation(write_pages, 1300 + 3);
}

/* The first run builds the router's parameters, outside of the runs that are counted. */
static void memory_parts(void **state) {
  (void)state;
  trouble_t trouble = {0};
  assert_true(make_system_of_two(&trouble));
  check_each_allocation(make_system_of_two, 10);
}

/* All of it without a failure: quick. */
static void given_back(void **state) {
  (void)state;
  scenario_t *const all[] = {make_topologies, make_routes, make_fabric, write_pages, make_system_of_two};
  trouble_t trouble = {0};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    const long before = heap_live;
    assert_true(all[i](&trouble));
    assert_int_equal(heap_live, before);
  }
}

/* NULL is nothing, as for free(). */
static void nothing_is_freed(void **state) {
  (void)state;
  long before = heap_live;
  fabric_free(NULL);
  network_free(NULL);
  memory_image_free(NULL);
  mem_stack_free(NULL);
  memory_system_free(NULL);
  assert_int_equal(heap_live, before);
}

/* A stack that has no memory for a page says so: the run is wrong from then on. */
static void stack_without_memory(void **state) {
  (void)state;
  memory_image_t *image = memory_image_new();
  packet_pool_t *pool = packet_pool_new();
  link_t *from = calloc(1, sizeof *from), *to = calloc(1, sizeof *to);
  link_config_t link = link_default_config();
  mem_stack_config_t config = mem_stack_default_config(3);
  mem_stack_ports_t ports = {.image = image, .pool = pool, .from_gpu = from, .to_gpu = to};
  link_init(from, &link), link_init(to, &link);
  mem_stack_t *s = mem_stack_new(&config, &ports);
  packet_t *p = packet_new(pool, PKT_WRITE);
  p->src = PKT_GPU, p->dst = 3, p->hdr.addr = UINT64_C(3) << PKT_STACK_LSB, p->hdr.mask = 1, p->hdr.size = 2,
  p->hdr.aligned = 1;
  link_push(from, p);
  heap_fail_at = heap_asked + 1;
  for (unsigned t = 0; t < 300; t++)
    mem_stack_tick_dram(s, t), mem_stack_tick(s, t), link_tick(from, t), link_tick(to, t);
  heap_fail_at = 0;
  assert_string_equal(mem_stack_fault(s)->text,
                      "stack 3: out of memory for a page: WRITE from GPU to 3, address 0x300000000");
  assert_int_equal(mem_stack_stats(s)->errors, 1);
  mem_stack_free(s);
  free(from), free(to);
  packet_pool_free(pool);
  memory_image_free(image);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(given_back),       cmocka_unit_test(network_parts),        cmocka_unit_test(fabric_and_engines),
      cmocka_unit_test(refused_routes),   cmocka_unit_test(memory_pages),         cmocka_unit_test(memory_parts),
      cmocka_unit_test(nothing_is_freed), cmocka_unit_test(stack_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
