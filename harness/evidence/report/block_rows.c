/* SPDX-License-Identifier: Apache-2.0
 *
 * Results enter a row only with their sources, so a figure never outlives its checksum. A row's
 * figures may come from several runs and years: each verb's figures carry the sources of that
 * verb.
 *
 *    block,cover_sources,points,hit,...,area_sources,cells,ge,...
 *    fifo,1f3c...,40,40,...,77ab...,212,480,...       an empty field: nobody measured it
 */
#include "block_rows.h"

#include "cells.h"
#include "html.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { text, number } type_t;
static const struct {
  const char *name;
  type_t type;
} columns[] = {
#define COLUMN(name, type) {#name, type},
    BLOCK_COLUMNS(COLUMN)
#undef COLUMN
};
enum { COLUMNS = sizeof columns / sizeof *columns, LINE = 1024 };

/* --- reading */

/* The header must have the columns of this version, in their order. */
static bool is_header(const char *line) {
  const char *p = line;
  for (unsigned i = 0; i < COLUMNS; i++) {
    size_t n = strlen(columns[i].name);
    if (strncmp(p, columns[i].name, n) != 0 || p[n] != (i + 1 < COLUMNS ? ',' : 0)) return false;
    p += n + 1;
  }
  return true;
}

/* NULL: too many or too few fields, a field that is no number, or no block. */
static json_t *read_row(char *line) {
  json_t *row = json_object();
  char *rest = line, *field = NULL, *end;
  for (unsigned i = 0; i < COLUMNS; i++) {
    if (!(field = strsep(&rest, ","))) break;
    if (!*field) continue;
    if (columns[i].type == text) {
      json_object_set_new(row, columns[i].name, json_string(field));
      continue;
    }
    json_object_set_new(row, columns[i].name, json_real(strtod(field, &end)));
    if (*end) field = NULL;
    if (!field) break;
  }
  if (field && !rest && fact_text(row, "block")) return row;
  json_decref(row);
  return NULL;
}

/* The first line that is no comment is the header. */
static bool read_rows(json_t *rows, FILE *file, const char *path, trouble_t *trouble) {
  char line[LINE];
  bool header = false;
  for (unsigned n = 1; fgets(line, sizeof line, file); n++) {
    line[strcspn(line, "\n")] = 0;
    if (*line == '#' || !*line) continue;
    json_t *row = header ? read_row(line) : NULL;
    if (row) json_object_set_new(rows, fact_text(row, "block"), row);
    else if (header || !is_header(line)) {
      return trouble_set(trouble, TROUBLE_INPUT,
                         "%s:%u: should be %s of %u columns, block first, the others as the header names them", path, n,
                         header ? "a row" : "the header", (unsigned)COLUMNS);
    } else header = true;
  }
  return !ferror(file) || trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
}

/* A file that does not exist has no rows, so the first report can make it. */
json_t *block_rows_read(const char *path, trouble_t *trouble) {
  json_t *rows = json_object();
  FILE *file = fopen(path, "r");
  if (!file && errno == ENOENT) return rows;
  const bool ok = file ? read_rows(rows, file, path, trouble)
                       : trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  if (file) fclose(file);
  if (ok) return rows;
  json_decref(rows);
  return NULL;
}

/* --- what a report knows */

/* A figure that is not finite leaves the row as it is. */
static void put_figure(json_t *row, const char *key, double value) {
  if (isfinite(value)) json_object_set_new(row, key, json_real(value));
}

/* Sets the sources of the figures that follow. False: the document has none, or other parameters
 * than the defaults. */
static bool put_sources(json_t *row, const json_t *document, const char *key) {
  const char *sources = fact_text(document, "sources"), *params = fact_text(document, "params");
  if (!sources || (params && *params)) return false;
  json_object_set_new(row, key, json_string(sources));
  return true;
}

/* Sums over the three kinds of points. */
static void put_coverage(json_t *row, const json_t *coverage) {
  static const char *const kinds[] = {"line", "toggle", "functional"}, *const counts[] = {"points", "hit", "waived",
                                                                                          "proved"};
  if (!put_sources(row, coverage, "cover_sources")) return;
  for (unsigned c = 0; c < 4; c++) {
    double sum = 0;
    for (unsigned k = 0; k < 3; k++) sum += fact_number(json_object_get(coverage, kinds[k]), counts[c]);
    put_figure(row, counts[c], sum);
  }
}

static void put_mutation(json_t *row, const json_t *mutation) {
  static const char *const counts[] = {"mutants", "killed", "equivalent", "undecided"};
  if (!put_sources(row, mutation, "mutate_sources")) return;
  for (unsigned c = 0; c < 4; c++) put_figure(row, counts[c], fact_number(mutation, counts[c]));
}

/* Only figures on the default cells: a column must not mix libraries. */
static void put_area(json_t *row, const json_t *area) {
  const char *target = fact_text(area, "target");
  if (!target || strcmp(target, CELLS_DEFAULT) || !put_sources(row, area, "area_sources")) return;
  put_figure(row, "cells", fact_number(area, "cells"));
  put_figure(row, "ge", round(fact_number(area, "ge")));
}

/* Counts proved properties. */
static void put_proofs(json_t *row, const json_t *proofs) {
  json_t *claim;
  size_t i;
  double proved = 0;
  if (!put_sources(row, proofs, "prove_sources")) return;
  json_array_foreach(json_object_get(proofs, "properties"), i, claim) {
    const char *status = fact_text(claim, "status");
    proved += status && strcmp(status, "proved") == 0;
  }
  put_figure(row, "properties", proved);
}

/* The cycles that the row has are of these sources. */
static bool same_sources(const json_t *row, const char *sources) {
  const char *known = fact_text(row, "check_sources");
  return known && strcmp(known, sources) == 0;
}

/* Cycles on the device rtl, where no check of the block failed. */
static void put_cycles(json_t *row, const json_t *check) {
  const char *sources = fact_text(check, "sources");
  double known = sources && same_sources(row, sources) ? fact_number(row, "cycles") : NAN, cycles = 0;
  const json_t *dut;
  size_t i;
  json_array_foreach(json_object_get(check, "duts"), i, dut) {
    const char *kind = fact_text(dut, "dut");
    if (kind && strcmp(kind, "rtl") == 0) cycles += fact_number(dut, "cycles");
  }
  if (!sources || !(cycles > 0) || fact_number(check, "failed") != 0 || known >= cycles) return;
  json_object_set_new(row, "check_sources", json_string(sources));
  put_figure(row, "cycles", cycles);
}

/* Blocks outside the tree get no row: the file is the tree's. */
void block_rows_update(json_t *rows, const json_t *facts) {
  json_t *block;
  size_t i;
  json_array_foreach(json_object_get(facts, "blocks"), i, block) {
    const char *name = fact_text(block, "name");
    if (!name || !fact_true(block, "listed")) continue;
    json_t *row = json_object_get(rows, name);
    if (!row) json_object_set_new(rows, name, row = json_pack("{s:s}", "block", name));
    put_coverage(row, json_object_get(block, "coverage"));
    put_mutation(row, json_object_get(block, "mutation"));
    put_area(row, json_object_get(block, "area"));
    put_proofs(row, json_object_get(block, "proofs"));
    put_cycles(row, json_object_get(block, "check"));
  }
}

/* --- writing */

/* Numbers are written without digits after the point; all columns count something. Numbers of
 * the same value thus give the same file, which git then does not show as changed. */
void block_rows_write(FILE *out, const json_t *rows, const json_t *blocks) {
  const json_t *block;
  size_t i;
  fprintf(
      out,
      "# SPDX-License-Identifier: Apache-2.0\n"
      "# Made by `lockstack report --blocks` from the database of results; harness/evidence/report/README.md has the "
      "columns.\n");
  for (unsigned c = 0; c < COLUMNS; c++) fprintf(out, "%s%s", columns[c].name, c + 1 < COLUMNS ? "," : "\n");
  json_array_foreach(blocks, i, block) {
    const json_t *row = json_object_get(rows, fact_text(block, "name"));
    if (!row) continue;
    for (unsigned c = 0; c < COLUMNS; c++) {
      const char *word = fact_text(row, columns[c].name);
      double value = fact_number(row, columns[c].name);
      if (columns[c].type == text) fprintf(out, "%s", word ? word : "");
      else if (isfinite(value)) fprintf(out, "%.0f", value);
      fputc(c + 1 < COLUMNS ? ',' : '\n', out);
    }
  }
}
