/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap of the memory side and its network: what is made is given back, and whichever allocation
 * fails, the call says so, keeps nothing and breaks nothing.
 */
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failing_heap.h"
#include "fake_router.h"
#include "memory_system.h"

/* A scenario makes something, uses it and gives it
 * back; false: it could not, and error says why. */
typedef bool scenario_t(char *error, size_t size);

/* Once without a failure, then with each of its
 * allocations failing. It should make at least `least`. */
static void check(scenario_t *scenario, unsigned least) {
  char error[256];
  heap_fail_at = 0, heap_asked = 0, heap_live = 0;
  assert_true(scenario(error, sizeof error));
  assert_int_equal(heap_live, 0);
  unsigned all = heap_asked;
  assert_true(all >= least);
  for (unsigned i = 1; i <= all; i++) {
    heap_fail_at = i, heap_asked = 0;
    snprintf(error, sizeof error, "no reason");
    bool good = scenario(error, sizeof error);
    heap_fail_at = 0;
    if (good) fail_msg("allocation %u of %u failed, and nobody noticed", i, all);
    assert_string_equal(error, "out of memory");
    if (heap_live) fail_msg("allocation %u of %u failed, and %ld blocks are left", i, all, heap_live);
  }
}

static bool out_of_memory(char *error, size_t size) {
  snprintf(error, size, "out of memory");
  return false;
}

/* ---- network ---- */

static bool topologies(char *error, size_t size) {
  topology_t t;
  const unsigned fanout[] = {3, 2};
  if (!topology_mesh(&t, 3, 2, error, size)) return false;
  topology_free(&t);
  if (!topology_hypercube(&t, 2, 2, 3, error, size)) return false;
  topology_free(&t);
  if (!topology_tree(&t, fanout, 2, error, size)) return false;
  topology_free(&t);
  return true;
}

static bool routes(char *error, size_t size) {
  topology_t t;
  routes_t r;
  if (!topology_mesh(&t, 3, 2, error, size)) return false;
  bool good = routes_new(&r, &t, error, size);
  if (good) routes_free(&r);
  topology_free(&t);
  return good;
}

/* Queues that grow, records that grow, flits on long links. */
static bool traffic(fabric_t *f, char *error, size_t size) {
  for (unsigned c = 0; c < 60 && !fabric_error(f); c++) {
    for (unsigned s = 0; s < 8; s++)
      fabric_send(f, s, &(fabric_packet_t){.dest = (uint16_t)((s + c) % 8), .flits = 1, .vc = FABRIC_ANY_VC});
    if (!fabric_error(f)) fabric_cycle(f);
  }
  if (fabric_error(f)) snprintf(error, size, "%s", fabric_error(f));
  return !fabric_error(f);
}

static const block_engine_t *const *fakes(const topology_t *t, const router_params_t *p) {
  static const block_engine_t *engine[TOPOLOGY_MAX_ROUTERS];
  fake_router_setup(t, p);
  for (unsigned r = 0; r < TOPOLOGY_MAX_ROUTERS; r++) engine[r] = &fake_router_engine;
  return engine;
}

static bool fabric_on(const topology_t *t, char *error, size_t size) {
  routes_t r;
  if (!routes_new(&r, t, error, size)) return false;
  fabric_config_t config = {.topology = t, .routes = &r, .router = fabric_router_params(t, router_params_default())};
  config.engine = fakes(t, &config.router);
  fabric_t *f = fabric_new(&config, error, size);
  bool good = f && traffic(f, error, size);
  fabric_free(f);
  routes_free(&r);
  return good;
}

static bool fabric(char *error, size_t size) {
  topology_t t;
  if (!topology_hypercube(&t, 2, 2, 9, error, size)) return false;
  bool good = fabric_on(&t, error, size);
  topology_free(&t);
  return good;
}

static void network_parts(void **state) {
  (void)state;
  check(topologies, 10); /* ports, terminals, names each; a tree has parents too */
  check(routes, 5);      /* two tables */
}

static void fabric_and_engines(void **state) {
  (void)state;
  check(fabric, 3 + 2 + 11 + 8 + 3);
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
  char error[512];
  assert_true(topology_parse(&t, path, error, sizeof error));
  long before = heap_live;
  assert_false(routes_new(&r, &t, error, sizeof error));
  assert_int_equal(heap_live, before);
  assert_null(r.port);
  topology_free(&t);
}

/* ---- memory ---- */

/* 1300 pages: the table of 1024 slots grows twice. */
static bool pages(char *error, size_t size) {
  memory_image_t *m = memory_image_new();
  bool good = m != NULL;
  for (uint64_t page = 0; good && page < 1300; page++) {
    const uint8_t byte = 1;
    good = page % 2 ? memory_image_write(m, page << 12, &byte, 1) : memory_image_line_to_write(m, page << 12) != NULL;
    if (good) assert_int_equal(memory_image_pages(m), page + 1);
  }
  memory_image_free(m);
  return good || out_of_memory(error, size);
}

static bool system_of_two(char *error, size_t size) {
  static router_params_t p; /* asked for once, before anything fails */
  memory_system_config_t config = memory_system_default_config();
  strcpy(config.network.topology, "hypercube:1");
  if (!p.Ports) p = network_router_params(&config.network);
  memory_image_t *image = memory_image_new();
  packet_pool_t *pool = packet_pool_new();
  memory_system_t *m = NULL;
  if (!image || !pool) out_of_memory(error, size);
  else m = memory_system_new(&config, image, pool, fakes(NULL, &p), error, size);
  bool good = m != NULL;
  memory_system_free(m);
  packet_pool_free(pool);
  memory_image_free(image);
  return good;
}

static void memory_pages(void **state) {
  (void)state;
  check(pages, 1300 + 3);
}

static void memory_parts(void **state) {
  (void)state;
  char error[256];
  assert_true(system_of_two(error, sizeof error));
  check(system_of_two, 10);
}

/* All of it without a failure: quick. */
static void given_back(void **state) {
  (void)state;
  scenario_t *const all[] = {topologies, routes, fabric, pages, system_of_two};
  char error[256];
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    const long before = heap_live;
    assert_true(all[i](error, sizeof error));
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
  assert_string_equal(mem_stack_error(s),
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
