/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads, writes and judges the budget. Lines stay in alphabetical order, so that a diff shows
 * only changes.
 */
#include "budget.h"

#include "file.h"
#include "judged.h"
#include "whole.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "# SPDX-License-Identifier: Apache-2.0\n"
    "# What each block may have on a cell library: `lockstack area --cells LIBRARY --ratchet` fails when one is more "
    "than 5 % larger or\n"
    "# slower than its line. `--update --reason TEXT` writes what was measured. Area: cells without macros, of ge in "
    "GE, of others in\n"
    "# um2; path: of ge in FO4, of others in ns, -1: no logic between registers; period: the shortest one that "
    "`--timing` found, empty where nobody\n"
    "# asked. Two libraries' figures are never compared. The line of names decides which fields there are.\n"
    "# library,block,params,cells,flipflops,area,path,macro_bits,period,reason\n";

static const char names[] = "# library,block,";

/* ---- the file */

/* Reads "12.5,why" or ",why" (no period) and returns the reason. "" is an error: a line needs a
 * reason. */
static const char *take_period(const char *text, budget_line_t *l) {
  char *end;
  l->period = strtod(text, &end);
  return *end == ',' && (end == text || (l->period > 0 && isfinite(l->period))) ? end + 1 : "";
}

/* A line without its comment sign. periods: it has the field `period`. */
static bool parse_budget_line(const char *text, bool periods, budget_line_t *l) {
  char path[32];
  int from = 0;
  const char *block = strchr(text, ','), *params = block ? strchr(block + 1, ',') : NULL;
  if (!params || (size_t)(block - text) >= sizeof l->library || (size_t)(params - block) > sizeof l->block)
    return false;
  snprintf(l->library, sizeof l->library, "%.*s", (int)(block - text), text);
  snprintf(l->block, sizeof l->block, "%.*s", (int)(params - block - 1), block + 1);
  size_t length = strcspn(++params, ",");
  if (length >= sizeof l->params || !params[length]) return false;
  snprintf(l->params, sizeof l->params, "%.*s", (int)length, params);
  if (sscanf(params + length, ",%lu,%lu,%lf,%31[-0-9.],%lu,%n", &l->cells, &l->flipflops, &l->area, path,
             &l->macro_bits, &from) != 5)
    return false;
  l->path = strtod(path, NULL);
  const char *reason = periods && from ? take_period(params + length + from, l) : params + length + from;
  snprintf(l->reason, sizeof l->reason, "%.*s", (int)strcspn(reason, "\r\n"), reason);
  return from && *l->library && *l->block && *l->reason && l->area >= 0 && isfinite(l->area);
}

/* An empty line behind the last one, not counted yet. NULL: no memory. */
static budget_line_t *make_budget_line(budget_t *b) {
  budget_line_t *more = realloc(b->line, (b->count + 1) * sizeof *more);
  if (!more) return NULL;
  b->line = more;
  memset(&more[b->count], 0, sizeof *more);
  return &more[b->count];
}

bool budget_read(budget_t *b, const char *path, trouble_t *trouble) {
  char text[2 * BUDGET_NAME];
  unsigned number = 0;
  judged_file(path);
  FILE *file = fopen(path, "r");
  *b = (budget_t){0};
  if (!file && errno == ENOENT) return true;
  if (!file) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  bool ok = true, periods = false;
  while (ok && fgets(text, sizeof text, file)) {
    number++;
    if (strncmp(text, names, sizeof names - 1) == 0) periods = strstr(text, ",period,") != NULL;
    if (*text == '#' || *text == '\n') continue;
    budget_line_t *l = make_budget_line(b);
    ok = l && parse_budget_line(text, periods, l) && !budget_find(b, l->library, l->block, l->params);
    b->count += ok;
    if (!l) trouble_memory(trouble);
    else if (!ok)
      trouble_set(
          trouble, TROUBLE_INPUT,
          "%s:%u: should be: library,block,params,cells,flipflops,area,path,macro_bits,%sreason; each library, block "
          "and params once",
          path, number, periods ? "period," : "");
  }
  fclose(file);
  if (!ok) budget_free(b);
  return ok;
}

/* An empty field stands for a period that nobody measured. */
static const char *print_period(const budget_line_t *l, char text[32]) {
  if (l->period > 0) snprintf(text, 32, "%.4g", l->period);
  return l->period > 0 ? text : "";
}

bool budget_write(const budget_t *b, const char *path, trouble_t *trouble) {
  char period[32];
  whole_t whole;
  FILE *file = fopen(whole_begin(&whole, path), "w");
  bool ok = file && fputs(head, file) >= 0;
  for (const budget_line_t *l = b->line; ok && l < b->line + b->count; l++)
    ok = fprintf(file, "%s,%s,%s,%lu,%lu,%.10g,%.2f,%lu,%s,%s\n", l->library, l->block, l->params, l->cells,
                 l->flipflops, round(100 * l->area) / 100, l->path, l->macro_bits, print_period(l, period),
                 l->reason) > 0;
  int error = ok ? 0 : errno;
  if (file) error = whole_close(file, error);
  error = whole_end(&whole, error);
  return !error || trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(error));
}

void budget_free(budget_t *b) {
  free(b->line);
  *b = (budget_t){0};
}

/* ---- names of blocks outside of the tree */

/* The folder of a file as an absolute path, which the caller frees. NULL: errno. */
static char *folder_of(const char *file) {
  char *whole = file_whole_path(file), *slash = whole ? strrchr(whole, '/') : NULL;
  if (slash) slash[slash == whole] = 0;
  return whole;
}

bool budget_place(const char *budget, const char *ports, const char *block, char name[BUDGET_NAME]) {
  char *from = folder_of(budget), *to = folder_of(ports), *way = from && to ? file_way(from, to) : NULL;
  size_t n = 0;
  for (const char *p = way; p && *p && n + 4 < BUDGET_NAME; p++)
    n += (size_t)sprintf(name + n, strchr("#%,\r\n", *p) ? "%%%02X" : "%c", *p);
  snprintf(name + n, BUDGET_NAME - n, "/%s", block);
  const bool ok = way != NULL;
  free(from);
  free(to);
  free(way);
  return ok;
}

/* ---- lines */

budget_line_t *budget_find(const budget_t *b, const char *library, const char *block, const char *params) {
  for (unsigned i = 0; i < b->count; i++)
    if (strcmp(b->line[i].library, library) == 0 && strcmp(b->line[i].block, block) == 0 &&
        strcmp(b->line[i].params, params) == 0)
      return &b->line[i];
  return NULL;
}

/* By library, block, parameters. */
static int compare_budget_lines(const budget_line_t *a, const budget_line_t *b) {
  int library = strcmp(a->library, b->library), block = strcmp(a->block, b->block);
  if (library) return library;
  return block ? block : strcmp(a->params, b->params);
}

bool budget_set(budget_t *b, const budget_line_t *now) {
  budget_line_t *l = budget_find(b, now->library, now->block, now->params);
  if (l) return *l = *now, true;
  if (!make_budget_line(b)) return false;
  unsigned at = b->count++;
  for (; at && compare_budget_lines(now, &b->line[at - 1]) < 0; at--) b->line[at] = b->line[at - 1];
  b->line[at] = *now;
  return true;
}

/* ---- the verdict */

typedef struct {
  const char *what;
  double was, is;
} change_t;

/* 0.05 is 5 % more. From nothing to something counts as 100 %, so a new macro is growth. */
static double growth(const change_t *c) {
  return c->was > 0 ? c->is / c->was - 1 : c->is > 0;
}

/* Adds "area grew by 7.2 % (12.3, budget 11.5)" to why. */
static void append_change(const change_t *c, const char *verb, char *why, size_t size) {
  size_t length = strlen(why);
  snprintf(why + length, size - length, "%s%s %s by %.1f %% (%.6g, budget %.6g)", length ? ", " : "", c->what, verb,
           100 * (growth(c) < 0 ? -growth(c) : growth(c)), c->is, c->was);
}

budget_verdict_t budget_judge(const budget_line_t *l, const budget_line_t *now, char *why, size_t size) {
  *why = 0;
  if (!l) return snprintf(why, size, "it has no line '%s'", now->block), BUDGET_NONE;
  const change_t changes[] = {{"area", l->area, now->area},
                              {"longest path", l->path, now->path},
                              {"memory bits", (double)l->macro_bits, (double)now->macro_bits},
                              {"shortest period", l->period, now->period}};
  const unsigned num = l->period > 0 && now->period > 0 ? 4 : 3;
  bool grown = false;
  for (unsigned i = 0; i < num; i++)
    if (growth(&changes[i]) > BUDGET_SLACK) grown = true, append_change(&changes[i], "grew", why, size);
  for (unsigned i = 0; i < num && !grown; i++)
    if (growth(&changes[i]) < -BUDGET_SLACK) append_change(&changes[i], "shrank", why, size);
  if (grown) return BUDGET_GROWN;
  return *why ? BUDGET_SMALLER : BUDGET_HELD;
}
