/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of simulations as rows of a CSV file that is small enough to be kept beside the
 * sources.
 *
 *   commit, one column for each expression of the system's quantities, run
 *   0123abcd+, 1234, ..., "nsu kmn --full"       "+": with changes that are in no commit
 *
 * A row has what figures read from one result; an empty field is a quantity that the result
 * lacks. Runs that take hours can be made in slices, and a lost machine costs only runs without
 * a row.
 *
 *   run_rows_t rows;
 *   if (!run_rows_read(&rows, &figures_nsu, "nsu.csv", &trouble)) ...; runs.rows = &rows;
 *   figure_runs_make(&runs); run_rows_free(&rows);
 *
 * A row is taken whatever program asks. A change of what runs compute must therefore take its
 * rows out by hand. Writing drops columns that no figure reads any more. A row without a column
 * that a figure reads is not taken, and the run is made again. Several processes may add to one
 * file at a time.
 */
#ifndef RUN_ROWS_H
#define RUN_ROWS_H

#include "figures.h"
#include "trouble.h"

typedef struct {
  char *run;     /* "nsu kmn --full --set offload.policy=dynamic" */
  char *commit;  /* the program's commit */
  double *value; /* by quantity; NAN: not known */
} run_row_t;

typedef struct run_rows {
  const figure_system_t *system;
  const char *path;
  run_row_t *row;
  size_t count;
} run_rows_t;

struct figure_runs;
struct figure_run;

/* A file that does not exist has no rows. False: trouble says which line is wrong. */
bool run_rows_read(run_rows_t *rows, const figure_system_t *system, const char *path, trouble_t *trouble);
void run_rows_free(run_rows_t *rows);

/* The row as a result for figure_quantity. NULL: no row, or it lacks a quantity that a figure of
 * `runs` reads. */
json_t *run_rows_result(const run_rows_t *rows, const struct figure_runs *runs, const struct figure_run *run);

/* Adds or replaces the run's row. Reads the file again under a lock, because other processes may
 * have added to it, and writes it whole. True also for a run that is no simulation, which has no
 * row. */
bool run_rows_add(run_rows_t *rows, const struct figure_runs *runs, const struct figure_run *run, const json_t *result,
                  trouble_t *trouble);

#endif
