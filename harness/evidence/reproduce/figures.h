/* SPDX-License-Identifier: Apache-2.0
 *
 * A system's published figures, as data: how each is computed from results of runs.
 *
 * A figure has two quantities, each read from the JSON result of one configuration's run of a
 * workload. With q = over(result of over_in) / under(result of under_in), its value is:
 *
 *   FIGURE_QUOTIENT   factor * q
 *   FIGURE_GAIN       100 * (q - 1), %: cycles before over cycles after give a speed-up
 *   FIGURE_DROP       100 * (1 - q), %: energy after over energy before give a reduction
 *   FIGURE_ADDED      100 * q / (1 - q), %: a part over all gives what it adds to the rest
 *   FIGURE_EXACT      q, and it must be the paper's number: it is worked out, not measured
 *   FIGURE_LIST       no q: the numbers that `over` sums, as text, which must be the paper's text
 *
 * A figure compares one value with the paper's, by the paper's relation (=, <, >, <=): the mean
 * over its workloads, or the largest or smallest. A value can be the mean over several seeds, or
 * the largest or smallest of them. A figure without an id is a column of its group's table and
 * picture only: nothing is published about it. A new figure is a line of a table
 * (figures_mpu.c), not code.
 */
#ifndef FIGURES_H
#define FIGURES_H

#include "json_sure.h"
#include <stdbool.h>

#include "published.h"

/* Limits of a system's lists; FIGURES_SETTINGS counts settings of a configuration, FIGURES_LIST
 * characters. */
enum {
  FIGURES_WORKLOADS = 16,
  FIGURES_CONFIGURATIONS = 64,
  FIGURES_MAX = 112,
  FIGURES_SETTINGS = 6,
  FIGURES_LIST = 64
};

typedef enum {
  FIGURE_SIMULATION, /* lockstack run SYSTEM WORKLOAD --set ... */
  /* lockstack offload --rule RULE PTX: a workload's kernels, or the configuration's own PTX for
   * all workloads */
  FIGURE_COMPILATION,
  FIGURE_TARGETS, /* lockstack offload --targets N: no workload, the same for all */
} figure_source_t;

typedef struct {
  const char *name, *text; /* "far", "all instructions on the base logic die" */
  figure_source_t source;
  const char *system; /* simulated system: a name, or a YAML file of the tree */
  /* for a simulation KEY=VALUE, over the system's defaults; for a compilation a file of the tree */
  const char *set[FIGURES_SETTINGS];
} figure_configuration_t;

typedef enum { FIGURE_ANY_SCALE, FIGURE_FULL_SCALE, FIGURE_SECOND_SIZE, FIGURE_SMALL_SCALE } figure_scale_t;

/* Workloads that the paper runs in another way than the others, in
 * all configurations that are simulations; and second sizes. */
typedef struct {
  const char *workloads, *text; /* "nn pf"; the reason */
  figure_scale_t scale;         /* the only scale with these settings */
  const char *set[FIGURES_SETTINGS];
} figure_class_t;

typedef struct {
  const char *name;       /* "cycles" */
  const char *expression; /* quantity.h: "dram.row_misses + dram.row_conflicts", "stack:row_misses"; "": the number 1 */
} figure_quantity_t;

typedef struct {
  const char *name, *title, *note; /* "policy"; one line; a caveat for readers, or "" */
  /* columns that are parts of a whole and are stacked: "ALU TSV"; NULL: all side by side */
  const char *parts;
} figure_group_t;

typedef enum { FIGURE_QUOTIENT, FIGURE_GAIN, FIGURE_DROP, FIGURE_ADDED, FIGURE_EXACT, FIGURE_LIST } figure_kind_t;
/* Which of the workloads' values counts. FIGURE_FARTHEST: the gain or drop that is farthest from
 * 0. */
typedef enum { FIGURE_MEAN, FIGURE_LARGEST, FIGURE_SMALLEST, FIGURE_FARTHEST } figure_compared_t;

/* Several configurations: BEST is the best of those from under_in on, BEST_RIVAL the best of
 * those from over_in on, which is to be beaten. SEEDS takes pairs from both on that differ in
 * their seed: the mean of their values, the largest or the smallest. */
typedef enum {
  FIGURE_BEST,
  FIGURE_BEST_RIVAL,
  FIGURE_SEEDS,
  FIGURE_SEEDS_LARGEST,
  FIGURE_SEEDS_SMALLEST
} figure_which_t;

typedef struct {
  const char *id; /* NULL: nothing is published about it */
  unsigned group;
  /* heading in the group's table, at most 11 characters; NULL: a line below the table */
  const char *column;
  double factor;
  unsigned over, over_in, under, under_in; /* quantity, configuration; twice */
  /* why ours differs from the paper's at full scale; NULL: not explained yet */
  const char *reason;
  figure_kind_t kind;
  const char *workloads; /* NULL: all; "kmn bfs": these; "-kmn": all but these */
  unsigned several;      /* how many configurations (see `which`); 0: one pair */
  figure_compared_t compared;
  figure_which_t which;
} figure_t;

typedef struct {
  const char *system, *set; /* a system, and its own KEY=VALUE */
} figure_small_t;

typedef struct figure_system {
  const char *name; /* "mpu" */
  const char *rule; /* rule of lockstack offload */
  /* a quotient further off than this share needs a reason; for FIGURE_GAIN:
   * figure_gain_tolerance */
  double tolerance;
  const char *small[FIGURES_SETTINGS]; /* KEY=VALUE of the machine for --scale small */
  /* the same for one system's configurations; ends with an entry without a system; NULL: none */
  const figure_small_t *small_of;
  const char *whole; /* a system with one size at every scale; NULL: none */
  struct {
    unsigned group;
    const char *along, *against; /* two of its columns */
    /* the workloads' order by one column and by the other, and a picture of both; along NULL:
     * none */
  } orders;
  const char *const *workloads;  /* NULL-terminated */
  const figure_class_t *classes; /* ends with an entry without workloads; NULL: none */
  const figure_configuration_t *configurations;
  const figure_quantity_t *quantities;
  const figure_group_t *groups;
  const figure_t *figures;
  /* at full scale, configurations from this one on use second, smaller sizes, where a class has
   * one; 0: none do */
  unsigned second_sizes;
  unsigned num_workloads, num_configurations, num_quantities, num_groups, num_figures;
} figure_system_t;

extern const figure_system_t *const figure_systems[]; /* NULL-terminated */
extern const figure_system_t figures_mpu, figures_near, figures_nsu, figures_nupim, figures_tom;

const figure_system_t *figure_system(const char *name);               /* NULL: no such system */
int figure_index(const figure_system_t *system, const char *id);      /* -1: no such figure */
int figure_workload(const figure_system_t *system, const char *name); /* -1: no such workload */
bool figure_has(const figure_t *figure, const char *workload);        /* does the figure cover the workload? */
bool figure_in_class(const figure_class_t *of, const char *workload, figure_scale_t scale);
bool figure_needs(const figure_t *figure, unsigned configuration);
/* from that configuration's result */
bool figure_reads(const figure_t *figure, unsigned configuration, unsigned quantity);

#define FIGURE_ROW "row" /* member of a result that is a row (run_rows.h): what is known of it, by expression */

/* NAN: a member is missing or no number, or result is NULL. */
double figure_quantity(const figure_quantity_t *quantity, const json_t *result);

/* result: of one workload, by configuration; NULL: none. NAN: a result is missing, or the
 * divisor is 0. */
double figure_value(const figure_system_t *system, const figure_t *figure, json_t *const result[]);

typedef struct {
  const figure_t *figure;
  const published_t *paper;                                 /* NULL: nothing is published about it */
  double value[FIGURES_WORKLOADS];                          /* NAN: not known */
  double least[FIGURES_WORKLOADS], most[FIGURES_WORKLOADS]; /* over seeds, for a mean over seeds; else NAN */
  unsigned known;                                           /* workloads with a value */
  /* NAN without values; the geometric one also with a value that is not above 0 */
  double mean, geometric;
  /* the value to compare: the mean, the largest or the smallest */
  double ours;
  /* ours over the paper's value; for a gain, 1 + ours/100 over 1 + the paper's/100 */
  double ratio;
  double tolerance;        /* allowed distance of ratio from 1 */
  char list[FIGURES_LIST]; /* FIGURE_LIST: "16 4"; "": not known */
} figure_result_t;

/* result[w * system->num_configurations + c]. Means are over the workloads with a value. */
figure_result_t figure_compute(const figure_system_t *system, unsigned figure, json_t *const result[]);

/* Workloads for which both have a value, the largest value first: order[0] by one, order[1] by
 * the other. Equal values keep the order of the list. Returns how many. correlation: Spearman's,
 * of the two orders; NAN for fewer than two. */
unsigned figure_orders(const figure_result_t *one, const figure_result_t *other, unsigned workloads,
                       unsigned order[2][FIGURES_WORKLOADS], double *correlation);

extern const double figure_gain_tolerance;         /* 0.05 */
bool figure_misses(const figure_result_t *result); /* known, but not as published */

#endif
