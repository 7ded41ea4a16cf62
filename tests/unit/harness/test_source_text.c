/* SPDX-License-Identifier: Apache-2.0
 *
 * What reports quote: lines of port files, and assertions as they are written, wherever their
 * condition ends.
 */
#include "source_text.h"
#include "unit_test.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char file[] = "test_source_text.sv";

/* Writes the file that the tests quote. */
static void write_source(const char *text) {
  FILE *out = fopen(file, "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

/* A line without the blanks around it; none for an empty line, a line that is not there, or no
 * file. */
static void test_lines(void **state) {
  char text[SOURCE_TEXT], wide[2 * SOURCE_TEXT];
  (void)state;
  write_source("first\n\t  OUT(sum, Bits, always)  /* why */ \t\r\n\n   \nlast without an end");
  assert_true(source_line(file, 1, text));
  assert_string_equal(text, "first");
  assert_true(source_line(file, 2, text));
  assert_string_equal(text, "OUT(sum, Bits, always)  /* why */");
  assert_false(source_line(file, 3, text)); /* nothing on it */
  assert_false(source_line(file, 4, text));
  assert_true(source_line(file, 5, text));
  assert_string_equal(text, "last without an end");
  assert_false(source_line(file, 6, text));
  assert_false(source_line(file, 0, text)); /* not known */
  assert_false(source_line("no_such_file", 1, text));
  assert_false(source_line(NULL, 1, text));
  memset(wide, 'x', sizeof wide - 1);
  wide[sizeof wide - 1] = 0;
  write_source(wide);
  assert_true(source_line(file, 1, text));
  assert_int_equal(strlen(text), SOURCE_TEXT - 1); /* what fits */
}

/* A path below our folder is shown from there. */
static void test_short_paths(void **state) {
  char here[PATH_MAX], path[PATH_MAX + 64];
  (void)state;
  assert_non_null(getcwd(here, sizeof here));
  snprintf(path, sizeof path, "%s/rtl/a.sv", here);
  assert_string_equal(source_short(path), "rtl/a.sv");
  snprintf(path, sizeof path, "%s_other/a.sv", here);
  assert_string_equal(source_short(path), path);
  assert_string_equal(source_short("rtl/a.sv"), "rtl/a.sv");
}

/* The assertion that a device reports in a line of the file. */
static bool in_line(unsigned line, const char *instance, source_assertion_t *a) {
  char text[256];
  snprintf(text, sizeof text, "%s:%u: Assertion failed in %s: 'assert' failed.", file, line, instance);
  return source_assertion(text, a);
}

/* The condition's text in one line, its label, and the instance without label and unnamed
 * blocks. */
static void test_assertions(void **state) {
  source_assertion_t a;
  (void)state;
  write_source("  assert (!a_valid || up_hit);   // assert (of no use)\n"
               "  in_time: assert (f(x) &&     // two lines\n"
               "      g(y, (z)));\n"
               "  reassert (x); assert_all(y);\n"
               "  if (go) begin check : assert(one); assert(two); end\n"
               "  // assert (a comment)\n"
               "  assert (last\n");
  assert_true(in_line(1, "TOP.lsu_ext.i_xact", &a));
  assert_string_equal(a.text, "!a_valid || up_hit");
  assert_string_equal(a.label, "");
  assert_string_equal(a.instance, "TOP.lsu_ext.i_xact");
  assert_string_equal(a.file, file);
  assert_int_equal(a.line, 1);
  assert_true(in_line(2, "TOP.x.in_time.unnamedblk1", &a));
  assert_string_equal(a.text, "f(x) && g(y, (z))");
  assert_string_equal(a.label, "in_time");
  assert_string_equal(a.instance, "TOP.x"); /* neither the label nor a block without a name */
  assert_false(in_line(4, "TOP", &a));      /* other words */
  assert_true(in_line(5, "TOP", &a));
  assert_string_equal(a.text, "one"); /* the first of a line */
  assert_string_equal(a.label, "check");
  assert_false(in_line(6, "TOP", &a));
  assert_true(in_line(7, "TOP", &a)); /* the end of the file closes it */
  assert_string_equal(a.text, "last");
  assert_false(in_line(8, "TOP", &a));
}

/* Messages that are no assertion's, and a place that cannot be read. */
static void test_other_texts(void **state) {
  source_assertion_t a;
  (void)state;
  write_source("assert (x);\n");
  assert_false(source_assertion("", &a));
  assert_false(source_assertion("the RTL does not settle", &a));
  assert_false(source_assertion(": Assertion failed in TOP: 'assert' failed.", &a));
  assert_false(source_assertion("no_such_file.sv:1: Assertion failed in TOP: 'assert' failed.", &a));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_short_paths),
                                     cmocka_unit_test(test_assertions), cmocka_unit_test(test_other_texts)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(file);
  return failed;
}
