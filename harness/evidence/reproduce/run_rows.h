/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of simulations as rows of a CSV file, small enough to be kept beside the sources: what
 * figures read from each (a column for each expression of the system's quantities; empty: the
 * result does not have it), the commit whose program made it ("+": with changes that are in no
 * commit) and the run's arguments. Runs that take hours are made in slices, and a machine that is
 * lost costs none that has a row.
 *
 *   run_rows_t rows;
 *   if (!run_rows_read(&rows, &figures_nsu, "nsu.csv", &trouble)) ...; runs.rows = &rows;
 *   figure_runs_make(&runs); run_rows_free(&rows);
 *
 * A row is taken whatever program is asked now: whoever changes what runs compute takes rows out.
 * Columns that no figure asks for any more are gone when the file is written; a row without one
 * that a figure asks for now is not taken, and the run is made again. Several processes may add to
 * one file at a time.
 */
#ifndef RUN_ROWS_H
#define RUN_ROWS_H

#include "figures.h"
#include "trouble.h"

typedef struct {
  char *run;     /* "nsu kmn --full --set offload.policy=dynamic" */
  char *commit;  /* of the program */
  double *value; /* [quantity]; NAN: not known */
} run_row_t;

typedef struct run_rows {
  const figure_system_t *system;
  const char *path;
  run_row_t *row;
  size_t count;
} run_rows_t;

struct figure_runs;
struct figure_run;

/* no file is one without rows */
bool run_rows_read(run_rows_t *rows, const figure_system_t *system, const char *path, trouble_t *trouble);
void run_rows_free(run_rows_t *rows);

/* As a result that figure_quantity reads; NULL: no row, or
 * one without something that a figure of `runs` asks for. */
json_t *run_rows_result(const run_rows_t *rows, const struct figure_runs *runs, const struct figure_run *run);

/* In the place of the run's row if there is one; the file is read again, as others may have added
 * to it, and written whole. A run that is no simulation has none. */
bool run_rows_add(run_rows_t *rows, const struct figure_runs *runs, const struct figure_run *run, const json_t *result,
                  trouble_t *trouble);

#endif
