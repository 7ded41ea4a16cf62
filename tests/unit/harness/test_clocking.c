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
  assert_string_equal(c.reset, "rst_ni");
  assert_true(c.low && c.async && !c.initial);
  assert_int_equal(c.reset_line, 4);
  clocking_read("CLOCK(c)\nRESET(r, high, sync)\nCLOCK(d)", &c);
  assert_string_equal(c.clock, "c");
  assert_string_equal(c.clocks, "c d");
  assert_string_equal(c.reset, "r");
  assert_false(c.low || c.async);
}

static void reads_what_is_not_there(void **state) {
  (void)state;
  clocking_t c;
  clocking_read("CLOCK(none)\nRESET(none, Stages + 1)\n", &c);
  assert_string_equal(c.clock, "");
  assert_string_equal(c.reset, "");
  assert_int_equal(c.reset_line, 2);
  assert_false(c.initial);
  clocking_read("CLOCK(none_of_them)\nRESET(initial)\n", &c);
  assert_string_equal(c.clock, "none_of_them");
  assert_string_equal(c.reset, "");
  assert_true(c.initial);
  clocking_read("RESET(initial, low, sync)\n", &c);
  assert_string_equal(c.reset, "initial");
  clocking_read(NULL, &c);
  assert_int_equal(c.reset_line, 0);
  clocking_of_file("/nowhere/x.ports", &c);
  assert_int_equal(c.reset_line, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_names_level_and_kind),
      cmocka_unit_test(reads_what_is_not_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
