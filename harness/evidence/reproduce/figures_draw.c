/* SPDX-License-Identifier: Apache-2.0
 *
 * Data go to gnuplot as blocks in its script. NaN is a value that is not known. A chart has a
 * row for each workload, and three columns for each figure: the value and the ends of its error
 * bar.
 *
 *    $bars << END
 *    vadd   1.21 1.19 1.24   0.97 0.97 0.97
 *    mean   1.21 1.21 1.21   0.97 0.97 0.97
 *    paper  1.30 1.30 1.30   NaN  NaN  NaN
 *    END
 */
#include "figures_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

bool figures_draw_check(const char *folder, trouble_t *trouble) {
  return draw_check(folder, trouble);
}

typedef struct {
  const figure_system_t *system;
  const figure_result_t *result;
  unsigned count, group;
  const bool *workload;
} chart_t;

/* Figures without a column are lines below the table, not bars. */
static bool is_column_shown(const chart_t *c, unsigned i) {
  return c->result[i].figure->group == c->group && c->result[i].figure->column;
}

/* Runs may not have been made, so only columns with a value are drawn. A chart of parts draws
 * its parts alone: a part that another column repeats would make the whole too large. */
static bool is_drawn(const chart_t *c, unsigned i) {
  const char *parts = c->system->groups[c->group].parts, *column = c->result[i].figure->column;
  if (!is_column_shown(c, i) || !c->result[i].known) return false;
  if (!parts) return true;
  const size_t n = strlen(column);
  for (const char *p = parts; (p = strstr(p, column)); p += n)
    if ((p == parts || p[-1] == ' ') && (!p[n] || p[n] == ' ')) return true;
  return false;
}

/* Does one of the chart's figures cover this workload? */
static bool has_row(const chart_t *c, unsigned w) {
  for (unsigned i = 0; c->workload[w] && i < c->count; i++)
    if (is_drawn(c, i) && figure_has(c->result[i].figure, c->system->workloads[w])) return true;
  return false;
}

/* Are there error bars to draw? */
static bool any_spread(const chart_t *c) {
  for (unsigned i = 0; i < c->count; i++)
    for (unsigned w = 0; is_drawn(c, i) && w < c->system->num_workloads; w++)
      if (isfinite(c->result[i].least[w]) && isfinite(c->result[i].most[w])) return true;
  return false;
}

static void write_value(FILE *out, double value) {
  if (isfinite(value)) fprintf(out, " %g", value);
  else fputs(" NaN", out);
}

/* A value with the ends of its error bar, which are the value itself without seeds. */
static void write_bar(FILE *out, double value, double least, double most) {
  write_value(out, value);
  write_value(out, isfinite(least) ? least : value);
  write_value(out, isfinite(most) ? most : value);
}

/* A row for each workload, then the mean and the paper's value. Each figure has three columns. */
static void write_data(FILE *out, const chart_t *c) {
  bool compared = false;
  fprintf(out, "$bars << END\n");
  for (unsigned w = 0; w < c->system->num_workloads; w++) {
    if (!has_row(c, w)) continue;
    fprintf(out, "%s", c->system->workloads[w]);
    for (unsigned i = 0; i < c->count; i++)
      if (is_drawn(c, i)) write_bar(out, c->result[i].value[w], c->result[i].least[w], c->result[i].most[w]);
    fputc('\n', out);
  }
  fprintf(out, "mean");
  for (unsigned i = 0; i < c->count; i++) {
    if (is_drawn(c, i)) write_bar(out, c->result[i].mean, NAN, NAN);
    compared = compared || (is_drawn(c, i) && c->result[i].paper);
  }
  if (compared) fprintf(out, "\npaper");
  for (unsigned i = 0; i < c->count && compared; i++)
    if (is_drawn(c, i)) write_bar(out, c->result[i].paper ? strtod(c->result[i].paper->value, NULL) : NAN, NAN, NAN);
  fprintf(out, "\nEND\n");
}

/* The last part of a group's title says what is on the axis: "% of a workload's energy". */
static const char *axis_of(const char *title) {
  const char *colon = strstr(title, ": "), *comma = strstr(title, ", %");
  if (colon) return colon + 2;
  return comma && comma[3] ? comma + 2 : title;
}

/* Parts of a whole are stacked; other columns stand side by side, with error bars if there are
 * seeds. */
static void write_style(FILE *out, const chart_t *c) {
  const bool parts = c->system->groups[c->group].parts != NULL;
  const char *histogram = any_spread(c) ? "errorbars gap 1 lw 1.2" : "clustered gap 1";
  if (parts) histogram = "rowstacked";
  fprintf(out, "set style data histograms\nset style fill solid 0.9\nset boxwidth 0.9\nset style histogram %s\n",
          histogram);
  if (parts) fprintf(out, "set boxwidth 0.7\n");
  fprintf(out, "set grid y lc rgb '#dddddd'\nset yrange [*<0:*]\nset key above\nset xtics nomirror rotate by -30\n");
}

/* A line separates workloads from means. Quotients have a line at 1. */
static void write_chart(FILE *out, const chart_t *c) {
  const figure_group_t *group = &c->system->groups[c->group];
  const bool bars = any_spread(c) && !group->parts;
  char text[160];
  unsigned bar = 0, rows = 0;
  bool ratio = false;
  for (unsigned w = 0; w < c->system->num_workloads; w++) rows += has_row(c, w);
  for (unsigned i = 0; i < c->count; i++)
    ratio = ratio || (is_drawn(c, i) && c->result[i].paper && *c->result[i].paper->unit == 'x');
  fprintf(out, "set key title \"%s%s\"\n", draw_plain(group->title, text, sizeof text),
          bars ? "; bars: least and most over seeds" : "");
  fprintf(out, "set ylabel \"%s\"\n", draw_plain(axis_of(group->title), text, sizeof text));
  fprintf(out, "set arrow 1 from %g,graph 0 to %g,graph 1 nohead dt 3 lc rgb '#909090'\n", rows - 0.5, rows - 0.5);
  if (ratio) fprintf(out, "set arrow 2 from graph 0,first 1 to graph 1,first 1 nohead lc rgb '#909090'\n");
  fprintf(out, "plot ");
  for (unsigned i = 0; i < c->count; i++) {
    if (!is_drawn(c, i)) continue;
    const char *id = c->result[i].figure->id;
    const unsigned column = 2 + 3 * bar;
    fprintf(out, "%s$bars using %u", bar ? ", " : "", column);
    if (bars) fprintf(out, ":%u:%u", column + 1, column + 2);
    fprintf(out, "%s title \"%s%s%s\" lc rgb '%s'", bar ? "" : ":xtic(1)", id ? id : "", id ? " " : "",
            draw_plain(c->result[i].figure->column, text, sizeof text), draw_colour(bar));
    bar++;
  }
  fprintf(out, "\n");
}

/* Writes all columns of the group as CSV, also those that are not drawn. */
static void write_table(FILE *out, const void *context) {
  const chart_t *c = context;
  fprintf(out, "figure,column,workload,value,least,most\n");
  for (unsigned i = 0; i < c->count; i++) {
    const figure_result_t *r = &c->result[i];
    const char *id = r->figure->id ? r->figure->id : "";
    for (unsigned w = 0; is_column_shown(c, i) && w < c->system->num_workloads; w++)
      if (c->workload[w] && isfinite(r->value[w])) {
        fprintf(out, "%s,\"%s\",%s,%.8g,", id, r->figure->column, c->system->workloads[w], r->value[w]);
        if (isfinite(r->least[w])) fprintf(out, "%.8g", r->least[w]);
        fputc(',', out);
        if (isfinite(r->most[w])) fprintf(out, "%.8g", r->most[w]);
        fputc('\n', out);
      }
    if (is_column_shown(c, i) && isfinite(r->mean))
      fprintf(out, "%s,\"%s\",mean,%.8g,,\n", id, r->figure->column, r->mean);
    if (is_column_shown(c, i) && r->paper)
      fprintf(out, "%s,\"%s\",paper,%s,,\n", id, r->figure->column, r->paper->value);
  }
}

/* A picture of each kind (draw.h), and the same numbers as CSV. */
static bool draw_chart(const char *folder, const chart_t *c, trouble_t *trouble) {
  char place[1024], name[96];
  FILE *out = draw_open();
  if (!out) return draw_no_gnuplot(trouble);
  draw_plain(folder, place, sizeof place);
  snprintf(name, sizeof name, "%s-%s", c->system->name, c->system->groups[c->group].name);
  write_data(out, c);
  for (const char *const *kind = draw_kinds; *kind; kind++) {
    draw_output(out, 1000, 460, "%s/%s.%s", place, name, *kind);
    write_style(out, c);
    write_chart(out, c);
  }
  return draw_close(out, trouble) && draw_csv(folder, name, write_table, c, trouble);
}

/* NULL: the group has no such column. */
static const figure_result_t *column_of(const chart_t *c, const char *column) {
  for (unsigned i = 0; i < c->count; i++)
    if (is_column_shown(c, i) && !strcmp(c->result[i].figure->column, column)) return &c->result[i];
  return NULL;
}

/* Workloads with a value in both columns. */
static unsigned points_of(const chart_t *c, const figure_result_t *along, const figure_result_t *against) {
  unsigned points = 0;
  for (unsigned w = 0; w < c->system->num_workloads; w++)
    points += c->workload[w] && isfinite(along->value[w]) && isfinite(against->value[w]);
  return points;
}

/* True also where the group has nothing to compare. */
static bool draw_against(const char *folder, const chart_t *c, trouble_t *trouble) {
  const figure_system_t *s = c->system;
  const bool has = s->orders.along && s->orders.group == c->group;
  const figure_result_t *along = has ? column_of(c, s->orders.along) : NULL,
                        *against = has ? column_of(c, s->orders.against) : NULL;
  char text[160], place[1024];
  if (!along || !against || !points_of(c, along, against)) return true;
  FILE *out = draw_open();
  if (!out) return draw_no_gnuplot(trouble);
  fprintf(out, "$points << END\n");
  for (unsigned w = 0; w < s->num_workloads; w++)
    if (c->workload[w] && isfinite(along->value[w]) && isfinite(against->value[w]))
      fprintf(out, "%g %g %s\n", along->value[w], against->value[w], s->workloads[w]);
  fprintf(out, "END\n");
  draw_plain(folder, place, sizeof place);
  for (const char *const *kind = draw_kinds; *kind; kind++) {
    draw_output(out, 800, 500, "%s/%s-%s-against.%s", place, s->name, s->groups[c->group].name, *kind);
    fprintf(out,
            "set title \"%s\"\nset grid lc rgb '#dddddd'\nset xrange [0:*]\nset yrange [0:*]\n"
            "set offsets 0,graph 0.15,graph 0.1,0\n",
            draw_plain(s->groups[c->group].title, text, sizeof text));
    fprintf(out, "set xlabel \"%s\"\n", draw_plain(s->orders.along, text, sizeof text));
    fprintf(out, "set ylabel \"%s\"\n", draw_plain(s->orders.against, text, sizeof text));
    fprintf(out,
            "plot $points using 1:2 with points pt 7 lc rgb '#1b5e9e' notitle, $points using 1:2:3 with labels left "
            "offset 0.7,0.3 notitle\n");
  }
  return draw_close(out, trouble);
}

/* A group without a single value has no picture, and *drawings does not count it. */
bool figures_draw(const char *folder, const figure_system_t *system, const figure_result_t *result, unsigned count,
                  const bool *workload, unsigned *drawings, trouble_t *trouble) {
  bool good = true;
  *drawings = 0;
  for (unsigned g = 0; g < system->num_groups && good; g++) {
    chart_t chart = {system, result, count, g, workload};
    bool any = false;
    for (unsigned i = 0; i < count; i++) any = any || is_drawn(&chart, i);
    if (any) good = draw_chart(folder, &chart, trouble) && draw_against(folder, &chart, trouble);
    *drawings += any;
  }
  return good;
}
