/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `reproduce`. A group of figures is a table: a row for each workload, a column for
 * each figure that has one, then means, the paper's values and the quotient. Other figures, orders
 * and notes follow as lines.
 *
 *   PAPER paper, SECTION: TITLE
 *     workload          FIGURE    FIGURE
 *                       COLUMN    COLUMN
 *     axpy              ...
 *     mean              ...
 *     paper             ...
 *     mean / paper     *...       * marks a figure that misses the paper's
 */
#include "reproduce_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

/* Widths in characters. */
enum { COLUMNS = 100, NAME = 16, CELL = 12 };

static const char unexplained[] = "no explanation yet";

reproduce_report_t reproduce_report(const figure_runs_t *runs) {
  reproduce_report_t r = {.runs = runs, .complete = !runs->small && !runs->sets};
  for (unsigned w = 0; w < runs->system->num_workloads; w++) r.complete = r.complete && runs->workload[w];
  for (unsigned f = 0; f < runs->system->num_figures; f++)
    if (runs->figure[f]) r.result[r.count++] = figure_compute(runs->system, f, (json_t *const *)runs->result);
  return r;
}

/* How many of the workloads asked for the figure has a value of. */
static unsigned workloads_asked(const figure_runs_t *runs, const figure_t *figure) {
  unsigned count = 0;
  for (unsigned w = 0; w < runs->system->num_workloads; w++)
    count += runs->workload[w] && figure_has(figure, runs->system->workloads[w]);
  return count;
}

/* How many runs are in this state. */
static unsigned runs_in(const figure_runs_t *runs, run_state_t state) {
  unsigned count = 0;
  for (unsigned i = 0; i < runs->count; i++) count += runs->run[i].state == state;
  return count;
}

/* ---- For people ------------------------------------------------------------------------------ */

/* A paragraph after `lead`, wrapped at COLUMNS; further lines are indented. */
static void print_wrapped(FILE *out, const char *lead, unsigned indent, const char *text) {
  unsigned column = (unsigned)fprintf(out, "%s", lead);
  for (bool first = true; *text; first = false) {
    unsigned n = (unsigned)strcspn(text, " ");
    if (!first && column + n + 1 > COLUMNS) column = (unsigned)fprintf(out, "\n%*s", (int)indent, "") - 1;
    else if (!first) column += (unsigned)fprintf(out, " ");
    column += (unsigned)fprintf(out, "%.*s", (int)n, text);
    text += n + (text[n] == ' ');
  }
  fputc('\n', out);
}

/* A number of a table; "-" for none. Shares have two digits behind the point, quotients three. */
static void print_cell(FILE *out, double value, const char *unit, bool mark) {
  char text[32] = "-";
  if (!isnan(value)) snprintf(text, sizeof text, "%s%.*f", mark ? "*" : "", *unit == '%' ? 2 : 3, value);
  fprintf(out, "%*s", CELL, text);
}

/* What a row of the table shows of each figure. */
typedef double value_of_t(const figure_result_t *f);
static double mean_of(const figure_result_t *f) {
  return f->mean;
}
static double geometric_of(const figure_result_t *f) {
  return f->geometric;
}
static double paper_of(const figure_result_t *f) {
  return f->paper ? strtod(f->paper->value, NULL) : NAN;
}

static bool in_group(const reproduce_report_t *r, unsigned i, unsigned group) {
  return r->result[i].figure->group == group;
}

static bool in_table(const reproduce_report_t *r, unsigned i, unsigned group) {
  return in_group(r, i, group) && r->result[i].figure->column;
}

/* The paper's unit. Figures of no paper are quotients or per cent. */
static const char *unit_of(const figure_result_t *f) {
  if (f->paper) return f->paper->unit;
  return f->figure->kind == FIGURE_QUOTIENT && f->figure->factor != 100 ? "x" : "%";
}

/* A row under the workloads: one number for each column, as a mean or the paper's figure. */
static void print_figure_row(const reproduce_report_t *r, unsigned group, FILE *out, const char *name,
                             value_of_t *value) {
  fprintf(out, "  %-*s", NAME, name);
  for (unsigned i = 0; i < r->count; i++)
    if (in_table(r, i, group)) print_cell(out, value(&r->result[i]), unit_of(&r->result[i]), false);
  fputc('\n', out);
}

/* The group's title, with the paper and section if a figure of the group is published. */
static void print_head(const reproduce_report_t *r, unsigned group, FILE *out) {
  const figure_group_t *g = &r->runs->system->groups[group];
  const published_t *paper = NULL;
  for (unsigned i = 0; i < r->count && !paper; i++)
    if (in_group(r, i, group)) paper = r->result[i].paper;
  if (paper) fprintf(out, "%s paper, %s: %s\n", paper->paper, paper->section, g->title);
  else fprintf(out, "%s: %s\n", r->runs->system->name, g->title);
}

/* A column's head has two lines: the figure's id where the paper has one, then the column's
 * name. */
static const char *column_head(const figure_result_t *f, unsigned line) {
  if (line) return f->figure->column;
  return f->paper ? f->figure->id : "";
}

/* The two lines of the table's head. */
static void print_columns(const reproduce_report_t *r, unsigned group, FILE *out) {
  for (unsigned line = 0; line < 2; line++) {
    fprintf(out, "  %-*s", NAME, line ? "" : "workload");
    for (unsigned i = 0; i < r->count; i++)
      if (in_table(r, i, group)) fprintf(out, "%*s", CELL, column_head(&r->result[i], line));
    fputc('\n', out);
  }
}

/* A figure that is no column: "nsu-09: kmn, best static ratio vs Baseline, speedup = 63.6 %; ours
 * 12.31 %". */
static void print_line(const reproduce_report_t *r, const figure_result_t *f, FILE *out) {
  char lead[48], text[512], ours[FIGURES_LIST] = "not known";
  const published_t *p = f->paper;
  if (f->figure->kind == FIGURE_LIST && *f->list) snprintf(ours, sizeof ours, "%s", f->list);
  else if (!isnan(f->ours)) snprintf(ours, sizeof ours, "%.2f", f->ours);
  snprintf(lead, sizeof lead, "  %s%s: ", r->complete && figure_misses(f) ? "*" : "", f->figure->id);
  snprintf(text, sizeof text, "%s, %s, %s %s %s %s; ours %s", p->workload, p->configuration, p->metric, p->relation,
           p->value, p->unit, ours);
  print_wrapped(out, lead, 10, text);
}

/* The lines below a table: the group's note, figures that are no columns, missing workloads, and
 * for each miss its explanation. */
static void print_notes(const reproduce_report_t *r, unsigned group, FILE *out) {
  char lead[64];
  if (*r->runs->system->groups[group].note) print_wrapped(out, "  ", 2, r->runs->system->groups[group].note);
  for (unsigned i = 0; i < r->count; i++) {
    const figure_result_t *f = &r->result[i];
    if (!in_group(r, i, group) || !f->paper) continue;
    if (!f->figure->column) print_line(r, f, out);
    const unsigned asked = f->figure->kind == FIGURE_LIST ? 0 : workloads_asked(r->runs, f->figure);
    if (f->known < asked) fprintf(out, "  %s: %u of %u workloads have a value\n", f->figure->id, f->known, asked);
    if (!r->complete || !figure_misses(f)) continue;
    if (f->figure->column) snprintf(lead, sizeof lead, "  * %s: ", f->figure->id);
    else snprintf(lead, sizeof lead, "    ");
    print_wrapped(out, lead, 4, f->figure->reason ? f->figure->reason : unexplained);
  }
}

/* The table. The last two rows are there only if a column is published. */
static void print_table(const reproduce_report_t *r, unsigned group, FILE *out) {
  const figure_system_t *s = r->runs->system;
  bool compared = false;
  print_columns(r, group, out);
  for (unsigned w = 0; w < s->num_workloads; w++) {
    if (!r->runs->workload[w]) continue;
    fprintf(out, "  %-*s", NAME, s->workloads[w]);
    for (unsigned i = 0; i < r->count; i++)
      if (in_table(r, i, group)) print_cell(out, r->result[i].value[w], unit_of(&r->result[i]), false);
    fputc('\n', out);
  }
  print_figure_row(r, group, out, "mean", mean_of);
  print_figure_row(r, group, out, "geometric mean", geometric_of);
  for (unsigned i = 0; i < r->count; i++) compared = compared || (in_table(r, i, group) && r->result[i].paper);
  if (!compared) return;
  print_figure_row(r, group, out, "paper", paper_of);
  fprintf(out, "  %-*s", NAME, "mean / paper");
  for (unsigned i = 0; i < r->count; i++)
    if (in_table(r, i, group)) print_cell(out, r->result[i].ratio, "x", r->complete && figure_misses(&r->result[i]));
  fputc('\n', out);
}

/* ---- The order of workloads by one column beside that by another ---- */

/* NULL: the group has no such column, or it was not asked for. */
static const figure_result_t *column_of(const reproduce_report_t *r, unsigned group, const char *column) {
  for (unsigned i = 0; i < r->count; i++)
    if (in_table(r, i, group) && !strcmp(r->result[i].figure->column, column)) return &r->result[i];
  return NULL;
}

/* A rank order: "by speed: axpy > knn > pr". */
static void print_order(const figure_result_t *f, const unsigned *order, unsigned count, const char *const *names,
                        FILE *out) {
  char lead[32], text[512] = "";
  for (unsigned i = 0; i < count; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " > " : "", names[order[i]]);
  snprintf(lead, sizeof lead, "  by %s: ", f->figure->column);
  print_wrapped(out, lead, 4, text);
}

/* The order of workloads by one column, beside that by another, for the group that has orders. */
static void print_orders(const reproduce_report_t *r, unsigned group, FILE *out) {
  const figure_system_t *s = r->runs->system;
  const bool has = s->orders.along && s->orders.group == group;
  const figure_result_t *along = has ? column_of(r, group, s->orders.along) : NULL,
                        *against = has ? column_of(r, group, s->orders.against) : NULL;
  unsigned order[2][FIGURES_WORKLOADS];
  double correlation;
  const unsigned count = along && against ? figure_orders(along, against, s->num_workloads, order, &correlation) : 0;
  if (!count) return;
  print_order(against, order[1], count, s->workloads, out);
  print_order(along, order[0], count, s->workloads, out);
  if (count > 2) fprintf(out, "  rank correlation %.2f of %u workloads\n", correlation, count);
}

/* A group of figures that stand together in the paper: head, table, orders, notes. Figures without
 * a column have notes alone. */
static void print_group(const reproduce_report_t *r, unsigned group, FILE *out) {
  bool table = false;
  for (unsigned i = 0; i < r->count; i++) table = table || in_table(r, i, group);
  print_head(r, group, out);
  if (table) print_table(r, group, out);
  print_orders(r, group, out);
  print_notes(r, group, out);
  fputc('\n', out);
}

/* The command and error of each run that failed. */
static void print_failures(const reproduce_report_t *r, FILE *out) {
  for (unsigned i = 0; i < r->runs->count; i++) {
    const figure_run_t *run = &r->runs->run[i];
    if (run->state != RUN_FAILED) continue;
    char *command = figure_run_command(run);
    fprintf(out, "FAILED  %s\n        %s\n", command ? command : "", run->error ? run->error : "");
    free(command);
  }
}

/* The run's result, or NULL: there is none. */
static const json_t *result_of(const figure_runs_t *runs, const figure_run_t *run) {
  return runs->result[run->workload * runs->system->num_configurations + run->configuration];
}

/* Is the name one of the list "a, b, c"? */
static bool is_commit_listed(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (const char *p = list; (p = strstr(p, name)); p += length)
    if ((p == list || p[-1] == ' ') && (!p[length] || p[length] == ',')) return true;
  return false;
}

/* "3 of the results are rows of nsu.csv, made by 1234, 1234+": results from a file may be of other
 * programs. */
static void print_rows(const reproduce_report_t *r, FILE *out) {
  const figure_runs_t *runs = r->runs;
  char text[1024], commits[512] = "";
  unsigned count = 0;
  for (unsigned i = 0; runs->rows && i < runs->count; i++) {
    const json_t *result = result_of(runs, &runs->run[i]);
    if (!json_object_get(result, FIGURE_ROW)) continue;
    const char *commit = json_string_value(json_object_get(result, "commit"));
    const size_t n = strlen(commits);
    count++;
    if (!is_commit_listed(commits, commit)) snprintf(commits + n, sizeof commits - n, "%s%s", n ? ", " : "", commit);
  }
  if (!count) return;
  snprintf(text, sizeof text, "%u of the results are rows of %s, made by %s", count, runs->rows->path, commits);
  print_wrapped(out, "", 0, text);
}

/* The sums. Only a complete report is compared with the paper as a whole. */
static void print_end(const reproduce_report_t *r, FILE *out) {
  char seconds[32], text[256];
  unsigned near_enough = 0, explained = 0, misses = 0, papers = 0, kept = runs_in(r->runs, RUN_KEPT),
           all = r->runs->count;
  bool gains = false;
  for (unsigned i = 0; i < r->count; i++) {
    bool miss = figure_misses(&r->result[i]);
    papers += r->result[i].paper != NULL;
    gains = gains || r->result[i].figure->kind == FIGURE_GAIN;
    misses += miss;
    explained += miss && r->result[i].figure->reason;
    near_enough += !miss && r->result[i].paper && r->result[i].known;
  }
  snprintf(text, sizeof text, "%u of %u figures within %.0f %% of the paper's%s; of the others %u explained, %u not",
           near_enough, papers, 100 * r->runs->system->tolerance,
           gains ? " (speed-ups as quotients, within 5 %)" : " (arithmetic mean)", explained, misses - explained);
  if (r->complete && papers) print_wrapped(out, "", 0, text);
  else if (papers)
    print_wrapped(
        out, "", 0,
        "Not the paper's comparison: that is all workloads at full scale, with nothing set; the means are of these "
        "runs.");
  fprintf(out, "%u of %u runs done", r->runs->done - runs_in(r->runs, RUN_FAILED), all);
  if (kept) fprintf(out, " (%u of them earlier)", kept);
  fprintf(out, ", %u failed; %s s\n", runs_in(r->runs, RUN_FAILED), number_text((uint64_t)(r->seconds + 0.5), seconds));
  print_rows(r, out);
}

void reproduce_report_print(const reproduce_report_t *r, FILE *out) {
  for (unsigned g = 0; g < r->runs->system->num_groups; g++) {
    bool any = false;
    for (unsigned i = 0; i < r->count; i++) any = any || in_group(r, i, g);
    if (any) print_group(r, g, out);
  }
  print_failures(r, out);
  print_end(r, out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* A number; null when it is not known. */
static json_t *json_finite(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

/* A line of the published figures as it stands in their file; numbers stay text. */
static json_t *json_paper(const published_t *p) {
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "id", p->id, "system", p->system, "paper",
                   p->paper, "section", p->section, "workload", p->workload, "configuration", p->configuration,
                   "metric", p->metric, "relation", p->relation, "value", p->value, "unit", p->unit);
}

/* Adds to `figure` its value for each workload that was asked for, and its means. */
static void json_values(const reproduce_report_t *r, const figure_result_t *f, json_t *figure) {
  const figure_system_t *s = r->runs->system;
  json_t *values = json_object();
  for (unsigned w = 0; w < s->num_workloads; w++)
    if (r->runs->workload[w]) json_object_set_new(values, s->workloads[w], json_finite(f->value[w]));
  json_object_set_new(figure, "group", json_string(s->groups[f->figure->group].name));
  json_object_set_new(figure, "values", values);
  json_object_set_new(figure, "mean", json_finite(f->mean));
  json_object_set_new(figure, "geometric_mean", json_finite(f->geometric));
}

/* A figure that no paper publishes. */
static json_t *json_column(const reproduce_report_t *r, const figure_result_t *f) {
  json_t *column = json_pack("{s:s}", "column", f->figure->column);
  json_values(r, f, column);
  return column;
}

/* A published figure beside ours. */
static json_t *json_figure(const reproduce_report_t *r, const figure_result_t *f) {
  static const char *const compared[] = {"mean", "largest", "smallest", "farthest"};
  const bool list = f->figure->kind == FIGURE_LIST, miss = r->complete && figure_misses(f);
  json_t *figure = json_paper(f->paper);
  json_values(r, f, figure);
  json_object_set_new(figure, "compared", json_string(list ? "list" : compared[f->figure->compared]));
  json_object_set_new(figure, "ours", list && *f->list ? json_string(f->list) : json_finite(list ? NAN : f->ours));
  json_object_set_new(figure, "ratio", json_finite(f->ratio));
  json_object_set_new(figure, "misses", json_boolean(miss));
  if (miss)
    json_object_set_new(figure, "explanation", f->figure->reason ? json_string(f->figure->reason) : json_null());
  return figure;
}

/* A run: its command, how it ended, and the counts that say what was simulated. */
static json_t *json_run(const figure_runs_t *runs, const figure_run_t *run) {
  static const char *const states[] = {"not run", "run", "earlier", "failed"};
  const json_t *result = result_of(runs, run);
  char *command = figure_run_command(run);
  json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:f}", "workload", runs->system->workloads[run->workload],
                             "configuration", runs->system->configurations[run->configuration].name, "command",
                             command ? command : "", "state", states[run->state], "seconds", run->seconds);
  free(command);
  if (run->error) json_object_set_new(object, "error", json_string(run->error));
  static const char *const kept[] = {"commit",    "cycles",      "warp_instructions",
                                     "result_ok", "cpu_seconds", "peak_rss_bytes"};
  for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
    if (json_object_get(result, kept[i])) json_object_set(object, kept[i], json_object_get(result, kept[i]));
  return object;
}

/* A configuration's system and the settings that make it. */
static json_t *json_configuration(const figure_configuration_t *c) {
  json_t *settings = json_array();
  for (unsigned i = 0; i < FIGURES_SETTINGS && c->set[i]; i++) json_array_append_new(settings, json_string(c->set[i]));
  return json_pack("{s:s, s:s, s:s, s:o}", "name", c->name, "text", c->text, "system", c->system, "set", settings);
}

json_t *reproduce_report_json(const reproduce_report_t *r, json_t *root) {
  const figure_system_t *s = r->runs->system;
  json_t *figures = json_array(), *columns = json_array(), *runs = json_array(), *configurations = json_array();
  for (unsigned i = 0; i < r->count; i++)
    if (r->result[i].paper) json_array_append_new(figures, json_figure(r, &r->result[i]));
    else json_array_append_new(columns, json_column(r, &r->result[i]));
  for (unsigned i = 0; i < r->runs->count; i++) json_array_append_new(runs, json_run(r->runs, &r->runs->run[i]));
  for (unsigned c = 0; c < s->num_configurations; c++)
    json_array_append_new(configurations, json_configuration(&s->configurations[c]));
  json_object_set_new(root, "system", json_string(s->name));
  json_object_set_new(root, "scale", json_string(r->runs->small ? "small" : "full"));
  json_object_set_new(root, "complete", json_boolean(r->complete));
  json_object_set_new(root, "jobs", json_integer(r->runs->jobs));
  json_object_set_new(root, "seconds", json_real(r->seconds));
  json_object_set_new(root, "figures", figures);
  json_object_set_new(root, "columns", columns);
  json_object_set_new(root, "configurations", configurations);
  json_object_set_new(root, "runs", runs);
  return root;
}

/* ---- What there is --------------------------------------------------------------------------- */

const char *reproduce_why_not(const published_t *figure) {
  const figure_system_t *s = figure_system(figure->system);
  if (*figure->why_not) return figure->why_not;
  return s && figure_index(s, figure->id) >= 0 ? NULL : "its runs are not listed yet";
}

/* A published figure, and why it cannot be run. The reason is left out when the whole system has
 * none. */
static void print_published(FILE *out, const published_t *p) {
  char lead[96], text[512], value[48];
  /* the system's line says the rest */
  const char *why_not = figure_system(p->system) || *p->why_not ? reproduce_why_not(p) : NULL;
  snprintf(value, sizeof value, "%s %s %s", p->relation, p->value, p->unit);
  snprintf(lead, sizeof lead, "  %-9s %-20s ", p->id, value);
  snprintf(text, sizeof text, "%s, %s, %s: %s%s%s%s%s%s", p->section, p->workload, p->configuration, p->metric,
           *p->note ? " (" : "", p->note, *p->note ? ")" : "", why_not ? "; not run: " : "", why_not ? why_not : "");
  print_wrapped(out, lead, 33, text);
}

/* The heading of a system's figures: how many there are, how many can be run. */
static void print_system(FILE *out, unsigned first) {
  unsigned figures = 0, can = 0;
  const char *system = published[first].system;
  for (unsigned i = first; i < published_count; i++) {
    if (strcmp(published[i].system, system)) continue;
    figures++;
    can += !reproduce_why_not(&published[i]);
  }
  fprintf(out, "%s (%s paper): %u figures, ", system, published[first].paper, figures);
  if (can) fprintf(out, "%u of them by `lockstack reproduce %s`\n", can, system);
  else fprintf(out, "none can be run yet\n");
}

void reproduce_list_print(FILE *out) {
  for (unsigned i = 0; i < published_count; i++) {
    if (i == 0 || strcmp(published[i].system, published[i - 1].system)) {
      if (i) fputc('\n', out);
      print_system(out, i);
    }
    print_published(out, &published[i]);
  }
  for (const figure_system_t *const *s = figure_systems; *s; s++)
    if (!published_system((*s)->name))
      fprintf(out, "\n%s (of no paper): %u tables, by `lockstack reproduce %s`\n", (*s)->name, (*s)->num_groups,
              (*s)->name);
}

json_t *reproduce_list_json(json_t *root) {
  json_t *list = json_array();
  for (unsigned i = 0; i < published_count; i++) {
    const char *why_not = reproduce_why_not(&published[i]);
    json_t *figure = json_paper(&published[i]);
    json_object_set_new(figure, "note", json_string(published[i].note));
    json_object_set_new(figure, "not_run", why_not ? json_string(why_not) : json_null());
    json_array_append_new(list, figure);
  }
  json_object_set_new(root, "published", list);
  return root;
}
