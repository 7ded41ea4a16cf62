/* SPDX-License-Identifier: Apache-2.0
 *
 * What a block costs in hardware. A table has a row for each library of cells and set of
 * parameters, from the newest results of the present sources. Charts show those figures over
 * commits that changed.
 */
#include "page.h"

#include "html.h"
#include "svg.h"
#include "text.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How a figure is written: a count, a number with its unit, or an SI unit with a prefix. */
typedef enum { COUNT, PLAIN, PREFIXED } style_t;

typedef struct {
  const char *title, *member, *unit; /* unit: a text, or the member that has the unit */
  style_t style;
  const char *same[4]; /* results that differ in one of these members are not compared */
} figure_t;

static const figure_t figures[] = {
    {"Cells", "cells", "cells", COUNT, {"method"}},
    {"Flip-flops", "flipflops", "flip-flops", COUNT, {"method"}},
    {"Area", "area", "area_unit", PLAIN, {"method"}},
    {"Longest path", "path", "path_unit", PLAIN, {"method"}},
    {"Shortest period", "shortest_period", "period_unit", PLAIN, {NULL}},
    {"Fmax", "fmax_mhz", "MHz", PLAIN, {NULL}},
    {"Energy in each cycle", "joules_per_cycle", "J", PREFIXED, {"profile", "seed", "cycles", "clock_ns"}},
    {"Power", "watts", "W", PREFIXED, {"profile", "seed", "cycles", "clock_ns"}},
    {"Loads switched in each cycle", "switched_loads", "loads", PLAIN, {"profile", "seed", "cycles"}},
    {"Toggles of a net in each cycle", "toggles_per_cycle", "toggles", PLAIN, {"profile", "seed", "cycles"}}};
enum { FIGURES = sizeof figures / sizeof *figures, COMMITS = 60, LABEL = 8 };

static bool same_member(const json_t *a, const json_t *b, const char *member) {
  return json_equal(json_object_get(a, member), json_object_get(b, member));
}

/* A row of the table is a library and a set of parameters. */
static bool same_row(const json_t *a, const json_t *b) {
  return same_member(a, b, "library") && same_member(a, b, "params");
}

static bool is_default(const json_t *result) {
  const char *params = fact_text(result, "params");
  return !params || !*params;
}

static const char *member_text(const json_t *result, const char *member) {
  const char *text = fact_text(result, member);
  return text ? text : "";
}

/* ---- the rows */

/* The first result of each row, default parameters first. The caller frees the array. */
static const json_t **find_rows(const json_t *results, size_t *count) {
  const json_t **rows = calloc(json_array_size(results) + 1, sizeof *rows), *result;
  size_t i, k;
  *count = 0;
  for (int defaults = 1; rows && defaults >= 0; defaults--) json_array_foreach(results, i, result) {
      if (is_default(result) != (defaults == 1)) continue;
      for (k = 0; k < *count && !same_row(rows[k], result); k++) continue;
      if (k == *count) rows[(*count)++] = result;
    }
  return rows;
}

/* The row's newest result with this member. of_now: of the present sources only. NULL: none. */
static const json_t *newest_result(const json_t *results, const json_t *row, const char *member, bool of_now) {
  for (size_t i = json_array_size(results); i-- > 0;) {
    const json_t *result = json_array_get(results, i);
    if (same_row(result, row) && isfinite(fact_number(result, member)) && (!of_now || fact_true(result, "of_now")))
      return result;
  }
  return NULL;
}

/* row NULL: any row. */
static bool any_of_now(const json_t *results, const json_t *row) {
  size_t i;
  const json_t *result;
  json_array_foreach(results, i,
                     result) if ((!row || same_row(result, row)) && fact_true(result, "of_now")) return true;
  return false;
}

bool page_has_hardware(const json_t *block) {
  return any_of_now(json_object_get(block, "hardware"), NULL);
}

/* 1.5e-12 becomes 1.5 with the prefix "p". Below the smallest prefix, the number gets small. */
static double with_prefix(double value, const char **prefix) {
  static const char *const prefixes[] = {"", "m", "\u00b5", "n", "p", "f", "a"};
  unsigned i = 0;
  while (i + 1 < sizeof prefixes / sizeof *prefixes && value != 0 && fabs(value) < 0.9995) value *= 1000, i++;
  *prefix = prefixes[i];
  return value;
}

/* The figure's unit, or what the result's member of this name says. */
static const char *unit_of(const figure_t *figure, const json_t *result) {
  const char *unit = fact_text(result, figure->unit);
  if (!unit) unit = figure->unit;
  return strcmp(unit, "um2") == 0 ? "\u00b5m\u00b2" : unit;
}

/* An en dash when the result lacks the figure. */
static void figure_text(FILE *out, const figure_t *figure, const json_t *result) {
  char text[TEXT_NUMBER];
  const char *prefix = "";
  double value = fact_number(result, figure->member);
  if (figure->style == COUNT || !isfinite(value)) html(out, "%s", text_count(text, value));
  else {
    if (figure->style == PREFIXED) value = with_prefix(value, &prefix);
    html(out, "%s\u202f%s%s", text_short(text, value), prefix, unit_of(figure, result));
  }
}

/* The member must be in the list. */
static const figure_t *figure_named(const char *member) {
  const figure_t *figure = figures;
  while (strcmp(figure->member, member) != 0) figure++;
  return figure;
}

static void figure_cell(FILE *out, const json_t *results, const json_t *row, const char *member) {
  html(out, "<td class=\"n\">");
  figure_text(out, figure_named(member), newest_result(results, row, member, true));
  html(out, "</td>");
}

/* The shortest period, and the frequency where it is known. */
static void speed_cell(FILE *out, const json_t *results, const json_t *row) {
  const json_t *result = newest_result(results, row, "shortest_period", true);
  html(out, "<td class=\"n\">");
  figure_text(out, figure_named("shortest_period"), result);
  if (isfinite(fact_number(result, "fmax_mhz"))) {
    html(out, "<br>");
    figure_text(out, figure_named("fmax_mhz"), result);
  }
  html(out, "</td>");
}

/* violated: the member that counts late or early ends of paths. A missing slack is said. */
static void print_slack(FILE *out, const json_t *result, const char *kind, const char *member, const char *violated) {
  char text[TEXT_NUMBER];
  const double value = fact_number(result, member);
  if (!isfinite(value)) return html(out, "<div>no %s</div>", kind);
  html(out, fact_number(result, violated) > 0 ? "<div class=\"bad\">%s %s\u202f%s</div>" : "<div>%s %s\u202f%s</div>",
       kind, text_short(text, value), member_text(result, "period_unit"));
}

/* Slack for setup and hold, from the newest result with timing. */
static void slack_cell(FILE *out, const json_t *result) {
  char period[TEXT_NUMBER];
  const char *sdc = fact_text(result, "sdc");
  if (!result) return html(out, "<td class=\"n\">\u2013</td>");
  html(out, "<td class=\"n\">");
  print_slack(out, result, "setup", "setup_slack", "setup_violated");
  print_slack(out, result, "hold", "hold_slack", "hold_violated");
  if (sdc) html(out, "<span class=\"note\">by %s</span></td>", strrchr(sdc, '/') ? strrchr(sdc, '/') + 1 : sdc);
  else
    html(out, "<span class=\"note\">at %s\u202f%s</span></td>", text_short(period, fact_number(result, "period")),
         member_text(result, "period_unit"));
}

/* Cells of no process have switched loads in place of joules. */
static void energy_cells(FILE *out, const json_t *results, const json_t *row) {
  char text[TEXT_NUMBER];
  const json_t *joules = newest_result(results, row, "joules_per_cycle", true),
               *watts = newest_result(results, row, "watts", true);
  if (joules) figure_cell(out, results, row, "joules_per_cycle");
  else figure_cell(out, results, row, "switched_loads");
  html(out, "<td class=\"n\">");
  figure_text(out, figure_named("watts"), watts);
  if (isfinite(fact_number(watts, "clock_ns")))
    html(out, "<br><span class=\"note\">at %s\u202fns</span>", text_short(text, fact_number(watts, "clock_ns")));
  html(out, "</td>");
}

/* With the profile, the cycles and, as title, the seed. */
static void toggles_cell(FILE *out, const json_t *result) {
  char text[TEXT_NUMBER];
  html(out, "<td class=\"n\">%s", text_short(text, fact_number(result, "toggles_per_cycle")));
  if (result)
    html(out, "<br><span class=\"note\" title=\"seed %.0f\">%s, %s cycles</span>", fact_number(result, "seed"),
         member_text(result, "profile"), text_count(text, fact_number(result, "counted_cycles")));
  html(out, "</td>");
}

/* Eight digits of the commit; the title has all. "changed": the tree had local changes. */
static void commit_text(FILE *out, const char *before, const json_t *result) {
  if (!result) return;
  fputs(before, out);
  char commit[12];
  snprintf(commit, sizeof commit, "%.8s", member_text(result, "commit"));
  html(out, "<code title=\"%s\">%s</code>%s", member_text(result, "commit"), utf8_clean(commit),
       fact_true(result, "changed") ? " changed" : "");
}

/* The commit of the area, and that of the power where it differs. */
static void commits_cell(FILE *out, const json_t *results, const json_t *row) {
  const json_t *area = newest_result(results, row, "cells", true),
               *power = newest_result(results, row, "toggles_per_cycle", true);
  html(out, "<td class=\"n\">");
  commit_text(out, "", area ? area : power);
  if (area && power && !(same_member(area, power, "commit") && same_member(area, power, "changed")))
    commit_text(out, "<br>power ", power);
  html(out, "</td>");
}

/* Combinational blocks have no hold, and may have no setup, so either will do. */
static const json_t *newest_timing(const json_t *results, const json_t *row) {
  const json_t *result = newest_result(results, row, "setup_violated", true);
  return result ? result : newest_result(results, row, "hold_violated", true);
}

static void table_row(FILE *out, const json_t *results, const json_t *row) {
  const char *params = member_text(row, "params");
  html(out, "<tr><th scope=\"row\">%s</th><td>%s</td>", member_text(row, "library"), *params ? params : "defaults");
  figure_cell(out, results, row, "cells");
  figure_cell(out, results, row, "flipflops");
  figure_cell(out, results, row, "area");
  figure_cell(out, results, row, "path");
  speed_cell(out, results, row);
  slack_cell(out, newest_timing(results, row));
  energy_cells(out, results, row);
  toggles_cell(out, newest_result(results, row, "toggles_per_cycle", true));
  commits_cell(out, results, row);
  html(out, "</tr>\n");
}

/* Rows whose results are all stale are in the charts only. */
static void print_hardware_table(FILE *out, const json_t *results, const json_t *const *rows, size_t count) {
  static const char *const columns[] = {
      "Library", "Parameters",      "#Cells", "#Flip-flops",      "#Area",   "#Path", "#Shortest period",
      "#Slack",  "#Energy / cycle", "#Power", "#Toggles / cycle", "#Commit", NULL};
  html_table(out, "Cells, area, timing and power by library", columns);
  for (size_t i = 0; i < count; i++)
    if (any_of_now(results, rows[i])) table_row(out, results, rows[i]);
  html_table_end(out);
}

/* ---- over commits */

typedef struct {
  const json_t *results; /* of the block */
  const json_t **at;     /* the first result of each commit, the earliest commit first */
  size_t *commit;        /* index of each result's commit; `commits`: not kept */
  size_t commits;
  bool own; /* a user's block: the tree's commit does not name its sources */
} history_t;

/* Results with local changes, and those of a block outside the tree, belong together only within
 * one run: the commit does not say what was measured. */
static bool same_commit(const history_t *h, const json_t *a, const json_t *b) {
  return same_member(a, b, "commit") && same_member(a, b, "changed") &&
         (same_member(a, b, "run") || (!h->own && !fact_true(a, "changed")));
}

/* Finds the commits in the order of their first results, and keeps the latest COMMITS. False: no
 * memory. */
static bool find_commits(history_t *h, const json_t *block) {
  const json_t *results = json_object_get(block, "hardware");
  const size_t n = json_array_size(results);
  size_t i, k;
  const json_t *result;
  *h = (history_t){.results = results,
                   .at = calloc(n + 1, sizeof *h->at),
                   .commit = calloc(n + 1, sizeof *h->commit),
                   .own = !fact_true(block, "listed")};
  if (!h->at || !h->commit) return false;
  json_array_foreach(results, i, result) {
    for (k = h->commits; k > 0 && !same_commit(h, h->at[k - 1], result);) k--;
    if (!k) h->at[h->commits++] = result;
    h->commit[i] = k ? k - 1 : h->commits - 1;
  }
  const size_t before = h->commits > COMMITS ? h->commits - COMMITS : 0;
  h->commits -= before;
  memmove(h->at, h->at + before, h->commits * sizeof *h->at);
  for (i = 0; i < n; i++) h->commit[i] = h->commit[i] >= before ? h->commit[i] - before : h->commits;
  return true;
}

static void close_history(history_t *h) {
  free(h->at);
  free(h->commit);
}

/* Two results whose method or stimulus differs do not make a curve. */
static bool is_comparable(const figure_t *figure, const json_t *a, const json_t *b) {
  for (size_t i = 0; i < sizeof figure->same / sizeof *figure->same; i++)
    if (figure->same[i] && !same_member(a, b, figure->same[i])) return false;
  return strcmp(unit_of(figure, a), unit_of(figure, b)) == 0;
}

/* A figure of one library and set of parameters, of each commit that has it. */
typedef struct {
  char name[96];
  const char *unit;
  double x[COMMITS], y[COMMITS];
  size_t count, stale; /* stale: points before the present sources */
  bool changes;
} curve_t;

/* The row's figure at each commit, as far as results are comparable with the latest one. */
static void curve_of(curve_t *c, const history_t *h, const json_t *row, const figure_t *figure) {
  const json_t *last = newest_result(h->results, row, figure->member, false), *at[COMMITS] = {NULL}, *result;
  bool now = false;
  size_t i;
  *c = (curve_t){.unit = last ? unit_of(figure, last) : ""};
  snprintf(c->name, sizeof c->name, "%.40s%s%.40s", member_text(row, "library"), is_default(row) ? "" : " ",
           member_text(row, "params"));
  utf8_clean(c->name); /* the cut may split a character */
  json_array_foreach(h->results, i, result) if (h->commit[i] < h->commits &&
                                                isfinite(fact_number(result, figure->member)) &&
                                                same_row(result, row) && is_comparable(figure, result, last))
      at[h->commit[i]] = result;
  for (size_t k = 0; k < h->commits; k++) {
    if (!at[k]) continue;
    c->x[c->count] = (double)k + 1;
    c->y[c->count] = fact_number(at[k], figure->member);
    now = now || fact_true(at[k], "of_now");
    c->stale += !now;
    c->changes = c->changes || c->y[c->count] != c->y[0];
    c->count++;
  }
}

/* One chart of curves with the same unit. A mark shows where the present sources begin. */
static void draw_figure_chart(FILE *out, const history_t *h, const figure_t *figure, curve_t *curves, size_t count) {
  char text[COMMITS][LABEL], title[96], unit[32];
  const char *labels[COMMITS], *prefix = "";
  svg_series_t series[SVG_SERIES];
  double most = 0, mark = NAN;
  for (size_t i = 0; i < h->commits; i++) {
    if (h->own) snprintf(text[i], LABEL, "%.0f", fact_number(h->at[i], "run"));
    else snprintf(text[i], LABEL, "%.6s%s", member_text(h->at[i], "commit"), fact_true(h->at[i], "changed") ? "*" : "");
    utf8_clean(text[i]);
    labels[i] = text[i];
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < curves[i].count; k++) most = fmax(most, curves[i].y[k]);
  const double scaled = figure->style == PREFIXED ? with_prefix(most, &prefix) : most,
               by = most > 0 ? scaled / most : 1;
  for (size_t i = 0; i < count; i++) {
    curve_t *c = &curves[i];
    for (size_t k = 0; k < c->count; k++) c->y[k] *= by;
    series[i] = (svg_series_t){c->name, c->x, c->y, c->count, false};
    if (c->stale && c->stale < c->count) mark = fmin(isfinite(mark) ? mark : COMMITS, c->x[c->stale] - 0.5);
  }
  snprintf(title, sizeof title, "%s over %ss", figure->title, h->own ? "run" : "commit");
  snprintf(unit, sizeof unit, "%s%.20s", prefix, curves->unit);
  utf8_clean(unit);
  const svg_chart_t chart = {title,
                             "The latest on the right",
                             h->own ? "run" : "commit",
                             unit,
                             1,
                             (double)h->commits,
                             scaled,
                             mark,
                             "sources changed",
                             labels};
  html(out, "<figure><figcaption>%s%s%s</figcaption>\n", figure->title, count == 1 ? ", " : "",
       count == 1 ? curves->name : "");
  svg_lines(out, &chart, series, count);
  html(out, "</figure>\n");
}

/* A chart for each unit among the curves that change, SVG_SERIES curves at most on each. */
static void charts_of(FILE *out, const history_t *h, const figure_t *figure, curve_t *curves, size_t count) {
  for (size_t i = 0; i < count; i++) {
    curve_t together[SVG_SERIES];
    size_t n = 0;
    for (size_t k = i; curves[i].changes && k < count && n < SVG_SERIES; k++)
      if (curves[k].changes && strcmp(curves[k].unit, curves[i].unit) == 0) together[n++] = curves[k];
    for (size_t k = i, left = n; left > 0; k++)
      if (curves[k].changes && strcmp(curves[k].unit, curves[i].unit) == 0) curves[k].changes = false, left--;
    if (n) draw_figure_chart(out, h, figure, together, n);
  }
}

/* Adds "area (2 of 3)" to the list of figures that stayed the same. *between: what comes before
 * it. */
static void print_unchanged(FILE *out, const figure_t *figure, const curve_t *curves, size_t count,
                            const char **between) {
  size_t all = 0, same = 0;
  for (size_t i = 0; i < count; i++) {
    all += curves[i].count > 1;
    same += curves[i].count > 1 && !curves[i].changes;
  }
  if (!same) return;
  fputs(*between, out);
  html(out, same < all ? "%s (%zu of %zu)" : "%s", figure->title, same, all);
  *between = ", ";
}

/* One commit alone has no history. */
static void over_commits(FILE *out, const json_t *block, const json_t *const *rows, size_t count) {
  history_t h;
  curve_t *curves = calloc(FIGURES * count + 1, sizeof *curves);
  bool changes = false;
  const char *between = "<p class=\"note\">Unchanged: ";
  if (find_commits(&h, block) && curves && h.commits > 1) {
    for (size_t i = 0; i < FIGURES * count; i++) {
      curve_of(&curves[i], &h, rows[i % count], &figures[i / count]);
      changes = changes || curves[i].changes;
    }
    for (size_t f = 0; f < FIGURES; f++) print_unchanged(out, &figures[f], curves + f * count, count, &between);
    if (strcmp(between, ", ") == 0) html(out, "</p>\n");
    if (changes)
      html(out, "<details open><summary>What changed over %zu %s</summary><div class=\"charts small\">\n", h.commits,
           h.own ? "runs" : "commits");
    for (size_t f = 0; f < FIGURES; f++) charts_of(out, &h, &figures[f], curves + f * count, count);
    if (changes) html(out, "</div></details>\n");
  }
  close_history(&h);
  free(curves);
}

void page_hardware(FILE *out, const json_t *block) {
  size_t count, stale = 0, i;
  const json_t *results = json_object_get(block, "hardware"), *result, **rows = find_rows(results, &count);
  if (!page_has_hardware(block)) return free(rows);
  json_array_foreach(results, i, result) stale += !fact_true(result, "of_now");
  html(out, "<h4>Cells, area, timing and power by library</h4>\n");
  print_hardware_table(out, results, rows, count);
  if (stale)
    html(out,
         "<p class=\"note\">%zu of %zu results are of other sources than those there now: they count for nothing but "
         "the curves.</p>\n",
         stale, json_array_size(results));
  over_commits(out, block, rows, count);
  free(rows);
}
