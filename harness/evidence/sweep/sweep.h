/* SPDX-License-Identifier: Apache-2.0
 *
 * A sweep: one command of a verb over all combinations of settings and seeds, and the results of
 * its runs.
 *
 *   sweep_t s = {.verb = "run", .arguments = ["nsu", "vadd"], .options = ["--full"], ...};
 *   sweep_over(&s, "gpu.sms=16,32,64") && sweep_plan(&s)    then s.run[..].args are the commands
 *   sweep_take(&s, &s.run[i], state, result)                for each run that has ended
 *   sweep_free(&s);
 *
 * README.md says what a setting is for each verb. Functions that return false say why in
 * `trouble`.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include "json_sure.h"
#include <stdbool.h>
#include <stdint.h>

#include "suite.h"
#include "sweep_metric.h"

/* Limits of a sweep. */
enum { SWEEP_AXES = 8, SWEEP_METRICS = 16, SWEEP_RUNS = 10000 };

/* What a setting is: an argument's word, an option with a value, a flag (true or false), or a
 * key of --set. */
typedef enum { SWEEP_ARGUMENT, SWEEP_OPTION, SWEEP_FLAG, SWEEP_SET } sweep_kind_t;

typedef struct {
  char *name;
  sweep_kind_t kind;
  unsigned place; /* which argument, for SWEEP_ARGUMENT */
  char **value;
  unsigned values;
} sweep_axis_t;

typedef enum {
  SWEEP_NOT_RUN,
  SWEEP_MADE,
  SWEEP_KEPT, /* taken from an earlier sweep */
  SWEEP_FAILED
} sweep_state_t;

typedef struct {
  unsigned point;
  uint64_t seed;
  json_t *args; /* words of the command line, the verb first */
  char *key;    /* the same words, quoted for a shell */
  sweep_state_t state;
  double value[SWEEP_METRICS]; /* NaN: the result lacks the metric */
  bool unstable;               /* a network that is offered more than it takes */
  double seconds;
  char *error; /* why the run failed; NULL: it did not */
} sweep_run_t;

/* What the verb's command line is made of. */
typedef struct {
  const char *arguments; /* "SYSTEM WORKLOAD|FILE.yaml": as argp has them */
  suite_option_t (*option)(const char *verb, const char *option);
} sweep_grammar_t;

typedef struct {
  const char *verb;
  sweep_grammar_t grammar;
  json_t *arguments, *options; /* words of all runs */
  sweep_axis_t axis[SWEEP_AXES];
  unsigned axes, seeds; /* seeds 0: not given, so the verb's own */
  uint64_t seed;        /* the first */
  sweep_metric_t metric[SWEEP_METRICS];
  unsigned metrics;
  sweep_run_t *run; /* the last axis counts fastest; a point's seeds are together */
  unsigned points, runs;
  trouble_t trouble;
} sweep_t;

/* Adds an axis, "KEY=VALUES" (sweep_values.h). */
bool sweep_over(sweep_t *sweep, const char *text);

/* Makes the runs: all combinations of the axes' values, each with `seeds` seeds from `seed` on. */
bool sweep_plan(sweep_t *sweep);

/* Notes what a run gave. result: the verb's JSON; NULL: none. */
void sweep_take(const sweep_t *sweep, sweep_run_t *run, sweep_state_t state, const json_t *result);

const char *sweep_value(const sweep_t *sweep, unsigned point, unsigned axis); /* the axis' value at the point */

/* True when all values of the axis are numbers with the same unit behind them ("350 MHz" has
 * unit " MHz"). number: an array for all of them; NULL: not wanted. */
bool sweep_numbers(const sweep_axis_t *axis, double *number, const char **unit);

/* Over a point's runs that have a value. */
typedef struct {
  double mean, least, most, deviation; /* deviation: of a sample (n - 1); 0 for one value */
  unsigned count, unstable;
} sweep_spread_t;

sweep_spread_t sweep_spread(const sweep_t *sweep, unsigned point, unsigned metric);
unsigned sweep_count(const sweep_t *sweep, sweep_state_t state);

void sweep_free(sweep_t *sweep);

#endif
