/* SPDX-License-Identifier: Apache-2.0
 *
 * Benchmarks: each measures some figures and adds them with bench_add. What is compared runs in
 * turns (A B A B ...), so that a machine that slows down slows both. The figure is the median of
 * the runs or pairs.
 */
#ifndef BENCH_H
#define BENCH_H

#include "build.h"
#include "cli.h"
#include "dut.h"
#include "trace.h"

/* What the goal of a figure is: none, or the most or the least that is good. */
typedef enum { GOAL_NONE, GOAL_AT_MOST, GOAL_AT_LEAST } bench_goal_t;

enum { BENCH_SAMPLES = 64, BENCH_FIGURES = 32 };

/* One figure: median, least and greatest of its samples, in `unit`; the goal in the same unit. */
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

/* Runs a program in a folder (NULL: this one) to its end and returns its output, which the caller
 * frees. errors: a descriptor for its errors. program: the file to run; NULL: argv[0]. NULL: it
 * failed or took longer than process_limit allows, after a line, or was interrupted. */
char *bench_output(char *const argv[], const char *program, const char *folder, int errors);

/* Each benchmark returns 0, or an exit code after its error line. After Ctrl-C it adds what it
 * has. */
int bench_lockstep(bench_t *bench);
int bench_model(bench_t *bench);
int bench_vault(bench_t *bench);
int bench_network(bench_t *bench);
int bench_run(bench_t *bench);
int bench_regress(bench_t *bench);
int bench_build(bench_t *bench);

/* Adds a figure: median, least and greatest of `count` samples (1 to BENCH_SAMPLES). Sorts
 * values. */
void bench_add(bench_t *bench, const char *name, const char *unit, double *values, unsigned count, bench_goal_t kind,
               double goal);

/* Path of a block's object with its RTL; builds the object when it is missing. 0, or an exit code
 * after an error line. */
int bench_built(const char *name, const char *params, char path[BUILD_PATH]);

/* Records the inputs of `cycles` cycles of the closed loop of a block's stimulus and model. Played
 * back, every way of running the block gets the same inputs. 0, or an exit code after an error
 * line. */
int bench_record(const dut_t *dut, unsigned profile, uint64_t cycles, trace_t *trace);
bool bench_met(const bench_figure_t *figure); /* true without a goal */

#endif
