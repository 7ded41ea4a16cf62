/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints synth/cells/ge.lib, the Liberty file of the cells of ge.def.   ge_lib >synth/cells/ge.lib
 */
#include <stdio.h>
#include <string.h>

enum { END, START, INPUT, OUTPUT, FLOP, LATCHED, CLOCK, DATA, FORCE, HELD };

typedef struct {
  int kind;
  const char *name, *text, *more, *last; /* function and sense; clock, next state, clear, preset */
  double a, b;                           /* transistors; C and late; delay and drive; C and value */
} line_t;

#define NEGATIVE "negative_unate"
#define POSITIVE "positive_unate"
#define NEITHER "non_unate"

static const line_t lines[] = {
#define CELL(name, transistors) {START, name, "", "", "", transistors, 0},
#define IN(pin, c, late) {INPUT, pin, "", "", "", c, late},
#define OUT(pin, function, sense, delay, drive) {OUTPUT, pin, function, sense, "", delay, drive},
#define FF(clock, next, clear, preset) {FLOP, clock, next, clear, preset, 0, 0},
#define LATCH(enable, data) {LATCHED, enable, data, "", "", 0, 0},
#define CLOCKED(pin, c) {CLOCK, pin, "", "", "", c, 0},
#define SAMPLED(pin, c) {DATA, pin, "", "", "", c, 0},
#define FORCING(pin, c, value) {FORCE, pin, "", "", "", c, value},
#define STATE(pin, delay, drive) {HELD, pin, "", "", "", delay, drive},
#include "ge.def"
    {0}};

static const double loads[] = {0, 64}; /* C; the tables are straight lines, so two points say all */

/* The value does not depend on how slow the input is: one row for both. */
static void table(const char *name, double delay, double drive) {
  printf("        %s (t) { values (\"%.4f, %.4f\", \"%.4f, %.4f\"); }\n", name, delay + loads[0] / drive,
         delay + loads[1] / drive, delay + loads[0] / drive, delay + loads[1] / drive);
}

static void arc(const char *from, const char *sense, const char *type, double delay, double drive) {
  printf("      timing () {\n        related_pin : \"%s\";\n", from);
  if (*sense) printf("        timing_sense : %s;\n", sense);
  if (*type) printf("        timing_type : %s;\n", type);
  table("cell_rise", delay, drive), table("rise_transition", 1, drive), table("cell_fall", delay, drive),
      table("fall_transition", 1, drive);
  printf("      }\n");
}

static const line_t *find(const line_t *in, int kind) {
  while (in->kind != kind && in[1].kind != START && in[1].kind != END) in++;
  return in;
}

static void constraint(const char *clock, const char *type, double tau) {
  static const char *const ways[] = {"rise_constraint", "fall_constraint"};
  printf("      timing () {\n        related_pin : \"%s\";\n        timing_type : %s;\n", clock, type);
  for (int i = 0; i < 2; i++)
    printf("        %s (s) { values (\"%.4f, %.4f\", \"%.4f, %.4f\"); }\n", ways[i], tau, tau, tau, tau);
  printf("      }\n");
}

static void input(const line_t *l, const line_t *of) {
  const int falls = *of->name == '!';
  const char *pin = of->name + falls;
  printf("    pin (%s) {\n      direction : input;\n      capacitance : %.4f;\n", l->name, l->a);
  if (l->kind == CLOCK) printf("      clock : true;\n");
  if (l->kind == DATA && of->kind == FLOP) {
    constraint(pin, falls ? "setup_falling" : "setup_rising", 8);
    constraint(pin, falls ? "hold_falling" : "hold_rising", 0);
  }
  if (l->kind == DATA && of->kind == LATCHED) constraint(pin, "setup_falling", 8), constraint(pin, "hold_falling", 0);
  printf("    }\n");
}

static void output(const line_t *cell, const line_t *l) {
  printf("    pin (%s) {\n      direction : output;\n      function : \"%s\";\n      max_capacitance : %.4f;\n",
         l->name, l->kind == HELD ? "IQ" : l->text, l->b * loads[1]);
  const line_t *flop = find(cell, FLOP);
  for (const line_t *i = cell + 1; i->kind != START && i->kind != END; i++) {
    if (i->kind == INPUT) arc(i->name, l->more, "", l->a + i->b, l->b);
    else if (i->kind == CLOCK)
      arc(i->name, "non_unate", flop->kind == FLOP && *flop->name == '!' ? "falling_edge" : "rising_edge", l->a, l->b);
    else if (i->kind == DATA && flop->kind != FLOP) arc(i->name, "positive_unate", "", l->a, l->b);
    else if (i->kind == FORCE)
      arc(i->name, i->b > 0 ? "negative_unate" : "positive_unate", i->b > 0 ? "preset" : "clear", l->a, l->b);
  }
  printf("    }\n");
}

static void state(const line_t *l) {
  const char *first = l->kind == FLOP ? "clocked_on" : "enable", *second = l->kind == FLOP ? "next_state" : "data_in";
  printf("    %s (IQ, IQN) {\n      %s : \"%s\";\n      %s : \"%s\";\n", l->kind == FLOP ? "ff" : "latch", first,
         l->name, second, l->text);
  if (*l->more) printf("      clear : \"%s\";\n", l->more);
  if (*l->last) printf("      preset : \"%s\";\n", l->last);
  if (*l->more && *l->last) printf("      clear_preset_var1 : L;\n      clear_preset_var2 : H;\n");
  printf("    }\n");
}

static void cell(const line_t *c) {
  static const line_t none = {.name = ""};
  const line_t *flop = find(c, FLOP), *latch = find(c, LATCHED),
               *sequential = flop->kind == FLOP       ? flop
                             : latch->kind == LATCHED ? latch
                                                      : &none;
  printf("\n  cell (%s) {\n    area : %.4g;\n", c->name, c->a / 4);
  if (sequential != &none) state(sequential);
  for (const line_t *l = c + 1; l->kind != START && l->kind != END; l++) {
    if (l->kind == OUTPUT || l->kind == HELD) output(c, l);
    else if (l->kind != FLOP && l->kind != LATCHED) input(l, sequential);
  }
  printf("  }\n");
}

static void templates(void) {
  static const char *const names[][2] = {{"t", "total_output_net_capacitance"}, {"s", "constrained_pin_transition"}};
  for (int i = 0; i < 2; i++)
    printf("  lu_table_template (%s) {\n    variable_1 : %s;\n    variable_2 : %s;\n    index_1 (\"0, 64\");\n"
           "    index_2 (\"0, 64\");\n  }\n",
           names[i][0], i ? "related_pin_transition" : "input_net_transition", names[i][1]);
}

int main(void) {
  printf(
      "/* SPDX-License-Identifier: Apache-2.0\n"
      " *\n"
      " * Made by ge_lib of ge.def, which says what the cells are; not to be edited. Long file: made of a list.\n"
      " * Area: gate equivalents, NAND2X1 is 1. What this file calls 1 ps is 1 tau, a fifth of FO4; 1 fF is the input "
      "of the unit inverter.\n"
      " */\n"
      "library (ge) {\n"
      "  delay_model : table_lookup;\n"
      "  time_unit : \"1ps\";\n"
      "  capacitive_load_unit (1, ff);\n"
      "  voltage_unit : \"1V\";\n"
      "  current_unit : \"1uA\";\n"
      "  pulling_resistance_unit : \"1kohm\";\n"
      "  leakage_power_unit : \"1nW\";\n"
      "  nom_process : 1;\n"
      "  nom_temperature : 25;\n"
      "  nom_voltage : 1;\n"
      "  input_threshold_pct_rise : 50;\n"
      "  input_threshold_pct_fall : 50;\n"
      "  output_threshold_pct_rise : 50;\n"
      "  output_threshold_pct_fall : 50;\n"
      "  slew_lower_threshold_pct_rise : 20;\n"
      "  slew_lower_threshold_pct_fall : 20;\n"
      "  slew_upper_threshold_pct_rise : 80;\n"
      "  slew_upper_threshold_pct_fall : 80;\n");
  templates();
  for (const line_t *l = lines; l->kind != END; l++)
    if (l->kind == START) cell(l);
  printf("}\n");
  return fflush(stdout) ? 1 : 0;
}
