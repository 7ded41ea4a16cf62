/* SPDX-License-Identifier: Apache-2.0
 *
 * Benchmarks: each measures some figures and adds them with bench_add. What is compared is run in
 * turns (A B A B ...), so that a machine that slows down slows both; the figure is the median of
 * the pairs.
 */
#ifndef BENCH_H
#define BENCH_H

#include "build.h"
#include "cli.h"
#include "dut.h"
#include "trace.h"

typedef enum { GOAL_NONE, GOAL_AT_MOST, GOAL_AT_LEAST } bench_goal_t;

enum { BENCH_SAMPLES = 64, BENCH_FIGURES = 32 };

typedef struct {
  const char *bench, *name, *unit;
  double median, low, high;
  unsigned samples;
  bench_goal_t goal_kind;
  double goal;
} bench_figure_t;

typedef struct {
  unsigned samples;  /* pairs or runs a benchmark makes, 1..BENCH_SAMPLES */
  const char *bench; /* name of the one that runs */
  FILE *out;
  bench_figure_t figures[BENCH_FIGURES];
  unsigned count;
} bench_t;

/* A benchmark returns 0, or an exit code after its error line. */
int bench_lockstep(bench_t *bench);
int bench_model(bench_t *bench);
int bench_vault(bench_t *bench);
int bench_network(bench_t *bench);
int bench_run(bench_t *bench);
int bench_regress(bench_t *bench);
int bench_build(bench_t *bench);

/* The median, least and greatest of the samples as a figure; sorts values. */
void bench_add(bench_t *bench, const char *name, const char *unit, double *values, unsigned count, bench_goal_t kind,
               double goal);

/* Path of a block's object with its RTL, built when it is
 * missing. 0, or an exit code after its error line. */
int bench_built(const char *name, const char *params, char path[BUILD_PATH]);

/* Records `cycles` cycles of the closed loop of a block's stimulus and model: what it will be
 * given, however it is run. 0, or an exit code after its error line. */
int bench_record(const dut_t *dut, unsigned profile, uint64_t cycles, trace_t *trace);
bool bench_met(const bench_figure_t *figure); /* true without a goal */

#endif
