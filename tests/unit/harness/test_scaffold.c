/* SPDX-License-Identifier: Apache-2.0
 *
 * What `scaffold` reads about a module: ports and parameters from Verilator's XML, expressions of
 * widths from Yosys' tree, clocks and resets from Yosys' netlist.
 */
#include "module.h"
#include "scaffold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Writes a file of this text and returns its name. */
static const char *write_text_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
  return path;
}

#define VAR(rest) "      <var loc=\"d,1,1,1,2\" " rest "/>\n"
#define PARAM(name, type, value)                                                                               \
  "      <var loc=\"d\" name=\"" name "\" dtype_id=\"" type "\" param=\"true\">\n        <const name=\"" value \
  "\"/>\n      </var>\n"
#define XML(vars, types)                                                                            \
  "<verilator_xml>\n  <netlist>\n    <module name=\"other\">\n" VAR(                                \
      "name=\"not\" dtype_id=\"1\" dir=\"input\"") "    </module>\n"                                \
                                                   "    <module name=\"x\" topModule=\"1\">\n" vars \
                                                   "    </module>\n    <typetable>\n" types         \
                                                   "    </typetable>\n  </netlist>\n</verilator_xml>\n"
#define BIT "      <basicdtype id=\"1\" name=\"logic\"/>\n"

/* Ports with their widths in either direction, and parameters that are integers of 64 bits at
 * most, with the largest value of their type: 4'hf is 15 of 15, with a sign -1 of 7. Local
 * parameters, reals, texts and wider numbers are left out, and so are wires inside. */
static void reads_ports_and_parameters(void **state) {
  static module_t m;
  trouble_t trouble;
  (void)state;
  m = (module_t){.name = "x", .file = "x.v"};
  write_text_file(
      "scaffold.xml",
      XML(VAR("name=\"clk\" dtype_id=\"1\" dir=\"input\"") VAR("name=\"up\" dtype_id=\"2\" dir=\"input\"")
              VAR("name=\"q\" dtype_id=\"4\" dir=\"output\"") VAR("name=\"inner\" dtype_id=\"1\"")
                  PARAM("W", "5", "32&apos;shfffffffe") PARAM("N", "6", "4&apos;hf") PARAM("S", "7", "4&apos;hf")
                      PARAM("HUGE", "8", "80&apos;h10000000000000000") PARAM("REAL", "9", "4")
                          PARAM("TEXT", "0", "&quot;a&quot;") "      <var loc=\"d\" name=\"L\" localparam=\"true\">\n"
                                                              "        <const name=\"32&apos;sh3\"/>\n      </var>\n",
          BIT "      <basicdtype id=\"2\" name=\"logic\" left=\"0\" right=\"7\"/>\n"
              "      <refdtype id=\"4\" sub_dtype_id=\"2\"/>\n"
              "      <basicdtype id=\"5\" name=\"int\" left=\"31\" right=\"0\" signed=\"true\"/>\n"
              "      <basicdtype id=\"6\" name=\"logic\" left=\"3\" right=\"0\"/>\n"
              "      <basicdtype id=\"7\" name=\"logic\" left=\"3\" right=\"0\" signed=\"true\"/>\n"
              "      <basicdtype id=\"8\" name=\"logic\" left=\"79\" right=\"0\"/>\n"
              "      <basicdtype id=\"9\" name=\"real\" signed=\"true\"/>\n"));
  assert_true(module_read_xml(&m, "scaffold.xml", &trouble));
  assert_int_equal(m.num_ports, 3);
  assert_int_equal(m.ports[1].width, 8);
  assert_true(m.ports[2].output);
  assert_int_equal(m.ports[2].width, 8);
  assert_int_equal(m.num_params, 3);
  assert_string_equal(m.params[0].name, "W");
  assert_int_equal(m.params[0].value, -2);
  assert_int_equal(m.params[1].value, 15);
  assert_int_equal(m.params[1].largest, 15);
  assert_int_equal(m.params[2].value, -1);
  assert_int_equal(m.params[2].largest, 7);
}

/* Verilator writes characters of escaped names as XML has them. */
static void reads_odd_names(void **state) {
  static module_t m = {.name = "x", .file = "x.v"};
  trouble_t trouble;
  (void)state;
  write_text_file("scaffold.xml", XML(VAR("name=\"a.b\" dtype_id=\"1\" dir=\"input\"")
                                          VAR("name=\"q&quot;&amp;&#195;&#169;\" dtype_id=\"1\" dir=\"output\""),
                                      BIT));
  assert_true(module_read_xml(&m, "scaffold.xml", &trouble));
  assert_string_equal(m.ports[0].name, "a.b");
  assert_string_equal(m.ports[1].name, "q\"&\303\251");
}

/* Ports that a block cannot have: inout, structs. */
static void refuses_ports(void **state) {
  static const struct {
    const char *xml, *why;
  } all[] = {{XML(VAR("name=\"pad\" dtype_id=\"1\" dir=\"inout\""), BIT), "port pad of x is an inout"},
             {XML(VAR("name=\"s\" dtype_id=\"2\" dir=\"input\""), BIT "      <structdtype id=\"2\"/>\n"),
              "is no plain vector"}};
  static module_t m;
  trouble_t trouble;
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    m = (module_t){.name = "x", .file = "x.v"};
    write_text_file("scaffold.xml", all[i].xml);
    assert_false(module_read_xml(&m, "scaffold.xml", &trouble));
    if (!strstr(trouble.text, all[i].why)) fail_msg("%s: %s", all[i].why, trouble.text);
  }
  assert_false(module_read_xml(&m, "no_such.xml", &trouble));
}

/* A port's range: nodes of the left and of the right bound. */
#define RANGE(left, right) "      AST_WIRE <a> [b] str='\\a' input port=1\n        AST_RANGE <a> [b]\n" left right
#define TREE(range)                                                                                      \
  "    AST_MODULE <a> [b] str='\\other'\n    AST_MODULE <a> [b] str='\\x'\n"                             \
  "      AST_LOCALPARAM <a> [b] str='\\D' signed\n        AST_ADD <a> [b]\n"                             \
  "          AST_IDENTIFIER <a> [b] str='\\W'\n          AST_CONSTANT <a> [b] bits='1'(1) int=3\n" range \
  "--- END OF AST DUMP ---\n"
#define ID(name) "            AST_IDENTIFIER <a> [b] str='\\" name "'\n"
#define NUMBER(blanks, n) blanks "AST_CONSTANT <a> [b] bits='1'(1) int=" n "\n"
#define ZERO "          AST_CONSTANT <a> [b] bits='0'(1)\n"

/* A width as an expression of parameters, shortened where the range ends in - 1: [W-1:0] is W,
 * [W:0] is W + 1. D is a local parameter of W + 3. "" where it has none. */
static void widths_by_parameters(void **state) {
  static const struct {
    const char *tree, *expr;
  } all[] = {
      {TREE(RANGE("          AST_SUB <a> [b]\n" ID("W") NUMBER("            ", "1"), ZERO)), "W"},
      {TREE(RANGE("          AST_IDENTIFIER <a> [b] str='\\W'\n", ZERO)), "W + 1"},
      {TREE(RANGE("          AST_MUL <a> [b]\n" ID("W") ID("D"), ZERO)), "(W * (W + 3)) + 1"},
      {TREE(RANGE("          AST_SUB <a> [b]\n" ID("D") NUMBER("            ", "1"), ZERO)), "W + 3"},
      {TREE(RANGE("          AST_FCALL <a> [b] str='\\$clog2'\n" ID("W"), ZERO)), "CLOG2(W) + 1"},
      {TREE(RANGE("          AST_ADD <a> [b]\n" ID("W") NUMBER("            ", "4"),
                  "          AST_CONSTANT <a> [b] bits='1'(1) int=4\n")),
       "(W + 4) - 4 + 1"},
      /* a function of its own: the number alone */
      {TREE(RANGE("          AST_FCALL <a> [b] str='\\own'\n" ID("W"), ZERO)), ""},
      /* no parameter in it */
      {TREE(RANGE("          AST_SUB <a> [b]\n" NUMBER("            ", "8") NUMBER("            ", "1"), ZERO)), ""},
      {TREE(RANGE("          AST_SUB <a> [b]\n" ID("unknown") NUMBER("            ", "1"), ZERO)), ""},
      {"nonsense\n", ""},
  };
  static module_t m;
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    m = (module_t){
        .name = "x", .ports = {{.name = "a", .width = 8}}, .num_ports = 1, .params = {{"W", 8}}, .num_params = 1};
    module_read_tree(&m, write_text_file("scaffold.tree", all[i].tree));
    assert_string_equal(m.ports[0].expr, all[i].expr);
  }
}

#define DFF(type, clk, more)                                                                              \
  "{\"type\": \"" type                                                                                    \
  "\", \"parameters\": {\"ARST_POLARITY\": \"0\", \"SRST_POLARITY\": \"1\"}, \"port_directions\": "       \
  "{\"CLK\": \"input\", \"ARST\": \"input\", \"SRST\": \"input\", \"D\": \"input\", \"Q\": \"output\"}, " \
  "\"connections\": {\"CLK\": [" clk "], " more "\"D\": [6], \"Q\": [7]}}"
#define NOT(a, y)                                                                                                 \
  "{\"type\": \"$not\", \"port_directions\": {\"A\": \"input\", \"Y\": \"output\"}, \"connections\": {\"A\": [" a \
  "], \"Y\": [" y "]}}"
#define MEMORY(writes, address, out)                                                                      \
  "{\"type\": \"$mem_v2\", \"parameters\": {\"WR_PORTS\": \"" writes                                      \
  "\"}, \"port_directions\": {\"RD_ADDR\": \"input\", \"WR_DATA\": \"input\", \"RD_DATA\": \"output\"}, " \
  "\"connections\": {\"RD_ADDR\": [" address "], \"WR_DATA\": [6], \"RD_DATA\": [" out "]}}"
#define NETLIST(cells)                                                                                              \
  "{\"modules\": {\"x\": {\"ports\": {\"clk\": {\"bits\": [2]}, \"rst\": {\"bits\": [3]}, \"b\": {\"bits\": [4]}, " \
  "\"d\": {\"bits\": [6]},"                                                                                         \
  " \"q\": {\"bits\": [9, \"0\"]}}, \"cells\": {" cells "}}}}"

/* Reads this netlist for a module of four inputs and one output. */
static void read_netlist(module_t *m, const char *netlist) {
  *m = (module_t){
      .name = "x",
      .ports = {{.name = "clk"}, {.name = "rst"}, {.name = "b"}, {.name = "d"}, {.name = "q", .output = true}},
      .num_ports = 5};
  assert_true(module_read_netlist(m, write_text_file("scaffold.json", netlist)));
}

/* What clocks registers is a clock, what resets them is a reset with a polarity, also through an
 * inverter. An output that logic makes of an input makes the module Mealy. */
static void clocks_and_resets(void **state) {
  static module_t m;
  (void)state;
  read_netlist(&m, NETLIST("\"f\": " DFF("$adff", "2", "\"ARST\": [3], ") ", \"n\": " NOT("7", "9")));
  assert_true(m.ports[0].clock && !m.ports[1].clock && !m.mealy);
  assert_int_equal(m.ports[1].async_low, 1);
  read_netlist(
      &m, NETLIST("\"f\": " DFF("$sdff", "2", "\"SRST\": [8], ") ", \"n\": " NOT("3", "8") ", \"m\": " NOT("6", "9")));
  assert_int_equal(m.ports[1].sync_low, 1); /* through an inverter */
  assert_true(m.mealy);                     /* q is what d is not */
  read_netlist(&m, NETLIST("\"f\": " DFF("$dff", "2", "") ", \"g\": " DFF("$dff", "4", "")));
  assert_true(m.ports[0].clock && m.ports[2].clock);
  m.seen_inside = false;
  assert_false(module_read_netlist(&m, write_text_file("scaffold.json", "{}")));
  assert_false(module_read_netlist(&m, "no_such.json"));
}

/* A memory that nothing writes is logic, no register. Of one that is written, what is read depends
 * on the address within the cycle, and not on what is written. */
static void memories_and_tables(void **state) {
  static const struct {
    const char *netlist;
    unsigned registers;
    bool mealy;
  } all[] = {
      {NETLIST("\"t\": " MEMORY("00", "6", "9")), 0, true},
      {NETLIST("\"t\": " MEMORY("01", "6", "9")), 1, true},
      {NETLIST("\"t\": " MEMORY("01", "7", "9") ", \"f\": " DFF("$dff", "2", "")), 2, false},
      {NETLIST("\"t\": " MEMORY("00", "7", "9") ", \"f\": " DFF("$dff", "2", "")), 1, false},
  };
  static module_t m;
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    read_netlist(&m, all[i].netlist);
    assert_int_equal(m.num_registers, all[i].registers);
    assert_int_equal(m.mealy, all[i].mealy);
  }
}

/* A block's name is an identifier in C and Verilog. */
static void names_are_identifiers(void **state) {
  (void)state;
  assert_true(scaffold_name("uart"));
  assert_true(scaffold_name("Uart_2"));
  assert_true(scaffold_name("int")); /* its names in C are int_t and int_eval */
  for (const char *const *name = (const char *const[]){"", "2x", "a-b", "a.b", NULL}; *name; name++)
    assert_false(scaffold_name(*name));
}

/* The tree of a file that Yosys only parsed has the module by another name. */
static void reads_trees_that_are_not_elaborated(void **state) {
  static module_t m;
  (void)state;
  m = (module_t){
      .name = "x", .ports = {{.name = "a", .width = 9}}, .num_ports = 1, .params = {{"W", 8}}, .num_params = 1};
  module_read_tree(&m, write_text_file("scaffold.tree", "    AST_MODULE <a> [b] str='$abstract\\x'\n" RANGE(
                                                            "          AST_IDENTIFIER <a> [b] str='\\W'\n", ZERO)));
  assert_true(m.seen_tree);
  assert_false(m.odd_widths);
  assert_string_equal(m.ports[0].expr, "W + 1");
  module_read_tree(
      &m, write_text_file("scaffold.tree", TREE(RANGE("          AST_FCALL <a> [b] str='\\own'\n" ID("W"), ZERO))));
  assert_true(m.odd_widths);
}

/* Widths of a port at values of one parameter, the default first, and the expression; "": none. */
static void fits_widths_by_samples(void **state) {
  static const struct {
    module_sample_t samples[3];
    const char *expr;
  } all[] = {
      {{{8, 8}, {9, 9}, {16, 16}}, "W"},
      {{{8, 16}, {9, 18}, {16, 32}}, "W * 2"},
      {{{8, 9}, {9, 10}, {16, 17}}, "W + 1"},
      {{{8, 5}, {9, 6}, {16, 13}}, "W - 3"},
      {{{16, 4}, {17, 5}, {32, 5}}, "CLOG2(W)"},
      {{{16, 5}, {17, 6}, {32, 6}}, "CLOG2(W) + 1"},
      {{{16, 4}, {17, 5}, {1, 1}}, "W > 1 ? CLOG2(W) : 1"},
      {{{16, 5}, {17, 6}, {1, 2}}, "(W > 1 ? CLOG2(W) : 1) + 1"},
      {{{16, 5}, {15, 4}, {32, 6}}, "CLOG2(W + 1)"},
      {{{32, 4}, {33, 5}, {64, 8}}, "(W + 7) / 8"},
      {{{8, 7}, {9, 3}, {16, 5}}, ""},
  };
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char text[MODULE_EXPR] = "";
    assert_int_equal(module_fit_width("W", all[i].samples, 3, text), *all[i].expr != 0);
    if (*all[i].expr) assert_string_equal(text, all[i].expr);
  }
}

#define EDGE(kind, net) "<senitem edgeType=\"" kind "\">\n<varref name=\"" net "\"/>\n</senitem>\n"
#define PIN(pin, what) "<port name=\"" pin "\" direction=\"in\">\n" what "</port>\n"
#define NET(net) "<varref name=\"" net "\"/>\n"

/* The clock is the edge that no statement reads. Pins, assignments and inverters lead to the ports;
 * a net of logic leads nowhere, and an `always` that waits for a change is none. */
static void edges_through_the_hierarchy(void **state) {
  static module_t m;
  (void)state;
  m = (module_t){.name = "x",
                 .ports = {{.name = "ck", .width = 1},
                           {.name = "arst", .width = 1},
                           {.name = "en", .width = 1},
                           {.name = "d", .width = 1}},
                 .num_ports = 4};
  module_read_edges(
      &m, write_text_file(
              "scaffold.xml",
              "<module name=\"x\" topModule=\"1\">\n<instance name=\"i\" defName=\"inner\">\n" PIN("clk", NET("ck_in"))
                  PIN("rst_n", "<not>\n" NET("arst") "</not>\n")
                      PIN("d", "<and>\n" NET("en") NET("d") "</and>\n") "</instance>\n<contassign>\n" NET("ck")
                          NET("ck_in") "</contassign>\n"
                                       "<always>\n<sentree>\n" EDGE(
                                           "CHANGED", "d") "</sentree>\n</always>\n</module>\n"
                                                           "<module name=\"inner\">\n<always>\n<sentree>\n" EDGE("POS",
                                                                                                                 "clk")
                                                               EDGE("NEG", "rst_n") "</sentree>\n<if>\n" NET(
                                                                   "rst_n") "</if>\n</always>\n</module>\n"));
  assert_true(m.ports[0].clock);
  assert_false(m.ports[1].clock || m.ports[2].clock || m.ports[3].clock);
  assert_int_equal(m.ports[1].async_high, 1);
  assert_int_equal(m.ports[1].async_low + m.ports[2].async_high + m.ports[3].async_high, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads_ports_and_parameters),
                                     cmocka_unit_test(refuses_ports),
                                     cmocka_unit_test(reads_odd_names),
                                     cmocka_unit_test(widths_by_parameters),
                                     cmocka_unit_test(clocks_and_resets),
                                     cmocka_unit_test(memories_and_tables),
                                     cmocka_unit_test(reads_trees_that_are_not_elaborated),
                                     cmocka_unit_test(fits_widths_by_samples),
                                     cmocka_unit_test(edges_through_the_hierarchy),
                                     cmocka_unit_test(names_are_identifiers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
