/* SPDX-License-Identifier: Apache-2.0
 *
 * Clocks and their common tick: periods are whole numbers of ticks, so edges never drift apart.
 */
#include "clocks.h"
#include "unit_test.h"

/* Adds the clock of this text, which must be one. */
static unsigned add_clock(clocks_t *clocks, const char *text) {
  uint64_t num, den;
  assert_true(clocks_parse(text, &num, &den));
  return clocks_add(clocks, num, den);
}

/* NSU paper, Table 2: 700, 1250 and 350 MHz, and tCK 1.5 ns. 1/70 ns is the coarsest tick that
 * fits all of them. */
static void test_table_2(void **state) {
  (void)state;
  clocks_t clocks = {0};
  unsigned sm = add_clock(&clocks, "700 MHz"), link = add_clock(&clocks, "1.25 GHz"),
           dram = add_clock(&clocks, "1500 ps"), nsu = add_clock(&clocks, "350MHz");
  assert_int_equal(clocks_ticks_per_ns(&clocks), 70);
  assert_int_equal(clocks_period(&clocks, sm), 100);
  assert_int_equal(clocks_period(&clocks, link), 56);
  assert_int_equal(clocks_period(&clocks, dram), 105);
  assert_int_equal(clocks_period(&clocks, nsu), 200);
}

/* Whatever the frequency, n periods are exactly n / f. */
static void test_exact(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t khz;
  } cases[] = {
      {"175 MHz", 175000}, {"333.333 MHz", 333333}, {"1 MHz", 1000}, {"9999.999 MHz", 9999999}, {"0.7 GHz", 700000}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    clocks_t clocks = {0};
    unsigned a = add_clock(&clocks, cases[i].text), b = add_clock(&clocks, "1250 MHz");
    assert_int_equal(clocks_period(&clocks, a) * cases[i].khz, clocks_ticks_per_ns(&clocks) * 1000000);
    assert_int_equal(clocks_period(&clocks, b) * 5, clocks_ticks_per_ns(&clocks) * 4);
  }
}

/* From 1 MHz to 10 GHz, as a frequency or as a period, with its unit. */
static void test_texts(void **state) {
  (void)state;
  static const char *const good[] = {"1 MHz", "1MHz", "10 GHz", "1000 ns", "0.1 ns", "100 ps"};
  static const char *const bad[] = {"",          "700",        "MHz",     "700 mhz", "700 MHz ", " 700 MHz",
                                    "0.999 MHz", "10.001 GHz", "1001 ns", "99 ps",   "-1 ns",    "nan ns",
                                    "inf MHz",   "1e99 ps",    "7 kHz",   "1.5 nsx"};
  uint64_t num, den;
  for (unsigned i = 0; i < sizeof good / sizeof *good; i++)
    if (!clocks_parse(good[i], &num, &den)) fail_msg("'%s' is a clock", good[i]);
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
    if (clocks_parse(bad[i], &num, &den)) fail_msg("'%s' is no clock", bad[i]);
}

/* Periods without a coarse common tick: times would not fit into 64 bits. */
static void test_no_common_tick(void **state) {
  (void)state;
  clocks_t clocks = {0};
  add_clock(&clocks, "9999.999 MHz");
  assert_int_equal(clocks_ticks_per_ns(&clocks), 9999999);
  add_clock(&clocks, "9999.997 MHz");
  assert_int_equal(clocks_ticks_per_ns(&clocks), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_table_2), cmocka_unit_test(test_exact),
                                     cmocka_unit_test(test_texts), cmocka_unit_test(test_no_common_tick)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
