/* SPDX-License-Identifier: Apache-2.0
 *
 * Traffic if a block runs at its first access's stack, and if it runs at the best one: the formulas
 * compared with all placements of small cases, and with random draws of large ones.
 */
#include "target_traffic.h"

#include <math.h>

#include "unit_test.h"

/* The two differ by `within` at most. */
static void assert_near(double got, double wanted, double within) {
  if (!(fabs(got - wanted) <= within)) fail_msg("%.9g is not %.9g", got, wanted);
}

/* Accesses that cross, of one placement. */
static void add_crossings(const unsigned *stack, unsigned accesses, double *first, double *best) {
  unsigned count[TARGET_STACKS_MOST] = {0}, largest = 0;
  for (unsigned i = 0; i < accesses; i++) {
    const unsigned n = ++count[stack[i]];
    if (n > largest) largest = n;
  }
  *first += accesses - count[stack[0]];
  *best += accesses - largest;
}

/* Two to four stacks and one to six accesses: the mean over all placements. */
static void every_placement(void **state) {
  (void)state;
  for (unsigned stacks = 2; stacks <= 4; stacks++)
    for (unsigned accesses = 1; accesses <= 6; accesses++) {
      unsigned stack[6] = {0}, i;
      double first = 0, best = 0, placements = 0;
      do {
        add_crossings(stack, accesses, &first, &best);
        placements++;
        for (i = 0; i < accesses && ++stack[i] == stacks; i++) stack[i] = 0;
      } while (i < accesses);
      const target_traffic_t t = target_traffic(stacks, accesses);
      assert_near(t.first, first / placements, 1e-12);
      assert_near(t.best, best / placements, 1e-12);
    }
}

/* 100000 draws for each number of accesses, within 1 %. */
static void draws_on_eight_stacks(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (unsigned accesses = 2; accesses <= TARGET_ACCESSES; accesses += 31) {
    double first = 0, best = 0;
    for (unsigned draw = 0; draw < 100000; draw++) {
      unsigned stack[TARGET_ACCESSES];
      for (unsigned i = 0; i < accesses; i++) seed = seed * 1664525 + 1013904223, stack[i] = seed >> 29;
      add_crossings(stack, accesses, &first, &best);
    }
    const target_traffic_t t = target_traffic(8, accesses);
    assert_near(t.first / (first / 1e5), 1, 0.01);
    assert_near(t.best / (best / 1e5), 1, 0.01);
  }
}

/* The NSU paper: at most 15 % more traffic on eight stacks, less and less with more accesses. */
static void the_paper_says(void **state) {
  (void)state;
  double most = 0, last = 0;
  unsigned at = 0;
  assert_near(target_increase_percent(target_traffic(8, 1)), 0, 0); /* nothing crosses */
  assert_near(target_increase_percent(target_traffic(8, 2)), 0, 1e-9);
  for (unsigned n = 1; n <= TARGET_ACCESSES; n++) {
    const double more = target_increase_percent(target_traffic(8, n));
    if (more > most) most = more, at = n;
    if (at && n > at + 1) assert_true(more < last + 1);
    last = more;
  }
  assert_true(most > 10 && most <= 15);
  assert_true(last < most / 2);
}

/* 64 accesses on 256 stacks: of 63 others 255/256 cross. */
static void the_largest_machine(void **state) {
  (void)state;
  const target_traffic_t t = target_traffic(TARGET_STACKS_MOST, TARGET_ACCESSES);
  assert_near(t.first, 63 * 255.0 / 256, 1e-12);
  assert_true(t.best > 60 && t.best < 63);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_placement), cmocka_unit_test(draws_on_eight_stacks),
                                     cmocka_unit_test(the_paper_says), cmocka_unit_test(the_largest_machine)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
