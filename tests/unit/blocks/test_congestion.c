/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of congestion management (NUPIM paper, section III) on the golden models, with numbers
 * worked out by hand: link widths, levels and their bound, fairness of the allocators among equals.
 *
 * Default parameters: 5 ports with 2 VCs, W = 100000 flits an epoch, penalty 2500 cycles.
 * CMakeLists.txt compiles router_level a second time under other names, as router_level_bound with
 * Bound 4. States and ports of the two are the same.
 */
#include <string.h>

#include "router_epoch.h"
#include "router_level.h"
#include "router_swalloc.h"
#include "router_vcalloc.h"
#include "router_width.h"
#include "bits.h"
#include "unit_test.h"

void router_level_bound_eval(const router_level_t *s, const router_level_in_t *in, router_level_out_t *out);
void router_level_bound_step(router_level_t *s, const router_level_in_t *in);

enum { IVCS = Ports * (NumVCs), BOUND = 4 };

/* --- Link widths */

/* An epoch in which output 0 gets `credits` credits, then the start of the next with these
 * stalls. Returns output 0's width, as the exponent of its divisor: 0 is W, 3 is W/8. */
static unsigned decide_width(router_width_t *s, unsigned credits, uint64_t crit_port, const uint32_t stalls[Ports]) {
  for (unsigned n = 0; n < credits; n++) router_width_cycle(s, false, false, 0, 1, 0, NULL);
  router_width_cycle(s, true, false, 0, 0, 0, NULL);
  router_width_cycle(s, false, true, (1 << Ports) - 1, 0, crit_port, stalls);
  return s->width[0];
}

/* A critical link has W for T > FR or FR > BW/4, W/2 for FR > BW/8, otherwise W/4, and never
 * W/8. BW is 100000 flits, so the limits are 25000 and 12500. */
static void test_critical_width(void **state) {
  static const struct {
    unsigned credits, stalls, width;
  } rows[] = {
      {0, 0, 2},     {0, 1, 0},         {5, 5, 2},         {5, 6, 0},     {12500, 0, 2},  {12501, 0, 1},
      {25000, 0, 1}, {25000, 25000, 1}, {25000, 25001, 0}, {25001, 0, 0}, {100000, 0, 0},
  };
  router_width_t s;
  (void)state;
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    router_width_reset(&s);
    assert_int_equal(decide_width(&s, rows[i].credits, 1, (uint32_t[Ports]){rows[i].stalls}), rows[i].width);
  }
}

/* Another link doubles its width for T > 0.9 Tmax (901 of 1000 stalls), at most to W. Otherwise
 * it halves the width, at least to W/8. */
static void test_other_width(void **state) {
  static const unsigned down[] = {1, 2, 3, 3}, up[] = {2, 1, 0, 0};
  router_width_t s;
  (void)state;
  router_width_reset(&s);
  for (unsigned i = 0; i < 4; i++) assert_int_equal(decide_width(&s, 50000, 0, (uint32_t[Ports]){900, 1000}), down[i]);
  for (unsigned i = 0; i < 4; i++) assert_int_equal(decide_width(&s, 0, 0, (uint32_t[Ports]){901, 1000}), up[i]);
  assert_int_equal(decide_width(&s, 0, 0, (uint32_t[Ports]){0}), 1); /* without any stall Tmax is not exceeded */
  assert_int_equal(decide_width(&s, 0, 1, (uint32_t[Ports]){0}), 2);
  assert_int_equal(decide_width(&s, 0, 0, (uint32_t[Ports]){0}), 3); /* critical no more */
}

/* The next Penalty cycles without flits, begun anew by
 * another change; ports that are not links stay at W. */
static void test_penalty(void **state) {
  const uint32_t none[Ports] = {0}, some[Ports] = {7};
  router_width_t s;
  (void)state;
  router_width_reset(&s);
  router_width_cycle(&s, false, true, 1 << 0, 0, 0, none);
  for (unsigned cycle = 0; cycle < Penalty; cycle++, router_width_cycle(&s, false, false, 1, 0, 0, NULL))
    assert_int_equal(s.off, 1);
  assert_int_equal(s.off, 0);
  assert_int_equal(s.width[0], 1);
  assert_int_equal(s.width[1], 0);

  router_width_cycle(&s, false, true, 1, 0, 0, none);
  for (unsigned cycle = 0; cycle < 100; cycle++) router_width_cycle(&s, false, false, 1, 0, 0, NULL);
  router_width_cycle(&s, false, true, 1, 0, 0, some);
  for (unsigned cycle = 0; cycle < Penalty; cycle++, router_width_cycle(&s, false, false, 1, 0, 0, NULL))
    assert_int_equal(s.off, 1);
  assert_int_equal(s.off, 0);
  router_width_cycle(&s, false, true, 1, 0, 0, some);
  router_width_cycle(&s, false, true, 1, 0, 0, some); /* W already: no change, no new penalty */
  for (unsigned cycle = 1; cycle < Penalty; cycle++, router_width_cycle(&s, false, false, 1, 0, 0, NULL))
    assert_int_equal(s.off, 1);
  assert_int_equal(s.off, 0);
}

/* --- Starvation */

typedef void level_eval_t(const router_level_t *s, const router_level_in_t *in, router_level_out_t *out);
typedef void level_step_t(router_level_t *s, const router_level_in_t *in);

/* The outcome of a contest: flits and longest wait of each input VC, and the longest time
 * without a flit of level 0. */
typedef struct {
  unsigned flits[IVCS], wait[IVCS], gap;
} contest_t;

/* Every VC of inputs 0 .. n - 1 has flits for output 4 without end; the pair (0, 4) is critical. */
static contest_t contend(unsigned n, unsigned cycles, level_eval_t *eval, level_step_t *step) {
  router_level_t levels;
  router_swalloc_t swalloc;
  router_level_in_t in = {.asks = bits_ones(n * (NumVCs))};
  contest_t c = {0};
  unsigned since[IVCS] = {0}, since_low = 0;
  router_level_reset(&levels);
  router_swalloc_reset(&swalloc);
  bits_put(in.rank, 7 * 4, 7, 1);
  for (unsigned i = 0; i < IVCS; i++) bits_put(in.out_port, 4 * i, 4, 4);
  for (unsigned cycle = 0; cycle < cycles; cycle++) {
    router_swalloc_in_t ask = {.req = in.asks};
    router_swalloc_out_t match;
    router_level_out_t level;
    eval(&levels, &in, &level);
    memcpy(ask.out_port, in.out_port, sizeof ask.out_port);
    memcpy(ask.level, level.level, sizeof ask.level);
    router_swalloc_eval(&swalloc, &ask, &match);
    router_swalloc_step(&swalloc, &ask);
    in.sa_gnt = match.gnt;
    step(&levels, &in);
    since_low = match.gnt >> (NumVCs) ? 0 : since_low + 1;
    if (since_low > c.gap) c.gap = since_low;
    for (unsigned i = 0; i < n * (NumVCs); i++) {
      bool served = match.gnt >> i & 1;
      c.flits[i] += served;
      since[i] = served ? 0 : since[i] + 1;
      if (since[i] > c.wait[i]) c.wait[i] = since[i];
    }
  }
  return c;
}

/* Strict priority, which is the paper's rule, starves: the critical VCs take all 10000 cycles. */
static void test_starvation(void **state) {
  (void)state;
  contest_t c = contend(4, 10000, router_level_eval, router_level_step);
  assert_int_equal(c.flits[0] + c.flits[1], 10000);
  assert_int_equal(c.gap, 10000);
  for (unsigned i = 2; i < 8; i++) assert_int_equal(c.wait[i], 10000);
}

/* Bound: after every 4 prioritised flits there is one of level 0, and those that wait take turns,
 * VC by VC: (BOUND + 1) flits for each of them, which is within (BOUND + 1) * P * V. What is
 * critical keeps the rest. */
static void test_bound(void **state) {
  (void)state;
  for (unsigned n = 2; n <= 4; n++) {
    const unsigned waiting = (n - 1) * (NumVCs), cycles = 100 * (BOUND + 1) * waiting;
    contest_t c = contend(n, cycles, router_level_bound_eval, router_level_bound_step);
    assert_int_equal(c.gap, BOUND);
    assert_int_equal(c.flits[0] + c.flits[1], 100 * BOUND * waiting);
    for (unsigned i = NumVCs; i < n * (NumVCs); i++) {
      assert_int_equal(c.flits[i], 100);
      assert_true(c.wait[i] < (BOUND + 1) * waiting);
    }
  }
}

/* The level that the bounded model gives to input VC i. */
static unsigned level_of(const router_level_t *s, const router_level_in_t *in, unsigned i) {
  router_level_out_t out;
  router_level_bound_eval(s, in, &out);
  return (unsigned)bits_get(out.level, 12 * i, 12);
}

/* Output 0 has reached its bound: now the others take turns. */
static bool is_fair(const router_level_t *s, const router_level_in_t *in) {
  router_level_out_t out;
  router_level_bound_eval(s, in, &out);
  assert_int_equal(out.fair & ~UINT64_C(1), 0);
  return out.fair;
}

/* A flit of input VC i leaves in this cycle. */
static void let_flit_leave(router_level_t *s, router_level_in_t *in, unsigned i) {
  in->sa_gnt = UINT64_C(1) << i;
  router_level_bound_step(s, in);
  in->sa_gnt = 0;
}

/* Both VCs of input 0 are critical, and each packet goes to output 0; `asks` are the VCs with a
 * flit. */
static router_level_in_t to_output_0(uint64_t asks) {
  router_level_in_t in = {.asks = asks};
  bits_put(in.rank, 0, 7, 3);
  return in;
}

/* The count is of flits that overtook: without anybody of level
 * 0 it does not grow, and one of level 0 sets it back. */
static void test_bound_count(void **state) {
  router_level_in_t in = to_output_0(1);
  router_level_t s;
  (void)state;
  router_level_reset(&s);
  for (unsigned n = 0; n < 10; n++) let_flit_leave(&s, &in, 0);
  assert_int_equal(s.count[0], 0);
  in.asks = 1 | 1 << 4;
  for (unsigned n = 0; n < BOUND - 1; n++) let_flit_leave(&s, &in, 0);
  let_flit_leave(&s, &in, 4);
  assert_int_equal(s.count[0], 0);
  for (unsigned n = 0; n < BOUND; n++) {
    assert_false(is_fair(&s, &in));
    assert_int_equal(level_of(&s, &in, 0), 3 << 5);
    let_flit_leave(&s, &in, 0);
  }
  assert_true(is_fair(&s, &in));
  assert_int_equal(level_of(&s, &in, 0), 0);
  assert_int_equal(level_of(&s, &in, 4), 1);
  router_level_bound_step(&s, &in);
  let_flit_leave(&s, &in, 0);
  assert_true(is_fair(&s, &in)); /* without a flit nothing changes, nor with another's */
  let_flit_leave(&s, &in, 4);
  assert_int_equal(s.count[0], 0);
  assert_int_equal(level_of(&s, &in, 4), 0);
}

/* Flits of VC 0 leave until the bound is reached; returns the one VC of level 1, or IVCS if
 * there is none. */
static unsigned whose_turn(router_level_t *s, router_level_in_t *in) {
  unsigned turn = IVCS;
  while (!is_fair(s, in)) let_flit_leave(s, in, 0);
  for (unsigned i = 0; i < IVCS; i++) {
    if (!level_of(s, in, i)) continue;
    assert_int_equal(level_of(s, in, i), 1);
    assert_int_equal(turn, IVCS);
    turn = i;
  }
  return turn;
}

/* Turns ascend, wrap around and pass over VCs that do not ask. Only a flit that leaves in its
 * turn moves the turn on. */
static void test_turns(void **state) {
  router_level_in_t in = to_output_0(1 | 1 << 3 | 1 << 4 | 1 << 9);
  router_level_t s;
  (void)state;
  router_level_reset(&s);
  for (unsigned round = 0; round < 2; round++) {
    static const unsigned order[] = {3, 4, 9};
    for (unsigned n = 0; n < 3; n++) {
      assert_int_equal(whose_turn(&s, &in), order[n]);
      let_flit_leave(&s, &in, order[n]);
    }
  }
  assert_int_equal(whose_turn(&s, &in), 3);
  let_flit_leave(&s, &in, 9); /* 3 has no output VC yet */
  assert_int_equal(whose_turn(&s, &in), 3);
  in.asks &= ~UINT64_C(8); /* it has one now, without a credit */
  assert_int_equal(whose_turn(&s, &in), 4);
  in.asks = 1;
  assert_int_equal(whose_turn(&s, &in), IVCS);
  let_flit_leave(&s, &in, 0);
  assert_true(is_fair(&s, &in)); /* the turn is for whoever comes */
  in.asks = 1 | 1 << 3 | 1 << 4;
  bits_put(in.out_port, 4 * 3, 4, 1);
  assert_int_equal(whose_turn(&s, &in), 4); /* 3 waits for another output */
}

/* --- Fairness of VC allocation */

/* Grants to each input VC if all of them ask in all cycles. Each output VC is free again in the
 * next cycle. Input VC i wants port i * stride % Ports: with stride 0 all want one port. */
static void serve_vcalloc(unsigned stride, unsigned cycles, unsigned granted[IVCS], unsigned *total) {
  router_vcalloc_in_t in = {.req = bits_ones(IVCS), .space = bits_ones(IVCS)};
  router_vcalloc_out_t out;
  router_vcalloc_t s;
  router_vcalloc_reset(&s);
  *total = 0;
  for (unsigned i = 0; i < IVCS; i++) bits_put(in.out_port, 4 * i, 4, i * stride % Ports), granted[i] = 0;
  for (unsigned cycle = 0; cycle < cycles; cycle++) {
    router_vcalloc_eval(&s, &in, &out);
    router_vcalloc_step(&s, &in);
    assert_int_equal(__builtin_popcountll(out.gnt), __builtin_popcountll(out.take));
    *total += (unsigned)__builtin_popcountll(out.gnt);
    for (unsigned i = 0; i < IVCS; i++) granted[i] += out.gnt >> i & 1;
  }
}

/* All ten input VCs want the two VCs of one port: 2000 grants, 200 for each. Then two want each
 * port: 1000 grants for each. The slack is for the first cycles, in which the pointers still
 * meet. */
static void test_vcalloc_fair(void **state) {
  unsigned granted[IVCS], total;
  (void)state;
  serve_vcalloc(0, 1000, granted, &total);
  assert_true(total >= 2 * 1000 - 2);
  for (unsigned i = 0; i < IVCS; i++) assert_in_range(granted[i], 200 - 2, 200 + 2);
  serve_vcalloc(1, 1000, granted, &total);
  assert_true(total >= IVCS * 1000 - 2 * IVCS);
  for (unsigned i = 0; i < IVCS; i++) assert_true(granted[i] >= 1000 - 2 * 2);
}

/* --- Epochs */

/* The last cycle of each period has `epoch`, and no other. */
static void test_epoch(void **state) {
  router_epoch_t s;
  router_epoch_in_t in;
  router_epoch_out_t out;
  (void)state;
  router_epoch_reset(&s);
  for (unsigned cycle = 0; cycle < 3 * (Period); cycle++) {
    router_epoch_eval(&s, &in, &out);
    assert_int_equal(out.epoch, cycle % (Period) == (Period)-1);
    router_epoch_step(&s, &in);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_critical_width), cmocka_unit_test(test_other_width),  cmocka_unit_test(test_penalty),
      cmocka_unit_test(test_starvation),     cmocka_unit_test(test_bound),        cmocka_unit_test(test_bound_count),
      cmocka_unit_test(test_turns),          cmocka_unit_test(test_vcalloc_fair), cmocka_unit_test(test_epoch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
