/* SPDX-License-Identifier: Apache-2.0
 *
 * Area and energy of a memory macro, fitted to the memories of synth/sram_1r1w.csv:
 *
 *   um2, J of a read, J of a write = a * bits + b * (bits of a row)^2     (cells; wires)
 *   W of leakage                   = a * bits
 *
 * Least squares of the relative error give a and b. The area scales to another node by the
 * square of the nodes' quotient. Energies are at the data's node, SRAM_DATA_NM.
 */
#ifndef SRAM_AREA_H
#define SRAM_AREA_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

enum { SRAM_DATA_NM = 40 };

typedef struct {
  double per_bit, per_width2;
  double worst; /* greatest relative error over the data's memories */
} sram_line_t;

typedef struct {
  sram_line_t area, read, write, leakage; /* um2, joule, joule, watt at SRAM_DATA_NM */
  double least_bits, most_bits, least_width, most_width;
} sram_fit_t;

/* Fits all four lines. False: trouble says what is wrong with the file, or that its memories are
 * too alike. */
bool sram_fit(sram_fit_t *fit, const char *path, trouble_t *trouble);

/* width is in bits. sram_um2: um2 at nm. sram_at: the value of one of the fit's lines. */
double sram_um2(const sram_fit_t *fit, unsigned long rows, unsigned long width, double nm);
double sram_at(const sram_line_t *line, unsigned long rows, unsigned long width);
bool sram_outside(const sram_fit_t *fit, unsigned long rows,
                  unsigned long width); /* outside the data, so extrapolated? */

#endif
