/* SPDX-License-Identifier: Apache-2.0
 *
 * Clock and reset by the text of a port file, with blanks as people write them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "clocking.h"

static void reads_names_level_and_kind(void **state) {
  (void)state;
  clocking_t c;
  clocking_read("/* RESET */\nKIND(moore)\nCLOCK( clk_i )\n  RESET(rst_ni , low,async)\nIN(RESET, 1, always)\n", &c);
  assert_string_equal(c.clock, "clk_i");
  assert_int_equal(c.num_resets, 1);
  assert_string_equal(c.resets[0].name, "rst_ni");
  assert_true(c.resets[0].low && c.resets[0].async && !c.initial);
  assert_int_equal(c.reset_line, 4);
  clocking_read("CLOCK(c)\nRESET(r, high, sync)\nCLOCK(d)", &c);
  assert_string_equal(c.clock, "c");
  assert_string_equal(c.clocks, "c d");
  assert_string_equal(c.resets[0].name, "r");
  assert_false(c.resets[0].low || c.resets[0].async);
}

static void reads_each_reset(void **state) {
  (void)state;
  clocking_t c;
  clocking_read("CLOCK(c)\nRESET(s_rst, high, sync)\nRESET(m_rst_n, low, async)\n", &c);
  assert_int_equal(c.num_resets, 2);
  assert_string_equal(c.resets[1].name, "m_rst_n");
  assert_true(c.resets[1].low && c.resets[1].async && !c.resets[0].low && !c.resets[0].async);
  assert_int_equal(c.resets[1].line, 3);
  assert_int_equal(c.reset_line, 2);
}

static void reads_what_is_not_there(void **state) {
  (void)state;
  clocking_t c;
  clocking_read("CLOCK(none)\nRESET(none, Stages + 1)\n", &c);
  assert_string_equal(c.clock, "");
  assert_int_equal(c.num_resets, 0);
  assert_int_equal(c.reset_line, 2);
  assert_false(c.initial);
  clocking_read("CLOCK(none_of_them)\nRESET(initial)\n", &c);
  assert_string_equal(c.clock, "none_of_them");
  assert_int_equal(c.num_resets, 0);
  assert_true(c.initial);
  clocking_read("RESET(initial, low, sync)\n", &c);
  assert_string_equal(c.resets[0].name, "initial");
  clocking_read(NULL, &c);
  assert_int_equal(c.reset_line, 0);
  clocking_of_file("/nowhere/x.ports", &c);
  assert_int_equal(c.reset_line, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_names_level_and_kind),
      cmocka_unit_test(reads_each_reset),
      cmocka_unit_test(reads_what_is_not_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
