/* SPDX-License-Identifier: Apache-2.0 */
#include "clocks.h"
#include "unit_test.h"

/* NSU paper, Table 2: 700, 1250, 350 MHz and tCK 1.5 ns. 1/70 ns is the coarsest tick that fits them all. */
static void test_table_2(void **state) {
  (void)state;
  clocks_t clocks = {0};
  unsigned sm = clocks_add_mhz(&clocks, 700), link = clocks_add_mhz(&clocks, 1250);
  unsigned dram = clocks_add_ps(&clocks, 1500), nsu = clocks_add_mhz(&clocks, 350);
  assert_int_equal(clocks_ticks_per_ns(&clocks), 70);
  assert_int_equal(clocks_period(&clocks, sm), 100);
  assert_int_equal(clocks_period(&clocks, link), 56);
  assert_int_equal(clocks_period(&clocks, dram), 105);
  assert_int_equal(clocks_period(&clocks, nsu), 200);
}

/* Whatever the frequency, n periods are exactly n / f. */
static void test_exact(void **state) {
  (void)state;
  static const double mhz[] = {175, 333.333, 1, 9999.999, 700};
  for (unsigned i = 0; i < sizeof mhz / sizeof *mhz; i++) {
    clocks_t clocks = {0};
    unsigned a = clocks_add_mhz(&clocks, mhz[i]), b = clocks_add_mhz(&clocks, 1250);
    uint64_t khz = (uint64_t)(mhz[i] * 1000 + 0.5);
    assert_int_equal(clocks_period(&clocks, a) * khz, clocks_ticks_per_ns(&clocks) * 1000000);
    assert_int_equal(clocks_period(&clocks, b) * 5, clocks_ticks_per_ns(&clocks) * 4);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_table_2), cmocka_unit_test(test_exact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
