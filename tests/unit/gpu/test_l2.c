/* SPDX-License-Identifier: Apache-2.0
 *
 * One L2 slice with a crossbar on one side and the test as its stack on the other: a link
 * that is full, answers that nobody asked for, requests around an atomic that waits, no
 * memory.
 *
 *   SMs: ask_slice() --> crossbar --> slice --> link: expect_sent()
 *        expect_arrived() <-- crossbar <-- slice <-- answer_read()
 */
#include <stdlib.h>
#include <string.h>

#include "failing_heap.h"
#include "l2.h"
#include "offload_nsu.h"
#include "offload_policies.h"
#include "unit_test.h"

/* PORT: the slice's at the crossbar. A and B: two lines. */
enum { SMS = 2, PORT = SMS, A = 0x10000, B = 0x20080 };

typedef struct {
  gpu_config_t config;
  packet_pool_t *pool;
  xbar_t xbar;
  gpu_stats_t stats;
  trouble_t fault;
  gpu_shared_t shared;
  nsu_die_t *die;
  l2_t l2;
} bed_t;

/* 4 KB of two ways, three miss registers that merge two, a link that queues two packets. */
static bed_t *l2_bed_new(void) {
  bed_t *b = calloc(1, sizeof *b);
  assert_non_null(b);
  gpu_config_t *c = &b->config;
  *c = gpu_config_default();
  c->num_sms = SMS, c->num_stacks = 1;
  c->l2.bytes = 4096, c->l2.ways = 2, c->l2.mshrs = 3, c->l2.merges = 2, c->l2.latency = 4, c->link_queue = 2;
  c->xbar.in_queue = c->xbar.out_queue = 64, c->xbar.latency = 0;
  b->pool = packet_pool_new();
  memset(&b->l2, 0xa5, sizeof b->l2); /* what l2_init gets may be anything */
  b->shared = (gpu_shared_t){.config = c, .pool = b->pool, .xbar = &b->xbar, .stats = &b->stats, .fault = &b->fault};
  b->die = offload_static.new(&b->shared);
  assert_true(b->pool && b->die && !xbar_init(&b->xbar, c) && !l2_init(&b->l2, 0, &b->shared, &offload_static, b->die));
  return b;
}

static void l2_bed_free(bed_t *b) {
  l2_deinit(&b->l2);
  offload_static.free(b->die);
  xbar_deinit(&b->xbar);
  packet_pool_free(b->pool);
  free(b);
}

/* Both clocks at the same rate. */
static void tick_slice(bed_t *b, unsigned cycles) {
  for (unsigned i = 0; i < cycles; i++) {
    xbar_tick(&b->xbar);
    l2_tick(&b->l2);
  }
}

/* Of thread 0: a word at the line's begin. */
static packet_t *new_packet(bed_t *b, unsigned type, unsigned sm, uint64_t addr) {
  packet_t *p = packet_new(b->pool, type);
  assert_non_null(p);
  p->hdr.sm = sm, p->hdr.addr = addr, p->hdr.mask = 1, p->hdr.lmask = 1, p->hdr.size = 2, p->hdr.aligned = 1;
  return p;
}

/* A request of an SM; an atomic adds 5. */
static packet_t *ask_slice(bed_t *b, unsigned type, unsigned sm, uint64_t addr) {
  packet_t *p = new_packet(b, type, sm, addr);
  if (type == PACKET_ATOM) p->hdr.seq = PTX_MOD_add, p->hdr.count = PTX_U32, p->data[0][0] = 5;
  const bool of_block = type == PKT_CMD || type == PKT_WTA || type == PKT_RDF;
  xbar_send(&b->xbar, sm, of_block ? XBAR_OFFLOAD : XBAR_REQUEST, PORT, p);
  return p;
}

/* What the slice sends to its stack next, within some cycles. */
static packet_t *expect_sent(bed_t *b, unsigned type) {
  for (unsigned i = 0; i < 50 && !l2_link_front(&b->l2, 0); i++) tick_slice(b, 1);
  if (!l2_link_front(&b->l2, 0)) fail_msg("nothing comes; it should be a %s", pkt_type_name(type));
  packet_t *p = l2_link_pop(&b->l2, 0);
  assert_int_equal(p->hdr.type, type);
  return p;
}

/* Nothing for 50 cycles. */
static void expect_none_sent(bed_t *b) {
  tick_slice(b, 50);
  if (l2_link_front(&b->l2, 0)) fail_msg("a %s comes", pkt_type_name((unsigned)l2_link_front(&b->l2, 0)->hdr.type));
}

/* The stack answers a READ: all words of the line are `word`. */
static void answer_read(bed_t *b, packet_t *read, uint32_t word) {
  read->hdr.type = PKT_READ_RESP;
  for (unsigned i = 0; i < 32; i++) read->data[0][i] = word;
  l2_link_push(&b->l2, read);
}

static packet_t *expect_arrived(bed_t *b, unsigned sm, unsigned type) {
  for (unsigned i = 0; i < 50 && !xbar_front(&b->xbar, sm, 1); i++) tick_slice(b, 1);
  if (!xbar_front(&b->xbar, sm, 1)) fail_msg("SM %u gets nothing", sm);
  packet_t *p = xbar_pop(&b->xbar, sm, 1);
  assert_int_equal(p->hdr.type, type);
  return p;
}

/* ---- A full link ----------------------------------------------------------------------------- */

/* What finds the link's queue full waits: nothing is lost, and order is kept. */
static void test_full_link(void **state) {
  (void)state;
  static const unsigned types[] = {PKT_WTA, PKT_CMD, PKT_RDF, PKT_WRITE};
  enum { EACH = 20 };
  for (unsigned k = 0; k < sizeof types / sizeof *types; k++) {
    bed_t *b = l2_bed_new();
    for (unsigned i = 0; i < EACH; i++) ask_slice(b, types[k], 0, A + 128ull * i)->tag = i;
    tick_slice(b, 100);
    for (unsigned i = 0; i < EACH; i++) assert_int_equal(expect_sent(b, types[k])->tag, i);
    expect_none_sent(b);
    assert_int_equal(b->fault.kind, 0);
    l2_bed_free(b);
  }
}

/* ---- Packets of offloaded blocks ------------------------------------------------------------- */

/* A read that finds no miss register free stands, a
 * write behind it too; what blocks send goes on. */
static void test_nothing_before_blocks(void **state) {
  (void)state;
  bed_t *b = l2_bed_new();
  packet_t *read = NULL;
  for (unsigned i = 0; i <= b->config.l2.mshrs; i++) ask_slice(b, PKT_READ, 0, A + 128ull * i);
  ask_slice(b, PKT_WRITE, 0, B);
  for (unsigned i = 0; i < b->config.l2.mshrs; i++) {
    packet_t *p = expect_sent(b, PKT_READ);
    if (!i) read = p;
  }
  expect_none_sent(b);
  ask_slice(b, PKT_CMD, 0, A), ask_slice(b, PKT_WTA, 0, A), ask_slice(b, PKT_RDF, 0, B);
  expect_sent(b, PKT_CMD), expect_sent(b, PKT_WTA), expect_sent(b, PKT_RDF);
  expect_none_sent(b);
  answer_read(b, read, 1);
  expect_sent(b, PKT_READ), expect_sent(b, PKT_WRITE);
  l2_bed_free(b);
}

/* And the other way round: what blocks send, more of
 * it than the link takes, stands before no read. */
static void test_blocks_before_nothing(void **state) {
  (void)state;
  bed_t *b = l2_bed_new();
  for (unsigned i = 0; i < 20; i++) ask_slice(b, PKT_WTA, 0, A + 128ull * i); /* more than the link's queue holds */
  tick_slice(b, 100);
  ask_slice(b, PKT_READ, 1, B);
  tick_slice(b, 20);
  unsigned before = 0;
  while (l2_link_front(&b->l2, 0)->hdr.type == PKT_WTA) l2_link_pop(&b->l2, 0), before++;
  assert_int_equal(l2_link_front(&b->l2, 0)->hdr.type, PKT_READ);
  assert_true(before <= 1);
  l2_bed_free(b);
}

/* A stack's credits are of all its NSUs together. */
static void test_credits(void **state) {
  (void)state;
  gpu_config_t c = gpu_config_default();
  c.num_sms = SMS, c.num_stacks = 2;
  c.nsu_units[0] = 5, c.nsu_units[1] = 2; /* two of them, one */
  c.nsu_cmd_entries = 10, c.nsu_rd_entries = 256, c.nsu_wr_entries = 255;
  const gpu_shared_t shared = {.config = &c};
  nsu_die_t *die = offload_static.new(&shared);
  assert_non_null(die);
  const gpu_credits_t two = offload_static.credits(die, 0), one = offload_static.credits(die, 1);
  assert_true(two.cmd == 20 && two.rd == 512 && two.wr == 510);
  assert_true(one.cmd == 10 && one.rd == 256 && one.wr == 255);
  offload_static.free(die);
}

/* Where both could go on they take turns: at the slice, and at the link. */
static void test_turns(void **state) {
  (void)state;
  bed_t *b = l2_bed_new();
  for (unsigned i = 0; i < 20; i++)
    ask_slice(b, PKT_WRITE, 0, A + 128ull * i), ask_slice(b, PKT_WTA, 1, A + 128ull * i);
  tick_slice(b, 100);
  unsigned last = 0;
  for (unsigned i = 0; i < 40; i++) {
    while (!l2_link_front(&b->l2, 0)) tick_slice(b, 1);
    const unsigned type = (unsigned)l2_link_pop(&b->l2, 0)->hdr.type;
    if (i && type == last) fail_msg("two %s in turn", pkt_type_name(type));
    last = type;
  }
  l2_bed_free(b);
}

/* ---- Answers that nobody asked for ----------------------------------------------------------- */

/* READ 0 of line A is under way: other numbers,
 * other lines, and a second answer are faults. */
static void test_unasked(void **state) {
  (void)state;
  static const struct {
    uint32_t tag;
    uint64_t addr;
    bool twice;
  } row[] = {{0, A, true}, {1, A, false}, {63, A, false}, {64, A, false}, {0, B, false}, {1, 0, false}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    bed_t *b = l2_bed_new();
    ask_slice(b, PKT_READ, 0, A);
    packet_t *read = expect_sent(b, PKT_READ), *wrong = new_packet(b, PKT_READ_RESP, 0, row[i].addr);
    assert_int_equal(read->tag, 0);
    wrong->tag = row[i].tag;
    if (row[i].twice) answer_read(b, read, 1);
    tick_slice(b, 10);
    assert_int_equal(b->fault.kind, 0);
    l2_link_push(&b->l2, wrong);
    tick_slice(b, 10);
    if (b->fault.kind != TROUBLE_BROKEN || !strstr(b->fault.text, "got a READ_RESP it did not ask for"))
      fail_msg("row %u: '%s'", i, b->fault.text);
    l2_bed_free(b);
  }
}

/* An INVAL comes from stacks, never from an SM. */
static void test_unknown_request(void **state) {
  (void)state;
  bed_t *b = l2_bed_new();
  ask_slice(b, PKT_INVAL, 0, A);
  tick_slice(b, 10);
  assert_int_equal(b->fault.kind, 1);
  assert_non_null(strstr(b->fault.text, "L2 slice 0 got a INVAL packet"));
  assert_non_null(xbar_front(&b->xbar, PORT, 0)); /* it stays where it is: nobody else may take it */
  l2_bed_free(b);
}

/* ---- Around an atomic ------------------------------------------------------------------------ */

/* An atomic waits for its line, and an invalidation comes: a read of
 * the line behind it still waits behind it, and sees what it wrote. */
static void test_atomic_order(void **state) {
  (void)state;
  bed_t *b = l2_bed_new();
  b->die->wta_in_flight[0] = 1;
  ask_slice(b, PACKET_ATOM, 0, A);
  packet_t *read = expect_sent(b, PKT_READ);
  l2_link_push(&b->l2, new_packet(b, PKT_INVAL, 0, A));
  packet_free(b->pool, expect_arrived(b, 0, PKT_INVAL));
  assert_int_equal(b->stats.l2_fills_killed, 1);
  ask_slice(b, PKT_READ, 1, A);
  expect_none_sent(b);
  answer_read(b, read, 10); /* from before the invalidation: nobody may use it */
  answer_read(b, expect_sent(b, PKT_READ), 20);
  packet_t *write = expect_sent(b, PKT_WRITE), *old = expect_arrived(b, 0, PACKET_ATOM_RESP),
           *line = expect_arrived(b, 1, PKT_READ_RESP);
  assert_int_equal(old->data[0][0], 20);
  assert_int_equal(line->data[0][0], 25);
  assert_int_equal(line->data[0][1], 20);
  assert_true(write->hdr.addr == A && write->hdr.mask == 1 && write->hdr.lmask == 1 && write->hdr.size == 2 &&
              write->hdr.aligned == 1);
  assert_int_equal(write->data[0][0], 25);
  expect_none_sent(b);
  l2_bed_free(b);
}

/* An atomic waits for one line: another line's reads merge, and its writes go, as ever. */
static void test_other_line(void **state) {
  (void)state;
  bed_t *b = l2_bed_new();
  ask_slice(b, PACKET_ATOM, 0, A);
  packet_t *first = expect_sent(b, PKT_READ);
  ask_slice(b, PKT_READ, 0, B);
  packet_t *second = expect_sent(b, PKT_READ);
  ask_slice(b, PKT_READ, 1, B);
  expect_none_sent(b);
  assert_int_equal(b->stats.l2_merges, 1);
  ask_slice(b, PKT_WRITE, 1, B);
  packet_free(b->pool, expect_sent(b, PKT_WRITE));
  answer_read(b, second, 3);
  assert_int_equal(expect_arrived(b, 0, PKT_READ_RESP)->data[0][7], 3);
  assert_int_equal(expect_arrived(b, 1, PKT_READ_RESP)->data[0][7], 3);
  ask_slice(b, PKT_READ, 0, B); /* the write has killed the fill */
  packet_free(b->pool, expect_sent(b, PKT_READ));
  answer_read(b, first, 1);
  assert_int_equal(expect_arrived(b, 0, PACKET_ATOM_RESP)->data[0][0], 1);
  assert_int_equal(b->fault.kind, 0);
  l2_bed_free(b);
}

/* So it is when the other line was asked for first, and its miss register is the lower one. */
static void test_other_line_first(void **state) {
  (void)state;
  bed_t *b = l2_bed_new();
  ask_slice(b, PKT_READ, 0, B);
  packet_t *first = expect_sent(b, PKT_READ);
  ask_slice(b, PACKET_ATOM, 0, A);
  packet_t *second = expect_sent(b, PKT_READ);
  assert_true(first->tag < second->tag);
  ask_slice(b, PKT_READ, 1, B);
  expect_none_sent(b);
  assert_int_equal(b->stats.l2_merges, 1);
  ask_slice(b, PKT_WRITE, 1, B);
  packet_free(b->pool, expect_sent(b, PKT_WRITE));
  answer_read(b, first, 3);
  assert_int_equal(expect_arrived(b, 0, PKT_READ_RESP)->data[0][7], 3);
  assert_int_equal(expect_arrived(b, 1, PKT_READ_RESP)->data[0][7], 3);
  answer_read(b, second, 1);
  assert_int_equal(expect_arrived(b, 0, PACKET_ATOM_RESP)->data[0][0], 1);
  assert_int_equal(b->fault.kind, 0);
  l2_bed_free(b);
}

/* Lines of two atomics come while the link takes nothing: both
 * wait where they are, and are done when it takes again. */
static void test_atomics_wait_for_the_link(void **state) {
  (void)state;
  bed_t *b = l2_bed_new();
  ask_slice(b, PACKET_ATOM, 0, A);
  packet_t *first = expect_sent(b, PKT_READ);
  ask_slice(b, PACKET_ATOM, 1, B);
  packet_t *second = expect_sent(b, PKT_READ);
  for (unsigned i = 0; i < 20; i++)
    ask_slice(b, PKT_WRITE, 0, 0x40000 + 128ull * i); /* more than the link's queue holds */
  tick_slice(b, 100);
  answer_read(b, first, 1);
  tick_slice(b, 20);
  answer_read(b, second, 2);
  tick_slice(b, 20);
  assert_null(xbar_front(&b->xbar, 0, 1));
  assert_null(xbar_front(&b->xbar, 1, 1));
  /* 20 writes, and one of each atomic */
  for (unsigned i = 0; i < 22; i++) packet_free(b->pool, expect_sent(b, PKT_WRITE));
  assert_int_equal(expect_arrived(b, 0, PACKET_ATOM_RESP)->data[0][0], 1);
  assert_int_equal(expect_arrived(b, 1, PACKET_ATOM_RESP)->data[0][0], 2);
  expect_none_sent(b);
  l2_bed_free(b);
}

/* ---- No memory ------------------------------------------------------------------------------- */

/* The allocation of the READ's packet fails: the pool that it comes from is empty. */
static void test_out_of_memory(void **state) {
  (void)state;
  bed_t *b = l2_bed_new();
  packet_pool_t *empty = packet_pool_new();
  ask_slice(b, PKT_READ, 0, A);
  b->l2.pool = empty;
  heap_fail_at = heap_asked + 1;
  tick_slice(b, 10);
  heap_fail_at = 0;
  if (b->fault.kind != TROUBLE_ENVIRONMENT || strcmp(b->fault.text, "out of memory"))
    fail_msg("%d, '%s'", b->fault.kind, b->fault.text);
  b->l2.pool = b->pool;
  packet_pool_free(empty);
  l2_bed_free(b);
}

/* Every allocation of a slice fails once. */
static void test_init_out_of_memory(void **state) {
  (void)state;
  gpu_config_t c = gpu_config_default();
  gpu_shared_t shared = {.config = &c};
  long had = heap_live;
  unsigned n = 0;
  for (heap_failed = true; heap_failed; n++) {
    l2_t *l2 = malloc(sizeof *l2);
    assert_non_null(l2);
    heap_failed = false;
    heap_fail_at = heap_asked + n + 1;
    int status = l2_init(l2, 0, &shared, &offload_static, NULL);
    heap_fail_at = 0;
    assert_int_equal(status, heap_failed ? -1 : 0);
    l2_deinit(l2);
    free(l2);
    assert_int_equal(heap_live, had);
  }
  assert_true(n > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_full_link),
                                     cmocka_unit_test(test_unasked),
                                     cmocka_unit_test(test_unknown_request),
                                     cmocka_unit_test(test_atomic_order),
                                     cmocka_unit_test(test_other_line),
                                     cmocka_unit_test(test_other_line_first),
                                     cmocka_unit_test(test_atomics_wait_for_the_link),
                                     cmocka_unit_test(test_out_of_memory),
                                     cmocka_unit_test(test_init_out_of_memory),
                                     cmocka_unit_test(test_nothing_before_blocks),
                                     cmocka_unit_test(test_blocks_before_nothing),
                                     cmocka_unit_test(test_credits),
                                     cmocka_unit_test(test_turns)};
  return cmocka_run_group_tests_name("l2", tests, NULL, NULL);
}
