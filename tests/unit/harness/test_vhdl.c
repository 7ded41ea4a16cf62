/* SPDX-License-Identifier: Apache-2.0
 *
 * VHDL without ghdl: which files an entity needs and in which library, what its generics are, and
 * what is written of a netlist, in ghdl's own form.
 */
#include "file.h"
#include "ghdl_gates.h"
#include "vhdl.h"
#include "vhdl_generics.h"
#include "vhdl_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit_test.h"

static char top_folder[] = "/tmp/test_vhdl.XXXXXX";

static void put(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* ---- order */

/* "library:file library:file" of the entity, found in the folder; else the trouble. */
static const char *order_of(const char *given, const char *entity) {
  static char text[1024];
  static rtl_t rtl;
  vhdl_order_t order;
  trouble_t trouble = {0};
  char path[512];
  memset(&rtl, 0, sizeof rtl), rtl_add(rtl.libraries, top_folder);
  snprintf(path, sizeof path, "%s/%s", top_folder, given);
  rtl_add(rtl.files, path);
  if (!vhdl_order(&rtl, NULL, entity, &order, &trouble)) {
    const char *within = strstr(trouble.text, top_folder);
    snprintf(text, sizeof text, "%.900s", within ? within + strlen(top_folder) + 1 : trouble.text);
    return text;
  }
  *text = 0;
  for (size_t i = 0; i < order.files.count; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s:%s", i ? " " : "", order.libraries.at[i],
             strrchr(order.files.at[i], '/') + 1);
  vhdl_order_free(&order);
  return text;
}

static void put_project(void) {
  put("pkg.vhd", "package P is\n  constant c : integer := 1; -- entity not_one is\nend package;\n");
  put("pkg_body.vhd", "package body p is end package body;\n");
  put("part.vhd", "entity PART is end; architecture a of Part is begin end;\n");
  put("top.vhd", "library lib;\nuse lib.p.all;\nentity top is end;\narchitecture a of top is\nbegin\n"
                 "  u : entity work.part port map (x => '1');\nend;\n");
  put("lost.vhd", "library lib;\nuse lib.p.all;\nuse work.nowhere.all;\nentity lost is end;\n");
  put("both.vhd", "library lib, other;\nuse lib.p.all;\nuse other.p.all;\nentity both is end;\n");
  put("split.vhd", "entity split is end;\n");
  put("split_rtl.vhd", "architecture rtl of split is begin end;\n");
  put("part_other.vhd", "architecture other of part is begin end;\n");
  put("text.vhd",
      "entity text is end; architecture a of text is constant s : string := \"use work.none;\"; begin end;\n");
}

static void files_come_behind_what_they_name(void **state) {
  (void)state;
  put_project();
  assert_string_equal(order_of("top.vhd", "Top"), "lib:pkg.vhd lib:pkg_body.vhd work:part.vhd work:top.vhd");
  assert_string_equal(order_of("text.vhd", "text"), "work:text.vhd");
  assert_string_equal(order_of("split.vhd", "split"), "work:split.vhd work:split_rtl.vhd");
}

static void what_is_missing_has_a_place(void **state) {
  (void)state;
  put_project();
  assert_string_equal(order_of("lost.vhd", "lost"), "lost.vhd:3: no file that is read has work.nowhere; --file FILE or "
                                                    "--library FOLDER would be right");
  assert_string_equal(order_of("top.vhd", "nothing"), "no file that is read has an entity nothing");
  assert_string_equal(order_of("both.vhd", "both"), "pkg.vhd: is in library lib and in library other (other.p)");
}

/* ---- generics */

static void generics_are_read_with_their_types(void **state) {
  static vhdl_generics_t g;
  trouble_t trouble = {0};
  (void)state;
  put("g.vhd", "library ieee;\nuse ieee.std_logic_1164.all; -- x\nentity g is\n  generic (\n"
               "    A, B : natural range 1 to f(3, 4) := 2; -- ; )\n    V : in std_logic_vector(7 downto 0);\n"
               "    S : std.standard.string := \");\"; C : boolean := true);\n  port (x : in bit);\nend;\n");
  assert_true(vhdl_generics_read("g.vhd", "G", &g, &trouble));
  assert_int_equal(g.count, 5);
  assert_string_equal(g.at[1].name, "B");
  assert_int_equal(g.at[1].kind, VHDL_INTEGER);
  assert_true(g.at[0].has_default && g.at[1].has_default && !g.at[2].has_default && g.at[3].has_default);
  assert_int_equal(g.at[2].kind, VHDL_VECTOR);
  assert_int_equal(g.at[2].line, 6);
  assert_string_equal(g.at[3].mark, "string");
  assert_int_equal(g.at[3].kind, VHDL_OTHER);
  assert_int_equal(g.at[4].kind, VHDL_BOOLEAN);
  assert_non_null(strstr(g.context, "use ieee.std_logic_1164.all;"));
  vhdl_generics_free(&g);
}

static void values_become_options(void **state) {
  static const vhdl_generic_t vector = {.name = "V", .kind = VHDL_VECTOR, .bits = "0000"},
                              flag = {.name = "F", .kind = VHDL_BOOLEAN, .bits = "0"};
  char text[64];
  long long value = 0;
  (void)state;
  vhdl_generics_option(&vector, 10, text, sizeof text), assert_string_equal(text, "-gV=1010");
  vhdl_generics_option(&vector, 16, text, sizeof text), assert_string_equal(text, "");
  vhdl_generics_option(&flag, 1, text, sizeof text), assert_string_equal(text, "-gF=true");
  vhdl_generics_option(&flag, 2, text, sizeof text), assert_string_equal(text, "");
  assert_true(vhdl_generics_given("X=1,v=3,V=4", &vector, &value));
  assert_int_equal(value, 4);
  assert_false(vhdl_generics_given("VV=4", &vector, &value));
}

/* ---- gates */

static const char *no_file(void *context, const char *name) {
  (void)context;
  return name;
}

/* The Verilog of a module m with inputs a, b and s (4 bits), and output q of this gate; or the
 * trouble. `more`: further gates. */
static const char *verilog_of(const char *gate, const char *more, trouble_t *trouble) {
  static char text[4096];
  char *whole = NULL, *made = NULL;
  size_t size;
  ghdl_gates_t g;
  *trouble = (trouble_t){0};
  assert_true(
      asprintf(&whole,
               "module {m2} $top\n  module {m9} \\m\n    input \\a[3:0];\n    input \\b[3:0];\n"
               "    input \\s[1:0];\n    output \\q[3:0];\n    # m.vhd:1:8\n    instance \\m{i1}: \\m\n"
               "      input \\m.\\q{p1} <- %%9.$o{n9w4}\n      outputs \\m.\\a{n1w4} \\m.\\b{n2w4} \\m.\\s{n3w2}\n"
               "%s    # m.vhd:7:3\n    instance %%9{i9}: %s\n      outputs %%9.$o{n9w4}\n",
               more, gate) > 0);
  const ghdl_how_t how = {.top = "m", .parameters = "", .file = no_file};
  FILE *to = open_memstream(&made, &size);
  const bool ok = ghdl_read(whole, &g, trouble) && ghdl_names(&g, trouble) && ghdl_verilog(&g, &how, to, trouble);
  fclose(to);
  const char *line = ok ? strstr(made, "`line 7 \"m.vhd\" 0\n  ") : NULL;
  snprintf(text, sizeof text, "%.*s", line ? (int)strcspn(line + 20, "\n") : 0, line ? line + 20 : "");
  ghdl_free(&g);
  free(whole), free(made);
  return text;
}

#define IN_A "\n      input %9.$a{p2} <- \\m.\\a{n1w4}"
#define IN_B "\n      input %9.$b{p3} <- \\m.\\b{n2w4}"
#define IN_S "\n      input %9.$s{p4} <- \\m.\\s{n3w2}"

static void gates_are_expressions(void **state) {
  trouble_t trouble;
  (void)state;
  assert_string_equal(verilog_of("$add" IN_A IN_B, "", &trouble), "assign q = a + b;");
  assert_string_equal(verilog_of("$asr" IN_A IN_S, "", &trouble), "assign q = $signed(a) >>> s;");
  assert_string_equal(verilog_of("$sdiv" IN_A IN_B, "", &trouble), "assign q = $signed(a) / $signed(b);");
  assert_string_equal(verilog_of("$smod" IN_A IN_B, "", &trouble), "wire [3:0] _rest_9 = $signed(a) % $signed(b);");
  assert_string_equal(verilog_of("$sextend" IN_S, "", &trouble), "assign q = {{2{s[1]}}, s};");
  assert_string_equal(verilog_of("$concat2" IN_S IN_S, "", &trouble), "assign q = {s, s};");
}

/* Bit k of the selector is for input 2 + k; none: the default, input 1. */
static void a_selection_has_its_default(void **state) {
  trouble_t trouble;
  (void)state;
  assert_string_equal(verilog_of("$pmux" IN_S IN_A IN_B "\n      input %9.3{p5} <- %5.$o{n5w4}",
                                 "    instance %5{i5}: $const_UL32\n      parameters $val=9 $xz=8\n"
                                 "      outputs %5.$o{n5w4}\n",
                                 &trouble),
                      "assign q = s[1] ? 4'bx001 : s[0] ? b : a;");
}

static void registers_wait_for_edges(void **state) {
  static const char clock[] = "    instance %6{i6}: $extract\n      parameters $offset=0\n"
                              "      input %6.$i{p6} <- \\m.\\s{n3w2}\n      outputs %6.$o{n6w1}\n"
                              "    instance %7{i7}: $negedge\n      input %7.$i{p7} <- %6.$o{n6w1}\n"
                              "      outputs %7.$o{n7w1}\n";
  trouble_t trouble;
  (void)state;
  assert_string_equal(verilog_of("$dff\n      input %9.$clk{p8} <- %7.$o{n7w1}" IN_A, clock, &trouble),
                      "always @(negedge _n6) q <= a;");
  assert_string_equal(verilog_of("$mux2\n      input %9.$s{p8} <- %7.$o{n7w1}" IN_A IN_B, clock, &trouble), "");
  assert_non_null(strstr(trouble.text, "m.vhd:7: ghdl makes no register of this, but logic of the clock's edge"));
}

static void what_has_no_verilog_is_refused(void **state) {
  trouble_t trouble;
  ghdl_gates_t g;
  (void)state;
  assert_string_equal(verilog_of("$mdff" IN_A IN_B, "", &trouble), "");
  assert_string_equal(trouble.text,
                      "m.vhd:7: ghdl makes mdff of this, which is not taken: a register of several clocks");
  assert_string_equal(verilog_of("\\fifo" IN_A, "", &trouble), "");
  assert_non_null(strstr(trouble.text, "m.vhd:7: no file that is read has an entity fifo"));
  assert_false(ghdl_read("nothing of ghdl's\n", &g, &trouble));
  assert_int_equal(trouble.kind, TROUBLE_ENVIRONMENT);
  ghdl_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_come_behind_what_they_name),
      cmocka_unit_test(what_is_missing_has_a_place),
      cmocka_unit_test(generics_are_read_with_their_types),
      cmocka_unit_test(values_become_options),
      cmocka_unit_test(gates_are_expressions),
      cmocka_unit_test(a_selection_has_its_default),
      cmocka_unit_test(registers_wait_for_edges),
      cmocka_unit_test(what_has_no_verilog_is_refused),
  };
  if (!mkdtemp(top_folder) || chdir(top_folder)) return 3;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  file_remove_all(top_folder);
  return failed;
}
