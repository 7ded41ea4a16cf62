/* SPDX-License-Identifier: Apache-2.0
 *
 * Power of a netlist, from counted toggles (toggles.h), loads and transitions (loads.h), and the
 * cells' energies (power_cells.h):
 *
 *   switching   load of the net * volt^2 / 2, for each rise and fall of a cell's output
 *   internal    the cell's own energy, for each rise and fall of a pin
 *   leakage     of each state of a cell, while the state holds
 *
 * Several arcs of an output share its energy: by how often the related pin toggles, and how long
 * the condition holds. Each arc of an input counts while its condition holds. A condition of
 * several pins holds for the product of their shares: pins are taken to be independent. The
 * block's inputs are driven from outside, so their loads are not in the sum. Memories are apart
 * (power_memory.h).
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
  const char *name; /* instance in the block; "": the block itself */
  power_watt_t watt;
  unsigned cells;
} power_part_t;

typedef struct {
  power_watt_t all, sequential, combinational; /* all: the sum */
  power_part_t *parts;
  unsigned num_parts;
  double *joule;           /* mean energy of a toggle, by count of the toggles */
  double switched;         /* farad, per cycle: loads of outputs times their toggles */
  unsigned cells, unknown; /* unknown: cells missing in the Liberty files */
  unsigned unread;         /* conditions not understood or over 12 pins: they count as true */
  unsigned missing;        /* nets without a count, constants aside */
} power_sum_t;

/* period: of the clock, in seconds, above 0. False: out of memory. Call power_sum_free in either
 * case. */
bool power_sum(power_sum_t *sum, const loads_t *loads, const power_cells_t *cells, const toggles_t *toggles,
               double period);
void power_sum_free(power_sum_t *sum);

double power_watts(const power_watt_t *watt);

/* Watts in a window, without leakage. */
double power_window(const power_sum_t *sum, const toggles_t *toggles, unsigned window, double period);

#endif
