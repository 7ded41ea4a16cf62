/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks of `area` and its curve. A task is a block with one combination of parameters.
 *
 *   --sweep A=1,2 --sweep B=x,y   -->   A=1 B=x,  A=1 B=y,  A=2 B=x,  A=2 B=y
 */
#include "area_tasks.h"
#include "cli.h"
#include "draw.h"
#include "generated.h"
#include "whole.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 2 * PROOF_PATH, MOST_TASKS = 4096, MOST_CURVES = 64 };

bool area_parse_sweep(area_sweep_t *s, const char *text) {
  size_t name = strcspn(text, "=");
  memset(s, 0, sizeof *s);
  if (!name || name >= sizeof s->name || !text[name]) return false;
  memcpy(s->name, text, name);
  for (const char *v = text + name + 1; *v && s->count < AREA_VALUES; s->count++) {
    size_t length = strcspn(v, ",");
    if (!length || length >= sizeof *s->value) return false;
    memcpy(s->value[s->count], v, length);
    v += length + (v[length] == ',');
  }
  return s->count;
}

/* ---- tasks */

/* 0, or the exit code after a line. There is a limit, so that a slip of the keyboard does not run
 * for days. */
static int add_task(area_tasks_t *t, const area_block_t *block, const char *params) {
  if (t->count >= MOST_TASKS) return cli_error(EXIT_BAD, "--sweep: more than %d combinations", MOST_TASKS);
  area_task_t *more = realloc(t->task, (t->count + 1) * sizeof *more);
  if (!more) return cli_error(EXIT_ENV, "out of memory");
  t->task = more;
  more[t->count].block = block;
  snprintf(more[t->count++].params, sizeof more->params, "%s", params);
  return 0;
}

/* Adds a task for each combination of the sweeps' values, depth first, on top of the parameters
 * that p has. Checks each value against the port file. 0, or an exit code after a line. */
static int add_combinations(area_tasks_t *t, const area_block_t *block, proof_t *p, const area_sweep_t *s,
                            unsigned count) {
  char params[PROOF_TEXT], setting[2 * PROOF_NAME];
  trouble_t trouble;
  if (!count) return add_task(t, block, p->params[0]);
  snprintf(params, sizeof params, "%s", p->params[0]);
  for (unsigned i = 0; i < s->count; i++) {
    snprintf(p->params[0], PROOF_TEXT, "%s", params);
    snprintf(setting, sizeof setting, "%s=%s", s->name, s->value[i]);
    if (!proof_set(p, setting, &trouble)) return cli_error((cli_exit_t)trouble.kind, "--sweep: %s", trouble.text);
    int code = add_combinations(t, block, p, s + 1, count - 1);
    if (code) return code;
  }
  return 0;
}

int area_add_tasks(area_tasks_t *t, const area_block_t *block, const char *const *sets, unsigned num_sets,
                   const area_sweep_t *sweeps, unsigned num_sweeps) {
  trouble_t trouble;
  proof_t *p = calloc(1, sizeof *p);
  if (!p) return cli_error(EXIT_ENV, "out of memory");
  snprintf(p->block, sizeof p->block, "%s", block->name);
  p->num_params = 1;
  int code = proof_read_ports(p, cli_source(), block->own ? block->ports : cli_data(block->ports), &trouble)
                 ? 0
                 : cli_trouble(&trouble);
  for (unsigned i = 0; i < num_sets && !code; i++)
    if (!proof_set(p, sets[i], &trouble)) code = cli_error((cli_exit_t)trouble.kind, "--set: %s", trouble.text);
  if (!code) code = add_combinations(t, block, p, sweeps, num_sweeps);
  free(p);
  return code;
}

/* ---- the curve */

/* Splits a row into its curve and its place on it. "Lanes=4 NumWarps=48" swept over Lanes is on the
 * curve "BLOCK NumWarps=48" at x = 4. False: the row has no such parameter, or was not measured. */
static bool split_curve_name(const json_t *row, const char *name, char *curve, size_t size, double *x) {
  char params[PROOF_TEXT], *rest;
  size_t length = (size_t)snprintf(curve, size, "%s", json_string_value(json_object_get(row, "block"))),
         n = strlen(name);
  bool found = false;
  snprintf(params, sizeof params, "%s", json_string_value(json_object_get(row, "params")));
  for (char *w = strtok_r(params, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
    if (strncmp(w, name, n) == 0 && w[n] == '=') *x = strtod(w + n + 1, NULL), found = true;
    else if (length < size) length += (size_t)snprintf(curve + length, size - length, " %s", w);
  return found && json_object_get(row, "cells");
}

/* The row's height: um2, with the macros that have a figure; of a library without a process GE; of
 * an FPGA its LUTs. */
static double curve_height(const json_t *row) {
  const json_t *um2 = json_object_get(row, "um2"), *ge = json_object_get(row, "ge");
  if (!json_is_number(um2)) return json_number_value(json_is_number(ge) ? ge : json_object_get(row, "luts"));
  return json_number_value(um2) + json_number_value(json_object_get(row, "macros_um2"));
}

/* The names of the curves, in the order of their first rows; at most MOST_CURVES. Returns how
 * many. */
static unsigned find_curves(char names[][PROOF_TEXT], const char *sweep, const json_t *rows) {
  unsigned count = 0, i;
  char name[PROOF_TEXT];
  double x;
  size_t at;
  const json_t *row;
  json_array_foreach(rows, at, row) {
    if (!split_curve_name(row, sweep, name, sizeof name, &x)) continue;
    for (i = 0; i < count && strcmp(names[i], name) != 0; i++) continue;
    if (i == count && count < MOST_CURVES) strcpy(names[count++], name);
  }
  return count;
}

/* A curve's points, "x height flipflops". In CSV (between is a comma) the curve's name comes
 * first. */
static void write_data(FILE *out, const char *curve, const char *sweep, const json_t *rows, const char *between) {
  char name[PROOF_TEXT];
  double x;
  size_t at;
  const json_t *row;
  json_array_foreach(rows, at, row) if (split_curve_name(row, sweep, name, sizeof name, &x) && strcmp(name, curve) == 0)
      fprintf(out, "%s%s%g%s%.9g%s%.9g\n", *between == ',' ? curve : "", *between == ',' ? between : "", x, between,
              curve_height(row), between, json_number_value(json_object_get(row, "flipflops")));
}

/* area.csv has all curves below each other. It is written whole or not at all. 0, or EXIT_ENV after
 * a line. */
static int write_csv(const char *folder, const char *sweep, const json_t *rows, char names[][PROOF_TEXT],
                     unsigned curves) {
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/area.csv", folder);
  whole_t whole;
  FILE *file = fopen(whole_begin(&whole, path), "w");
  if (!file) return cli_error(EXIT_ENV, "%s: cannot write: %s", path, strerror(errno));
  fprintf(file, "block,%s,area,flipflops\n", sweep);
  for (unsigned i = 0; i < curves; i++) write_data(file, names[i], sweep, rows, ",");
  int error = whole_end(&whole, whole_close(file, 0));
  return error ? cli_error(EXIT_ENV, "%s: cannot write: %s", path, strerror(error)) : 0;
}

/* The unit of a curve's height, as curve_height has it. */
static const char *curve_unit(bool fpga, bool ge) {
  if (fpga) return "LUTs";
  return ge ? "GE" : "um2";
}

/* Says whether the height has the memories in it. An FPGA's LUTs never have: memories are block
 * RAM. */
static const char *curve_scope(bool fpga, bool macros) {
  if (fpga) return "";
  return macros ? ", macros included" : ", without macros";
}

int area_draw(const char *folder, const area_sweep_t *s, const json_t *rows) {
  static char names[MOST_CURVES][PROOF_TEXT];
  char plain[PROOF_TEXT];
  trouble_t trouble;
  unsigned curves = find_curves(names, s->name, rows);
  const json_t *first = json_array_get(rows, 0);
  bool fpga = curves && json_object_get(first, "luts"), ge = json_is_number(json_object_get(first, "ge"));
  bool macros = json_is_number(json_object_get(first, "macros_um2"));
  if (!curves) return 0;
  int code = write_csv(folder, s->name, rows, names, curves);
  FILE *out = code ? NULL : draw_open();
  if (code) return code;
  if (!out) return draw_no_gnuplot(&trouble), cli_trouble(&trouble);
  for (unsigned i = 0; i < curves; i++) {
    fprintf(out, "$c%u << END\n", i);
    write_data(out, names[i], s->name, rows, " ");
    fprintf(out, "END\n");
  }
  fprintf(
      out,
      "set xlabel \"%s\"\nset ylabel \"%s%s\"\nset y2label \"flip-flops\"\nset ytics nomirror\nset y2tics\nset grid\n",
      s->name, curve_unit(fpga, ge), curve_scope(fpga, macros));
  fprintf(out, "set yrange [0:*]\nset y2range [0:*]\nset key left top\n");
  for (const char *const *kind = draw_kinds; *kind; kind++) {
    draw_output(out, 900, 600, "%s/area.%s", folder, *kind);
    fprintf(out, "plot ");
    for (unsigned i = 0; i < curves; i++) {
      draw_plain(names[i], plain, sizeof plain);
      fprintf(out,
              "%s$c%u using 1:2 with linespoints lc %u title \"%s\", $c%u using 1:3 axes x1y2 with lines dt 2 lc %u "
              "title \"\"",
              i ? ", " : "", i, i + 1, plain, i, i + 1);
    }
    fprintf(out, "\n");
  }
  return draw_close(out, &trouble) ? 0 : cli_trouble(&trouble);
}
