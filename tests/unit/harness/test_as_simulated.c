/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilog as Yosys is told it: what drives nothing is blanked, and what only simulation sees is
 * read as simulation reads it. A text keeps its length and its lines, so places in messages stay
 * right.
 */
#include "as_simulated.h"

#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

/* The text becomes `wanted`, with blanks in a row counted as one. */
static void expect_text(bool synthesised, const char *from, const char *wanted) {
  char *text = strdup(from), *at = text;
  as_simulated(text, synthesised);
  assert_int_equal(strlen(text), strlen(from));
  for (const char *p = text, *q = from; *p; p++, q++) assert_int_equal(*p == '\n', *q == '\n');
  for (const char *p = text; *p; p++)
    if (*p != ' ' || at == text || at[-1] != ' ') *at++ = *p;
  *at = 0;
  assert_string_equal(text, wanted);
  free(text);
}

/* The text stays as it is. */
static void expect_unchanged(const char *text) {
  expect_text(false, text, text);
}

/* Concurrent assertions, covers, properties, sequences and clocking blocks drive nothing and go. */
static void test_concurrent(void **state) {
  (void)state;
  expect_text(false, "a; assert property (@(posedge clk) x |-> y); b", "a; ; b");
  expect_text(false, "a; name: assert property (x) else $error(\"%d\", f(z)); b", "a; ; b");
  expect_text(false, "cover property (x) $info(\"a\"); else begin $error(\"b;\"); $stop; end b", " ; b");
  expect_text(false, "assume property (x);\nrestrict property (y);", " ;\n ;");
  expect_text(false, "cover sequence (a ##1 b);", " ;");
  expect_text(false, "property p(a); @(posedge clk) a; endproperty : p\nb", " \nb");
  expect_text(false, "default clocking cb @(posedge clk); endclocking default disable iff (rst); b", " ; b");
  expect_text(false, "sequence s; a ##1 b; endsequence covergroup g; endgroup b", " b");
  expect_text(false, "case (x) default: assert property (y); endcase", "case (x) default: ; endcase");
}

/* The else branch of an assertion that only reports goes, and so do system tasks and final
 * blocks. */
static void test_failures(void **state) {
  (void)state;
  expect_text(false, "assert (x) else $error(\"no\"); b", "assert (x); b");
  expect_text(false, "assert #0 (x) else begin $display(\"end\"); end b", "assert (x); b");
  expect_text(false, "initial begin $display(\"a;b\", (c)); $finish; x = $urandom(1); end",
              "initial begin ; ; x = $urandom(1); end");
  expect_text(false, "final begin $display(\"x\"); end b", " b");
  expect_text(false, "assert (x)\nelse $error(1);", "assert (x)\n; ");
  expect_text(false, "`define A assert (x)\\\n else $error(1);\nb", "`define A assert (x)\\\n; \nb");
  expect_text(false, "final begin : x n: assert (a) else begin $error(\"x\"); end end b", " b");
  expect_text(false, "if (a) assert (b); else c <= d;", "if (a) assert (b); else c <= d;");
}

/* An action that may drive something is still read, behind an `if` of the same condition. */
static void test_actions(void **state) {
  (void)state;
  expect_text(false, "b; n: assert (x) else y = 1;", "b; if (x); else y = 1;");
  expect_text(false, "assert(x)\nelse y = 1;", "if (x);\nelse y = 1;");
  expect_text(false, "assert #0 (x) else begin y <= 1; end", "if (x); else begin y <= 1; end");
  expect_text(false, "assume (x) else if (a == b) n++;", "if (x); else if (a == b) n++;");
  expect_text(false, "assert (x) else count(1);", "if (x); else count(1);");
  expect_text(false, "assert (x) else `SET(y)", "if (x); else `SET(y)");
  expect_text(false, "cover (x) n = n + 1; else $info(\"no\");", "if (x) n = n + 1; else ;");
  expect_text(false, "assert (x)else y = 1;", "if (x);else y = 1;");
}

/* Text that assigns, instantiates or is cut by an `ifdef stays, and so do comments and strings. */
static void test_kept(void **state) {
  (void)state;
  expect_unchanged("assert property (x) else count(1);");
  expect_unchanged("final count(1);");
  expect_unchanged("assert property (x) else begin y = 1; end z");
  expect_unchanged("assert property (x) n = 1;");
  expect_unchanged("final done = 1;");
  expect_unchanged("final begin n++; end");
  expect_unchanged("assert property (x\n`ifdef A\n); assign y = 1;\n`endif");
  expect_unchanged("property = 1; assign final = clocking;");
  expect_unchanged("module m; property p; x endmodule module n; endproperty");
  expect_unchanged("y = \"assert property (x);\"; // assert property (x);\n/* $display(1); */ \\$display ;");
  expect_unchanged("assign y = $signed(a); x = $display(1) + 1;");
}

/* In a macro's text a statement ends with the line. */
static void test_macros(void **state) {
  (void)state;
  expect_text(false, "`define A(n, p) n: assert property (p) else $error(\"x\")\nassign y = 1;",
              "`define A(n, p) \nassign y = 1;");
  expect_text(false, "`define A(p) \\\n  assert property (p \\\n) \\\n  else $fatal;\nb",
              "`define A(p) \\\n \\\n \\\n ;\nb");
  expect_text(false, "`define P property p\nassign y = 1;\nendproperty",
              "`define P property p\nassign y = 1;\nendproperty");
}

/* Pragmas that would hide text from Yosys are spoilt, YOSYS is not defined; a synthesised text
 * keeps all. */
static void test_left_out(void **state) {
  (void)state;
  expect_text(false, "// synopsys translate_off\na /*synthesis translate_on*/ b",
              "// synopsys xxxxxxxxxxxxx\na /*synthesis xxxxxxxxxxxx*/ b");
  expect_text(false, "(* keep, blackbox *) module blackbox; always @(*) blackbox = 1;",
              "(* keep, xxxxxxxx *) module blackbox; always @(*) blackbox = 1;");
  expect_text(false, "`ifndef YOSYS\nYOSYS\n`elsif YOSYS\n", "`ifndef YOSYx\nYOSYS\n`elsif YOSYx\n");
  expect_text(true, "(* blackbox *) // pragma translate_off\n`ifdef YOSYS",
              "(* blackbox *) // pragma translate_off\n`ifdef YOSYS");
}

/* The line of the first `bind`, 0 if there is none. */
static unsigned bind_of(const char *from) {
  char *text = strdup(from);
  const unsigned line = as_simulated(text, true);
  free(text);
  return line;
}

/* The line of a bind statement, also in a macro, or 0: comments, variables and functions of that
 * name are none. */
static void test_bind(void **state) {
  (void)state;
  assert_int_equal(bind_of("\n\nbind top checker c (.*);"), 3);
  assert_int_equal(bind_of("`define B \\\n bind top checker c (.*);\n"), 2);
  assert_int_equal(bind_of("// bind top x y();\nbind = 1; s.bind(x); unbind y z;"), 0);
}

/* No text makes it read beyond its end. */
static void test_cut(void **state) {
  (void)state;
  static const char whole[] =
      "`define A(p) \\\n assert property (p) else $error(\"x\")\n"
      "(* blackbox *) module m; default clocking c @(posedge k); endclocking\n"
      "property p; x; endproperty : p final begin $stop; end bind a b c(); /* translate_off */ \\esc \"\\\"\" assert "
      "#0 (x) else ;";
  for (size_t n = 0; n < sizeof whole; n++) {
    char *text = strndup(whole, n);
    as_simulated(text, n & 1);
    assert_int_equal(strlen(text), n);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_concurrent), cmocka_unit_test(test_failures),
                                     cmocka_unit_test(test_kept),       cmocka_unit_test(test_actions),
                                     cmocka_unit_test(test_macros),     cmocka_unit_test(test_left_out),
                                     cmocka_unit_test(test_bind),       cmocka_unit_test(test_cut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
