/* SPDX-License-Identifier: Apache-2.0
 *
 * Which ports of a module are interfaces, by its text, and where its head can be changed.
 */
#include "unit_test.h"

#include "flat_header.h"

#include <stdio.h>
#include <string.h>

static flat_header_t header;

static bool reads(const char *text, trouble_t *trouble) {
  *trouble = (trouble_t){0};
  return flat_header_read(&header, text, "m", "m.sv", trouble);
}

/* "bus_if.slave s [2] @3": the port with its line. */
static void expect_port(unsigned i, const char *wanted) {
  char got[4 * FLAT_RANGE];
  const flat_port_t *p = &header.ports[i];
  assert_true(i < header.num_ports);
  snprintf(got, sizeof got, "%s.%s %s %s@%u", p->interface, p->modport, p->name, p->range, p->line);
  assert_string_equal(got, wanted);
}

static void finds_ports(void **state) {
  static const char text[] = "// module m (bus_if.slave no);\n"
                             "`define M module m (bus_if.slave no)\n"
                             "module other (bus_if.slave no); endmodule\n"
                             "module automatic m import a::*; #(parameter int W = 4, type T = logic [3:0]) (\n"
                             "  input logic [W-1:0] a, /* bus_if.slave no, */ p::t b,\n"
                             "`ifdef A\n"
                             "  (* x = 1 *) bus_if.slave s,\n"
                             "`endif\n"
                             "  word_if.source r [2], q[W:0], output logic z\n"
                             ");\n"
                             "endmodule\n";
  trouble_t trouble;
  (void)state;
  assert_true(reads(text, &trouble));
  assert_int_equal(header.num_ports, 3);
  expect_port(0, "bus_if.slave s @7");
  expect_port(1, "word_if.source r [2]@9");
  expect_port(2, "word_if.source q [W:0]@9");
  assert_memory_equal(text + header.ports[1].begin, "word_if.source r [2],", 21);
  assert_memory_equal(text + header.ports[1].end, ", q[W:0]", 8);
  assert_memory_equal(text + header.params_end, ") (\n", 4);
  assert_memory_equal(text + header.body, "\nendmodule", 10);
  assert_int_equal(header.body_line, 10);
  assert_true(flat_header_has_param(&header, text, "W") && flat_header_has_param(&header, text, "T"));
  assert_false(flat_header_has_param(&header, text, "V") || flat_header_has_param(&header, text, "z"));
}

static void finds_none(void **state) {
  static const char *const all[] = {"module m (input a.b); endmodule",
                                    "module m; bus_if s(); endmodule",
                                    "module n (bus_if.slave s); endmodule",
                                    "module m (bus_if s, input x); endmodule",
                                    "module m (",
                                    "",
                                    "module m #(",
                                    "module m (p::t x, input y); endmodule"};
  trouble_t trouble;
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    assert_true(reads(all[i], &trouble));
    assert_int_equal(header.num_ports, 0);
  }
}

static void refuses_generic_ones(void **state) {
  trouble_t trouble;
  (void)state;
  assert_false(reads("module m (\n  input c,\n  interface.slave s);", &trouble));
  assert_int_equal(trouble.kind, TROUBLE_INPUT);
  assert_memory_equal(trouble.text, "m.sv:3: port s is a generic interface", 37);
  assert_false(reads("`line 1 \"m.sv\" 0\nmodule m (interface s);", &trouble)); /* a copy's first line */
  assert_memory_equal(trouble.text, "m.sv:1: port s is a generic interface", 37);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(finds_ports), cmocka_unit_test(finds_none),
                                     cmocka_unit_test(refuses_generic_ones)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
