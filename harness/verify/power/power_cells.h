/* SPDX-License-Identifier: Apache-2.0
 *
 * What Liberty files say about power: leakage, energy inside of cells, voltages. The meaning of
 * the groups is that of Synopsys' Liberty manual:
 *
 *   leakage_power { when; value; }        while `when` holds; a group without one, or
 *                                         cell_leakage_power, for the rest of the time
 *   internal_power { related_pin; when; rise_power, fall_power or power }
 *                                         for each rise and fall of the pin that has the group
 *
 *   power_cells_t cells = {0};
 *   if (!power_cells_add(&cells, text, "x.lib", &trouble)) ...        each file, then
 *   power_cells_end(&cells);
 *   const power_cell_t *c = power_cells_find(&cells, "NAND2X1");
 *   power_cells_free(&cells);
 *
 * Energies are joules, leakage is watts, times are seconds and loads are farads, whatever the
 * file's units are.
 */
#ifndef POWER_CELLS_H
#define POWER_CELLS_H

#include "trouble.h"

#include <stdbool.h>
#include <stddef.h>

enum { POWER_PIN = 64 };

/* Energy over one or two of: the transition of the input, the load of the output. */
typedef struct {
  unsigned rows, columns; /* of values; 0: no table */
  bool load_first;        /* index_1 is the load */
  double *first, *second, *values;
} power_table_t;

typedef struct {
  /* The pin; for a bus, each of its bits. related: "A", "A B", "": none. */
  char pin[POWER_PIN], related[4 * POWER_PIN];
  char *when;             /* NULL: always */
  char supply[POWER_PIN]; /* related_pg_pin */
  power_table_t rise, fall;
} power_arc_t;

/* What an output or a state is of other pins: "Y" of "!(A & B)", "Q" of "IQ", "IQN" of "!IQ". */
typedef struct {
  char pin[POWER_PIN];
  char *is;
} power_rule_t;

typedef struct {
  char *when; /* NULL: the rest */
  double watts;
  char supply[POWER_PIN];
} power_leak_t;

typedef struct {
  char name[256];
  bool sequential;
  double volt;  /* voltage of the supply */
  double watts; /* cell_leakage_power; below 0: the file does not say */
  power_arc_t *arcs;
  power_leak_t *leaks;
  power_rule_t *rules;
  /* names of supplies at 0 V, a blank behind each; their figures repeat those of the other
   * supplies and are left out */
  char grounds[256];
  unsigned num_arcs, num_leaks, num_rules;
} power_cell_t;

typedef struct power_shape power_shape_t; /* a template of tables */

typedef struct {
  power_cell_t *cells;
  unsigned num_cells;
  power_shape_t *shapes;
  unsigned num_shapes;
  double second, farad, leak, volt_unit; /* units of the current file */
  double volt;                           /* the file's supply; 0: not given */
  bool any_energy, any_leakage;
} power_cells_t;

/* Adds a file's cells. shown: the name of the file in messages. False: "SHOWN:LINE: ..." in
 * trouble. */
bool power_cells_add(power_cells_t *cells, const char *text, const char *shown, trouble_t *trouble);
void power_cells_end(power_cells_t *cells);                                         /* sorts */
const power_cell_t *power_cells_find(const power_cells_t *cells, const char *name); /* NULL: there is none */
void power_cells_free(power_cells_t *cells);

/* Joules of one transition; transition in seconds, load in farads. Straight lines join the
 * table's values, and beyond the table its last lines go on. */
double power_table_energy(const power_table_t *table, double transition, double load);

/* The share of time, 0 to 1, for which an expression of pins ("!A & (B | C')") holds. Rules
 * replace outputs and states by expressions of other pins. The other pins count as independent;
 * share() is asked once for each of them. Below 0: no expression, or more than 12 pins. */
double power_when(const char *when, const power_rule_t *rules, unsigned num_rules,
                  double (*share)(void *context, const char *pin, size_t length), void *context);

#endif
