/* SPDX-License-Identifier: Apache-2.0
 *
 * Regressions over time: the latest run of each suite, passes and durations, jobs whose outcome
 * changes, all runs.
 */
#include "page.h"

#include "html.h"
#include "svg.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHARTED = 60, LISTED = 100, DAY = 12, PARTS = 3 };
static const char *const part[PARTS] = {"passed", "failed", "other"};
static const char *const classes[PARTS] = {"good-fill", "bad-fill", "warn-fill"};

/* "2026-10-31T12:00:00Z" gives "10-31". buf has DAY characters. */
static void run_day(char *buf, const json_t *run) {
  const char *started = fact_text(run, "started");
  size_t n = started ? strlen(started) : 0;
  snprintf(buf, DAY, "%.5s", n >= 10 ? started + 5 : "");
}

/* The n newest runs, the oldest of these on the left. */
static void seconds_chart(FILE *out, const json_t *runs, size_t n) {
  double x[CHARTED], y[CHARTED], most = 0;
  for (size_t i = 0; i < n; i++) {
    const json_t *run = json_array_get(runs, n - 1 - i);
    x[i] = (double)i + 1;
    y[i] = fact_number(run, "seconds");
    if (isfinite(y[i])) most = fmax(most, y[i]);
  }
  const svg_series_t series = {"seconds", x, y, n, false};
  const svg_chart_t chart = {"Wall-clock seconds of each run",
                             "Seconds against the run, the latest on the right",
                             "run",
                             "seconds",
                             1,
                             (double)n,
                             most,
                             NAN,
                             "",
                             NULL};
  if (n > 1 && most > 0) svg_lines(out, &chart, &series, 1);
}

/* The CHARTED newest runs: jobs by outcome, and wall-clock seconds. */
static void draw_run_charts(FILE *out, const json_t *runs) {
  size_t n = json_array_size(runs) < CHARTED ? json_array_size(runs) : CHARTED;
  double value[CHARTED * PARTS];
  char days[CHARTED][DAY];
  const char *category[CHARTED];
  for (size_t i = 0; i < n; i++) {
    const json_t *run = json_array_get(runs, n - 1 - i);
    run_day(days[i], run);
    category[i] = days[i];
    for (size_t k = 0; k < PARTS; k++) value[i * PARTS + k] = fact_number(run, part[k]);
  }
  const svg_columns_t columns = {"Jobs of each run that passed and failed",
                                 "A column a run, the latest on the right",
                                 "jobs",
                                 n,
                                 PARTS,
                                 category,
                                 part,
                                 classes,
                                 value};
  html(out, "<div class=\"charts\"><figure><figcaption>Jobs of each run</figcaption>\n");
  svg_columns(out, &columns);
  html(out, "</figure>\n");
  if (n > 1) {
    html(out, "<figure><figcaption>Duration of each run</figcaption>\n");
    seconds_chart(out, runs, n);
    html(out, "</figure>\n");
  }
  html(out, "</div>\n");
}

/* Cells of a run behind its suite. */
static void run_cells(FILE *out, const json_t *run) {
  char text[TEXT_NUMBER];
  double failed = fact_number(run, "failed"), other = fact_number(run, "other");
  html(out, "<td>");
  html_time(out, fact_text(run, "started"));
  html(out, "</td><td>%s</td>", fact_text(run, "state"));
  html_cell_count(out, fact_number(run, "passed"));
  html(out, "<td class=\"n%s\">%.0f</td><td class=\"n%s\">%.0f</td>", failed > 0 ? " bad" : "", failed,
       other > 0 ? " bad" : "", other);
  html_cell_count(out, fact_number(run, "waiting"));
  html(out, "<td class=\"n\">%s</td>", text_seconds(text, fact_number(run, "seconds")));
  html(out, "<td class=\"n\">%s</td>", text_seconds(text, fact_number(run, "cpu_seconds")));
  html(out, "<td><code>%s</code>%s</td>", fact_text(run, "commit"), fact_number(run, "dirty") > 0 ? " changed" : "");
  html(out, "<td>%s, %.0f at a time, %s</td>", fact_text(run, "engine"), fact_number(run, "jobs"),
       fact_text(run, "host"));
}

/* A heading and a table up to its first row. */
static void open_runs_table(FILE *out, const char *caption) {
  static const char *const columns[] = {"Suite",    "Started",   "State", "#Passed", "#Failed", "#Other",
                                        "#Waiting", "#Duration", "#CPU",  "Commit",  "Where",   NULL};
  html(out, "<h3>%s</h3>\n", caption);
  html_table(out, caption, columns);
}

static void print_run(FILE *out, const json_t *run) {
  html(out, "<tr><th scope=\"row\">%s</th>", fact_text(run, "suite"));
  run_cells(out, run);
  html(out, "</tr>\n");
}

/* Runs are newest first, so the first run of a suite is its latest. */
static void print_suites(FILE *out, const json_t *runs) {
  json_t *seen = json_object(), *run;
  size_t i;
  open_runs_table(out, "Latest run of each suite");
  json_array_foreach(runs, i, run) {
    const char *suite = fact_text(run, "suite");
    if (!suite || json_object_get(seen, suite)) continue;
    json_object_set_new(seen, suite, json_true());
    print_run(out, run);
  }
  json_decref(seen);
  html_table_end(out);
}

/* ---- jobs that ran more than once ---- */

enum { TRENDS = 30, TREND = 30 };

static bool is_pass(const json_t *outcome) {
  return json_is_string(outcome) && !strcmp(json_string_value(outcome), "PASS");
}

/* True when some runs of the job passed and some did not. */
static bool outcome_changes(const json_t *trend) {
  const json_t *outcomes = json_object_get(trend, "outcomes");
  for (size_t i = 1; i < json_array_size(outcomes); i++)
    if (is_pass(json_array_get(outcomes, i)) != is_pass(json_array_get(outcomes, 0))) return true;
  return false;
}

/* A small line of the job's last results; failed ones are red. */
static void spark_cell(FILE *out, const json_t *trend, const char *key, const char *title) {
  const json_t *list = json_object_get(trend, key), *outcomes = json_object_get(trend, "outcomes");
  double value[TREND];
  bool bad[TREND], any = false;
  size_t n = json_array_size(list) < TREND ? json_array_size(list) : TREND;
  for (size_t i = 0; i < n; i++) {
    const json_t *one = json_array_get(list, i);
    value[i] = json_is_number(one) ? json_number_value(one) : NAN;
    bad[i] = !is_pass(json_array_get(outcomes, i));
    any = any || isfinite(value[i]);
  }
  html(out, "<td>");
  if (any) svg_spark(out, title, value, bad, n);
  html(out, "</td>");
}

static double last_number(const json_t *trend, const char *key) {
  const json_t *list = json_object_get(trend, key),
               *one = json_array_get(list, json_array_size(list) ? json_array_size(list) - 1 : 0);
  return json_is_number(one) ? json_number_value(one) : NAN;
}

/* The latest outcome, and small lines of seconds and simulated cycles. */
static void trend_row(FILE *out, const json_t *trend) {
  const json_t *outcomes = json_object_get(trend, "outcomes"),
               *last = json_array_get(outcomes, json_array_size(outcomes) - 1);
  char text[TEXT_NUMBER];
  html(out, "<tr><th scope=\"row\">%s</th>", fact_text(trend, "key"));
  html_cell_count(out, (double)json_array_size(outcomes));
  html(out, "<td class=\"%s\">%s</td>", is_pass(last) ? "" : "bad", json_string_value(last));
  spark_cell(out, trend, "seconds", "Seconds of each run, the latest on the right");
  html(out, "<td class=\"n\">%s</td>", text_seconds(text, last_number(trend, "seconds")));
  spark_cell(out, trend, "cycles", "Simulated cycles of each run, the latest on the right");
  html_cell_count(out, last_number(trend, "cycles"));
  html(out, "</tr>\n");
}

/* Jobs whose outcome changed come first; TRENDS rows at most. */
static void print_trends(FILE *out, const json_t *list) {
  static const char *const columns[] = {"Job", "#Runs", "Latest", "Duration", "#Latest", "Cycles", "#Latest", NULL};
  size_t i, shown = 0;
  const json_t *trend;
  if (!json_array_size(list)) return;
  html(out, "<h3>Jobs that ran more than once</h3>\n"
            "<p class=\"note\">Those whose outcome changed come first; a red dot is a run that did not pass.</p>\n");
  html_table(out, "Trends of jobs", columns);
  for (int changed = 1; changed >= 0; changed--)
    json_array_foreach(list, i, trend) if (outcome_changes(trend) == (changed == 1) && shown < TRENDS)
        trend_row(out, trend),
        shown++;
  html_table_end(out);
  if (json_array_size(list) > shown) html(out, "<p class=\"note\">And %zu more.</p>\n", json_array_size(list) - shown);
}

/* LISTED runs at most, folded. */
static void print_all_runs(FILE *out, const json_t *runs) {
  size_t i;
  const json_t *run;
  html(out, "<details><summary>All %zu runs</summary>", json_array_size(runs));
  open_runs_table(out, "Runs, newest first");
  json_array_foreach(runs, i, run) {
    if (i == LISTED) break;
    print_run(out, run);
  }
  html_table_end(out);
  if (json_array_size(runs) > LISTED) html(out, "<p>and %zu older ones</p>", json_array_size(runs) - LISTED);
  html(out, "</details>\n");
}

/* Runs of the database as they were: stale results count here, because a run is a fact of its
 * day. */
void page_history(FILE *out, const json_t *facts) {
  const json_t *runs = json_object_get(facts, "runs");
  html(out, "<section id=\"history\"><h2>Regression history</h2>\n");
  if (!json_array_size(runs)) html(out, "<p class=\"none\">No runs yet.</p>\n");
  else {
    print_suites(out, runs);
    draw_run_charts(out, runs);
    print_trends(out, json_object_get(facts, "trends"));
    print_all_runs(out, runs);
  }
  html(out, "</section>\n");
}
