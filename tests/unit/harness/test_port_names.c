/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the RTL in other languages.
 */
#include "port_names.h"
#include "unit_test.h"

typedef void make_t(const char *rtl, char name[PORT_NAME]);

static void expect(make_t *make, const char *rtl, const char *wanted) {
  char name[PORT_NAME];
  make(rtl, name);
  assert_string_equal(name, wanted);
}

static void test_model(void **state) {
  (void)state;
  static const char *const kept[] = {"data", "_lead", "name", "eval", "final", "printf", "top", "list", "CData"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) expect(port_name_model, kept[i], kept[i]);
  expect(port_name_model, "int", "int_");         /* C */
  expect(port_name_model, "class", "class_");     /* C++ */
  expect(port_name_model, "in", "in_");           /* Python */
  expect(port_name_model, "errno", "errno_");     /* a macro of C's library */
  expect(port_name_model, "IN_V", "IN_V_");       /* port files */
  expect(port_name_model, "uint8_t", "uint8_t_"); /* a type */
  expect(port_name_model, "a+b", "a_b");
  expect(port_name_model, "3a", "_3a");
  expect(port_name_model, "x[", "x_");
}

static void test_param(void **state) {
  (void)state;
  expect(port_name_param, "Width", "Width");
  expect(port_name_param, "DATA_WIDTH", "DATA_WIDTH");
  expect(port_name_param, "width", "width_"); /* a word that headers may use */
  expect(port_name_param, "IN", "IN_");
  expect(port_name_param, "BUSY", "BUSY_"); /* the stimulus that `new` writes has it */
}

static void test_verilog(void **state) {
  (void)state;
  expect(port_name_verilog, "data", "data");
  expect(port_name_verilog, "a+b", "\\a+b ");
  expect(port_name_verilog, "int", "\\int "); /* a word of SystemVerilog */
  expect(port_name_verilog, "3a", "\\3a ");
}

static void test_cpp(void **state) {
  (void)state;
  expect(port_name_member, "data_i", "data_i");
  expect(port_name_member, "name", "lockstack_pin_name"); /* a function of Verilator's class */
  expect(port_name_member, "a+b", "lockstack_pin_a_2bb");
  expect(port_name_cxxrtl, "a_b+", "a__b_2b_");
  expect(port_name_quoted, "q\"x\\", "\"q\\\"x\\\\\"");
  expect(port_name_stem, "fifo", "fifo");
  expect(port_name_stem, "div", "div_"); /* div_t is of stdlib.h */
}

/* What Verilator wrote for such ports. */
static void test_verilator(void **state) {
  (void)state;
  static const char *const pairs[][2] = {{"a+b", "a__02bb"}, {"a__b", "a___05Fb"}, {"__x", "___05Fx"},
                                         {"3a", "__033a"},   {"d$l", "d__024l"},   {"_lead", "_lead"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    expect(port_name_encoded, pairs[i][0], pairs[i][1]);
    expect(port_name_decoded, pairs[i][1], pairs[i][0]);
  }
  expect(port_name_decoded, "__SYM__int", "int");
  expect(port_name_decoded, "__0ffffffc3__0ffffffa9", "\303\251");
}

static bool is_interface(const char *rtl, const char *wanted) {
  char name[PORT_NAME];
  const bool is = port_name_interface(rtl, name);
  assert_string_equal(name, wanted);
  return is;
}

/* The two directions of an interface, and of an element of an array of them. */
static void test_interface(void **state) {
  (void)state;
  assert_true(is_interface("bus.in", "bus") && is_interface("bus.out", "bus") && is_interface("l.0.in", "l[0]"));
  assert_true(is_interface("a.b.out", "a.b") && is_interface("a..in", "a."));
  assert_false(is_interface("bus", "bus") || is_interface("bus.inn", "bus.inn") || is_interface(".in", ".in"));
  expect(port_name_scope, "l.12.out", "\"l[12]\"");
  expect(port_name_scope, "bus", "\"bus\"");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_model),     cmocka_unit_test(test_param),
                                     cmocka_unit_test(test_verilog),   cmocka_unit_test(test_cpp),
                                     cmocka_unit_test(test_verilator), cmocka_unit_test(test_interface)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
