/* SPDX-License-Identifier: Apache-2.0
 *
 * Critical path detection (NUPIM paper, III-A) on the golden model, with numbers worked out by
 * hand.
 *
 * Default parameters: 5 ports, a list of 8 pairs, k = 50 %, h = 6. CMakeLists.txt compiles the
 * model three more times under other names: router_crit_h0 (HystBits 0), router_crit_older
 * (PairSent 0) and router_crit_oldest (RankNext 0, too). States and ports are the same.
 */
#include <string.h>

#include "router_crit.h"
#include "unit_test.h"

typedef void crit_step_t(router_crit_t *s, const router_crit_in_t *in);

crit_step_t router_crit_h0_step, router_crit_older_step, router_crit_oldest_step;

/* A whole epoch in which output o stalls for stalls[o] cycles. Its last cycle has `epoch`, so
 * the counters are latched on return. */
static void stalled_epoch(router_crit_t *s, crit_step_t *step, const unsigned stalls[Ports]) {
  for (unsigned cycle = 1, more = 1; more; cycle++) {
    router_crit_in_t in = {0};
    more = 0;
    for (unsigned o = 0; o < Ports; o++) {
      in.stall |= (uint64_t)(stalls[o] >= cycle) << o;
      more |= stalls[o] > cycle;
    }
    in.epoch = !more;
    step(s, &in);
  }
}

/* The router's own selection at the start of an epoch, and a flit that takes the tracker at
 * once. Returns the outputs that were asked for. */
static uint32_t own_tracker(router_crit_t *s) {
  assert_true(s->start);
  router_crit_step(s, &(router_crit_in_t){0});
  uint32_t asked = s->trk_req;
  router_crit_step(s, &(router_crit_in_t){.trk_sent = asked});
  return asked;
}

/* An epoch of one cycle without stalls. */
static void end_epoch(router_crit_t *s) {
  router_crit_step(s, &(router_crit_in_t){.epoch = 1});
}

/* A tracker comes in by input i, and a flit takes the router's answer at once. Returns the
 * outputs by which a tracker leaves. */
static uint32_t bring_tracker(router_crit_t *s, unsigned i) {
  router_crit_step(s, &(router_crit_in_t){.trk_in = 1u << i});
  assert_int_equal(s->trk_req, 0);
  router_crit_step(s, &(router_crit_in_t){0});
  uint32_t asked = s->trk_req;
  router_crit_step(s, &(router_crit_in_t){.trk_sent = asked});
  assert_int_equal(s->trk_req, 0);
  return asked;
}

/* The list's `place` (from 0) is the pair (i, o), whose rank is higher the nearer the front it
 * is. */
static void assert_place(const router_crit_t *s, unsigned place, unsigned i, unsigned o) {
  assert_true(place < s->list_len);
  assert_int_equal(s->list[place].in, i);
  assert_int_equal(s->list[place].out, o);
  assert_int_equal(router_crit_rank(s, i, o), ListLen - place);
}

/* NUPIM paper, Fig. 8, k = 50 %. S0's ports: S1, S2, S3, S4, its modules; S2's: S0, S5, S6, its
 * modules. Both select the link between them, each other's tracker comes in by it; S0's goes on to
 * S1, S2's nowhere. */
static void test_fig8(void **state) {
  enum { S0_TO_S1, S0_TO_S2, S0_TO_S3, S2_TO_S0 = 0 };
  router_crit_t s0, s2;
  (void)state;
  router_crit_reset(&s0);
  router_crit_reset(&s2);
  stalled_epoch(&s0, router_crit_step, (unsigned[]){80, 100, 30, 20, 10});
  stalled_epoch(&s2, router_crit_step, (unsigned[]){100, 40, 49, 0, 0});
  assert_int_equal(own_tracker(&s0), 1 << S0_TO_S2);
  assert_int_equal(own_tracker(&s2), 1 << S2_TO_S0);
  assert_int_equal(s0.list_len + s2.list_len, 0);

  assert_int_equal(bring_tracker(&s0, S0_TO_S2), 1 << S0_TO_S1);
  assert_int_equal(s0.crit_port, 1 << S0_TO_S1 | 1 << S0_TO_S2);
  assert_int_equal(s0.sent, 1 << S0_TO_S1 | 1 << S0_TO_S2);
  assert_int_equal(bring_tracker(&s2, S2_TO_S0), 0);
  assert_int_equal(s2.crit_port, 1 << S2_TO_S0);
  assert_int_equal(bring_tracker(&s0, S0_TO_S3), 0); /* S3 and S4 have less than half of S2's stalls */

  end_epoch(&s0);
  end_epoch(&s2);
  assert_int_equal(s0.list_len, 1);
  assert_place(&s0, 0, S0_TO_S2, S0_TO_S1);
  assert_int_equal(router_crit_rank(&s0, S0_TO_S1, S0_TO_S2), 0);
  assert_int_equal(s2.list_len, 0);
}

/* k % exactly is enough, one stall less is not, and the highest counter
 * is that of all outputs, also of the one that is not eligible. */
static void test_threshold(void **state) {
  router_crit_t s;
  (void)state;
  for (unsigned stalls = 49; stalls <= 51; stalls++) {
    router_crit_reset(&s);
    stalled_epoch(&s, router_crit_step, (unsigned[]){100, stalls, 0, 0, 0});
    assert_int_equal(own_tracker(&s), 1);
    assert_int_equal(bring_tracker(&s, 4), stalls >= 50 ? 2 : 0);
  }
  router_crit_reset(&s);
  stalled_epoch(&s, router_crit_step, (unsigned[]){0, 0, 0, 0, 0});
  assert_int_equal(own_tracker(&s), 0); /* nothing stalled: no tracker of its own, and none goes on */
  assert_int_equal(bring_tracker(&s, 4), 0);
}

/* Ties go to the lowest port, an output is selected once an epoch, never the one where the tracker
 * came in; trackers wait for their turn from the lowest input on. */
static void test_selection(void **state) {
  router_crit_t s;
  (void)state;
  router_crit_reset(&s);
  stalled_epoch(&s, router_crit_step, (unsigned[]){9, 9, 9, 9, 9});
  assert_int_equal(own_tracker(&s), 1 << 0);
  router_crit_step(&s, &(router_crit_in_t){.trk_in = 1 << 1 | 1 << 3 | 1 << 4});
  router_crit_step(&s, &(router_crit_in_t){0});
  assert_int_equal(s.trk_req, 1 << 2); /* for input 1: 0 has been taken */
  router_crit_step(&s, &(router_crit_in_t){.trk_in = 1 << 1});
  assert_int_equal(s.trk_req, 1 << 2 | 1 << 1); /* for input 3 */
  router_crit_step(&s, &(router_crit_in_t){0});
  assert_int_equal(s.trk_req, 1 << 2 | 1 << 1 | 1 << 3); /* for input 1 again */
  router_crit_step(&s, &(router_crit_in_t){0});
  assert_int_equal(s.sent, 0xf); /* input 4 gets none: only output 4 is left */
  assert_true(router_crit_quiet(&s));
  router_crit_step(&s, &(router_crit_in_t){.trk_sent = 0xe});
  assert_int_equal(s.list_len, 0);
  end_epoch(&s);
  assert_int_equal(s.list_len, 3);
  assert_place(&s, 0, 1, 2);
  assert_place(&s, 1, 3, 1);
  assert_place(&s, 2, 1, 3);
}

/* The last epoch's pairs in decreasing order of stalls, then those of
 * epochs before in their old order; a pair selected again moves. */
static void test_list_order(void **state) {
  router_crit_t s;
  (void)state;
  router_crit_reset(&s);
  stalled_epoch(&s, router_crit_step, (unsigned[]){100, 90, 80, 70, 0});
  own_tracker(&s);
  bring_tracker(&s, 4);
  bring_tracker(&s, 4);
  bring_tracker(&s, 4);
  stalled_epoch(&s, router_crit_step, (unsigned[]){100, 0, 60, 80, 0});
  for (unsigned place = 0; place < 3; place++) assert_place(&s, place, 4, place + 1);
  own_tracker(&s);
  bring_tracker(&s, 4); /* its output 3 was third */
  bring_tracker(&s, 1); /* a new pair, before those of the epoch before */
  for (unsigned place = 0; place < 3; place++) assert_place(&s, place, 4, place + 1);
  end_epoch(&s);
  assert_place(&s, 0, 4, 3);
  assert_place(&s, 1, 1, 2);
  assert_place(&s, 2, 4, 1);
  assert_place(&s, 3, 4, 2);
  assert_int_equal(s.list_len, 4);
}

/* Three pairs are selected; flits take the last one's tracker, then, with the end of the epoch, the
 * first one's. The second is not listed, or stays where it was. */
static void test_list_sent(void **state) {
  (void)state;
  for (unsigned before = 0; before < 2; before++) {
    router_crit_t s;
    router_crit_reset(&s);
    stalled_epoch(&s, router_crit_step, (unsigned[]){0, 0, 10, 9, 0});
    own_tracker(&s);
    if (before) bring_tracker(&s, 4); /* pair (4, 3) */
    stalled_epoch(&s, router_crit_step, (unsigned[]){0, 10, 9, 8, 7});
    router_crit_step(&s, &(router_crit_in_t){.trk_in = 1 << 0 | 1 << 3 | 1 << 4});
    for (unsigned n = 0; n < 3; n++) router_crit_step(&s, &(router_crit_in_t){0});
    assert_int_equal(s.trk_req, 0x1e); /* (0, 2), (3, 4), (4, 3) */
    router_crit_step(&s, &(router_crit_in_t){.trk_sent = 1 << 3});
    assert_int_equal(s.list_len, before);
    router_crit_step(&s, &(router_crit_in_t){.trk_sent = 1 << 2, .epoch = 1});
    assert_int_equal(s.list_len, 2);
    assert_place(&s, 0, 0, 2);
    assert_place(&s, 1, 4, 3);
    assert_int_equal(s.trk_req, 0);
    assert_int_equal(s.selected, 0);
  }
}

/* Selects the pairs (i, o) of every o but i, in ascending order:
 * 3 of the 4, since the router itself takes the lowest o. */
static void select_three(router_crit_t *s, unsigned i) {
  unsigned stalls[Ports];
  for (unsigned o = 0; o < Ports; o++) stalls[o] = o == i ? 0 : 100 - o;
  stalled_epoch(s, router_crit_step, stalls);
  own_tracker(s);
  for (unsigned n = 0; n < 3; n++) assert_int_not_equal(bring_tracker(s, i), 0);
}

/* The list has eight places: the ninth pair costs the last of the old ones. */
static void test_list_full(void **state) {
  router_crit_t s;
  (void)state;
  router_crit_reset(&s);
  select_three(&s, 4);
  select_three(&s, 3);
  select_three(&s, 2);
  assert_int_equal(s.list_len, 6);
  end_epoch(&s);
  assert_int_equal(s.list_len, ListLen);
  assert_place(&s, 0, 2, 1);
  assert_place(&s, 3, 3, 1);
  assert_place(&s, 6, 4, 1);
  assert_place(&s, 7, 4, 2);
  assert_int_equal(router_crit_rank(&s, 4, 3), 0);
}

/* Gone at the end of the 2^h-th epoch in a row without a selection, and not before. */
static void test_hysteresis(void **state) {
  const unsigned none[Ports] = {0};
  router_crit_t s;
  (void)state;
  router_crit_reset(&s);
  stalled_epoch(&s, router_crit_step, (unsigned[]){10, 9, 0, 0, 0});
  own_tracker(&s);
  bring_tracker(&s, 4);
  stalled_epoch(&s, router_crit_step, none); /* the end of the epoch of the selection */
  for (unsigned epoch = 1; epoch < 1u << HystBits; epoch++) stalled_epoch(&s, router_crit_step, none);
  assert_int_equal(s.crit_port, 3);
  assert_place(&s, 0, 4, 1);
  stalled_epoch(&s, router_crit_step, none);
  assert_int_equal(s.crit_port, 0);
  assert_int_equal(s.list_len, 0);
  assert_int_equal(router_crit_rank(&s, 4, 1), 0);
}

/* Listed anew in the last moment, a pair stays for another 2^h epochs;
 * one whose tracker no flit took has gone, and its port, too. */
static void test_hysteresis_renewed(void **state) {
  const unsigned none[Ports] = {0};
  (void)state;
  for (unsigned taken = 0; taken < 2; taken++) {
    router_crit_t s;
    router_crit_reset(&s);
    stalled_epoch(&s, router_crit_step, (unsigned[]){10, 9, 0, 0, 0});
    own_tracker(&s);
    bring_tracker(&s, 4);
    for (unsigned epoch = 1; epoch < 1u << HystBits; epoch++) stalled_epoch(&s, router_crit_step, none);
    stalled_epoch(&s, router_crit_step, (unsigned[]){10, 9, 0, 0, 0}); /* of age 2^h - 1 now */
    own_tracker(&s);
    router_crit_step(&s, &(router_crit_in_t){.trk_in = 1 << 4});
    router_crit_step(&s, &(router_crit_in_t){0});
    assert_int_equal(s.trk_req, 2);
    if (taken) router_crit_step(&s, &(router_crit_in_t){.trk_sent = 2});
    stalled_epoch(&s, router_crit_step, none);
    assert_int_equal(s.trk_req, 0);
    assert_int_equal(s.crit_port, taken ? 3 : 1);
    assert_int_equal(s.list_len, taken);
    if (!taken) continue;
    for (unsigned epoch = 1; epoch < 1u << HystBits; epoch++) stalled_epoch(&s, router_crit_step, none);
    assert_place(&s, 0, 4, 1);
    stalled_epoch(&s, router_crit_step, none);
    assert_int_equal(s.list_len, 0);
  }
}

/* The older rules: a pair is listed when it is selected; with the oldest it ranks at once. */
static void test_older(void **state) {
  crit_step_t *const steps[] = {router_crit_older_step, router_crit_oldest_step};
  (void)state;
  for (unsigned oldest = 0; oldest < 2; oldest++) {
    router_crit_t s;
    router_crit_reset(&s);
    stalled_epoch(&s, steps[oldest], (unsigned[]){100, 90, 80, 0, 0});
    steps[oldest](&s, &(router_crit_in_t){.trk_in = 1 << 4});
    steps[oldest](&s, &(router_crit_in_t){.trk_in = 1 << 3});
    steps[oldest](&s, &(router_crit_in_t){0});
    assert_int_equal(s.trk_req, 7);
    assert_int_equal(s.list_len, 2);
    assert_int_equal(router_crit_rank(&s, 4, 1), oldest ? ListLen : 0);
    assert_int_equal(router_crit_rank(&s, 3, 2), oldest ? ListLen - 1 : 0);
    steps[oldest](&s, &(router_crit_in_t){.epoch = 1}); /* no flit took a tracker */
    assert_int_equal(s.trk_req, 0);
    assert_place(&s, 0, 4, 1);
    assert_place(&s, 1, 3, 2);
  }
}

/* h = 0: the first epoch without a selection clears; that of the selection itself does not. */
static void test_hysteresis_none(void **state) {
  const unsigned none[Ports] = {0};
  router_crit_t s;
  (void)state;
  router_crit_reset(&s);
  stalled_epoch(&s, router_crit_h0_step, (unsigned[]){10, 9, 0, 0, 0});
  own_tracker(&s);
  bring_tracker(&s, 4);
  stalled_epoch(&s, router_crit_h0_step, none);
  assert_int_equal(s.list_len, 1);
  assert_int_equal(s.crit_port, 3);
  stalled_epoch(&s, router_crit_h0_step, none);
  assert_int_equal(s.list_len, 0);
  assert_int_equal(s.crit_port, 0);
}

/* What comes in the last cycle of an epoch: a stall counts,
 * a tracker that leaves counts, one that arrives is lost. */
static void test_last_cycle(void **state) {
  router_crit_t s;
  (void)state;
  router_crit_reset(&s);
  stalled_epoch(&s, router_crit_step, (unsigned[]){3, 0, 0, 0, 0});
  router_crit_step(&s, &(router_crit_in_t){.stall = 1 << 2});
  assert_int_equal(s.trk_req, 1);
  router_crit_step(&s, &(router_crit_in_t){.epoch = 1, .stall = 1 << 2, .trk_in = 1 << 4, .trk_sent = 1});
  assert_int_equal(s.latched[2], 2);
  assert_int_equal(s.latched[0], 0);
  assert_int_equal(s.crit_port, 1);
  assert_int_equal(s.probe_pending, 0);
  /* epochs back to back: start is high, but nothing is selected */
  router_crit_step(&s, &(router_crit_in_t){.epoch = 1});
  assert_int_equal(s.trk_req, 0);
  assert_true(s.start);
  assert_int_equal(s.latched[2], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fig8),
      cmocka_unit_test(test_threshold),
      cmocka_unit_test(test_selection),
      cmocka_unit_test(test_list_order),
      cmocka_unit_test(test_list_sent),
      cmocka_unit_test(test_older),
      cmocka_unit_test(test_list_full),
      cmocka_unit_test(test_hysteresis),
      cmocka_unit_test(test_hysteresis_renewed),
      cmocka_unit_test(test_hysteresis_none),
      cmocka_unit_test(test_last_cycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
