/* SPDX-License-Identifier: Apache-2.0
 *
 * An en dash stands for a figure that nobody measured. The marks are comments of Markdown.
 */
#include "block_table.h"
#include "basis.h"

#include "html.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_mark[] = "<!-- blocks: made by `lockstack report --blocks` -->\n",
                  last_mark[] = "<!-- end of blocks -->\n";

/* A link from docs/ to a file of the tree. */
static void file_cell(FILE *out, const char *path, const char *text) {
  if (path && *path) fprintf(out, " [%s](../%s) |", text, path);
  else fprintf(out, " – |");
}

/* In steps of 0.1, rounded down: never 100 while something is missing. 100 also for a whole of
 * 0; callers that can have one ask before. */
static double percent_of(double part, double whole) {
  return part < whole ? floor(1000 * part / whole) / 10 : 100;
}

static void percent_cell(FILE *out, double part, double whole) {
  double percent = percent_of(part, whole);
  if (!(whole > 0) || !isfinite(part)) fprintf(out, " – |");
  else fprintf(out, percent == floor(percent) ? " %.0f %% |" : " %.1f %% |", percent);
}

/* Millions from a million on. */
static void number_cell(FILE *out, double value) {
  if (!isfinite(value)) fprintf(out, " – |");
  else if (value >= 1e6) fprintf(out, " %.2f M |", value / 1e6);
  else fprintf(out, " %.0f |", value);
}

/* Marks a number of mutants that is too small for a share (basis.h). counted: without equivalent
 * ones. */
static void mutants_cell(FILE *out, double mutants, double counted) {
  if (isfinite(counted) && counted < BASIS_MUTANTS) fprintf(out, " %.0f (few) |", mutants);
  else number_cell(out, mutants);
}

/* The number of properties links to the proof; "proof" when nobody counted them. */
static void proof_cell(FILE *out, const char *path, double properties) {
  char text[32] = "proof";
  if (isfinite(properties)) snprintf(text, sizeof text, "%.0f", properties);
  file_cell(out, path, text);
}

/* `waived` holds both proved and hand-written waivers; the table tells them apart. Shares of
 * coverage leave waived points out, shares of mutants leave equivalent ones out. */
static void print_block_row(FILE *out, const json_t *block, const json_t *row) {
  double points = fact_number(row, "points"), waived = fact_number(row, "waived"), proved = fact_number(row, "proved"),
         mutants = fact_number(row, "mutants");
  fprintf(out, "| %s |", fact_text(block, "name"));
  file_cell(out, fact_text(block, "rtl"), "sv");
  file_cell(out, fact_text(block, "model"), "c");
  file_cell(out, fact_text(block, "ports"), "ports");
  file_cell(out, fact_text(block, "test"), "c");
  proof_cell(out, fact_text(block, "proof"), fact_number(row, "properties"));
  number_cell(out, fact_number(row, "cycles"));
  percent_cell(out, fact_number(row, "hit"), points - waived);
  percent_cell(out, proved, points);
  percent_cell(out, waived - proved, points);
  percent_cell(out, fact_number(row, "killed"), mutants - fact_number(row, "equivalent"));
  mutants_cell(out, mutants, mutants - fact_number(row, "equivalent"));
  number_cell(out, fact_number(row, "undecided"));
  number_cell(out, fact_number(row, "cells"));
  number_cell(out, fact_number(row, "ge"));
  fputc('\n', out);
}

/* Blocks come in the order of the list, blocks without any figure too. */
static void print_block_table(FILE *out, const json_t *blocks, const json_t *rows) {
  const json_t *block;
  size_t i;
  fprintf(
      out,
      "| block | RTL | model | ports | tests | proof | cycles | coverage | unreachable | waived | mutation | mutants "
      "| undecided | cells | GE |\n"
      "|---|---|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  json_array_foreach(blocks, i, block) print_block_row(out, block, json_object_get(rows, fact_text(block, "name")));
}

/* ---- sums */

/* Sums over blocks; the first four count blocks with such a figure. */
typedef struct {
  unsigned cycles, cover, mutate, prove; /* blocks that have the figure */
  double sum_cycles, points, hit, waived, proved, mutants, killed, equivalent, undecided, properties;
} sums_t;

/* False: the row lacks the figure. */
static bool add_figure(double *sum, const json_t *row, const char *name) {
  double value = fact_number(row, name);
  if (!isfinite(value)) return false;
  *sum += value;
  return true;
}

/* A block counts for coverage or mutation only with all figures of that verb, which enter a row
 * together (block_rows.c). */
static void add_row(sums_t *s, const json_t *row) {
  s->cycles += add_figure(&s->sum_cycles, row, "cycles");
  s->prove += add_figure(&s->properties, row, "properties");
  if (add_figure(&s->points, row, "points")) {
    s->cover++;
    add_figure(&s->hit, row, "hit"), add_figure(&s->waived, row, "waived"), add_figure(&s->proved, row, "proved");
  }
  if (add_figure(&s->mutants, row, "mutants")) {
    s->mutate++;
    add_figure(&s->killed, row, "killed"), add_figure(&s->equivalent, row, "equivalent"),
        add_figure(&s->undecided, row, "undecided");
  }
}

/* Each line says of how many blocks it is, so that a sum over few blocks cannot pass for all. */
static void print_sums(FILE *out, const json_t *blocks, const json_t *rows) {
  const json_t *block;
  const size_t count = json_array_size(blocks);
  sums_t s = {0};
  size_t i;
  json_array_foreach(blocks, i, block) add_row(&s, json_object_get(rows, fact_text(block, "name")));
  fprintf(out, "| verb | blocks | together |\n|---|--:|---|\n");
  fprintf(out, "| `check` | %u of %zu | %.0f million cycles in lockstep |\n", s.cycles, count, s.sum_cycles / 1e6);
  fprintf(out,
          "| `cover` | %u of %zu | %g %% of %.0f points hit; besides them %.0f are proved unreachable, %.0f waived by "
          "hand with a reason |\n",
          s.cover, count, percent_of(s.hit, s.points - s.waived), s.points - s.waived, s.proved, s.waived - s.proved);
  fprintf(
      out,
      "| `mutate` | %u of %zu | %g %% of %.0f mutants killed; besides them %.0f are proved equivalent; %.0f of those "
      "left are undecided |\n",
      s.mutate, count, percent_of(s.killed, s.mutants - s.equivalent), s.mutants - s.equivalent, s.equivalent,
      s.undecided);
  fprintf(out, "| `prove` | %u of %zu | %.0f properties hold |\n", s.prove, count, s.properties);
}

/* Text before the first mark and from the last mark on stays as it is, and so do the marks. A
 * second call therefore replaces the table. */
char *block_table_in(const char *text, block_table_t what, const json_t *blocks, const json_t *rows) {
  const char *first = strstr(text, first_mark), *last = first ? strstr(first, last_mark) : NULL;
  char *made = NULL;
  size_t size;
  FILE *out = last ? open_memstream(&made, &size) : NULL;
  if (!out) return NULL;
  first += sizeof first_mark - 1;
  fwrite(text, 1, (size_t)(first - text), out);
  (what == BLOCK_TABLE ? print_block_table : print_sums)(out, blocks, rows);
  fputs(last, out);
  bool ok = !ferror(out);
  if (fclose(out) || !ok) {
    free(made);
    return NULL;
  }
  return made;
}
