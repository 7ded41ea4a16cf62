/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a C file with mutants in it.
 *
 *   cmutate FILE.c OUT.c POINTS.csv FIRST PERCENT SEED [compiler arguments...]
 *
 * OUT.c is FILE.c with PERCENT % of its mutants in it. POINTS.csv lists them, with ids from
 * FIRST on. Exit status 2: bad usage, or a file that clang refuses; 3: OUT.c or POINTS.csv
 * cannot be written.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmutant.h"
#include "rewrite.h"

static int report_error(int code, const char *text) {
  fprintf(stderr, "cmutate: %s\n", text);
  return code;
}

/* The point's text in one line, without what a CSV file needs quotes for. */
static void list_text(FILE *out, const points_t *points, const point_t *p) {
  unsigned end = p->end - p->start > 70 ? p->start + 70 : p->end;
  for (unsigned i = p->start; i < end; i++) {
    char c = points->text[i];
    if (c == '\n' || c == '"') c = ' ';
    else if (c == ',') c = ';';
    fputc(c, out);
  }
}

/* A row for each drawn mutant: id,file,line,function,mutant,text. */
static void list_mutants(FILE *out, const points_t *points, const char *file) {
  const char *name = strstr(file, "cmodel/") ? strstr(file, "cmodel/") : file;
  for (unsigned i = 0; i < points->count; i++) {
    const point_t *p = &points->point[i];
    for (unsigned m = 0; m < p->mutants; m++) {
      if (!p->id[m]) continue;
      fprintf(out, "%u,%s,%u,%s,%s%s%s,", p->id[m], name, p->line, p->function, p->op, *p->op ? " to " : "",
              p->with[m]);
      list_text(out, points, p);
      fputc('\n', out);
    }
  }
}

static int write_output(const char *path, const points_t *points, const char *file,
                        void (*write)(FILE *, const points_t *, const char *)) {
  FILE *out = fopen(path, "w");
  if (out) write(out, points, file);
  bool failed = !out || ferror(out);
  if (out && fclose(out)) failed = true;
  if (failed) fprintf(stderr, "cmutate: %s: cannot write: %s\n", path, strerror(errno));
  return failed ? 3 : 0;
}

static void write_source(FILE *out, const points_t *points, const char *file) {
  rewrite(points, file, out);
}

int main(int argc, char **argv) {
  points_t points;
  trouble_t trouble;
  char *rest;
  if (argc < 7)
    return report_error(2, "should be: cmutate FILE.c OUT.c POINTS.csv FIRST PERCENT SEED [compiler arguments...]");
  unsigned long first = strtoul(argv[4], &rest, 10), percent = strtoul(argv[5], &rest, 10);
  if (first < 1 || first >= CMUTANTS_MOST)
    return report_error(2, "FIRST: should be 1 and more, and less than CMUTANTS_MOST (cmutant.h)");
  if (percent < 1 || percent > 100) return report_error(2, "PERCENT: should be 1 to 100");
  if (!points_find(&points, argv[1], (const char *const *)(argv + 7), argc - 7, &trouble)) {
    points_free(&points);
    return report_error((int)trouble.kind, trouble.text);
  }
  points_draw(&points, (unsigned)percent, strtoull(argv[6], NULL, 0), (unsigned)first);
  int code = first + points.drawn > CMUTANTS_MOST
                 ? report_error(2, "more mutants than a program can have (CMUTANTS_MOST)")
                 : 0;
  if (!code) code = write_output(argv[2], &points, argv[1], write_source);
  if (!code) code = write_output(argv[3], &points, argv[1], list_mutants);
  points_free(&points);
  return code;
}
