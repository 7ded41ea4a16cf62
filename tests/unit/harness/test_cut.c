/* SPDX-License-Identifier: Apache-2.0
 *
 * Which faults are chosen from Yosys' list, and the design that is cut open at their ports.
 */
#include "cut.h"
#include "unit_test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/cut.XXXXXX";

/* A path in the folder; four of them are valid at once. */
static const char *path_of(const char *name) {
  static char paths[4][64];
  static unsigned next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

/* Writes a file of this text and returns its path, as path_of() does. */
static const char *write_in_folder(const char *name, const char *text) {
  const char *path = path_of(name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  return path;
}

static const char LIST[] =
    "mutate -mode none -module m\n"
    "mutate -mode inv -module m -cell $and$1 -port A -portbit 0 -src /root/rtl/a.sv:7.1-7.9\n"
    "mutate -mode const0 -module m -cell $and$1 -port A -portbit 1 -src /root/rtl/a.sv:7.1-7.9\n"
    "mutate -mode cnot1 -module m -cell $and$1 -port Y -portbit 1 -ctrlbit 0 -src /root/rtl/a.sv:7.1-7.9\n"
    "mutate -mode inv -module m -cell \\reg -port CLK -portbit 0 -src /root/rtl/a.sv:9.1-9.9\n"
    "mutate -mode const1 -module m -cell \\reg -port Q -portbit 0 -src /root/rtl/b.sv:9.1-9.9|/root/rtl/a.sv:7.1-7.9\n";

/* At most `wanted` mutants of the list above. */
static mutant_t *list_mutants(unsigned wanted, unsigned *count) {
  trouble_t trouble = {0};
  mutant_t *m = cut_list(write_in_folder("list", LIST), "/root", wanted, 1, count, &trouble);
  assert_non_null(m);
  return m;
}

/* With room for two, each source line has one: three faults are of a.sv:7 and one is of b.sv:9. */
static void every_line_has_its_turn(void **state) {
  unsigned count = 0, b = 0;
  (void)state;
  mutant_t *m = list_mutants(2, &count);
  assert_int_equal(count, 2);
  for (unsigned i = 0; i < count; i++) b += strcmp(m[i].source, "rtl/b.sv:9") == 0;
  assert_int_equal(b, 1);
  free(m);
}

/* Four of six lines are faults that count: not the empty one, and not the clock's. */
static void clocks_and_no_fault_are_left_out(void **state) {
  unsigned count = 0;
  (void)state;
  mutant_t *m = list_mutants(100, &count);
  assert_int_equal(count, 4);
  for (unsigned i = 0; i < count; i++) {
    assert_string_not_equal(m[i].port, "CLK");
    assert_int_equal(m[i].place, i);
    if (strcmp(m[i].mode, "cnot1")) continue;
    assert_int_equal(m[i].fault.kind, FAULT_CNOT1);
    assert_int_equal(m[i].fault.bit, 1);
    assert_int_equal(m[i].fault.other, 0);
    assert_string_equal(m[i].source, "rtl/a.sv:7");
  }
  free(m);
}

static const char DESIGN[] = "module \\m\n"
                             "  wire width 2 upto offset -3 input 1 \\a\n"
                             "  cell $and $and$1\n"
                             "    parameter \\A_WIDTH 2\n    parameter \\B_WIDTH 2\n    parameter \\Y_WIDTH 2\n"
                             "    connect \\A \\a\n    connect \\B 2'11\n    connect \\Y \\y\n"
                             "  end\n"
                             "end\n";

/* The cut of an input has its old driver on the outside, the cut of an output what it drove.
 * Wires come before their uses. */
static const char OPENED[] = "module \\m\n"
                             "  wire width 2 output 1000002 \\lm_i_1\n  wire width 2 input 1000003 \\lm_o_1\n"
                             "  wire width 2 output 1000004 \\lm_i_2\n  wire width 2 input 1000005 \\lm_o_2\n"
                             "  wire width 2 input 1 \\a\n"
                             "  cell $and $and$1\n"
                             "    parameter \\A_WIDTH 2\n    parameter \\B_WIDTH 2\n    parameter \\Y_WIDTH 2\n"
                             "    connect \\A \\lm_o_1\n    connect \\B 2'11\n    connect \\Y \\lm_i_2\n"
                             "  end\n"
                             "  connect \\lm_i_1 \\a\n  connect \\y \\lm_o_2\n"
                             "end\n";

static const char REGISTERS[] = "module \\m\n"
                                "  attribute \\init 4'10x1\n"
                                "  wire width 4 \\a\n  wire width 2 \\b\n"
                                "  cell $dff $reg\n"
                                "    parameter \\WIDTH 5\n"
                                "    connect \\D \\d\n    connect \\Q { \\b \\a [3:2] \\a [0] }\n"
                                "  end\n"
                                "end\n";

/* A register's value at power-up goes with it to the new wire, which it drives now; b has none. */
static void a_register_keeps_its_value_at_power_up(void **state) {
  static const char list[] = "mutate -mode inv -module m -cell $reg -port Q -portbit 0 -src /root/rtl/a.sv:7.1-7.9\n";
  unsigned count = 0;
  trouble_t trouble = {0};
  char text[4096] = "";
  (void)state;
  mutant_t *m = cut_list(write_in_folder("list", list), "/root", 9, 1, &count, &trouble);
  assert_non_null(m);
  assert_true(cut_design(write_in_folder("design", REGISTERS), path_of("opened"), m, &count, &trouble));
  assert_int_equal(count, 1);
  FILE *file = fopen(path_of("opened"), "r");
  assert_non_null(file);
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  assert_non_null(strstr(text, "  attribute \\init 5'xx101\n  wire width 5 output 1000002 \\lm_i_1\n"));
  free(m);
}

/* Each port with a fault leaves the module by lm_i and comes back by lm_o: OPENED is DESIGN with
 * $and$1's ports A and Y opened. Bits of all wires count from 0 on, as the netlist's names of a
 * port's bits do, whatever the source's range is. The faults of a cell that the design has not are
 * left out. */
static void a_port_with_a_fault_is_cut_in_two(void **state) {
  unsigned count = 0;
  trouble_t trouble = {0};
  char text[4096] = "";
  (void)state;
  mutant_t *m = list_mutants(100, &count);
  assert_true(cut_design(write_in_folder("design", DESIGN), path_of("opened"), m, &count, &trouble));
  assert_int_equal(count, 3); /* \reg is not there */
  for (unsigned i = 0; i < count; i++) assert_int_equal(m[i].fault.cut, strcmp(m[i].port, "Y") == 0 ? 2 : 1);
  FILE *file = fopen(path_of("opened"), "r");
  assert_non_null(file);
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  assert_string_equal(text, OPENED);
  free(m);
}

/* Both readers name the file and the system's reason. */
static void a_file_that_is_not_there_is_named(void **state) {
  trouble_t trouble = {0};
  unsigned count = 0;
  (void)state;
  assert_null(cut_list(path_of("none"), "/root", 1, 1, &count, &trouble));
  assert_non_null(strstr(trouble.text, "none: No such file"));
  assert_false(cut_design(path_of("none"), path_of("opened"), NULL, &count, &trouble));
  assert_non_null(strstr(trouble.text, "none: No such file"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_line_has_its_turn),           cmocka_unit_test(clocks_and_no_fault_are_left_out),
      cmocka_unit_test(a_port_with_a_fault_is_cut_in_two), cmocka_unit_test(a_register_keeps_its_value_at_power_up),
      cmocka_unit_test(a_file_that_is_not_there_is_named),
  };
  if (!mkdtemp(folder)) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command) ? 1 : failed;
}
