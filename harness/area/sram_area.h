/* SPDX-License-Identifier: Apache-2.0
 *
 * Area of a memory macro, from a fit to the memories of synth/sram_1r1w.csv:
 *   um2 = a * bits + b * (bits of a row)^2
 * (cells, and what grows with the wires across the ports), a and b by least squares of the relative error; from the
 * data's node to another one by the square of the nodes' quotient.
 */
#ifndef SRAM_AREA_H
#define SRAM_AREA_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

enum { SRAM_DATA_NM = 40 };

typedef struct {
  double per_bit, per_width2; /* um2 at SRAM_DATA_NM */
  double worst;               /* greatest relative error at a memory of the data */
  double least_bits, most_bits, least_width, most_width;
} sram_fit_t;

/* false with what went wrong when the file is not as it should be. */
bool sram_fit(sram_fit_t *fit, const char *path, trouble_t *trouble);

double sram_um2(const sram_fit_t *fit, unsigned long rows, unsigned long width, double nm);
bool sram_outside(const sram_fit_t *fit, unsigned long rows, unsigned long width); /* of the data: extrapolated */

#endif
