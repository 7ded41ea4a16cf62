/* SPDX-License-Identifier: Apache-2.0
 *
 * Translations of a stack's SM: which are kept, how many walks are under way, what is read of the
 * page table for them, and where that is.
 */
#include "stack_tlb.h"

#include "address_map.h"
#include "stack_address.h"
#include "unit_test.h"

/* PAGES: that are given out before each test. */
enum { STACKS = 2, ENTRIES = 32, PAGES = 300 };

static gpu_config_t config;
static trouble_t fault;
static page_table_t pages;
static xbar_t xbar;
static packet_pool_t *pool;
static stack_tlb_t tlb;
static gpu_shared_t shared;
static uint64_t at;

/* Before each test: 300 pages, whose table is in memory, and an empty TLB. */
static int open_tlb(void **state) {
  const address_map_shape_t shape = {STACKS, 64 << 20, 1, 0, NULL};
  bool environment;
  (void)state;
  config = gpu_config_default();
  config.num_sms = 1, config.num_stacks = STACKS, config.xbar.latency = 0;
  fault = (trouble_t){0};
  pool = packet_pool_new();
  assert_int_equal(page_table_init(&pages, address_maps[GPU_MAP_bmap], &shape), 0);
  assert_int_equal(xbar_init(&xbar, &config), 0);
  at = page_table_alloc(&pages, (uint64_t)PAGES * PAGE_BYTES, &environment);
  assert_int_equal(page_table_in_memory(&pages, &environment), 0);
  shared = (gpu_shared_t){.config = &config, .pool = pool, .xbar = &xbar, .pages = &pages, .fault = &fault};
  return stack_tlb_init(&tlb, &shared, ENTRIES);
}

/* Fails if there was a fault. */
static int close_tlb(void **state) {
  (void)state;
  stack_tlb_deinit(&tlb);
  xbar_deinit(&xbar);
  page_table_deinit(&pages);
  packet_pool_free(pool);
  return fault.kind;
}

/* Of the n-th page. */
static uint64_t page_address(unsigned n) {
  return at + (uint64_t)n * PAGE_BYTES;
}

/* A cycle; reads that have come out of the crossbar, at most `most`. */
static unsigned tick_tlb(packet_t *reads[], unsigned most) {
  unsigned n = 0;
  stack_tlb_tick(&tlb);
  xbar_tick(&xbar);
  for (unsigned k = 0; k < STACKS; k++)
    while (n < most && xbar_front(&xbar, 1 + k, XBAR_REQUEST)) {
      reads[n] = xbar_pop(&xbar, 1 + k, XBAR_REQUEST);
      assert_int_equal(reads[n]->hdr.type, PKT_READ);
      assert_int_equal(stack_of(reads[n++]->hdr.addr), k);
    }
  return n;
}

/* The line with the entry comes back. */
static void answer_walk(packet_t *p) {
  p->hdr.type = PKT_READ_RESP;
  assert_true(stack_tlb_receive(&tlb, p));
  packet_free(pool, p);
}

/* 2000 cycles in which each read is answered at once. */
static void walk_all(void) {
  packet_t *reads[STACK_TLB_WALKERS];
  for (unsigned t = 0; t < 2000; t++)
    for (unsigned n = tick_tlb(reads, STACK_TLB_WALKERS); n;) answer_walk(reads[--n]);
}

/* Of 20 pages that are asked for twice eight are walked at a time,
 * each once; a read is of the line that has the page's entry. */
static void walks(void **state) {
  (void)state;
  packet_t *reads[64];
  unsigned n = 0;
  for (unsigned twice = 0; twice < 2; twice++)
    for (unsigned i = 0; i < 20; i++) assert_false(stack_tlb_need(&tlb, page_address(i) + 8 * i));
  for (unsigned t = 0; t < 200; t++) n += tick_tlb(reads + n, 64 - n);
  assert_int_equal(n, STACK_TLB_WALKERS);
  for (unsigned i = 0; i < n; i++) {
    const uint64_t entry = page_table_entry_at(&pages, page_address(i));
    bool there = false;
    for (unsigned k = 0; k < n; k++) there |= reads[k]->hdr.addr == entry / GPU_LINE_BYTES * GPU_LINE_BYTES;
    assert_true(there);
  }
  assert_false(stack_tlb_need(&tlb, page_address(0)));
  while (n) answer_walk(reads[--n]);
  for (unsigned i = 0; i < STACK_TLB_WALKERS; i++) assert_true(stack_tlb_need(&tlb, page_address(i) + PAGE_BYTES - 1));
  assert_false(stack_tlb_need(&tlb, page_address(STACK_TLB_WALKERS)));
  walk_all();
  for (unsigned i = 0; i < 20; i++) assert_true(stack_tlb_need(&tlb, page_address(i)));
  assert_int_equal(tlb.walks, 20);
  packet_t other = {.hdr = {.type = PKT_READ_RESP}, .tag = 5}; /* a load's */
  assert_false(stack_tlb_receive(&tlb, &other));
}

/* The one that was used least recently goes. */
static void the_oldest_goes(void **state) {
  (void)state;
  for (unsigned i = 0; i < ENTRIES; i++) {
    assert_false(stack_tlb_need(&tlb, page_address(i)));
    walk_all();
  }
  for (unsigned i = 0; i < ENTRIES; i++)
    if (i != 7) assert_true(stack_tlb_need(&tlb, page_address(i)));
  assert_false(stack_tlb_need(&tlb, page_address(100)));
  walk_all();
  for (unsigned i = 0; i < ENTRIES; i++)
    if (i != 7) assert_true(stack_tlb_need(&tlb, page_address(i)));
  assert_true(stack_tlb_need(&tlb, page_address(100)));
  assert_false(stack_tlb_need(&tlb, page_address(7)));
}

/* The table in memory grows with what is given out;
 * entries of different pages have different places. */
static void the_table(void **state) {
  (void)state;
  bool environment;
  const uint64_t before = pages.table,
                 second = page_table_alloc(&pages, (uint64_t)3 * PAGES * PAGE_BYTES, &environment);
  assert_int_equal(page_table_in_memory(&pages, &environment), 0);
  assert_true(pages.table != before && pages.table_pages >= pages.num_pages / 2);
  assert_int_equal(page_table_in_memory(&pages, &environment), 0);
  const uint64_t table = pages.table;
  assert_int_equal(page_table_in_memory(&pages, &environment), 0);
  assert_int_equal(pages.table, table);
  uint64_t last = page_table_entry_at(&pages, second);
  for (unsigned i = 1; i < 3 * PAGES; i++) {
    const uint64_t now = page_table_entry_at(&pages, second + (uint64_t)i * PAGE_BYTES);
    assert_true(now != last && now % PAGE_ENTRY_BYTES == 0);
    last = now;
  }
  const address_map_shape_t small = {STACKS, 1 << 20, 1, 0, NULL};
  page_table_t full;
  assert_int_equal(page_table_init(&full, address_maps[GPU_MAP_pages], &small), 0);
  while (page_table_alloc(&full, 1, &environment)) continue; /* until there is no page left */
  assert_int_equal(page_table_in_memory(&full, &environment), -1);
  assert_false(environment);
  page_table_deinit(&full);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(walks, open_tlb, close_tlb),
                                     cmocka_unit_test_setup_teardown(the_oldest_goes, open_tlb, close_tlb),
                                     cmocka_unit_test_setup_teardown(the_table, open_tlb, close_tlb)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
