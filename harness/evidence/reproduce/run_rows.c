/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns are found by their expression, so that their order and number may change between
 * versions.
 */
#include "run_rows.h"

#include "csv.h"
#include "figure_runs.h"
#include "file.h"
#include "whole.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NONE = -1, COLUMNS = 64 }; /* COLUMNS: most quantities in a header */

/* ---- Columns --------------------------------------------------------------------------------- */

/* Is the quantity read from a simulation by any figure of the system? */
static bool is_column(const figure_system_t *s, unsigned quantity) {
  if (!*s->quantities[quantity].expression) return false;
  for (unsigned f = 0; f < s->num_figures; f++)
    for (unsigned c = 0; c < s->num_configurations; c++)
      if (s->configurations[c].source == FIGURE_SIMULATION && figure_reads(&s->figures[f], c, quantity)) return true;
  return false;
}

/* NONE: no figure reads such a column any more. */
static int quantity_named(const figure_system_t *s, const char *expression) {
  for (unsigned q = 0; q < s->num_quantities; q++)
    if (is_column(s, q) && !strcmp(s->quantities[q].expression, expression)) return (int)q;
  return NONE;
}

/* ---- Reading --------------------------------------------------------------------------------- */

typedef struct {
  int quantity[COLUMNS]; /* quantity of each column, or NONE */
  unsigned count;        /* columns between commit and run */
} header_t;

/* `commit` is the first column and `run` the last: a command may contain commas, so it is read
 * to the end of the line. Columns between them that are not known are read over. */
static bool read_header(header_t *h, const figure_system_t *s, char *line) {
  char *field = strsep(&line, ",");
  if (strcmp(field, "commit") != 0) return false;
  while ((field = strsep(&line, ",")) && line) {
    if (h->count == COLUMNS) return false;
    h->quantity[h->count++] = quantity_named(s, field);
  }
  return field && !strcmp(field, "run");
}

/* A row without values. NULL: no memory. */
static run_row_t *new_row(run_rows_t *rows) {
  run_row_t *more = realloc(rows->row, (rows->count + 1) * sizeof *more);
  double *value = malloc(rows->system->num_quantities * sizeof *value);
  if (more) rows->row = more;
  if (!more || !value) return free(value), NULL;
  for (unsigned q = 0; q < rows->system->num_quantities; q++) value[q] = NAN;
  more[rows->count] = (run_row_t){.value = value};
  return &more[rows->count++];
}

/* *memory is false when memory ran out; else false is a wrong row. */
static bool read_row(run_rows_t *rows, const header_t *h, char *line, bool *memory) {
  run_row_t *row = new_row(rows);
  *memory = row != NULL;
  if (!row) return false;
  const char *commit = strsep(&line, ",");
  for (unsigned i = 0; i < h->count; i++) {
    char *end, *field = strsep(&line, ",");
    if (!field) return false;
    const double value = *field ? strtod(field, &end) : NAN;
    if (*field && (*end || !isfinite(value))) return false;
    if (h->quantity[i] != NONE) row->value[h->quantity[i]] = value;
  }
  if (!line || !(line = csv_last(line)) || !*line || !*commit) return false;
  row->commit = strdup(commit);
  row->run = strdup(line);
  *memory = row->commit && row->run;
  return *memory;
}

/* A comment or an empty line may stand anywhere. The first other line is the header. */
static bool read_lines(run_rows_t *rows, FILE *file, trouble_t *trouble) {
  char *line = NULL;
  size_t size = 0;
  header_t header = {0};
  bool have_header = false, good = true, memory = true;
  for (unsigned n = 1; good && getline(&line, &size, file) >= 0; n++) {
    line[strcspn(line, "\r\n")] = 0;
    if (*line == '#' || !*line) continue;
    good = have_header ? read_row(rows, &header, line, &memory) : read_header(&header, rows->system, line);
    if (!memory) trouble_memory(trouble);
    else if (!good && have_header)
      trouble_set(
          trouble, TROUBLE_INPUT,
          "%s:%u: should be a row of %u columns as the header names them: the commit, numbers or nothing, the run",
          rows->path, n, header.count + 2);
    else if (!good)
      trouble_set(trouble, TROUBLE_INPUT, "%s:%u: should be the header: commit, then what is read of results, run",
                  rows->path, n);
    have_header = true;
  }
  if (good && ferror(file)) good = trouble_set(trouble, TROUBLE_INPUT, "%s: %s", rows->path, strerror(errno));
  free(line);
  return good;
}

/* After an error there are no rows, so a caller cannot take half a file for a whole one. */
bool run_rows_read(run_rows_t *rows, const figure_system_t *system, const char *path, trouble_t *trouble) {
  *rows = (run_rows_t){.system = system, .path = path};
  FILE *file = fopen(path, "r");
  if (!file) return errno == ENOENT || trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  const bool good = read_lines(rows, file, trouble);
  fclose(file);
  if (!good) run_rows_free(rows);
  return good;
}

void run_rows_free(run_rows_t *rows) {
  for (size_t i = 0; i < rows->count; i++) free(rows->row[i].run), free(rows->row[i].commit), free(rows->row[i].value);
  free(rows->row);
  rows->row = NULL;
  rows->count = 0;
}

/* ---- Rows of runs ---------------------------------------------------------------------------- */

/* A compilation is quick, so it has no row. Arguments with a line break would be more than one
 * line. */
static bool may_have_row(const figure_runs_t *runs, const figure_run_t *run) {
  bool line = true;
  for (unsigned i = 0; run->argument[i]; i++) line = line && !strpbrk(run->argument[i], "\r\n");
  return line && runs->system->configurations[run->configuration].source == FIGURE_SIMULATION;
}

/* The command without the words that all runs have. The caller frees it. */
static char *run_name(const figure_run_t *run) {
  static const char before[] = "lockstack run ", behind[] = " --json -";
  char *command = figure_run_command(run);
  if (!command) return NULL;
  const size_t length = strlen(command) - strlen(before) - strlen(behind);
  memmove(command, command + strlen(before), length);
  command[length] = 0;
  return command;
}

static run_row_t *find_row(const run_rows_t *rows, const char *name) {
  for (size_t i = 0; i < rows->count; i++)
    if (!strcmp(rows->row[i].run, name)) return &rows->row[i];
  return NULL;
}

/* Does a wanted figure read this quantity of the run's result? */
static bool is_asked_for(const figure_runs_t *runs, const figure_run_t *run, unsigned quantity) {
  const figure_system_t *s = runs->system;
  for (unsigned i = 0; i < s->num_workloads * s->num_configurations; i++) {
    if (runs->of[i] != run) continue;
    for (unsigned f = 0; f < s->num_figures; f++)
      if (runs->figure[f] && figure_has(&s->figures[f], s->workloads[i / s->num_configurations]) &&
          figure_reads(&s->figures[f], i % s->num_configurations, quantity))
        return true;
  }
  return false;
}

/* result_ok is true: only results that were right become rows. A cycle count is an integer
 * again. */
json_t *run_rows_result(const run_rows_t *rows, const figure_runs_t *runs, const figure_run_t *run) {
  const figure_system_t *s = rows->system;
  char *name = may_have_row(runs, run) ? run_name(run) : NULL;
  const run_row_t *row = name ? find_row(rows, name) : NULL;
  free(name);
  if (!row) return NULL;
  json_t *values = json_object();
  for (unsigned q = 0; q < s->num_quantities; q++) {
    if (!isnan(row->value[q])) json_object_set_new(values, s->quantities[q].expression, json_real(row->value[q]));
    else if (*s->quantities[q].expression && is_asked_for(runs, run, q)) return json_decref(values), NULL;
  }
  json_t *result = json_pack("{s:s, s:b, s:o}", "commit", row->commit, "result_ok", true, FIGURE_ROW, values);
  const json_t *cycles = json_object_get(values, "cycles");
  if (cycles) json_object_set_new(result, "cycles", json_integer((json_int_t)json_number_value(cycles)));
  return result;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* The fewest digits that give the same number again. */
static void write_value(double value, FILE *file) {
  char text[32];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  fputs(text, file);
}

/* Closes the file. Returns 0, or errno. */
static int write_rows(const run_rows_t *rows, FILE *file) {
  const figure_system_t *s = rows->system;
  fprintf(file,
          "# SPDX-License-Identifier: Apache-2.0\n"
          "# Made by `lockstack reproduce %s --rows FILE`. Long file: a line for each run.\ncommit",
          s->name);
  for (unsigned q = 0; q < s->num_quantities; q++)
    if (is_column(s, q)) fprintf(file, ",%s", s->quantities[q].expression);
  fprintf(file, ",run\n");
  for (const run_row_t *row = rows->row; row < rows->row + rows->count; row++) {
    fputs(row->commit, file);
    for (unsigned q = 0; q < s->num_quantities; q++) {
      if (!is_column(s, q)) continue;
      fputc(',', file);
      if (!isnan(row->value[q])) write_value(row->value[q], file);
    }
    fputc(',', file);
    csv_text(file, row->run);
    fputc('\n', file);
  }
  return whole_close(file, ferror(file) ? errno : 0);
}

/* Makes the folders above the file, and waits for the lock. -1: trouble says why. */
static int lock_rows(const char *path, const volatile sig_atomic_t *stop, trouble_t *trouble) {
  char folder[WHOLE_PATH];
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  if (slash && slash > folder) {
    *slash = 0;
    if (!file_folder(folder)) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", folder, strerror(errno)), -1;
  }
  const int locked = whole_lock(path, stop);
  if (locked < 0)
    trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path,
                errno == ETIMEDOUT ? "another process holds it" : strerror(errno));
  return locked;
}

/* Readers see the old file or the new one, never a part. */
static bool write_rows_file(const run_rows_t *rows, trouble_t *trouble) {
  whole_t whole;
  FILE *file = fopen(whole_begin(&whole, rows->path), "w");
  const int error = whole_end(&whole, file ? write_rows(rows, file) : errno);
  return !error || trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", rows->path, strerror(error));
}

/* The commit, with a "+" when the program has local changes. NULL: no memory. */
static char *commit_of(const json_t *identity) {
  const char *commit = json_string_value(json_object_get(identity, "commit"));
  char *text;
  return asprintf(&text, "%s%s", commit && *commit ? commit : "unknown",
                  json_is_true(json_object_get(identity, "dirty")) ? "+" : "") < 0
             ? NULL
             : text;
}

/* Replaces all values of the row, so that none is left of an older program. */
static bool set_row(run_rows_t *rows, const figure_runs_t *runs, const figure_run_t *run, const json_t *result,
                    trouble_t *trouble) {
  const figure_system_t *s = rows->system;
  char *name = run_name(run), *commit = commit_of(runs->identity);
  run_row_t *row = name && commit ? find_row(rows, name) : NULL;
  if (name && commit && !row && (row = new_row(rows))) row->run = name, name = NULL;
  free(name);
  if (!row) return free(commit), trouble_memory(trouble);
  free(row->commit);
  row->commit = commit;
  for (unsigned q = 0; q < s->num_quantities; q++)
    row->value[q] = is_column(s, q) ? figure_quantity(&s->quantities[q], result) : NAN;
  return true;
}

/* The lock is held from reading to writing. Rows of other processes are kept; only this run's
 * row changes. */
bool run_rows_add(run_rows_t *rows, const figure_runs_t *runs, const figure_run_t *run, const json_t *result,
                  trouble_t *trouble) {
  if (!may_have_row(runs, run)) return true;
  const int locked = lock_rows(rows->path, runs->interrupted, trouble);
  if (locked < 0) return false;
  run_rows_t now;
  const bool good = run_rows_read(&now, rows->system, rows->path, trouble);
  if (good) run_rows_free(rows), *rows = now;
  const bool added = good && set_row(rows, runs, run, result, trouble) && write_rows_file(rows, trouble);
  close(locked);
  return added;
}
