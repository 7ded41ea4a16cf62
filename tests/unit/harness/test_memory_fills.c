/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops of `initial` that fill memories are blanked, and nothing else is.
 */
#include "memory_fills.h"

#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

#define MODULE "reg [7:0] m [0:15], v;\nalways @(posedge c) m[a] <= d;\n"

/* `from` behind a module's head becomes `wanted`, with blanks in a row counted as one. */
static void expect_text(const char *head, const char *from, const char *wanted) {
  char *text = malloc(strlen(head) + strlen(from) + 1);
  strcpy(stpcpy(text, head), from);
  const size_t length = strlen(text);
  assert_int_equal(memory_fills_drop(text), strcmp(from, wanted) != 0);
  assert_int_equal(strlen(text), length);
  assert_memory_equal(text, head, strlen(head));
  for (const char *p = text + strlen(head), *q = from; *p; p++, q++) assert_int_equal(*p == '\n', *q == '\n');
  char *at = text;
  for (const char *p = text + strlen(head); *p; p++)
    if (*p != ' ' || at == text || at[-1] != ' ') *at++ = *p;
  *at = 0;
  assert_string_equal(text, wanted);
  free(text);
}

static void expect_unchanged(const char *head, const char *text) {
  expect_text(head, text, text);
}

static void loops_that_fill_go(void **state) {
  (void)state;
  expect_text(MODULE, "initial for (i = 0; i < 16; i = i + 1) m[i] = 0;x", "initial ; x");
  expect_text(MODULE, "initial begin for (int i = 0; i < 16; i++) m[i] <= f(i);\n v = 1; end",
              "initial begin ; \n v = 1; end");
  expect_text(MODULE, "initial begin : n\nfor (i=0;i<4;i=i+1) begin : k\nfor (j=0;j<4;j=j+1) m[4*i+j]={2{x}};\nend end",
              "initial begin : n\n; \n \n end");
  expect_text(MODULE, "initial if (F) for (i = 0; i < 16; i++) begin m[i] = 0; end else v = 0;",
              "initial if (F) ; else v = 0;");
  expect_text("logic m [16][2]; // m[0] = 1;\nalways_ff @(posedge c) m[a][0] <= d;", "initial for (;;) m[i][j] = 0;",
              "initial ; ");
}

/* A vector's bits, a memory without another writer, loops that do more, and other loops stay. */
static void the_rest_stays(void **state) {
  (void)state;
  expect_unchanged(MODULE, "initial for (i = 0; i < 8; i = i + 1) v[i] = 0;");
  expect_unchanged(MODULE, "initial begin for (i = 0; i < 16; i++) begin m[i] = 0; w = 1; end end");
  expect_unchanged(MODULE, "initial m[0] = 0;");
  expect_unchanged(MODULE, "always @* for (i = 0; i < 16; i++) m[i] = 0;");
  expect_unchanged("reg [7:0] m [0:15];\n", "initial for (i = 0; i < 16; i++) m[i] = 0; assign y = m[a] == 1;");
  expect_unchanged("reg [7:0] m [0:15];\ninitial m[3] = 1;\n", "initial for (i = 0; i < 16; i++) m[i] = 0;");
  expect_unchanged("assign y = a + m[i]; always @(posedge c) m[a] <= d;", "initial for (;;) m[i] = 0;");
  expect_unchanged(MODULE, "initial for (i = 0; i < 16; i++)\n`ifdef A\n m[i] = 0;\n`endif");
}

/* Text that ends too early is left alone. */
static void a_part_stays(void **state) {
  (void)state;
  expect_unchanged(MODULE, "initial for (i = 0; i < 16");
  expect_unchanged(MODULE, "initial begin for (i = 0; i < 16; i++) m[i] = 0;");
  expect_unchanged(MODULE, "initial for (i = 0; i < 16; i++) m[i");
  expect_unchanged(MODULE, "initial");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_that_fill_go),
      cmocka_unit_test(the_rest_stays),
      cmocka_unit_test(a_part_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
