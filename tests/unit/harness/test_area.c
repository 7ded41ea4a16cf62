/* SPDX-License-Identifier: Apache-2.0
 *
 * Areas: Yosys' statistics read back as counts of cells, macros and parts, and their scaling to
 * other nodes by factors, by the SRAM fit and by NAND2 areas. Expected figures are literals worked
 * out by hand.
 */
#include "unit_test.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "area_key.h"
#include "area_read.h"
#include "nand2.h"
#include "node_scale.h"

static trouble_t said;

/* The two agree to a millionth of what is expected. */
static void assert_near(double got, double wanted) {
  if (fabs(got - wanted) > 1e-6 * fabs(wanted)) fail_msg("%.9g should be %.9g", got, wanted);
}

/* The cell that is a part of the block and not of the library; no other one. */
static bool is_own_part(const void *context, const char *cell) {
  return context && strcmp(cell, context) == 0;
}

static liberty_cell_t two[] = {{.name = "INVX1", .area = 0.5, .used = true},
                               {.name = "DFFPOSX1", .area = 6, .used = true, .flipflop = true}};
static const cells_t cells = {.library = {.cells = two, .count = 2, .used = 2, .text = "library (cells) {\n}\n"}};
static const area_target_t library = {.name = "ge", .cells = &cells};

/* Four inverters of 0.5 and two flip-flops of 6; the part is no cell. */
static void cells_are_counted_by_the_library(void **state) {
  (void)state;
  char text[] =
      "=== x ===\n   Number of wires: 9\n   Number of cells:   7\n     DFFPOSX1   2\n     INVX1   4\n     part   1\n";
  area_t a = {0};
  assert_true(area_read_cells(&a, text, &library, is_own_part, "part", &said));
  assert_int_equal(a.cells, 6);
  assert_int_equal(a.flipflops, 2);
  assert_near(a.area, 2 * 6 + 4 * 0.5);
  assert_near(a.flipflops_area, 2 * 6);
}

/* Cells that are left over from Yosys' own, cells of no library, and no statistics at all. */
static void a_cell_of_another_kind_is_refused(void **state) {
  (void)state;
  char text[] = "   Number of cells:   1\n     $_AND_   1\n", unknown[] = "   Number of cells:   1\n     NAND9   1\n",
       empty[] = "";
  area_t a = {0};
  assert_false(area_read_cells(&a, text, &library, is_own_part, NULL, &said));
  assert_non_null(strstr(said.text, "$_AND_ is no cell"));
  assert_false(area_read_cells(&a, unknown, &library, is_own_part, NULL, &said));
  assert_false(area_read_cells(&a, empty, &library, is_own_part, NULL, &said));
}

/* LUTs (1 + 4), flip-flops (2 + 1), RAMs and DSPs by their names; an FPGA has no area. */
static void cells_of_an_fpga(void **state) {
  (void)state;
  char text[] = "   Number of cells: 13\n     LUT1 1\n     LUT6 4\n     FDCE 2\n     FDRE 1\n     RAMB36E1 3\n     "
                "DSP48E1 1\n     CARRY4 1\n";
  area_t a = {0};
  assert_true(area_read_cells(&a, text, area_fpga("xilinx"), is_own_part, NULL, &said));
  assert_int_equal(a.cells, 13);
  assert_int_equal(a.luts, 5);
  assert_int_equal(a.flipflops, 3);
  assert_int_equal(a.rams, 3);
  assert_int_equal(a.dsps, 1);
  assert_true(a.area == 0);
}

static char boxes[] =
    "  cell \\sram_1r1w \\u_mem\n    parameter signed \\Depth 4\n    parameter signed \\Width 1471\n  end\n"
    "  cell \\lane \\g[0].u\n    parameter signed \\W 32'00000000000000000000000000001010\n  end\n"
    "  cell \\lane \\g[1].u\n    parameter signed \\W 10\n  end\n  cell \\lane \\h\n  end\n";

/* The memory is a macro of 4 x 1471 bits. Parts of one block with the same parameters count as
 * one kind. */
static void equal_parts_are_one_kind(void **state) {
  (void)state;
  area_t a = {0};
  char text[sizeof boxes];
  memcpy(text, boxes, sizeof boxes);
  assert_true(area_read_boxes(&a, text, &library, &said));
  assert_int_equal(a.num_macros, 1);
  assert_string_equal(a.macros[0].name, "u_mem");
  assert_int_equal(a.macros[0].rows * a.macros[0].width, 5884);
  assert_int_equal(a.num_parts, 2);
  assert_string_equal(a.parts[0].block, "lane");
  assert_string_equal(a.parts[0].params, "W=10");
  assert_int_equal(a.parts[0].count, 2);
  assert_string_equal(a.parts[1].params, "");
  assert_int_equal(a.parts[1].count, 1);
}

/* Depth alone is not a size: Width is missing, and the message names the instance. */
static void a_memory_without_a_size_is_refused(void **state) {
  (void)state;
  area_t a = {0};
  char text[] = "  cell \\sram_1r1w \\u_mem\n    parameter signed \\Depth 4\n  end\n";
  assert_false(area_read_boxes(&a, text, &library, &said));
  assert_non_null(strstr(said.text, "u_mem"));
}

/* The last delay of abc counts, and Yosys' longest path in levels; -1: there is none. */
static void paths(void **state) {
  (void)state;
  assert_near(area_read_delay("ABC: x Delay = 743.03 ps\nABC: y Delay =   512.50 ps  ( 1 %)"), 512.5);
  assert_true(area_read_delay("nothing") < 0);
  assert_int_equal(area_read_levels("Longest topological path in fifo (length=3):\n"), 3);
  assert_int_equal(area_read_levels("Longest topological path in x (length=-1):\n"), -1);
}

static const node_factors_t three = {{180, 45, 20}, {1, 0.0625, 0.01}, 3};

/* From 180 to 45 areas go with the square of the node here, so 90 is a quarter of 180. 30 is
 * half-way from 45 to 20 in logarithms: sqrt(0.0625 * 0.01). Beyond the ends the square counts:
 * 10 is a quarter of 20, 360 four times 180. */
static void factors_between_nodes(void **state) {
  (void)state;
  assert_near(node_factor(&three, 180), 1);
  assert_near(node_factor(&three, 90), 0.25);
  assert_near(node_factor(&three, 20), 0.01);
  assert_near(node_factor(&three, 30), 0.025);
  assert_near(node_factor(&three, 10), 0.0025);
  assert_near(node_factor(&three, 360), 4);
}

/* 1000 um2 of cells at 180 nm and 40 um2 of macros at 40 nm are 10 and 10 at 20 nm. The ideal is
 * the square: 1000 / 81 of cells, and the macros. The least and the most are node_scale.h's
 * measured libraries, 0.798 / 24 / 0.053 and 462 / 6380 / 0.053 of the cells, and a quarter off
 * for macros: 10 / 1.25 and 10 * 1.25. */
static void cells_and_macros_at_a_node(void **state) {
  (void)state;
  sram_fit_t fit = {.area = {.worst = 0.25}};
  node_area_t a = node_scale(&three, &fit, 1000, 180, 40, 20);
  assert_near(a.cells, 10);
  assert_near(a.macros, 10);
  assert_near(a.ideal, 1000 / 81. + 10);
  assert_near(a.low, 10 * 0.6273584906 + 8);
  assert_near(a.high, 10 * 1.36629798308 + 12.5);
  assert_near(node_scale(&three, &fit, 1000, 45, 0, 20).cells, 160); /* 0.01 / 0.0625 */
}

/* What is said of a NAND2 list with this text; "": it is taken. */
static const char *nand2_refusal(const char *text, nand2_t *t) {
  static trouble_t trouble;
  trouble = (trouble_t){.text = ""};
  FILE *file = fopen("nand2.csv", "w");
  fputs(text, file), fclose(file);
  assert_true(nand2_read(t, "nand2.csv", &trouble) == !*trouble.text);
  unlink("nand2.csv");
  return trouble.text;
}

/* Means of 16, 4 and 1 lie on a line, and the node with one library has no spread. 50 is
 * half-way from 100 to 25 in logarithms: sqrt(4 * 1) = 2. Outside of the nodes there is none. */
static void gates_at_a_node(void **state) {
  (void)state;
  nand2_t t;
  assert_string_equal(
      nand2_refusal("# x\n400,8,,,A,a,b\n400,32,,,A,c,d\n100,4,,,A,a,b\n25,0.5,,,A,a,b\n25,2,,,A,a,b\n", &t), "");
  assert_near(t.residual, 1);
  nand2_area_t n = nand2_at(&t, 400);
  assert_near(n.um2, 16), assert_near(n.low, 8), assert_near(n.high, 32);
  assert_true(n.libraries == 2 && n.above == 0);
  n = nand2_at(&t, 50);
  assert_near(n.um2, 2), assert_near(n.low, sqrt(4 * 0.5)), assert_near(n.high, sqrt(4 * 2.));
  assert_true(n.libraries == 3 && n.above == 100 && n.below == 25);
  assert_true(nand2_at(&t, 401).um2 < 0 && nand2_at(&t, 24).um2 < 0);
  /* the line is 2 / 2^(1/3) off the middle one */
  assert_string_equal(nand2_refusal("400,16,,,A,a,b\n100,8,,,A,a,b\n25,1,,,A,a,b\n", &t), "");
  assert_near(t.residual, pow(2, 2 / 3.)), assert_near(nand2_at(&t, 100).high, 8 * pow(2, 2 / 3.)),
      assert_near(nand2_at(&t, 100).low, 8 / pow(2, 2 / 3.));
}

/* A wrong column or number, a width of 0, nodes in the wrong order, a line without an end; each
 * message has the line's number. One node is in order but too few. */
static void bad_gates_are_a_line(void **state) {
  (void)state;
  static const char right[] = "should be: nm,um2,width,height,cell,library,source; from the largest nm downwards";
  static const char *const bad[] = {"180;24\n", "# x\n180,0,,,A\n", "45,1,,,A\n90,2,,,A\n", "180,24,,,A,a,b"};
  static const unsigned lines[] = {1, 2, 2, 1};
  nand2_t t;
  char wanted[200];
  for (unsigned i = 0; i < 4; i++) {
    snprintf(wanted, sizeof wanted, "nand2.csv:%u: %s", lines[i], right);
    assert_string_equal(nand2_refusal(bad[i], &t), wanted);
  }
  assert_string_equal(nand2_refusal("180,24,,,A,a,b\n", &t), "nand2.csv: too few nodes: three would be right");
}

/* The key of a stored result where the generated package is this text. */
static uint64_t key_with(const char *package) {
  const area_job_t job = {.target = &library,
                          .source = LOCKSTACK_SOURCE_DIR,
                          .gen = "test_area_gen",
                          .family = "lib",
                          .block = "fifo",
                          .params = ""};
  mkdir("test_area_gen", 0777);
  FILE *file = fopen("test_area_gen/x_pkg.sv", "w");
  fputs(package, file);
  fclose(file);
  const uint64_t key = area_key(&job, false, "Depth=4", "script", "version");
  unlink("test_area_gen/x_pkg.sv");
  rmdir("test_area_gen");
  return key;
}

/* Comments and blanks of a generated package keep the key; a number or a word of it changes the
 * key. */
static void generated_files_count_by_their_words(void **state) {
  (void)state;
  const uint64_t key = key_with("package x;\nlocalparam int A = 1;\nendpackage\n");
  assert_true(key == key_with("// made\npackage x;\n\n  localparam int A = 1; // one\nendpackage\n// end"));
  assert_false(key == key_with("package x;\nlocalparam int A = 2;\nendpackage\n"));
  assert_false(key == key_with("package x;\nlocalparam intA = 1;\nendpackage\n"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(gates_at_a_node),
                                     cmocka_unit_test(bad_gates_are_a_line),
                                     cmocka_unit_test(generated_files_count_by_their_words),
                                     cmocka_unit_test(cells_are_counted_by_the_library),
                                     cmocka_unit_test(a_cell_of_another_kind_is_refused),
                                     cmocka_unit_test(cells_of_an_fpga),
                                     cmocka_unit_test(equal_parts_are_one_kind),
                                     cmocka_unit_test(a_memory_without_a_size_is_refused),
                                     cmocka_unit_test(paths),
                                     cmocka_unit_test(factors_between_nodes),
                                     cmocka_unit_test(cells_and_macros_at_a_node)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
