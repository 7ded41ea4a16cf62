/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the cycles around a failure: every port of RTL and model, the last inputs decoded, and the
 * failure's report. The terminal, the JSON result and the report page use the same window, the page
 * without access to the block.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "run.h"

#include <stdio.h>

enum { WINDOW_CYCLES = 32 };

/* A cycle that brought something. inputs: "req=0x5 update=0x1", or "reset". packets: struct outputs
 * and probes of the model in that cycle, one a line. before: what the cycles between the line
 * before and this one have (telling.h). NULL: none. */
typedef struct {
  uint64_t cycle;
  char *inputs, *packets, *before;
} window_line_t;

typedef struct {
  const dut_t *dut;
  uint64_t from, to;         /* cycles of the recording, both included; the failure is in `to` */
  size_t count;              /* to - from + 1, at most WINDOW_CYCLES; 0: empty */
  char *in, *model, *rtl;    /* X_in_t, X_out_t and X_out_t of each cycle, canonical */
  bool reset[WINDOW_CYCLES]; /* cycles that are only a reset */
  bool no_outputs;           /* in the last cycle the model failed before its outputs */
  window_line_t *lines;
  size_t num_lines;
  char *after; /* what the cycles between the last line and the failure have; NULL: none */
  char *text;  /* text of report_failure; NULL: none */
} window_t;

/* Plays a recording that ends with the failure and keeps its end. `ls` then stands at the failure.
 * False: out of memory, and the window is empty. */
bool window_take(window_t *window, lockstep_t *ls, const trace_t *trace, const failure_t *failure);
void window_print(FILE *out, const window_t *window); /* heading and lines, or that there were no inputs */
void window_free(window_t *window);

/* The field of a port in a cycle, of the RTL or of the model; NULL: unknown. */
const void *window_fields(const window_t *window, const dut_port_t *port, size_t cycle, bool rtl);

#endif
