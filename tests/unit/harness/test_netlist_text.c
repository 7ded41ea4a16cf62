/* SPDX-License-Identifier: Apache-2.0
 *
 * Netlists for OpenSTA: parameters of instances become defparam statements, and all other text
 * stays, byte by byte.
 */
#include "unit_test.h"

#include "netlist_text.h"

#include <stdlib.h>
#include <string.h>

/* The netlist becomes this text. */
static void expect_text(const char *text, const char *wanted) {
  char *got = NULL;
  size_t size;
  FILE *to = open_memstream(&got, &size);
  netlist_text(to, text);
  fclose(to);
  assert_string_equal(got, wanted);
  free(got);
}

/* Positive signed numbers lose the s, which OpenSTA does not read; strings and negative numbers
 * stay. */
static void parameters(void **state) {
  (void)state;
  expect_text(
      "  wire a;\n  sram_1r1w #(\n    .Depth(32'sd4),\n    .Name(\"x'sd\"),\n    .Width(-32'sd8)\n  ) u_rows (\n"
      "    .clk_i(clk_i)\n  );\nendmodule\n",
      "  wire a;\n  defparam u_rows.Depth = 32'd4;\n  defparam u_rows.Name = \"x'sd\";\n"
      "  defparam u_rows.Width = -32'sd8;\n"
      "  sram_1r1w u_rows (\n    .clk_i(clk_i)\n  );\nendmodule\n");
  expect_text("  sram_1r1w #(\n    .Depth(3'h2)\n  ) \\g[0].u_rows (\n  );\n",
              "  defparam \\g[0].u_rows .Depth = 3'h2;\n  sram_1r1w \\g[0].u_rows  (\n  );\n");
}

/* Empty texts, names with # in them, and a netlist that is cut off in its parameters stay as
 * they are. */
static void all_else(void **state) {
  (void)state;
  static const char *const same[] = {"",
                                     "\n",
                                     " ",
                                     "  ",
                                     "  x",
                                     "module a(b);\n\n  wire \\#( ;\n  INVX1 _0_ (\n    .A(b)\n  );\nendmodule",
                                     "  cut #(\n    .A(1)\n"};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) expect_text(same[i], same[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parameters), cmocka_unit_test(all_else)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
