/* SPDX-License-Identifier: Apache-2.0
 *
 * Drivers of bits in Yosys' RTLIL, as DRIVERS_SCRIPT writes it: bits with several drivers or none,
 * loops, shared wires, clocks made by logic.
 */
#include "drivers.h"

#include <stdio.h>

#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

#define MODULE(body)                        \
  "attribute \\top 1\n"                     \
  "module \\x\n"                            \
  "  attribute \\lockstack_live 1\n"        \
  "  attribute \\src \"x.v:1.2-1.5\"\n"     \
  "  wire width 8 input 1 \\a\n"            \
  "  attribute \\src \"x.v:1.6-1.9\"\n"     \
  "  wire input 2 \\clk\n"                  \
  "  attribute \\lockstack_live 1\n"        \
  "  attribute \\src \"o.v:7.1|x.v:2.8\"\n" \
  "  wire width 8 \\w\n"                    \
  "  attribute \\lockstack_live 1\n"        \
  "  attribute \\src \"x.v:3.8-3.9\"\n"     \
  "  wire width 8 \\q\n"                    \
  "  attribute \\src \"x.v:4.8-4.9\"\n"     \
  "  wire width 8 \\dead\n"                 \
  "  wire width 8 $t\n" body "end\n"

/* The module has this first conflict (part of its text), these undriven wires and this trouble
 * with clocks. */
static void check_drivers(const char *text, const char *conflict, const char *undriven, const char *clock) {
  drivers_t d;
  assert_true(drivers_read(&d, MODULE(""), text));
  if (*conflict) assert_non_null(strstr(d.conflict, conflict));
  else assert_string_equal(d.conflict, "");
  assert_string_equal(d.undriven, undriven);
  assert_string_equal(d.clock, clock);
  drivers_free(&d);
}

#define TRI                  \
  "  cell $tribuf $t1\n"     \
  "    connect \\A \\a\n"    \
  "    connect \\EN \\clk\n" \
  "    connect \\Y $t\n"     \
  "  end\n"
#define FLOP(clk, polarity)                     \
  "  attribute \\src \"x.v:9.3-9.9\"\n"         \
  "  cell $dff $f1\n"                           \
  "    parameter \\CLK_POLARITY " polarity "\n" \
  "    connect \\CLK " clk "\n"                 \
  "    connect \\D \\a\n"                       \
  "    connect \\Q \\q\n"                       \
  "  end\n"

/* Bits count, not wires: two halves are no conflict. A wire that is not used does not count. */
static void test_conflicts(void **state) {
  (void)state;
  check_drivers(MODULE("  connect \\w \\a\n  connect \\w 8'01010101\n"), "x.v:2:8: 'w[0]' has several drivers", "", "");
  check_drivers(MODULE("  connect \\w [7:4] \\a [3:0]\n  connect \\w [3:0] \\a [7:4]\n"), "", "", "");
  check_drivers(MODULE("  connect { \\w [7:4] \\w [2:0] } \\a [6:0]\n  connect \\w [3:2] \\a [1:0]\n"), "'w[2]'", "",
                "");
  check_drivers(MODULE("  connect \\dead 8'00000010\n  connect \\dead 8'00000001\n"), "", "", "");
  check_drivers(MODULE("  connect \\a \\w\n"), "x.v:1:2: 'a[0]'", "x.v:2:8 w\n", "");
  check_drivers(MODULE(FLOP("\\clk", "1'1") "  connect \\q \\a\n"), "'q[0]'", "", "");
}

/* "DRIVERS_SCRIPT" asks before `proc`, too: a constant from a process is no driver, one from an
 * assignment is. */
static void test_constants(void **state) {
  (void)state;
  static const char two[] = MODULE("  connect \\dead 8'00000010\n  connect \\dead 8'00000001\n"),
                    one[] = MODULE("  connect \\dead 8'00000010\n");
  drivers_t d;
  assert_true(drivers_read(&d, two, two));
  assert_non_null(strstr(d.conflict, "x.v:4:8: 'dead[0]' has several drivers"));
  drivers_free(&d);
  assert_true(drivers_read(&d, one, two));
  assert_non_null(strstr(d.conflict, "'dead[0]'"));
  drivers_free(&d);
  static const char process[] = "  process $p\n    sync posedge \\clk\n      update \\dead [7:4] $t [7:4]\n  end\n";
  char both[4096];
  snprintf(both, sizeof both, MODULE("%s  connect \\dead 8'00000010\n"), process);
  assert_true(drivers_read(&d, both, one));
  assert_non_null(strstr(d.conflict, "'dead[4]'"));
  drivers_free(&d);
  assert_true(drivers_read(&d, one, one));
  assert_string_equal(d.conflict, "");
  drivers_free(&d);
}

/* Constants from two processes: a conflict if the value is used; otherwise the counter of
 * unrolled loops. */
static void test_processes(void **state) {
  (void)state;
#define PROCESS(name) \
  "  process $" name  \
  "\n    assign $0\\dead[7:0] \\dead\n    sync posedge \\clk\n      update \\dead $0\\dead[7:0]\n  end\n"
  static const char after[] = MODULE("  connect \\dead 8'00000010\n  connect \\dead 8'00000001\n");
  static const char one[] = MODULE(PROCESS("p") "  connect \\w \\dead\n"), two[] = MODULE(PROCESS("p") PROCESS("q"));
  static const char used[] = MODULE(PROCESS("p") PROCESS("q") "  connect \\w \\dead\n");
  const char *const texts[] = {one, two, used}, *const conflicts[] = {"", "", "x.v:4:8: 'dead[0]' has several drivers"};
  for (unsigned i = 0; i < 3; i++) {
    drivers_t d;
    assert_true(drivers_read(&d, texts[i], after));
    assert_int_equal(strncmp(d.conflict, conflicts[i], strlen(conflicts[i])), 0);
    if (!*conflicts[i]) assert_string_equal(d.conflict, "");
    drivers_free(&d);
  }
}

/* Words of arrays: Yosys' own process keeps one of several assignments and an empty one for each
 * other. Only the first text is a conflict. */
static void test_words(void **state) {
  (void)state;
#define WORDS(line, more, sync)                                           \
  "  process $flatten\\u.$proc$x.v:" line "$3\n    assign { } { }\n" more \
  "    assign $0\\dead[7:0] \\a\n    sync " sync "\n      update \\dead $0\\dead[7:0]\n  end\n"
  static const char empty[] = "    assign { } { }\n", label[] = "  attribute \\always_comb 1\n";
  char texts[6][4096];
  snprintf(texts[5], sizeof texts[5], MODULE(WORDS("0", "%s", "always\n      update \\f$func$x.v:7$4.$result 8'x")),
           empty);
  snprintf(texts[0], sizeof texts[0], MODULE(WORDS("0", "%s", "always")), empty);
  snprintf(texts[1], sizeof texts[1], MODULE("%s" WORDS("0", "%s", "always")), label, empty);
  snprintf(texts[2], sizeof texts[2], MODULE(WORDS("7", "%s", "always")), empty);
  snprintf(texts[3], sizeof texts[3], MODULE(WORDS("0", "%s", "init")), empty);
  snprintf(texts[4], sizeof texts[4], MODULE(WORDS("0", "", "always")));
  for (unsigned i = 0; i < 6; i++) {
    drivers_t d;
    assert_true(drivers_read(&d, texts[i], MODULE("")));
    assert_string_equal(
        d.conflict,
        i ? ""
          : "x.v:4:8: 'dead', or another word that an assignment or an instance drives, has several drivers; one for "
            "each word would be right");
    drivers_free(&d);
  }
}

/* `proc` may drop a cell that only hands on its own value; a loop through it is still found, by
 * the name of a value in it. */
static void test_dropped(void **state) {
  (void)state;
  static const char before[] = MODULE("  cell $and $c1\n    connect \\A \\w\n    connect \\Y $t\n  end\n");
  drivers_t d;
  assert_true(drivers_read(&d, before, MODULE("  connect \\w $t\n  connect \\q \\w\n")));
  assert_string_equal(
      d.conflict,
      "x.v:2:8: combinational loop through 'w': a bit depends on itself; a register or a latch has to be in it");
  drivers_free(&d);
  assert_true(
      drivers_read(&d, before, MODULE("  connect \\w $t\n  connect $t [7:4] 4'0000\n  connect $t [3:0] $t [3:0]\n")));
  assert_string_equal(
      d.conflict,
      "x.v:2:8: combinational loop through 'w': a bit depends on itself; a register or a latch has to be in it");
  drivers_free(&d);
  assert_true(drivers_read(&d, before, MODULE("  connect \\w $t\n  connect $t 8'00000001\n")));
  assert_string_equal(d.conflict, "");
  drivers_free(&d);
}

/* Wires in a ring depend on themselves; a shift by one bit does not. */
static void test_rings(void **state) {
  (void)state;
  check_drivers(MODULE("  connect \\w \\q\n  connect \\q $t\n  connect $t \\w\n"), "combinational loop through '", "",
                "");
  check_drivers(MODULE("  connect \\w [7:1] \\w [6:0]\n  connect \\w [0] \\a [0]\n"), "", "", "");
}

/* A wire with two tri-state drivers is shared. */
static void test_shared(void **state) {
  (void)state;
  static const char twice[] = MODULE(TRI "  connect \\w $t\n  connect \\w $t\n"),
                    once[] = MODULE(TRI "  connect \\w $t\n");
  drivers_t d;
  assert_true(drivers_read(&d, MODULE(""), twice));
  assert_string_equal(d.shared, "x.v:2:8 w\n");
  assert_string_equal(d.floating, "x.v:2:8: 'w'");
  drivers_free(&d);
  assert_true(drivers_read(&d, MODULE(""), once));
  assert_string_equal(d.shared, "");
  assert_string_equal(d.floating, "x.v:2:8: 'w'");
  drivers_free(&d);
}

/* A case with full_case is told by its place. */
static void test_cases(void **state) {
  (void)state;
  static const char process[] =
      MODULE("  process $p\n    assign \\w \\a\n    attribute \\full_case 1\n    attribute \\src \"x.v:5.3-6.9\"\n"
             "    switch \\a\n      case 8'0\n        attribute \\src \"x.v:7.3-7.9\"\n        switch \\q\n"
             "        end\n    end\n  end\n");
  drivers_t d;
  assert_true(drivers_read(&d, process, MODULE("")));
  assert_string_equal(d.cases, "x.v:5:3 full_case\n");
  assert_string_equal(d.floating, "");
  drivers_free(&d);
}

/* Several tri-state drivers are no conflict, one among ordinary drivers is. */
static void test_tri_state(void **state) {
  (void)state;
  check_drivers(MODULE(TRI "  connect \\w $t\n  connect \\w $t\n"), "", "", "");
  check_drivers(MODULE(TRI "  connect \\w $t\n  connect \\w \\a\n"), "'w[0]'", "", "");
}

/* A wire of which one bit has no driver is named, with its place. */
static void test_undriven(void **state) {
  (void)state;
  check_drivers(MODULE("  connect \\q { \\w [7:1] \\clk }\n"), "", "x.v:2:8 w\n", "");
}

/* Registers must use the rising edge of the clock port. A wire on the way and two inversions are
 * fine; the falling edge and logic are not. */
static void test_clocks(void **state) {
  (void)state;
  static const char inverted[] = "  cell $not $n\n    connect \\A \\clk\n    connect \\Y \\w [0]\n  end\n";
  check_drivers(MODULE(FLOP("\\clk", "1'1")), "", "", "");
  check_drivers(MODULE(FLOP("\\clk", "1'0")), "", "", "x.v:9:3: this register waits for the falling edge of the clock");
  check_drivers(MODULE("  connect \\w [3] \\clk\n" FLOP("\\w [3]", "1'1")), "", "", "");
  check_drivers(MODULE("  connect \\w [3] \\w [3]\n" FLOP("\\w [3]", "1'1")), "x.v:2:8: combinational loop through 'w'",
                "", "x.v:9:3: the clock of this register is made by logic");
  char text[4096];
  snprintf(text, sizeof text, MODULE("%s" FLOP("\\w [0]", "1'0")), inverted);
  check_drivers(text, "", "", "");
}

/* A netlist of which no module is the top one cannot be read. */
static void test_no_module(void **state) {
  (void)state;
  drivers_t d;
  assert_false(drivers_read(&d, MODULE(""), "module \\x\nend\n"));
  drivers_free(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_conflicts), cmocka_unit_test(test_tri_state), cmocka_unit_test(test_undriven),
      cmocka_unit_test(test_constants), cmocka_unit_test(test_shared),    cmocka_unit_test(test_processes),
      cmocka_unit_test(test_rings),     cmocka_unit_test(test_dropped),   cmocka_unit_test(test_cases),
      cmocka_unit_test(test_clocks),    cmocka_unit_test(test_no_module), cmocka_unit_test(test_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
