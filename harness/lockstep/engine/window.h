/* SPDX-License-Identifier: Apache-2.0
 *
 * The cycles around a failure, kept: every port of RTL and model, the last inputs decoded, and the
 * report of the failure. What the terminal shows, the JSON result holds, and the report page draws
 * without the block at hand.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "run.h"

#include <stdio.h>

enum { WINDOW_CYCLES = 32, WINDOW_INPUTS = 8 };

/* A cycle that brought something: inputs ("req=0x5 update=0x1", or "reset"), and below them what
 * struct outputs and probes (packets) the model showed in it, a line each. NULL: neither. */
typedef struct {
  uint64_t cycle;
  char *inputs, *packets;
} window_line_t;

typedef struct {
  const dut_t *dut;
  uint64_t from, to;         /* cycles of the recording, both included; the failure is in `to` */
  size_t count;              /* to - from + 1, at most WINDOW_CYCLES; 0: nothing was taken */
  char *in, *model, *rtl;    /* X_in_t, X_out_t, X_out_t of each cycle, canonical */
  bool reset[WINDOW_CYCLES]; /* nothing else happens in these */
  bool no_outputs;           /* of the last cycle: the model failed before it showed any */
  window_line_t *lines;
  size_t num_lines;
  char *text; /* report_failure of it; NULL: none */
} window_t;

/* Plays a recording that ends with the failure, and keeps its end. ls then stands at the failure.
 * False: out of memory, and the window is empty. */
bool window_take(window_t *window, lockstep_t *ls, const trace_t *trace, const failure_t *failure);
void window_print(FILE *out, const window_t *window); /* the lines */
void window_free(window_t *window);

const void *window_fields(const window_t *window, const dut_port_t *port, size_t cycle, bool rtl); /* NULL: not known */

#endif
