/* SPDX-License-Identifier: Apache-2.0
 *
 * Energies of Liberty files: conditions, tables, buses, and memories of a netlist. The sum over a
 * real netlist is tests/system/area/power_sum.sh.
 */
#include "power_cells.h"
#include "power_memory.h"
#include "power_sum.h"

#include <math.h>
#include <string.h>

#include "unit_test.h"

/* The share of time in which a pin is 1: A a quarter, CK all of it, others half. */
static double pin_share(void *context, const char *pin, size_t length) {
  (void)context;
  if (length == 2 && *pin == 'C') return 1;
  return *pin == 'A' ? 0.25 : 0.5;
}

/* The share of time in which a condition holds, with independent pins; -1: it cannot be read. By
 * hand from pin_share(): A & B is 1/4 * 1/2, A | B is 1 - 3/4 * 1/2, A ^ B is 1/4 * 1/2 + 3/4 *
 * 1/2. Y, Q and QN are the cell's own functions, so Q and QN exclude each other. The last
 * condition has 13 pins, one more than can be. */
static void conditions(void **state) {
  (void)state;
  static char both[] = "A & B", state_name[] = "IQ", opposite[] = "!IQ";
  const power_rule_t rules[] = {{"Y", both}, {"Q", state_name}, {"QN", opposite}};
  static const struct {
    const char *when;
    double holds;
  } rows[] = {{"A", 0.25},
              {"!A", 0.75},
              {"A'", 0.75},
              {"A & B", 0.125},
              {"A*B", 0.125},
              {"A B", 0.125},
              {"A | B", 0.625},
              {"A + B", 0.625},
              {"A ^ B", 0.5},
              {"!A & !B", 0.375},
              {"(A & B) | !CK", 0.125},
              {"!(A + B)'", 0.625},
              {"A & !A", 0},
              {"A | !A", 1},
              {"(A&B)+(A&!B)", 0.25},
              {"A ^ B ^ CK", 0.5},
              {"1", 1},
              {"0", 0},
              {"A + B & CK", 0.625},
              {" ( A ) ", 0.25},
              {"Y", 0.125},
              {"Y & A", 0.125},
              {"Y & !A", 0},
              {"Q & QN", 0},
              {"Q + QN", 1},
              {"!Q & QN", 0.5},
              {"", -1},
              {"A &", -1},
              {"(A", -1},
              {"A)", -1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double is = power_when(rows[i].when, rules, 3, pin_share, NULL);
    if (fabs(is - rows[i].holds) > 1e-12) fail_msg("%s holds for %g, not %g", rows[i].when, is, rows[i].holds);
  }
  assert_true(power_when("a+b+c+d+e+f+g+h+i+j+k+l+m", NULL, 0, pin_share, NULL) < 0);
}

#define LIBRARY(body)                                                                                               \
  "library (x) { time_unit : \"1ns\"; capacitive_load_unit (1, pf); voltage_unit : \"1V\"; leakage_power_unit : "   \
  "\"1nW\"; nom_voltage : 1.2;"                                                                                     \
  "power_lut_template (e) { variable_1 : input_net_transition; variable_2 : total_output_net_capacitance; index_1 " \
  "(\"0, 2\"); index_2 (\"1, 3\"); }"                                                                               \
  "power_lut_template (l) { variable_1 : total_output_net_capacitance; variable_2 : input_net_transition; index_1 " \
  "(\"1, 3\"); index_2 (\"0, 2\"); }"                                                                               \
  "power_lut_template (s) { variable_1 : input_transition_time; index_1 (\"0, 1, 2\"); }" body "}"

static trouble_t trouble;

/* Values between and beyond the indices of tables, by hand: linear in both directions. Units are
 * those of the library, here ns, pF and pJ. */
static void tables(void **state) {
  (void)state;
  static const char text[] = LIBRARY(
      "cell (C) { cell_leakage_power : 2.5; leakage_power () { when : \"A\"; value : 4; }"
      "pin (A) { internal_power () { when : \"B\"; rise_power (s) { values (\"1, 2, 4\"); } fall_power (scalar) { "
      "values (\"5\"); } } }"
      "pin (Y) { internal_power () { related_pin : \"A\"; rise_power (e) { values (\"0, 4\", \"2, 6\"); }"
      " fall_power (l) { values (\"0, 2\", \"4, 6\"); } }"
      " internal_power () { related_pin : \"B\"; related_pg_pin : VDD; power (e) { index_1 (\"0, 4\"); values (\"0, "
      "4\", \"2, 6\"); } } } }");
  power_cells_t c = {0};
  assert_true(power_cells_add(&c, text, "x.lib", &trouble));
  power_cells_end(&c);
  const power_cell_t *cell = power_cells_find(&c, "C");
  assert_non_null(cell);
  assert_true(cell->volt == 1.2 && fabs(cell->watts - 2.5e-9) < 1e-20 && cell->num_leaks == 1 && cell->num_arcs == 3 &&
              !cell->sequential);
  const power_arc_t *input = &cell->arcs[0], *output = &cell->arcs[1], *other = &cell->arcs[2];
  const struct {
    const power_table_t *table;
    double ns, pf, pj;
  } rows[] = {{&input->rise, 0.5, 0, 1.5}, {&input->rise, 1.5, 9, 3}, {&input->rise, 3, 0, 6},
              {&input->fall, 7, 7, 5},     {&output->rise, 0, 1, 0},  {&output->rise, 2, 3, 6},
              {&output->rise, 1, 2, 3},    {&output->rise, 0, 5, 8},  {&output->rise, 4, 1, 4},
              {&output->fall, 1, 2, 3},    {&output->fall, 0, 3, 4},  {&output->fall, 2, 1, 2},
              {&other->rise, 4, 1, 2},     {&other->fall, 4, 1, 2},   {&other->fall, 2, 2, 3}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double is = 1e12 * power_table_energy(rows[i].table, rows[i].ns * 1e-9, rows[i].pf * 1e-12);
    if (fabs(is - rows[i].pj) > 1e-9) fail_msg("row %zu: %g pJ, not %g", i, is, rows[i].pj);
  }
  assert_string_equal(other->supply, "VDD");
  assert_null(power_cells_find(&c, "D"));
  power_cells_free(&c);
}

/* A table with too few values is refused with the line of the table, a file that ends too early
 * as cut off. */
static void bad_tables_are_a_line(void **state) {
  (void)state;
  power_cells_t c = {0};
  static const char lacks[] =
      LIBRARY("\ncell (C) { pin (Y) { internal_power () {\n rise_power (e) { values (\"0, 4\", \"2\"); } } } }");
  assert_false(power_cells_add(&c, lacks, "x.lib", &trouble));
  assert_string_equal(trouble.text, "x.lib:3: a table of power whose values are not as many as its indices say");
  power_cells_free(&c);
  assert_false(power_cells_add(&c, "library (x) {\n cell (C) { pin (Y) {", "x.lib", &trouble));
  assert_non_null(strstr(trouble.text, "cut off"));
  power_cells_free(&c);
}

#define ENERGY(pj) "rise_power (scalar) { values (\"" pj "\"); } fall_power (scalar) { values (\"" pj "\"); }"

/* A bus' energy counts for each of its bits, and a bit may have more of its own. An arc with two
 * related pins is weighted by the toggles of both. */
static void buses_and_several_related_pins(void **state) {
  (void)state;
  static const char text[] = LIBRARY("cell (M) { bus (A) { bus_type : two; internal_power () { " ENERGY(
      "2") " } pin (A[1]) { internal_power () "
           "{ " ENERGY("5") " } } pin (A[1:0]) { capacitance : 1; } } pin (B) { } pin (C) { } pin (D) { }"
                            "pin (Y) { internal_power () { related_pin : \"B C\"; " ENERGY(
                                "1") " } internal_power () { related_pin : \"D\"; " ENERGY("9") " } } }");
  power_cells_t cells = {0};
  assert_true(power_cells_add(&cells, text, "x.lib", &trouble));
  power_cells_end(&cells);
  enum { A0, A1, B, C, D, Y, PINS };
  static const char *const ports[PINS] = {"A[0]", "A[1]", "B", "C", "D", "Y"};
  static const uint64_t toggles_of[PINS] = {10, 100, 3, 4, 1, 6}; /* of rises, and of falls */
  loads_pin_t pins[PINS];
  toggles_net_t nets[PINS];
  unsigned shown[PINS];
  toggles_count_t counts[PINS];
  for (unsigned i = 0; i < PINS; i++) {
    pins[i] = (loads_pin_t){.port = ports[i], .net = ports[i], .output = i == Y};
    nets[i] = (toggles_net_t){.name = (char *)(uintptr_t)ports[i], .shown = ports[i], .count = i};
    shown[i] = i;
    counts[i] = (toggles_count_t){.rises = toggles_of[i], .falls = toggles_of[i]};
  }
  loads_instance_t instance = {"_1_", "M", 0, PINS, NULL, NULL};
  const loads_t loads = {.instances = &instance, .pins = pins, .num_instances = 1, .num_pins = PINS};
  const toggles_t toggles = {
      .nets = nets, .by_shown = shown, .num_nets = PINS, .all = counts, .num_counts = PINS, .cycles = 1000};
  power_sum_t sum;
  assert_true(power_sum(&sum, &loads, &cells, &toggles, 1e-9));
  const double inputs = 2 * 10 * 2 + 2 * 100 * (2 + 5), output = 2 * 6 * (14. * 1 + 2 * 9) / 16;
  assert_float_equal(sum.all.internal * 1e-6 * 1e12, inputs + output, 1e-6);
  power_sum_free(&sum), power_cells_free(&cells);
}

/* Rows and width of a memory come from the netlist's defparams, by instance and module. The read
 * enable is tied to one and counts in all 50 cycles, the write enable in its 11 samples of 1
 * that a clock edge follows; a width of 256, beyond the fit's 100, is extrapolated. */
static void memories(void **state) {
  (void)state;
  static const char netlist[] =
      "module part(a);\n  defparam u_rows.Depth = 32'd7;\n  defparam u_rows.Width = 32'd7;\nendmodule\n"
      "module \\$paramod\\x (a);\n  defparam \\g[0].u_rows .Depth = 32'd128;\n"
      "  defparam \\g[0].u_rows .LaneBits = 32'd8;\n"
      "  defparam \\g[0].u_rows .Width = 32'd256;\nendmodule\n";
  loads_pin_t pins[] = {
      {.port = "rd_en_i", .net = "i_x/one_"}, {.port = "wr_en_i", .net = "i_x/en"}, {.port = "Y", .net = "en"}};
  loads_instance_t instances[] = {{"i_x/g[0].u_rows", "sram_1r1w", 0, 2, "$paramod\\x", "g[0].u_rows"},
                                  {"_1_", "NAND2", 2, 1, NULL, NULL}};
  loads_t loads = {.instances = instances, .pins = pins, .num_instances = 2, .num_pins = 3};
  char name[] = "i_x/en";
  toggles_net_t nets[] = {{.name = name, .shown = name, .count = 0}};
  unsigned shown[] = {0};
  toggles_count_t counts[] = {{.rises = 9, .falls = 9, .high = 30, .edges = 11}};
  toggles_t toggles = {.nets = nets, .by_shown = shown, .num_nets = 1, .all = counts, .num_counts = 1, .cycles = 50};
  const sram_fit_t fit = {
      .read = {1e-12, 0, 0}, .write = {0, 1e-12, 0}, .leakage = {1e-9, 0, 0}, .most_bits = 1e6, .most_width = 100};
  power_memories_t all;
  assert_true(power_memories(&all, &loads, netlist, &toggles, &fit, &trouble));
  assert_int_equal(all.count, 1), assert_int_equal(all.extrapolated, 1);
  assert_int_equal(all.list[0].rows, 128), assert_int_equal(all.list[0].width, 256);
  assert_float_equal(all.list[0].reads, 50, 0), assert_float_equal(all.list[0].writes, 11, 0);
  assert_float_equal(all.joules, 50 * 128 * 256e-12 + 11 * 65536e-12, 1e-15);
  assert_float_equal(all.leakage, 128 * 256e-9, 1e-15);
  power_memories_free(&all);

  pins[1].net = "i_x/other";
  assert_false(power_memories(&all, &loads, netlist, &toggles, &fit, &trouble));
  assert_string_equal(trouble.text,
                      "the memory i_x/g[0].u_rows: its rd_en_i or wr_en_i is on a net that was not counted");
  power_memories_free(&all);
  instances[0].local = "u_rows";
  assert_false(power_memories(&all, &loads, netlist, &toggles, &fit, &trouble));
  assert_string_equal(trouble.text, "the netlist does not say how large the memory i_x/g[0].u_rows is");
  power_memories_free(&all);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(conditions), cmocka_unit_test(tables),
                                     cmocka_unit_test(bad_tables_are_a_line), cmocka_unit_test(memories),
                                     cmocka_unit_test(buses_and_several_related_pins)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
