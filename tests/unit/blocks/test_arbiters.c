/* SPDX-License-Identifier: Apache-2.0
 *
 * The promises of the router's arbiters, checked on their golden models: who may get a grant, in
 * which order requesters are served, which rule starves whom, and for how long the bound of
 * arb_list lets a requester wait.
 */
#include "unit_test.h"

#include <string.h>

#include "router_variant.h"

extern const router_variant_t arb_fixed_1, arb_fixed_5, arb_fixed_64, arb_matrix_1, arb_matrix_5, arb_matrix_64,
    arb_age_1, arb_age_5, arb_age_64, arb_list_1, arb_list_strict, arb_list_5, arb_list_64;

static const router_variant_t *const all[] = {
    &arb_fixed_1, &arb_fixed_5, &arb_fixed_64, &arb_matrix_1, &arb_matrix_5,    &arb_matrix_64, &arb_age_1,
    &arb_age_5,   &arb_age_64,  &arb_list_1,   &arb_list_5,   &arb_list_strict, &arb_list_64};
enum { ALL = sizeof all / sizeof *all };

/* Those that take turns when levels are equal and the list is empty. */
static const router_variant_t *const fair[] = {&arb_matrix_1, &arb_matrix_5, &arb_matrix_64, &arb_age_1,
                                               &arb_age_5,    &arb_age_64,   &arb_list_1,    &arb_list_strict,
                                               &arb_list_5,   &arb_list_64};
enum { FAIR = sizeof fair / sizeof *fair };

static uint64_t seed;

static uint64_t all_requesters(const router_variant_t *v) {
  return ~UINT64_C(0) >> (64 - v->outs);
}

/* Requesters at random, from nearly all of them to one in 64. */
static uint64_t random_requesters(const router_variant_t *v) {
  uint64_t set = test_random(&seed);
  for (unsigned thin = test_random(&seed) % 5; thin; thin--) set &= test_random(&seed);
  return set & all_requesters(v);
}

/* Random inputs of a cycle. In a quarter of the cycles the grant is not taken. */
static void randomize(const router_variant_t *v, variant_in_t *in) {
  in->req[0] = random_requesters(v);
  in->update = test_random(&seed) % 4;
  for (unsigned i = 0; i < v->outs; i++) in->level[i] = test_random(&seed) & 3;
  for (unsigned i = 0; i < v->list_len; i++) in->list[i] = test_random(&seed) & 63;
  in->list_valid = test_random(&seed);
}

/* At most one grant, only to a requester, always one if there is a requester; a cycle without
 * update leaves the state alone. */
static void test_contract(void **state) {
  (void)state;
  for (unsigned k = 0; k < ALL; k++) {
    variant_in_t in = {0};
    variant_out_t again;
    all[k]->reset();
    for (unsigned cycle = 0; cycle < 5000; cycle++) {
      randomize(all[k], &in);
      variant_out_t out = variant_cycle(all[k], &in);
      assert_true((out.gnt[0] & ~in.req[0]) == 0);
      assert_true((out.gnt[0] & (out.gnt[0] - 1)) == 0);
      assert_int_equal(out.gnt[0] != 0, in.req[0] != 0);
      if (in.update) continue;
      all[k]->eval(&in, &again);
      assert_memory_equal(&out, &again, sizeof out);
    }
  }
}

/* Under full load n cycles serve each of n requesters once: from reset in ascending order, round
 * after round. */
static void test_full_request(void **state) {
  (void)state;
  for (unsigned k = 0; k < FAIR; k++) {
    variant_in_t in = {.req = {all_requesters(fair[k])}, .update = true};
    fair[k]->reset();
    for (unsigned cycle = 0; cycle < 3 * fair[k]->outs; cycle++)
      assert_true(variant_cycle(fair[k], &in).gnt[0] == UINT64_C(1) << cycle % fair[k]->outs);
  }
}

/* The longest wait of a requester that keeps asking, counted in grants to others. Requests and
 * updates are random; `each`, if any, sets the levels before each cycle. */
static unsigned longest_wait(const router_variant_t *v, variant_in_t *in, unsigned cycles,
                             void (*each)(variant_in_t *, const unsigned *)) {
  unsigned waited[VARIANT_MOST] = {0}, longest = 0;
  uint64_t asking = 0;
  v->reset();
  for (unsigned cycle = 0; cycle < cycles; cycle++) {
    in->req[0] = asking |= random_requesters(v);
    in->update = test_random(&seed) % 4;
    if (each) each(in, waited);
    uint64_t gnt = variant_cycle(v, in).gnt[0];
    for (unsigned i = 0; in->update && gnt && i < v->outs; i++) {
      waited[i] = asking & ~gnt & UINT64_C(1) << i ? waited[i] + 1 : 0;
      if (waited[i] > longest) longest = waited[i];
    }
    if (in->update) asking &= ~gnt;
  }
  return longest;
}

/* A fair arbiter serves a requester after at most one grant to each of the others. */
static void test_nobody_starves(void **state) {
  (void)state;
  for (unsigned k = 0; k < FAIR; k++) {
    variant_in_t in = {0};
    unsigned longest = longest_wait(fair[k], &in, 20000, NULL);
    assert_true(longest <= fair[k]->outs - 1);
    if (fair[k]->outs > 1) assert_true(longest >= fair[k]->outs / 2); /* the test looked at real contention */
  }
}

/* The level is the number of grants that went to others meanwhile, as far as four bits count. */
static void levels_are_ages(variant_in_t *in, const unsigned *waited) {
  for (unsigned i = 0; i < VARIANT_MOST; i++) in->level[i] = (uint16_t)(waited[i] < 15 ? waited[i] : 15);
}

/* With its age as its level a requester waits no longer than in turns: 4 grants of 5 requesters.
 * Ages end at 15, and from there on 63 others may have their turn. */
static void test_age_serves_oldest(void **state) {
  (void)state;
  variant_in_t in = {0};
  assert_true(longest_wait(&arb_age_5, &in, 20000, levels_are_ages) <= 4);
  /* ages end at 15: from there on turns */
  assert_true(longest_wait(&arb_age_64, &in, 20000, levels_are_ages) <= 15 + 63);
}

/* Grants to `who` in 10,000 cycles in which everybody asks. */
static unsigned count_grants_to(const router_variant_t *v, variant_in_t *in, unsigned who) {
  unsigned grants = 0;
  v->reset();
  in->req[0] = all_requesters(v), in->update = true;
  for (unsigned cycle = 0; cycle < 10000; cycle++) grants += variant_cycle(v, in).gnt[0] >> who & 1;
  return grants;
}

/* The rules without fairness: one requester that always asks takes each grant, and the others
 * get none. */
static void test_starvation(void **state) {
  (void)state;
  variant_in_t in = {0};
  assert_int_equal(count_grants_to(&arb_fixed_5, &in, 0), 10000);
  for (unsigned i = 1; i < 5; i++) assert_int_equal(count_grants_to(&arb_fixed_5, &in, i), 0);
  in.level[2] = 1;
  assert_int_equal(count_grants_to(&arb_age_5, &in, 2), 10000);
  in.list[0] = 3, in.list_valid = 1;
  assert_int_equal(count_grants_to(&arb_list_strict, &in, 3), 10000);
  for (unsigned i = 0; i < 5; i++)
    if (i != 3) assert_int_equal(count_grants_to(&arb_list_strict, &in, i), 0);
}

/* The fixed arbiter's grant is the lowest request. */
static void test_fixed_is_lowest(void **state) {
  (void)state;
  for (unsigned cycle = 0; cycle < 1000; cycle++) {
    variant_in_t in = {.req = {random_requesters(&arb_fixed_64)}, .update = true};
    uint64_t gnt = variant_cycle(&arb_fixed_64, &in).gnt[0];
    assert_true(gnt == (in.req[0] & (0 - in.req[0])));
  }
}

/* After reset every requester is older than all above it, and the last is the youngest. */
static void test_matrix_reset_order(void **state) {
  (void)state;
  arb_matrix_5.reset();
  for (unsigned low = 0; low < 5; low++)
    for (unsigned high = low + 1; high < 5; high++) {
      variant_in_t in = {.req = {UINT64_C(1) << low | UINT64_C(1) << high}};
      variant_out_t out = variant_cycle(&arb_matrix_5, &in);
      assert_true(out.gnt[0] == UINT64_C(1) << low);
      assert_true(out.youngest == UINT64_C(1) << 4);
    }
}

/* The winner is the one whose last service lies furthest
 * back; the one served last is the youngest. */
static void test_matrix_least_recent(void **state) {
  (void)state;
  int64_t last[VARIANT_MOST];
  variant_in_t in = {0};
  for (unsigned i = 0; i < 64; i++) last[i] = (int64_t)i - 64;
  arb_matrix_64.reset();
  for (int64_t cycle = 0; cycle < 5000; cycle++) {
    unsigned oldest = 64, youngest = 0;
    randomize(&arb_matrix_64, &in);
    for (unsigned i = 0; i < 64; i++) {
      if (last[i] > last[youngest]) youngest = i;
      if (in.req[0] >> i & 1 && (oldest == 64 || last[i] < last[oldest])) oldest = i;
    }
    variant_out_t out = variant_cycle(&arb_matrix_64, &in);
    assert_true(out.gnt[0] == (oldest < 64 ? UINT64_C(1) << oldest : 0));
    assert_true(out.youngest == UINT64_C(1) << youngest);
    if (in.update && oldest < 64) last[oldest] = cycle;
  }
}

/* Only a higher level wins out of turn, and its win moves the pointer too. */
static void test_age_levels(void **state) {
  (void)state;
  variant_in_t in = {.req = {0x1f}, .level = {7, 8, 15, 8, 15}, .update = true};
  static const unsigned winners[] = {2, 4, 2, 4};
  arb_age_5.reset();
  for (unsigned i = 0; i < 4; i++) assert_true(variant_cycle(&arb_age_5, &in).gnt[0] == UINT64_C(1) << winners[i]);
  in.req[0] = 0x0b; /* the pointer is at 0; 15s do not ask */
  variant_out_t out = variant_cycle(&arb_age_5, &in);
  assert_int_equal(out.first, 0);
  assert_true(out.gnt[0] == 2);
  out = variant_cycle(&arb_age_5, &in);
  assert_int_equal(out.first, 2);
  assert_true(out.gnt[0] == 8);
}

/* The list wins in its order and leaves the pointer; the first
 * place of a name counts; a name of nobody is passed over. */
static void test_list_order(void **state) {
  (void)state;
  variant_in_t in = {.req = {0x1f}, .list = {9, 3, 1, 3}, .list_valid = 0xf, .update = true};
  arb_list_strict.reset();
  assert_true(variant_cycle(&arb_list_strict, &in).gnt[0] == 1 << 3);
  in.req[0] = 0x17; /* 3 does not ask */
  assert_true(variant_cycle(&arb_list_strict, &in).gnt[0] == 1 << 1);
  in.req[0] = 0x15; /* nobody that is listed */
  variant_out_t out = variant_cycle(&arb_list_strict, &in);
  assert_int_equal(out.first, 0);
  assert_true(out.gnt[0] == 1 << 0);
  in.req[0] = 0x1f, in.list_valid = 0xd; /* the place of 3 that counts is now the last */
  out = variant_cycle(&arb_list_strict, &in);
  assert_int_equal(out.first, 1);
  assert_true(out.gnt[0] == 1 << 1);
  in.list_valid = 0x8;
  assert_true(variant_cycle(&arb_list_strict, &in).gnt[0] == 1 << 3);
  in.list_valid = 0x1;
  assert_true(variant_cycle(&arb_list_strict, &in).gnt[0] == 1 << 1); /* its turn */
  assert_int_equal(variant_cycle(&arb_list_strict, &in).streak, 0);   /* nothing is counted without a bound */
}

typedef struct {
  uint64_t req;
  bool update;
  unsigned streak, first, winner; /* before the edge */
} list_row_t;

/* Bound 3, listed: 4 and 1. What counts, what starts the
 * count again, what the list being ignored means. */
static void test_list_bound(void **state) {
  (void)state;
  static const list_row_t rows[] = {
      {0x1f, 1, 0, 0, 4},
      {0x1f, 0, 1, 0, 4}, /* not taken: not counted */
      {0x1f, 1, 1, 0, 4},
      {0x12, 1, 2, 0, 4}, /* nobody else waits: again from 0 */
      {0x1f, 1, 0, 0, 4},
      {0x1f, 1, 1, 0, 4},
      {0x1f, 1, 2, 0, 4},
      {0x1f, 0, 3, 0, 0}, /* the bound; refused */
      /* turns: a listed one may have its own, the list stays ignored */
      {0x1e, 1, 3, 0, 1},
      {0x12, 1, 3, 2, 4},
      {0x12, 1, 3, 0, 1}, /* also while nobody else asks */
      /* an unlisted one is served: the list counts again */
      {0x1f, 1, 3, 2, 2},
      {0x1f, 1, 0, 3, 4},
      {0x0d, 1, 1, 3, 3}, /* no listed one asks: an unlisted one, by turns */
      {0x1f, 1, 0, 4, 4},
      {0x00, 1, 1, 4, 64}, /* nobody asks */
      {0x1f, 1, 1, 4, 4},
  };
  arb_list_5.reset();
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    variant_in_t in = {.req = {rows[i].req}, .update = rows[i].update, .list = {4, 1}, .list_valid = 3};
    variant_out_t out = variant_cycle(&arb_list_5, &in);
    assert_int_equal(out.streak, rows[i].streak);
    assert_int_equal(out.first, rows[i].first);
    assert_true(out.gnt[0] == (rows[i].winner < 64 ? UINT64_C(1) << rows[i].winner : 0));
  }
}

/* Everybody asks and 4 is listed: Bound grants to the list, one to the next of the others; 4 has
 * its own turn in between. So in 17 grants each of the others has one. */
static void test_list_bound_shares(void **state) {
  (void)state;
  variant_in_t in = {.list = {4}, .list_valid = 1};
  for (unsigned i = 0; i < 4; i++) assert_in_range(count_grants_to(&arb_list_5, &in, i), 10000 / 17, 10000 / 17 + 1);
  assert_in_range(count_grants_to(&arb_list_5, &in, 4), 10000 * 13 / 17 - 1, 10000 * 13 / 17 + 5);
  print_message("arb_list, 1 of 5 listed, bound 3: the listed one gets %u of 10000 grants, an unlisted one %u\n",
                count_grants_to(&arb_list_5, &in, 4), count_grants_to(&arb_list_5, &in, 2));
}

/* Whoever is not listed and keeps asking waits, for each of those that
 * are not listed, for Bound grants to the list, and for one round. */
static void expect_bound(const router_variant_t *v, unsigned listed) {
  variant_in_t in = {.list_valid = (UINT64_C(1) << listed) - 1};
  for (unsigned i = 0; i < listed; i++) in.list[i] = (uint8_t)(2 * i);
  unsigned unlisted = v->outs - listed, most = unlisted * v->bound + v->outs - 1;
  unsigned waited[VARIANT_MOST] = {0}, longest = 0;
  v->reset();
  for (unsigned cycle = 0; cycle < 50000; cycle++) {
    in.req[0] = all_requesters(v) & (cycle < 20000 ? ~UINT64_C(0) : test_random(&seed) | UINT64_C(0xaaaaaaaaaaaaaaaa));
    in.update = test_random(&seed) % 4;
    uint64_t gnt = variant_cycle(v, &in).gnt[0];
    for (unsigned i = 1; in.update && i < v->outs; i += 2) { /* odd ones are not listed and always ask */
      waited[i] = gnt >> i & 1 ? 0 : waited[i] + 1;
      if (waited[i] > longest) longest = waited[i];
    }
  }
  assert_true(longest <= most);
  assert_true(longest >= (unlisted - 1) * v->bound); /* and the list is ahead that often */
  print_message("arb_list, %u of %u listed, bound %u: the longest wait was %u grants, %u are promised\n", listed,
                v->outs, v->bound, longest, most);
}

/* 2 of 5 requesters are listed, 3 of 64, and 32 of 64. */
static void test_list_bound_holds(void **state) {
  (void)state;
  expect_bound(&arb_list_5, 2);
  expect_bound(&arb_list_64, 3);
  expect_bound(&arb_list_64, 32);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_contract),           cmocka_unit_test(test_full_request),
      cmocka_unit_test(test_nobody_starves),     cmocka_unit_test(test_age_serves_oldest),
      cmocka_unit_test(test_starvation),         cmocka_unit_test(test_fixed_is_lowest),
      cmocka_unit_test(test_matrix_reset_order), cmocka_unit_test(test_matrix_least_recent),
      cmocka_unit_test(test_age_levels),         cmocka_unit_test(test_list_order),
      cmocka_unit_test(test_list_bound),         cmocka_unit_test(test_list_bound_shares),
      cmocka_unit_test(test_list_bound_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
