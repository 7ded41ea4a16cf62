/* SPDX-License-Identifier: Apache-2.0
 *
 * Static timing of a mapped netlist by OpenSTA (synth/timing.tcl): the shortest clock period,
 * slack for setup and hold, and the worst paths.
 *
 *   sta_ask_t ask = {.top = "fifo", .netlist = text, .cells = &cells, .paths = 5,
 *                    .clocking = "clock clk_i\nreset rst_ni\n", ...};
 *   if (!timing_run(&ask, &timing, &trouble)) ...
 *   timing_free(&timing);                           also after a failure
 */
#ifndef TIMING_H
#define TIMING_H

#include "sta.h"

typedef struct {
  char *pin, *cell, *net; /* "_911_/Q", "DFFRX1" ("port"), "count_o[0]" */
  double arrival;         /* after the clock's edge */
  unsigned fanout;        /* pins that the output drives */
} timing_point_t;

typedef struct {
  /* kind: "class" (the longest of its kind), "setup", "hold";
   * from: "reg", "in", to: "reg", "out"; names of nets */
  char *kind, *from, *to, *start, *end;
  double slack;
  timing_point_t *points; /* outputs and ports on the path */
  unsigned num_points;
} timing_path_t;

typedef struct {
  bool any;          /* a path exists */
  double slack;      /* slack of the worst path */
  unsigned violated; /* ends of paths whose slack is below 0 */
} timing_slack_t;

/* Objects without a constraint: how many, and the first one. */
typedef struct {
  unsigned count;
  char *first;
} timing_loose_t;

typedef struct {
  double shortest; /* shortest period without a setup violation; 0: no path; below 0: not asked (sdc) */
  double period;   /* the period for slack; 0: several, from an sdc */
  timing_slack_t setup, hold;
  timing_path_t *paths;
  unsigned num_paths;
  timing_loose_t unclocked; /* clock pins of registers without a clock */
  /* Ends of paths without a check: of such registers, and of outputs without set_output_delay. */
  timing_loose_t unwanted;
  timing_loose_t undelayed; /* inputs without set_input_delay */
  unsigned left_out;        /* parts of Liberty files that OpenSTA skips with a warning */
  char *first_left_out;     /* "FILE:LINE: why"; NULL: none */
  unsigned macros;          /* instances without timing; paths there are not known */
} timing_t;

/* False: INPUT, the sdc or a Liberty file is wrong; ENVIRONMENT, no OpenSTA, or stopped. */
bool timing_run(const sta_ask_t *ask, timing_t *timing, trouble_t *trouble);
void timing_free(timing_t *timing);

/* The path's delay with the setup time of its end: the period less the slack. It holds for our
 * own clock; with an sdc, a path may begin and end at other edges. */
double timing_delay(const timing_t *timing, const timing_path_t *path);

#endif
