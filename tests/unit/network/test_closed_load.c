/* SPDX-License-Identifier: Apache-2.0
 *
 * The closed loop alone, on a network of a fixed delay: instructions a cycle follow from latencies,
 * shares are as asked, each access is answered once, a terminal that takes nothing holds warps
 * back, and random numbers are those of the seed.
 */
#include "unit_test.h"

#include <math.h>
#include <string.h>

#include "closed_load.h"

enum { IN_FLIGHT = 1 << 16 };

typedef struct net { /* every packet takes `delay` cycles */
  closed_packet_t packet[IN_FLIGHT];
  uint64_t due[IN_FLIGHT];
  unsigned first, count, delay, waiting;
  uint64_t now, sent[2], data[2], divergent;
} net_t;

static net_t net;

/* The network's side of the load: every packet comes after `delay` cycles. */
static void send_delayed(void *context, const closed_packet_t *p) {
  net_t *n = context;
  assert_true(n->count < IN_FLIGHT && p->source != p->dest);
  n->packet[(n->first + n->count) % IN_FLIGHT] = *p;
  n->due[(n->first + n->count++) % IN_FLIGHT] = n->now + n->delay;
  n->sent[p->kind]++;
  n->data[p->kind] += p->data;
  n->divergent += p->divergent;
}

/* The load asks how many packets wait at a source. */
static unsigned waiting_at(void *context, unsigned terminal) {
  (void)terminal;
  return ((const net_t *)context)->waiting;
}

/* Hands over what is due, then lets the load work, cycle by cycle. */
static void run_cycles(closed_load_t *l, uint64_t cycles) {
  const closed_port_t port = {send_delayed, waiting_at, &net};
  for (uint64_t end = net.now + cycles; net.now < end; net.now++) {
    for (; net.count && net.due[net.first] <= net.now; net.first = (net.first + 1) % IN_FLIGHT, net.count--)
      assert_true(closed_load_receive(l, net.packet[net.first].tag, net.packet[net.first].dest, net.now));
    assert_true(closed_load_cycle(l, net.now, &port));
  }
}

/* A load of so many terminals, on a network of this delay. */
static closed_load_t *make_load(const closed_config_t *c, unsigned terminals, unsigned delay) {
  assert_true(closed_config_check(c, &(trouble_t){0}));
  memset(&net, 0, sizeof net);
  net.delay = delay;
  closed_load_t *l = closed_load_new(c, terminals);
  assert_non_null(l);
  return l;
}

/* One SM with one warp, whose every instruction is
 * an access: a load, if the test says nothing else. */
static closed_config_t one_warp(void) {
  closed_config_t c = closed_config_default();
  c.sms = c.warps = 1, c.issue = 1, c.instructions = 1, c.divergent = c.stores = 0;
  return c;
}

/* A warp that does nothing but load executes an instruction each latency:
 * of memory alone at the own terminal, and there and back else. */
static void a_load_takes_its_latency(void **state) {
  (void)state;
  closed_config_t c = one_warp();
  c.memory_latency = 50;
  closed_load_t *l = make_load(&c, 1, 7);
  run_cycles(l, 50 * 100);
  closed_stats_t s = closed_load_stats(l);
  assert_int_equal(s.instructions, 100);
  /* the hundredth load is still under way */
  assert_int_equal(s.loads, 99);
  assert_int_equal(s.load_cycles, 99 * 50);
  assert_int_equal(s.own_accesses, 100);
  assert_int_equal(s.idle_slots, 49 * 100);
  closed_load_free(l);

  l = make_load(&c, 64, 7); /* one of 64 is to the own */
  run_cycles(l, 64000);
  s = closed_load_stats(l);
  const double all = (double)s.loads, own = (double)s.own_accesses;
  assert_true(fabs((double)s.load_cycles - ((all - own) * 64 + own * 50)) < 64 * 64); /* but for those under way */
  assert_close(own / all, 1 / 64.0, 0.2);
  assert_int_equal(net.sent[CLOSED_REQUEST], s.accesses - s.own_accesses);
  assert_true(net.sent[CLOSED_REQUEST] - net.sent[CLOSED_ANSWER] <= 64);
  assert_int_equal(net.data[CLOSED_REQUEST], 0);
  assert_int_equal(net.data[CLOSED_ANSWER], net.sent[CLOSED_ANSWER]);
  closed_load_free(l);
}

/* What may be issued is a limit in the mean; what memory takes is hidden by other warps. */
static void issue_is_a_limit(void **state) {
  (void)state;
  closed_config_t c = closed_config_default();
  c.instructions = 1e6, c.issue = 0.56;
  closed_load_t *l = make_load(&c, 2, 10);
  run_cycles(l, 100000);
  assert_close((double)closed_load_stats(l).instructions, 0.56 * 100000 * 8, 1e-4);
  for (unsigned t = 0; t < 2; t++) assert_close((double)closed_load_instructions(l, t), 0.56 * 100000 * 4, 1e-4);
  closed_load_free(l);
  c.issue = 2.5;
  l = make_load(&c, 2, 10);
  run_cycles(l, 10000);
  assert_close((double)closed_load_stats(l).instructions, 2.5 * 10000 * 8, 1e-3);
  closed_load_free(l);
}

/* Instructions for one of memory, stores, accesses of divergent ones. */
static void shares_are_as_asked(void **state) {
  (void)state;
  closed_config_t c = closed_config_default();
  c.instructions = 20, c.stores = 0.25, c.divergent = 0.4, c.accesses = 6, c.memory_latency = 1, c.issue = 4;
  closed_load_t *l = make_load(&c, 16, 1);
  run_cycles(l, 20000);
  closed_stats_t s = closed_load_stats(l);
  const double memory = (double)s.instructions / 20, each = 0.6 + 0.4 * 4; /* 2 to 6: 4 in the mean */
  assert_close((double)s.accesses, memory * each, 0.01);
  assert_close((double)s.loads, 0.75 * memory, 0.01);
  assert_close((double)net.data[CLOSED_REQUEST], 0.25 * (double)net.sent[CLOSED_REQUEST], 0.02);
  assert_close((double)net.divergent, 1.6 / 2.2 * (double)(net.sent[0] + net.sent[1]), 0.02);
  assert_close((double)s.own_accesses, (double)s.accesses / 16, 0.03);
  closed_load_free(l);
}

/* Stores have acknowledgements, and no warp waits. */
static void stores_do_not_wait(void **state) {
  (void)state;
  closed_config_t c = one_warp();
  c.stores = 1;
  closed_load_t *l = make_load(&c, 4, 500);
  run_cycles(l, 4000);
  assert_int_equal(closed_load_stats(l).instructions, 4 * 4000);
  assert_int_equal(closed_load_stats(l).loads, 0);
  assert_int_equal(closed_load_waiting(l), 0);
  assert_int_equal(net.data[CLOSED_ANSWER], 0);
  assert_true(net.sent[CLOSED_ANSWER] > 0);
  closed_load_free(l);
}

/* A terminal that is full takes nothing; what was begun goes on where it stopped. */
static void a_full_terminal(void **state) {
  (void)state;
  closed_config_t c = one_warp();
  c.divergent = 1, c.accesses = 2, c.queue = 3;
  closed_load_t *l = make_load(&c, 8, 5);
  net.waiting = 3;
  run_cycles(l, 1000);
  closed_stats_t s = closed_load_stats(l);
  assert_int_equal(s.accesses, 0);
  assert_int_equal(s.instructions, 0);
  assert_int_equal(s.full_turns, 8 * 1000);
  net.waiting = 2;
  run_cycles(l, 10000);
  s = closed_load_stats(l);
  assert_int_equal(s.full_turns, 8 * 1000);
  assert_int_equal(s.accesses, 2 * s.instructions);
  assert_true(s.instructions - s.loads <= 8);
  closed_load_free(l);
}

/* One seed gives one run, to the last count. Another seed gives another. */
static void seeds_decide(void **state) {
  (void)state;
  closed_config_t c = closed_config_default();
  c.accesses = 4;
  closed_stats_t s[3];
  for (unsigned i = 0; i < 3; i++) {
    c.seed = i == 2 ? 8 : 7;
    closed_load_t *l = make_load(&c, 16, 30);
    run_cycles(l, 5000);
    s[i] = closed_load_stats(l);
    closed_load_free(l);
  }
  assert_memory_equal(&s[0], &s[1], sizeof s[0]);
  assert_memory_not_equal(&s[0], &s[2], sizeof s[0]);
}

/* Each limit from both sides. */
static void closed_config_limits(void **state) {
  (void)state;
  const closed_config_t good = closed_config_default();
  trouble_t trouble = {0};
  assert_true(closed_config_check(&good, &trouble));
#define LIMIT(field, inside, outside)                \
  do {                                               \
    closed_config_t c = good;                        \
    c.field = inside;                                \
    assert_true(closed_config_check(&c, &trouble));  \
    c.field = outside;                               \
    assert_false(closed_config_check(&c, &trouble)); \
  } while (0)
  LIMIT(sms, 1, 0);
  LIMIT(sms, 16, 17);
  LIMIT(warps, 1, 0);
  LIMIT(warps, 64, 65);
  LIMIT(issue, 4, 4.1);
  LIMIT(issue, 0.01, 0);
  LIMIT(instructions, 1, 0.9);
  LIMIT(instructions, 1e6, 1e6 + 1);
  LIMIT(divergent, 0, -0.1);
  LIMIT(divergent, 1, 1.1);
  LIMIT(accesses, 2, 1);
  LIMIT(accesses, 32, 33);
  LIMIT(stores, 0, -0.1);
  LIMIT(stores, 1, 1.1);
  LIMIT(memory_latency, 0, 65536);
  LIMIT(queue, 1, 0);
  LIMIT(queue, 1024, 1025);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_load_takes_its_latency), cmocka_unit_test(issue_is_a_limit),
      cmocka_unit_test(shares_are_as_asked),      cmocka_unit_test(stores_do_not_wait),
      cmocka_unit_test(a_full_terminal),          cmocka_unit_test(seeds_decide),
      cmocka_unit_test(closed_config_limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
