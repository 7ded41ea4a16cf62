/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of memory and network at their edges: what a vault is by default and counts, when its
 * requests are done, by hand, packets that come out of another queue, meshes of no routers, trees
 * with more terminals, ways over routers without any.
 */
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link.h"
#include "routes.h"
#include "vault.h"

/* NSU paper, Table 2. */
static void test_vault_default(void **state) {
  (void)state;
  vault_config_t c = vault_default_config();
  assert_null(REFUSAL(vault_check_config, &c));
  assert_int_equal(c.banks, 16);
  assert_int_equal(c.queue, 64);
  assert_true(c.refresh);
}

/* A request's latency is from its push to the end of its data. */
static void test_vault_latency(void **state) {
  (void)state;
  static vault_t v;
  enum { REQUESTS = 40 };
  vault_config_t c = vault_default_config();
  vault_done_t done;
  uint64_t seed = 9, sum = 0, most = 0;
  unsigned pushed = 0, popped = 0;
  vault_init(&v, &c);
  for (uint64_t now = 1000; popped < REQUESTS; now++) {
    assert_true(now < 100000);
    vault_advance(&v, now);
    while (vault_pop(&v, now, &done)) {
      assert_true(done.done <= now && done.pushed < done.done);
      sum += done.done - done.pushed;
      if (done.done - done.pushed > most) most = done.done - done.pushed;
      popped++;
    }
    if (pushed == REQUESTS || now % 7 || !vault_can_push(&v)) continue;
    uint64_t r = test_random(&seed);
    vault_push(&v,
               &(vault_request_t){
                   .column = r & 31, .row = r >> 8 & 3, .bank = r >> 16 & 15, .bursts = 1, .write = r >> 24 & 1},
               now);
    pushed++;
  }
  assert_int_equal(v.stats.latency_sum, sum);
  assert_int_equal(v.stats.latency_max, most);
}

/* By hand, of Table 2: activate in the cycle after the push, the column
 * command tRCD 9 later, its data tCL 9 or CWL 7 later, BL 4 long. */
static void test_vault_holds(void **state) {
  (void)state;
  static vault_t v;
  vault_config_t c = vault_default_config();
  vault_done_t done;
  c.held = 1, c.refresh = false;
  for (unsigned write = 0; write < 2; write++) { /* it is held until it is popped */
    const uint64_t end = 1001 + 9 + (write ? 7 : 9) + 4;
    vault_init(&v, &c);
    vault_push(&v, &(vault_request_t){.row = 1, .bursts = 1, .write = write}, 1000);
    for (uint64_t now = 1000; now < end; now++) {
      vault_advance(&v, now);
      assert_false(vault_pop(&v, now, &done) || vault_can_push(&v));
    }
    vault_advance(&v, end);
    assert_false(vault_can_push(&v));
    assert_true(vault_pop(&v, end, &done) && vault_can_push(&v));
  }
}

/* tRC counts where it is longer than tRAS and tRP: of two rows
 * of a bank the second is activated tRC after the first. */
static void test_vault_row_cycle(void **state) {
  (void)state;
  static vault_t v;
  vault_config_t c = vault_default_config();
  vault_done_t done;
  c.refresh = false;
  c.timing.tRC = 500;
  vault_init(&v, &c);
  for (unsigned i = 0; i < 2; i++) vault_push(&v, &(vault_request_t){.row = i, .bursts = 1}, 1000);
  vault_advance(&v, 3000);
  assert_true(vault_pop(&v, 3000, &done));
  assert_int_equal(done.done, 1001 + 9 + 9 + 4);
  assert_true(vault_pop(&v, 3000, &done));
  assert_int_equal(done.done, 1001 + 500 + 9 + 9 + 4);
}

/* Of a read and a younger write of open rows that could both go now the read goes first, though the
 * write's bank has a request that is older still. By hand: the write waits for tCL 9 + BL 4 + 2 -
 * CWL 7 = 8 cycles, the other row for the write's data, tWR 12, tRP and tRCD 9. */
static void test_vault_age_of_requests(void **state) {
  (void)state;
  static vault_t v;
  vault_config_t c = vault_default_config();
  vault_done_t done;
  static const vault_request_t row[] = {{.bank = 0, .row = 9, .bursts = 1},
                                        {.bank = 1, .row = 5, .bursts = 1},
                                        {.bank = 0, .row = 5, .bursts = 1, .write = true}};
  static const uint64_t ends[] = {3001 + 9 + 4, 3009 + 7 + 4, 3009 + 7 + 4 + 12 + 9 + 9 + 9 + 4};
  c.refresh = false;
  vault_init(&v, &c);
  /* opens row 5 */
  for (unsigned b = 0; b < 2; b++) vault_push(&v, &(vault_request_t){.bank = (uint16_t)b, .row = 5, .bursts = 1}, 1000);
  vault_advance(&v, 2999);
  while (vault_pop(&v, 2999, &done)) {}
  for (unsigned i = 0; i < 3; i++) vault_push(&v, &row[i], 3000);
  vault_advance(&v, 4000);
  for (unsigned i = 0; i < 3; i++) {
    assert_true(vault_pop(&v, 4000, &done));
    assert_int_equal(done.done, ends[i]);
    assert_int_equal(done.write, i == 1);
  }
}

/* A read of an open row goes before an older request's activate, which follows a cycle later. */
static void test_vault_columns_first(void **state) {
  (void)state;
  static vault_t v;
  vault_config_t c = vault_default_config();
  vault_done_t done;
  c.refresh = false;
  vault_init(&v, &c);
  vault_push(&v, &(vault_request_t){.bank = 1, .row = 5, .bursts = 1}, 1000);
  vault_advance(&v, 2999);
  assert_true(vault_pop(&v, 2999, &done));
  for (unsigned b = 2; b; b--) vault_push(&v, &(vault_request_t){.bank = (uint16_t)b, .row = 5, .bursts = 1}, 3000);
  vault_advance(&v, 4000);
  assert_true(vault_pop(&v, 4000, &done));
  assert_int_equal(done.done, 3001 + 9 + 4);
  assert_true(vault_pop(&v, 4000, &done));
  assert_int_equal(done.done, 3002 + 9 + 9 + 4);
}

/* What a packet's `next` was is the last holder's affair. */
static void test_link_takes_from_queues(void **state) {
  (void)state;
  static link_t l;
  packet_pool_t *pool = packet_pool_new();
  link_config_t c = {.flits = 1, .latency = 4, .tx_packets = 4, .rx_flits = 64};
  packet_t *first = packet_new(pool, PKT_READ), *second = packet_new(pool, PKT_READ),
           *other = packet_new(pool, PKT_READ);
  link_init(&l, &c);
  first->next = other, second->next = other;
  link_push(&l, first);
  link_push(&l, second);
  unsigned got = 0;
  for (uint64_t t = 100; t < 200; t++) {
    link_tick(&l, t);
    for (; link_peek(&l, 0); got++) assert_ptr_equal(link_pop(&l, 0), got ? second : first);
  }
  assert_int_equal(got, 2);
  assert_true(link_idle(&l));
  packet_pool_free(pool);
}

/* A mesh has 1 to 1024 routers in whatever shape. A refusal says so. */
static void test_mesh_sizes(void **state) {
  (void)state;
  static const struct {
    unsigned width, height;
    bool right;
  } row[] = {{1, 1, true},  {1, 1024, true}, {1024, 1, true},  {0, 1, false},  {1, 0, false},
             {5, 0, false}, {0, 0, false},   {1025, 1, false}, {33, 32, false}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    topology_t t;
    trouble_t trouble = {0};
    if (topology_mesh(&t, row[i].width, row[i].height, &trouble) != row[i].right)
      fail_msg("%ux%u: '%s'", row[i].width, row[i].height, trouble.text);
    if (row[i].right) topology_free(&t);
    else if (!strstr(trouble.text, "1 to 1024 routers"))
      fail_msg("%ux%u: '%s'", row[i].width, row[i].height, trouble.text);
  }
}

/* Terminals may become more: the routers' tree stays as it is. */
static void test_spread_tree(void **state) {
  (void)state;
  static const uint16_t parent[] = {0, 0, 0, 1, 1, 2, 2};
  topology_t t;
  trouble_t trouble = {0};
  if (!topology_parse(&t, "tree:2x2", &trouble) || !topology_spread(&t, 2, 3, &trouble)) fail_msg("%s", trouble.text);
  assert_int_equal(t.routers, 7);
  for (unsigned r = 0; r < t.routers; r++) assert_int_equal(t.parent[r], parent[r]);
  topology_free(&t);
}

/* A line A E D C B. D and E have no terminals, so that their port 0 is a
 * link: D, behind A in the file, has there one to C, which is far from A. */
static void test_ways_over_plain_routers(void **state) {
  (void)state;
  static const char text[] =
      "routers: [A, D, C, B, E]\nlinks:\n  - {a: B, b: C}\n  - {a: C, b: D}\n  - {a: D, b: E}\n  - {a: E, b: A}\n"
      "terminals:\n"
      "  - {router: A}\n  - {router: B}\n  - {router: C}\n";
  /* of terminals at A, B, C: routers on the way */
  static const unsigned hops[3][3] = {{1, 5, 4}, {5, 1, 2}, {4, 2, 1}};
  trouble_t trouble = {0};
  char path[] = "/tmp/edges_XXXXXX";
  topology_t t;
  routes_t r;
  int fd = mkstemp(path);
  FILE *out = fdopen(fd, "w");
  assert_true(fd >= 0 && out && fputs(text, out) >= 0 && !fclose(out));
  bool read = topology_file(&t, path, &trouble);
  remove(path);
  if (!read || !routes_new(&r, &t, &trouble)) fail_msg("%s", trouble.text);
  for (unsigned s = 0; s < 3; s++)
    for (unsigned d = 0; d < 3; d++) {
      unsigned at = t.terminal[s].router, n = 1;
      for (; topology_port(&t, at, routes_port(&r, at, d))->kind == PORT_LINK && n < 9; n++)
        at = topology_port(&t, at, routes_port(&r, at, d))->peer;
      if (n != hops[s][d] || at != t.terminal[d].router) fail_msg("terminal %u to %u: %u routers", s, d, n);
    }
  routes_free(&r);
  topology_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_vault_default),
                                     cmocka_unit_test(test_vault_latency),
                                     cmocka_unit_test(test_vault_holds),
                                     cmocka_unit_test(test_vault_row_cycle),
                                     cmocka_unit_test(test_vault_age_of_requests),
                                     cmocka_unit_test(test_vault_columns_first),
                                     cmocka_unit_test(test_link_takes_from_queues),
                                     cmocka_unit_test(test_mesh_sizes),
                                     cmocka_unit_test(test_spread_tree),
                                     cmocka_unit_test(test_ways_over_plain_routers)};
  return cmocka_run_group_tests_name("memory_edges", tests, NULL, NULL);
}
