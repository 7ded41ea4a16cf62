/* SPDX-License-Identifier: Apache-2.0
 *
 * Power of a netlist: toggles that were counted (toggles.h), loads and transitions (loads.h),
 * energies of the cells (power_cells.h).
 *
 *   switching   load of the net * volt^2 / 2 for each rise and fall of a cell's output
 *   internal    the cells' own energy for each rise and fall of a pin. Of several arcs of an output
 *               each has its share: by how often its related pin toggles and how long its condition
 *               holds. Of an input each arc counts while its condition holds
 *   leakage     of each state of a cell while it holds
 *
 * How long a condition of several pins holds is the product of how long each pin is so: they are
 * taken to be independent. Nets that no cell drives (inputs of the block) are driven from outside,
 * and their load is not in the sum. Memories are not either (power_memory.h).
 */
#ifndef POWER_SUM_H
#define POWER_SUM_H

#include "loads.h"
#include "power_cells.h"
#include "toggles.h"

typedef struct {
  double internal, switching, leakage; /* watt */
} power_watt_t;

typedef struct {
  const char *name; /* of an instance of the block's own, "" of the block itself */
  power_watt_t watt;
  unsigned cells;
} power_part_t;

typedef struct {
  power_watt_t all, sequential, combinational; /* all: of both */
  power_part_t *parts;
  unsigned num_parts;
  double *joule;           /* of one toggle of each count of the toggles, the mean */
  double switched;         /* farad, per cycle: loads of outputs times their toggles */
  unsigned cells, unknown; /* cells that the Liberty files do not have */
  unsigned unread;         /* conditions that are no expression, or of more than 12 pins: they count as always */
  unsigned missing;        /* nets without a count, constants aside */
} power_sum_t;

/* period: of the clock, seconds, above 0. False: out of memory. */
bool power_sum(power_sum_t *sum, const loads_t *loads, const power_cells_t *cells, const toggles_t *toggles,
               double period);
void power_sum_free(power_sum_t *sum);

double power_watts(const power_watt_t *watt);

/* Power but for leakage in a window. */
double power_window(const power_sum_t *sum, const toggles_t *toggles, unsigned window, double period);

#endif
