/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages that come from the host: one L2 slice and the test as its stack; who asks, when a
 * page comes, what its writes wait for. A page comes LATENCY cycles after it was asked for
 * and INTERVAL cycles after the last one, and is written line by line.
 */
#include <stdlib.h>
#include <string.h>

#include "l2.h"
#include "offload_policies.h"
#include "pager.h"
#include "unit_test.h"

enum { LATENCY = 100, INTERVAL = 10, LINES = PAGE_BYTES / GPU_LINE_BYTES };

typedef struct {
  gpu_config_t config;
  packet_pool_t *pool;
  xbar_t xbar;
  gpu_stats_t stats;
  trouble_t fault;
  page_table_t pages;
  gpu_shared_t shared;
  offload_policy_t policy;
  l2_t l2;
  pager_t *pager;
  uint64_t writes, now, base; /* writes: of NSUs, under way */
} bed_t;

/* The policy's answer: writes of NSUs on their way to the stack. */
static uint64_t writes_to(const void *die, unsigned stack) {
  assert_int_equal(stack, 0);
  return ((const bed_t *)die)->writes;
}

/* `pages` pages in the host's memory; every byte of page i is i + 1. */
static bed_t *pager_bed_new(unsigned pages) {
  bed_t *b = calloc(1, sizeof *b);
  bool environment;
  assert_non_null(b);
  b->config = gpu_config_default();
  b->config.num_sms = 2, b->config.num_stacks = 1, b->config.link_queue = 2;
  b->config.paging.latency = LATENCY, b->config.paging.interval = INTERVAL;
  b->pool = packet_pool_new();
  b->policy = offload_none;
  b->policy.writes_to = writes_to;
  b->shared = (gpu_shared_t){.config = &b->config,
                             .pool = b->pool,
                             .xbar = &b->xbar,
                             .stats = &b->stats,
                             .fault = &b->fault,
                             .pages = &b->pages};
  assert_int_equal(
      page_table_init(&b->pages, address_maps[GPU_MAP_pages], &(address_map_shape_t){1, 1 << 20, 1, 0, NULL}), 0);
  b->shared.page_written = pager_written;
  b->pager = b->shared.pager = pager_new(&b->shared, &b->l2, &b->policy, b);
  assert_true(b->pager && !xbar_init(&b->xbar, &b->config) && !l2_init(&b->l2, 0, &b->shared, &b->policy, NULL));
  b->base = page_table_alloc(&b->pages, (uint64_t)pages * PAGE_BYTES, &environment);
  assert_true(b->base && pager_map(b->pager, b->base, (uint64_t)pages * PAGE_BYTES));
  for (unsigned i = 0; i < pages; i++)
    memset(pager_host_page(b->pager, b->base + (uint64_t)i * PAGE_BYTES), (int)i + 1, PAGE_BYTES);
  return b;
}

static void pager_bed_free(bed_t *b) {
  pager_free(b->pager);
  l2_deinit(&b->l2);
  xbar_deinit(&b->xbar);
  page_table_deinit(&b->pages);
  packet_pool_free(b->pool);
  free(b);
}

/* A cycle. True: a page is there now. */
static bool tick_pager(bed_t *b) {
  const bool came = pager_tick(b->pager, ++b->now);
  l2_tick(&b->l2);
  return came;
}

/* The stack takes a write, if there is one, and acknowledges it. */
static packet_t *take_write(bed_t *b) {
  return l2_link_front(&b->l2, 0) ? l2_link_pop(&b->l2, 0) : NULL;
}

/* Its WRITE_ACK comes back over the link. */
static void acknowledge(bed_t *b, packet_t *w) {
  w->hdr.type = PKT_WRITE_ACK;
  assert_true(l2_link_can_push(&b->l2));
  l2_link_push(&b->l2, w);
}

/* Cycles until a page is there. Each write must be the
 * page's next line, full of `byte`; 0: it did not come. */
static uint64_t cycles_until_there(bed_t *b, unsigned char byte, unsigned *lines) {
  const uint64_t from = b->now;
  *lines = 0;
  while (b->now < from + 10000) {
    if (tick_pager(b)) return b->now - from;
    packet_t *w = take_write(b);
    if (!w) continue;
    assert_int_equal(w->hdr.type, PKT_WRITE);
    assert_int_equal(w->hdr.addr % PAGE_BYTES, *lines * GPU_LINE_BYTES);
    for (unsigned i = 0; i < 32; i++) assert_int_equal(w->data[0][i], byte * 0x01010101u);
    ++*lines;
    acknowledge(b, w);
  }
  return 0;
}

/* Nothing before the latency, then all lines in
 * order; a page that was asked for twice comes once. */
static void a_page_comes_once(void **state) {
  (void)state;
  bed_t *b = pager_bed_new(1);
  unsigned lines;
  /* nobody's */
  assert_true(pager_need(b->pager, b->base - PAGE_BYTES) && pager_need(b->pager, b->base + PAGE_BYTES) &&
              pager_need(b->pager, 0));
  tick_pager(b);
  assert_false(pager_need(b->pager, b->base + 4) || pager_need(b->pager, b->base + PAGE_BYTES - 4));
  assert_null(pager_host_page(b->pager, b->base)); /* the host must not change it any more */
  assert_int_equal(pager_waiting(b->pager), 1);
  for (unsigned i = 1; i < LATENCY; i++) assert_true(!tick_pager(b) && !take_write(b) && !pager_holds(b->pager, 0));
  assert_true(cycles_until_there(b, 1, &lines) >= LINES);
  assert_int_equal(lines, LINES);
  assert_true(pager_need(b->pager, b->base) && !pager_holds(b->pager, 0) && !pager_waiting(b->pager));
  assert_int_equal(b->stats.pages_in, 1);
  assert_int_equal(b->stats.page_wait_cycles, b->now - 1);
  assert_int_equal(b->stats.page_stall_cycles, 0);
  pager_bed_free(b);
}

/* More than the ring has at first, in the order in which they were asked for, an interval apart. */
static void pages_follow_each_other(void **state) {
  (void)state;
  enum { PAGES = 100 };
  bed_t *b = pager_bed_new(PAGES);
  unsigned lines, there = 0;
  b->config.paging.interval = 200; /* longer than a page's writes take here */
  for (unsigned i = PAGES; i--;) assert_false(pager_need(b->pager, b->base + (uint64_t)i * PAGE_BYTES));
  uint64_t last = 0;
  for (; there < PAGES; there++) {
    const uint64_t cycles = cycles_until_there(b, (unsigned char)(PAGES - there), &lines);
    if (there > 1) assert_int_equal(cycles, last);
    if (there) assert_int_equal(cycles, 200);
    last = cycles;
    assert_int_equal(lines, LINES);
  }
  assert_int_equal(b->stats.pages_in, PAGES);
  pager_bed_free(b);
}

/* The paper's rule, and that blocks which write there do not begin meanwhile. */
static void writes_of_nsus_go_first(void **state) {
  (void)state;
  bed_t *b = pager_bed_new(1);
  unsigned lines;
  b->writes = 3;
  pager_need(b->pager, b->base);
  for (unsigned i = 0; i < LATENCY + 500; i++) assert_true(!tick_pager(b) && !take_write(b));
  assert_true(pager_holds(b->pager, 0));
  /* from the cycle of the latency's end on */
  assert_int_equal(b->stats.page_stall_cycles, 501);
  b->writes = 0;
  assert_true(!tick_pager(b) && pager_holds(b->pager, 0));
  b->writes = 1; /* one that was begun before, on its way now: it writes to other pages */
  assert_true(cycles_until_there(b, 1, &lines) > 0);
  assert_int_equal(lines, LINES);
  pager_bed_free(b);
}

/* Lines leave one by one as the link takes them; the
 * page is there when the last is acknowledged. */
static void a_slow_stack(void **state) {
  (void)state;
  bed_t *b = pager_bed_new(1);
  packet_t *held[LINES];
  unsigned taken = 0;
  pager_need(b->pager, b->base);
  for (unsigned i = 0; i < LATENCY + 1000; i++) {
    assert_false(tick_pager(b));
    if (i % 7 == 0 && taken < LINES && (held[taken] = take_write(b))) taken++;
  }
  assert_int_equal(taken, LINES);
  for (unsigned i = LINES; i--;) {
    acknowledge(b, held[i]);
    const bool there = tick_pager(b) || tick_pager(b);
    assert_int_equal(there, i == 0);
  }
  pager_bed_free(b);
}

/* It is a fault of the machine, not of the kernel. */
static void a_stray_acknowledgement(void **state) {
  (void)state;
  bed_t *b = pager_bed_new(1);
  pager_written(b->pager, 0x4000);
  assert_int_equal(b->fault.kind, 1);
  assert_string_equal(b->fault.text, "a write that no page has sent was acknowledged");
  pager_bed_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_page_comes_once), cmocka_unit_test(pages_follow_each_other),
                                     cmocka_unit_test(writes_of_nsus_go_first), cmocka_unit_test(a_slow_stack),
                                     cmocka_unit_test(a_stray_acknowledgement)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
