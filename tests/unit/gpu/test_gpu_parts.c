/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU's parts alone: coalescer, cache, page table, NDP buffer manager, crossbar; and
 * each limit of the configuration.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "coalesce.h"
#include "gpu_packet.h"
#include "ndp_manager.h"
#include "offload_target.h"
#include "page_table.h"
#include "unit_test.h"
#include "xbar.h"

/* ---- Coalescer ------------------------------------------------------------------------------- */

/* A warp's addresses, `stride` bytes apart. */
static void set_addresses(uint64_t *paddr, uint64_t base, int64_t stride) {
  for (unsigned i = 0; i < 32; i++) paddr[i] = base + (uint64_t)((int64_t)i * stride);
}

/* Lines of 128 bytes. Aligned: thread i is at byte 4 i of its line. */
static void test_coalesce(void **state) {
  (void)state;
  coalesce_t c;
  uint64_t paddr[32];
  set_addresses(paddr, 0x1000, 4);
  coalesce(&c, paddr, ~0u);
  assert_int_equal(c.count, 1);
  assert_int_equal(c.lanes[0], ~0u);
  assert_true(coalesce_aligned(c.offset, ~0u, 4));
  set_addresses(paddr, 0x1004, 4); /* shifted by a word: two lines, neither aligned */
  coalesce(&c, paddr, ~0u);
  assert_int_equal(c.count, 2);
  assert_int_equal(c.lanes[0], 0x7fffffff);
  assert_int_equal(c.lanes[1], 0x80000000);
  assert_false(coalesce_aligned(c.offset, c.lanes[0], 4));
  assert_false(coalesce_aligned(c.offset, c.lanes[1], 4));
  set_addresses(paddr, 0x1000, 128); /* fully divergent: only thread 0 is where aligned threads are */
  coalesce(&c, paddr, ~0u);
  assert_int_equal(c.count, 32);
  assert_true(coalesce_aligned(c.offset, c.lanes[0], 4));
  assert_false(coalesce_aligned(c.offset, c.lanes[5], 4));
  set_addresses(paddr, 0x1000, 8); /* two lines of 16 threads */
  coalesce(&c, paddr, ~0u);
  assert_int_equal(c.count, 2);
  assert_int_equal(c.lanes[0], 0xffff);
  set_addresses(paddr, 0x107c, -4); /* backwards in one line */
  coalesce(&c, paddr, ~0u);
  assert_int_equal(c.count, 1);
  assert_false(coalesce_aligned(c.offset, ~0u, 4));
  set_addresses(paddr, 0x1000, 4); /* partial warp */
  coalesce(&c, paddr, 0x00f0);
  assert_int_equal(c.count, 1);
  assert_int_equal(c.lanes[0], 0x00f0);
  assert_true(coalesce_aligned(c.offset, 0x00f0, 4));
  coalesce(&c, paddr, 0);
  assert_int_equal(c.count, 0);
  set_addresses(paddr, 0x1000, 0); /* all the same word */
  coalesce(&c, paddr, ~0u);
  assert_int_equal(c.count, 1);
  assert_false(coalesce_aligned(c.offset, ~0u, 4));
}

/* Against the definition, on random addresses. */
static void test_coalesce_random(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (unsigned round = 0; round < 2000; round++) {
    coalesce_t c;
    uint64_t paddr[32];
    uint32_t mask = (uint32_t)test_random(&seed), all = 0;
    for (unsigned i = 0; i < 32; i++) paddr[i] = (test_random(&seed) % 512) * 4;
    coalesce(&c, paddr, mask);
    for (unsigned k = 0; k < c.count; k++) {
      assert_int_equal(all & c.lanes[k], 0);
      all |= c.lanes[k];
      for (unsigned j = 0; j < k; j++) assert_int_not_equal(c.line[j], c.line[k]);
      for (unsigned i = 0; i < 32; i++)
        if (c.lanes[k] >> i & 1) assert_int_equal(c.line[k] + c.offset[i], paddr[i]);
    }
    assert_int_equal(all, mask);
  }
}

/* A block's target is the stack that has most of its lines. */
static void test_target(void **state) {
  (void)state;
  coalesce_t c = {.count = 5, .line = {3ull << 32, 5ull << 32, 5ull << 32 | 128, 3ull << 32 | 128, 7ull << 32}};
  assert_int_equal(coalesce_target(&c), 3); /* a tie goes to the lowest */
  c.line[3] = 6ull << 32;
  assert_int_equal(coalesce_target(&c), 5);
}

/* Two lines each in stacks 3 and 5 and one in stack 7; two lines in stack 7. */
static const coalesce_t five = {.count = 5,
                                .line = {3ull << 32, 5ull << 32, 5ull << 32 | 128, 3ull << 32 | 128, 7ull << 32}};
static const coalesce_t seven = {.count = 2, .line = {7ull << 32 | 256, 7ull << 32 | 512}};

/* Says it at the first access, whatever comes. */
static void test_target_first(void **state) {
  (void)state;
  offload_target_t t = {0};
  assert_int_equal(offload_target_so_far(&t), OFFLOAD_NO_TARGET);
  assert_int_equal(offload_target_issued(&t, GPU_TARGET_first, &five), 3);
  assert_int_equal(offload_target_issued(&t, GPU_TARGET_first, &seven), 3);
}

/* Lines that the L1 has say nothing; when there are no others, it is the first access's stack. */
static void test_target_first_miss(void **state) {
  (void)state;
  offload_target_t t = {0};
  assert_int_equal(offload_target_issued(&t, GPU_TARGET_first_miss, &five), OFFLOAD_NO_TARGET);
  for (unsigned i = 0; i < five.count; i++) offload_target_looked(&t, five.line[i], false);
  assert_int_equal(offload_target_looked_all(&t), OFFLOAD_NO_TARGET);
  assert_int_equal(offload_target_so_far(&t), 3);
  assert_int_equal(offload_target_issued(&t, GPU_TARGET_first_miss, &five), OFFLOAD_NO_TARGET);
  for (unsigned i = 0; i < five.count; i++) offload_target_looked(&t, five.line[i], i > 2);
  assert_int_equal(offload_target_looked_all(&t), 3);
  offload_target_looked(&t, seven.line[0], true);
  assert_int_equal(offload_target_looked_all(&t), 7);
}

/* Does not say it of itself: who asks gets the most so far. */
static void test_target_most(void **state) {
  (void)state;
  offload_target_t t = {0};
  assert_int_equal(offload_target_issued(&t, GPU_TARGET_most, &five), OFFLOAD_NO_TARGET);
  assert_int_equal(offload_target_so_far(&t), 3);
  assert_int_equal(offload_target_issued(&t, GPU_TARGET_most, &seven), OFFLOAD_NO_TARGET);
  assert_int_equal(offload_target_so_far(&t), 7);
  t = (offload_target_t){0};
  offload_target_issued(&t, GPU_TARGET_most, &seven);
  offload_target_issued(&t, GPU_TARGET_most, &(coalesce_t){.count = 2, .line = {2ull << 32, 2ull << 32 | 128}});
  assert_int_equal(offload_target_so_far(&t), 7); /* of equals the first */
}

/* ---- Cache ----------------------------------------------------------------------------------- */

/* 4 KB of four ways are 8 sets; a line's set is
 * its number with the higher bits folded in. */
static void test_cache(void **state) {
  (void)state;
  cache_t c;
  uint32_t words[32];
  assert_int_equal(cache_init(&c, 4096, 4), 0); /* 8 sets */
  for (uint64_t i = 0; i < 5; i++) {            /* five lines of one set of four */
    memset(words, (int)i, sizeof words);
    uint64_t line = i * 8 * 128 + (i & 7) * 128; /* line number i * 8 + i, folded: i ^ i ... */
    line = ((i * 8) | (0 ^ (i & 7))) * 128;
    assert_null(cache_find(&c, line));
    cache_fill(&c, line, words);
    assert_non_null(cache_find(&c, 0)); /* keeps line 0 the last used */
  }
  unsigned there = 0;
  for (uint64_t i = 0; i < 5; i++) there += cache_find(&c, ((i * 8) | (i & 7)) * 128) != NULL;
  assert_int_equal(there, 4);
  assert_non_null(cache_find(&c, 0));
  assert_null(cache_find(&c, ((1 * 8) | 1) * 128)); /* the least recently used went */
  assert_int_equal(cache_find(&c, ((4 * 8) | 4) * 128)->words[31], 0x04040404);
  assert_true(cache_invalidate(&c, 0));
  assert_false(cache_invalidate(&c, 0));
  assert_null(cache_find(&c, 0));
  cache_clear(&c);
  for (uint64_t i = 0; i < 5; i++) assert_null(cache_find(&c, ((i * 8) | (i & 7)) * 128));
  cache_deinit(&c);
}

/* ---- Page table ------------------------------------------------------------------------------ */

/* 1001 pages on 8 stacks are 125 each; 80 to 180 is what chance makes of it. */
static void test_page_table(void **state) {
  (void)state;
  page_table_t pt, again;
  bool env;
  assert_int_equal(page_table_init(&pt, address_maps[GPU_MAP_pages], &(address_map_shape_t){8, 1 << 24, 5, 0, NULL}),
                   0);
  assert_int_equal(page_table_init(&again, address_maps[GPU_MAP_pages], &(address_map_shape_t){8, 1 << 24, 5, 0, NULL}),
                   0);
  uint64_t a = page_table_alloc(&pt, 1000 * 4096 + 12, &env), b = page_table_alloc(&pt, 1, &env);
  assert_int_equal(page_table_alloc(&again, 1000 * 4096 + 12, &env), a);
  unsigned per_stack[8] = {0};
  for (unsigned i = 0; i < 1001; i++) {
    const page_entry_t *e = page_table_find(&pt, a + i * 4096ull);
    assert_non_null(e);
    assert_int_equal(e->frame, page_table_find(&again, a + i * 4096ull)->frame); /* the seed decides */
    assert_int_equal(e->valid, i < 1000 ? 4096 : 12);
    per_stack[stack_of(e->frame)]++;
    for (unsigned j = 0; j < i; j += 97) assert_int_not_equal(e->frame, page_table_find(&pt, a + j * 4096ull)->frame);
  }
  for (unsigned s = 0; s < 8; s++) assert_in_range(per_stack[s], 80, 180);
  assert_null(page_table_find(&pt, a + 1001 * 4096ull)); /* nothing between two allocations */
  assert_true(b > a + 1001 * 4096ull);
  assert_null(page_table_find(&pt, 0));
  assert_null(page_table_find(&pt, ~0ull));
  uint64_t code = page_table_alloc_contiguous(&pt, 3 * 4096 + 1);
  assert_true(code && !(code & 4095));
  assert_true(page_table_release(&pt, a));
  assert_null(page_table_find(&pt, a));
  assert_non_null(page_table_find(&pt, b));
  assert_false(page_table_release(&pt, a));
  page_table_deinit(&pt);
  page_table_deinit(&again);
}

/* Nothing is given that is not there, whatever size is asked for. */
static void test_page_table_full(void **state) {
  (void)state;
  page_table_t pt;
  bool env;
  assert_int_equal(page_table_init(&pt, address_maps[GPU_MAP_pages], &(address_map_shape_t){2, 1 << 20, 1, 0, NULL}),
                   0); /* 512 frames, one of them is never given out */
  assert_int_equal(page_table_alloc(&pt, 512 * 4096, &env), 0);
  assert_false(env);
  assert_int_not_equal(page_table_alloc(&pt, 511 * 4096, &env), 0);
  assert_int_equal(page_table_alloc(&pt, 1, &env), 0);
  assert_int_equal(page_table_alloc(&pt, UINT64_MAX, &env), 0);
  assert_int_equal(page_table_alloc_contiguous(&pt, 1), 0);
  page_table_deinit(&pt);
}

/* ---- NDP buffer manager ---------------------------------------------------------------------- */

/* 256 read entries: requests of 200, 100 and 1 in order, though the last would fit. */
static void test_manager_fifo(void **state) {
  (void)state;
  gpu_config_t config = gpu_config_default();
  ndp_manager_t m;
  ndp_request_t r;
  assert_int_equal(ndp_manager_init(&m, &config), 0);
  assert_false(ndp_manager_grant(&m, 0, &r));
  ndp_manager_request(&m, 0, (ndp_request_t){1, 1, 200, 0});
  ndp_manager_request(&m, 0, (ndp_request_t){2, 2, 100, 0});
  ndp_manager_request(&m, 0, (ndp_request_t){3, 3, 1, 0});
  ndp_manager_request(&m, 1, (ndp_request_t){4, 4, 256, 256});
  assert_true(ndp_manager_grant(&m, 0, &r));
  assert_int_equal(r.sm, 1);
  /* 56 left: the second waits, and the third, which fits, waits behind it */
  assert_false(ndp_manager_grant(&m, 0, &r));
  assert_true(ndp_manager_grant(&m, 1, &r)); /* stacks do not wait for each other */
  assert_true(ndp_manager_credit(&m, 0, 0, 0, 44, 0));
  assert_true(ndp_manager_grant(&m, 0, &r));
  assert_int_equal(r.sm, 2);
  assert_false(ndp_manager_grant(&m, 0, &r));
  assert_true(ndp_manager_credit(&m, 0, 0, 0, 1, 0));
  assert_true(ndp_manager_grant(&m, 0, &r));
  assert_int_equal(r.sm, 3);
  assert_false(ndp_manager_credit(&m, 0, 0, 4, 0, 0)); /* only three commands are out */
  assert_false(ndp_manager_credit(&m, 1, 0, 0, 257, 0));
  assert_false(ndp_manager_fits(&m, 257, 0));
  assert_false(ndp_manager_fits(&m, 0, 257));
  ndp_manager_deinit(&m);
}

/* Two NSUs on a stack: each block goes to the one before which fewer stand;
 * each has credits of its own; a stack may have units that are none. */
static void test_manager_units(void **state) {
  (void)state;
  gpu_config_t config = gpu_config_default();
  ndp_manager_t m;
  ndp_request_t r;
  config.num_stacks = 2;
  config.nsu_units[0] = 1 << 1 | 1 << 3;
  assert_int_equal(ndp_manager_init(&m, &config), 0);
  assert_int_equal(m.nsus, 3);
  for (uint16_t i = 0; i < 3; i++) ndp_manager_request(&m, 0, (ndp_request_t){5, i, 10, 1});
  ndp_manager_request(&m, 1, (ndp_request_t){6, 0, 10, 1});
  assert_true(ndp_manager_unit(&m, 5, 0) == 1 && ndp_manager_unit(&m, 5, 1) == 3 && ndp_manager_unit(&m, 5, 2) == 1 &&
              ndp_manager_unit(&m, 6, 0) == 0);
  assert_true(ndp_manager_grant(&m, 0, &r) && r.warp == 0);
  assert_true(ndp_manager_grant(&m, 0, &r) && r.warp == 2);
  assert_false(ndp_manager_grant(&m, 0, &r));
  assert_true(ndp_manager_grant(&m, 1, &r) && r.warp == 1);
  ndp_manager_request(&m, 0, (ndp_request_t){5, 3, 0, 0}); /* one command stands before unit 3, two before unit 1 */
  assert_int_equal(ndp_manager_unit(&m, 5, 3), 3);
  assert_true(ndp_manager_credit(&m, 0, 1, 2, 20, 2)); /* unit 1 is free again */
  ndp_manager_request(&m, 0, (ndp_request_t){5, 4, 0, 0});
  assert_int_equal(ndp_manager_unit(&m, 5, 4), 1);
  assert_false(ndp_manager_credit(&m, 0, 1, 1, 0, 0)); /* what is out is unit 3's */
  assert_true(ndp_manager_credit(&m, 0, 3, 1, 10, 1));
  assert_false(ndp_manager_credit(&m, 0, 2, 0, 0, 0)); /* not an NSU */
  assert_false(ndp_manager_credit(&m, GPU_MAX_NSU_STACKS, 0, 0, 0, 0));
  ndp_manager_deinit(&m);
}

/* All or nothing, and what is granted plus what is free never changes. */
static void test_manager_conserves(void **state) {
  (void)state;
  gpu_config_t config = gpu_config_default();
  config.nsu_cmd_entries = 3;
  config.nsu_rd_entries = 20;
  config.nsu_wr_entries = 10;
  ndp_manager_t m;
  ndp_request_t out[3], r;
  unsigned num_out = 0, waiting = 0, granted = 0, next = 0;
  uint64_t seed = 4;
  assert_int_equal(ndp_manager_init(&m, &config), 0);
  for (unsigned i = 0; i < 20000; i++) {
    if (waiting < 40 && test_random(&seed) % 2) {
      ndp_manager_request(&m, 3,
                          (ndp_request_t){(uint16_t)(next++ & 63), 0, (uint16_t)(test_random(&seed) % 21),
                                          (uint16_t)(test_random(&seed) % 11)});
      waiting++;
    }
    if (ndp_manager_grant(&m, 3, &r)) {
      assert_true(num_out < 3);
      assert_int_equal(r.sm, granted++ & 63);
      out[num_out++] = r;
      waiting--;
    } else if (num_out && test_random(&seed) % 3 == 0) {
      r = out[--num_out];
      assert_true(ndp_manager_credit(&m, 3, 0, 1, r.rd, r.wr));
    }
    unsigned cmd = m.nsu[3].cmd, rd = m.nsu[3].rd, wr = m.nsu[3].wr;
    for (unsigned k = 0; k < num_out; k++) cmd++, rd += out[k].rd, wr += out[k].wr;
    assert_int_equal(cmd, 3);
    assert_int_equal(rd, 20);
    assert_int_equal(wr, 10);
  }
  assert_true(granted > 1000);
  ndp_manager_deinit(&m);
}

/* ---- Crossbar -------------------------------------------------------------------------------- */

/* From a stack's port to an SM: the packet's cycles, then the latency. */
static void test_xbar_timing(void **state) {
  (void)state;
  gpu_config_t config = gpu_config_default();
  packet_pool_t *pool = packet_pool_new();
  xbar_t *x = calloc(1, sizeof *x);
  assert_int_equal(xbar_init(x, &config), 0);
  packet_t *p = packet_new(pool, PKT_READ_RESP); /* 144 bytes: 5 cycles of 32 */
  xbar_send(x, 64, 1, 7, p);
  for (unsigned i = 0; i < 5 + config.xbar.latency; i++) {
    xbar_tick(x);
    assert_null(xbar_front(x, 7, 1));
  }
  xbar_tick(x);
  assert_ptr_equal(xbar_front(x, 7, 1), p);
  assert_null(xbar_front(x, 7, 0));
  packet_free(pool, xbar_pop(x, 7, 1));
  assert_int_equal(x->in_flight, 0);
  assert_int_equal(x->down_bytes, 144);
  xbar_deinit(x);
  free(x);
  packet_pool_free(pool);
}

/* A class that nobody takes fills up and stops; the other goes on. Order of a pair of ports is
 * kept, nothing is lost.
 */
static void test_xbar_classes(void **state) {
  (void)state;
  gpu_config_t config = gpu_config_default();
  packet_pool_t *pool = packet_pool_new();
  xbar_t *x = calloc(1, sizeof *x);
  assert_int_equal(xbar_init(x, &config), 0);
  uint32_t sent[2][4] = {{0}}, got[4] = {0};
  for (unsigned t = 0; t < 3000; t++) {
    for (unsigned in = 0; in < 4; in++) {
      for (unsigned cls = 0; cls < 2; cls++) {
        if (!xbar_can_send(x, in, cls)) continue;
        packet_t *p = packet_new(pool, cls ? PKT_RDF_RESP : PKT_READ);
        p->hdr.sm = in;
        p->tag = sent[cls][in]++;
        xbar_send(x, in, cls, 64, p);
      }
    }
    xbar_tick(x);
    packet_t *p = xbar_front(x, 64, 1);
    if (p) {
      assert_int_equal(p->tag, got[p->hdr.sm]++);
      packet_free(pool, xbar_pop(x, 64, 1));
    }
  }
  for (unsigned in = 0; in < 4; in++) {
    assert_true(sent[0][in] <= config.xbar.in_queue + config.xbar.out_queue);
    assert_in_range(got[in], 700, 800); /* a packet a cycle, a quarter each */
  }
  xbar_deinit(x);
  free(x);
  packet_pool_free(pool);
}

/* Numbers that stand by themselves: the least and the most that gpu_config.h allows. */
static const struct {
  const char *name;
  size_t at;
  unsigned least, most;
} limits[] = {
#define LIMITS(field, least, most) \
  { #field, offsetof(gpu_config_t, field), least, most }
    LIMITS(num_sms, 1, 128),
    LIMITS(sm.threads, 32, 2048),
    LIMITS(sm.ctas, 1, 48),
    LIMITS(sm.schedulers, 1, 4),
    LIMITS(sm.alu_latency, 1, 60),
    LIMITS(sm.sfu_latency, 1, 60),
    LIMITS(sm.shared_latency, 1, 60),
    LIMITS(l1.latency, 1, 60),
    LIMITS(sm.sfu_interval, 1, 32),
    LIMITS(sm.dp_interval, 1, 32),
    LIMITS(sm.fp_interval, 1, 32),
    LIMITS(sm.int_interval, 1, 32),
    LIMITS(sm.lsu_queue, 1, 32),
    LIMITS(sm.max_loads, 4, 1024),
    LIMITS(l1i.mshrs, 1, 64),
    LIMITS(l1.mshrs, 1, 64),
    LIMITS(l1.merges, 1, 64),
    LIMITS(l2.mshrs, 1, 64),
    LIMITS(l2.merges, 1, 64),
    LIMITS(l2.latency, 1, 1000),
    LIMITS(l2.memory_latency, 0, 1000),
    LIMITS(xbar.latency, 0, 1000),
    LIMITS(xbar.bytes, 1, 256),
    LIMITS(xbar.in_queue, 1, 64),
    LIMITS(xbar.out_queue, 1, 64),
    LIMITS(link_queue, 1, 1024),
    LIMITS(nsu.pending_packets, 256, 65535),
    LIMITS(nsu.ready_packets, 1, 65535),
    LIMITS(nsu_cmd_entries, 1, 255),
    LIMITS(nsu_rd_entries, 1, 1023),
    LIMITS(nsu_wr_entries, 1, 1023),
    LIMITS(paging.latency, 1, 1000000),
    LIMITS(paging.interval, 1, 1000000),
    LIMITS(sm.stack, 16, 524288),
    LIMITS(sm.registers, 1, 65536),
#undef LIMITS
};

/* Both ends are accepted, and one beyond each is not. */
static void test_config_limits(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
    const unsigned value[] = {limits[i].least, limits[i].most, limits[i].least - 1, limits[i].most + 1};
    for (unsigned k = 0; k < 4; k++) {
      gpu_config_t c = gpu_config_default();
      memcpy((char *)&c + limits[i].at, &value[k], sizeof value[k]);
      if (!REFUSAL(gpu_config_check, &c) != (k < 2))
        fail_msg("%s = %u: %s", limits[i].name, value[k], k < 2 ? REFUSAL(gpu_config_check, &c) : "accepted");
    }
  }
}

/* Numbers that depend on others: each with the message that refuses it. */
static void test_config(void **state) {
  (void)state;
  const gpu_config_t right = gpu_config_default();
  assert_null(REFUSAL(gpu_config_check, &right));
#define ACCEPTED(...)                           \
  do {                                          \
    gpu_config_t c = right;                     \
    __VA_ARGS__;                                \
    assert_null(REFUSAL(gpu_config_check, &c)); \
  } while (0)
#define REFUSED(what, ...)                                                                        \
  do {                                                                                            \
    gpu_config_t c = right;                                                                       \
    __VA_ARGS__;                                                                                  \
    const char *text = REFUSAL(gpu_config_check, &c);                                             \
    if (!text || !strstr(text, what)) fail_msg("'%s', not '%s'", text ? text : "accepted", what); \
  } while (0)
  for (unsigned stacks = 0; stacks < 514; stacks++) {
    if (stacks && !(stacks & (stacks - 1)) && stacks <= 256) ACCEPTED(c.num_stacks = stacks);
    else REFUSED("a power of two, 1 to 256", c.num_stacks = stacks);
  }
  ACCEPTED(c.num_stacks = 8, c.nsu.ratio = 1);
  REFUSED("offload.ratio must be 0 with more than 15 stacks", c.num_stacks = 16, c.nsu.ratio = 0.1);
  REFUSED("offload.policy must be none or static with more than 15 stacks", c.num_stacks = 16,
          c.offload_policy = GPU_OFFLOAD_dynamic);
  ACCEPTED(c.num_stacks = 16, c.nsu.ratio = 0.1, c.offload_policy = GPU_OFFLOAD_none);
  ACCEPTED(c.sm.threads = 1536, c.nsu.ratio = 1);
  REFUSED("gpu.threads must be 32 to 1536 where blocks are offloaded", c.sm.threads = 1568, c.nsu.ratio = 1);
  for (unsigned slices = 1; slices <= 16; slices++) {
    const bool right_number = !(slices & (slices - 1));
    if (right_number) ACCEPTED(c.l2.slices = slices);
    else REFUSED("l2.slices must be 1, 2, 4, 8 or 16 a stack", c.l2.slices = slices);
  }
  ACCEPTED(c.num_stacks = 16, c.l2.slices = 16, c.l2.bytes = 4 << 20);
  REFUSED("at most 256 slices", c.num_stacks = 32, c.l2.slices = 16);
  REFUSED("l2.slices is for one die", c.l2.slices = 2, c.nsu.ratio = 1);
  REFUSED("l2.slices is for one die", c.l2.slices = 2, c.paging.demand = true);
  REFUSED("l2.bytes must divide over the slices", c.l2.slices = 16, c.l2.bytes = (2 << 20) + 64);
  ACCEPTED(c.stack_bytes = 1 << 20);
  REFUSED("stack_bytes", c.stack_bytes = (1 << 20) - 4096);
  REFUSED("stack_bytes", c.stack_bytes = (4ull << 30) + 4096);
  REFUSED("stack_bytes", c.stack_bytes = (1 << 20) + 2048);
  ACCEPTED(c.nsu.ratio = 1);
  REFUSED("map.mode: '5' is not pages, bmap, hash, fixed or tmap", c.map.mode = GPU_MAPS);
  ACCEPTED(c.sm.scheduler = GPU_SCHEDULER_lrr);
  REFUSED("gpu.scheduler: '2' is not gto or lrr", c.sm.scheduler = GPU_SCHEDULERS);
  REFUSED("offload.target: '3' is not first, ", c.nsu.target = GPU_TARGETS);
  REFUSED("offload.policy: '5' is not none, ", c.offload_policy = GPU_OFFLOAD_POLICIES);
  REFUSED("offload.ratio: 1.0001 is out of range; from 0 to 1 would be right", c.nsu.ratio = 1.0001);
  REFUSED("offload.ratio: -0.0001 is out of range", c.nsu.ratio = -0.0001);
  REFUSED("offload.ratio: ", c.nsu.ratio = 0.0 / 0.0);
  ACCEPTED(c.core_mhz = 1);
  ACCEPTED(c.core_mhz = 10000);
  REFUSED("core_mhz", c.core_mhz = 0.999);
  REFUSED("core_mhz", c.core_mhz = 10000.1);
  ACCEPTED(c.l1i.bytes = 128, c.l1i.ways = 1); /* one line */
  REFUSED("sets", c.l1i.bytes = 3 << 10);
  REFUSED("l1i.ways: 33 is out of range; from 1 to 32 would be right", c.l1i.ways = 33);
  ACCEPTED(c.l1.bytes = 4 * 128); /* one set */
  ACCEPTED(c.l1.ways = 32);
  ACCEPTED(c.l1.ways = 1);
  REFUSED("l1.ways: 0 is out of range", c.l1.ways = 0);
  REFUSED("l1.ways: 64 is out of range", c.l1.ways = 64); /* would be a power of two of sets */
  REFUSED("sets", c.l1.bytes = 3 * 128);                  /* fewer lines than ways */
  REFUSED("sets", c.l1.bytes = 12 * 128);                 /* three sets */
  REFUSED("sets", c.l1.bytes = 17 * 128);                 /* four sets and a line */
  REFUSED("sets", c.l1.bytes = (32 << 10) + 64);
  REFUSED("divide over the slices", c.l2.bytes = (2 << 20) + 4);
  REFUSED("sets", c.l2.bytes = 8 * 3 * 16 * 128);
  REFUSED("sets", c.l2.bytes = 4 * 16 * 128); /* right for one cache, too few lines for the ways of eight */
#undef ACCEPTED
#undef REFUSED
}

/* NSU paper, Table 2. */
static void test_config_paper(void **state) {
  (void)state;
  const gpu_config_t c = gpu_config_default();
  assert_int_equal(c.num_sms, 64);
  assert_int_equal(c.sm.scheduler, GPU_SCHEDULER_gto);
  assert_true(c.l1i.ideal && c.l1i.bytes == 4096 && c.l1i.ways == 4 && c.l1i.mshrs == 2);
  assert_int_equal(c.num_stacks, 8);
  assert_true(c.stack_bytes == 4ull << 30 && c.core_mhz == 700);
  assert_int_equal(c.sm.threads, 1536);
  assert_int_equal(c.sm.ctas, 8);
  assert_int_equal(c.sm.registers, 32768);
  assert_int_equal(c.sm.shared_bytes, 49152);
  assert_int_equal(c.l1.bytes, 32768);
  assert_int_equal(c.l1.ways, 4);
  assert_int_equal(c.l1.mshrs, 48);
  assert_int_equal(c.l2.bytes, 2097152);
  assert_int_equal(c.l2.ways, 16);
  assert_int_equal(c.l2.mshrs, 48);
  assert_int_equal(c.nsu.pending_packets, 300);
  assert_int_equal(c.nsu.ready_packets, 64);
  assert_int_equal(c.nsu_cmd_entries, 10);
  assert_int_equal(c.nsu_rd_entries, 256);
  assert_int_equal(c.nsu_wr_entries, 256);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_coalesce),
      cmocka_unit_test(test_coalesce_random),
      cmocka_unit_test(test_target),
      cmocka_unit_test(test_target_first),
      cmocka_unit_test(test_target_first_miss),
      cmocka_unit_test(test_target_most),
      cmocka_unit_test(test_cache),
      cmocka_unit_test(test_page_table),
      cmocka_unit_test(test_page_table_full),
      cmocka_unit_test(test_manager_fifo),
      cmocka_unit_test(test_manager_conserves),
      cmocka_unit_test(test_manager_units),
      cmocka_unit_test(test_xbar_timing),
      cmocka_unit_test(test_xbar_classes),
      cmocka_unit_test(test_config),
      cmocka_unit_test(test_config_limits),
      cmocka_unit_test(test_config_paper),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
