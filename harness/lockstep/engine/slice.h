/* SPDX-License-Identifier: Apache-2.0
 *
 * From a wrong output back through the registers to the inputs that decided. A register or an input
 * decides if the wrong bits would be others with one of its bits inverted: the RTL itself is asked,
 * cycle by cycle, so that neither its language nor a netlist matters. Of a register that holds its
 * value only the cycle counts in which it got it.
 *
 *   wrong bits of the output in the last cycle --> registers and inputs of that cycle
 *      --> bits of these registers in the cycle before --> ... --> inputs alone, or a reset
 */
#ifndef SLICE_H
#define SLICE_H

#include "trace.h"

#include "dut.h"

#include <stdio.h>

enum { SLICE_NAME = 160, SLICE_SHOWN = 8 };

/* A register in the cycles from..to in which its bits decide, or an input with one value in these
 * cycles. Values are text, of the first and of the last cycle. */
typedef struct {
  bool input;
  bool zero; /* an input that is 0 */
  char name[SLICE_NAME], where[SLICE_NAME];
  uint64_t from, to;
  char *first, *last;
} slice_entry_t;

typedef struct {
  slice_entry_t *entries; /* the last cycle first */
  size_t count, room;
  uint64_t cycle;  /* as far back as it was followed */
  bool cut;        /* there was no more time */
  bool reset;      /* a value that decides is that of a reset, or of the power-up */
  const char *why; /* why it was not followed at all; NULL: it was */
} slice_t;

/* Follows the bits `wrong` (a struct like the outputs) of output `port` through the recording,
 * whose last cycle is wrong. dut: of kind rtl+wave. lines: its lines.txt; NULL: none. */
void slice_find(slice_t *slice, const dut_t *dut, const char *lines, const trace_t *trace, const dut_port_t *port,
                const void *wrong, double seconds);
void slice_free(slice_t *slice);

/* Prints SLICE_SHOWN registers and as many inputs, a line each. */
void slice_print(FILE *out, const slice_t *slice);

#endif
