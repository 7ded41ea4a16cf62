/* SPDX-License-Identifier: Apache-2.0 */
#include "figures_draw.h"

#include <math.h>
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

static bool shown(const chart_t *c, unsigned i) {
  return c->result[i].figure->group == c->group && c->result[i].figure->column;
}

static void write_value(FILE *out, double value) {
  if (isfinite(value)) fprintf(out, " %g", value);
  else fputs(" NaN", out);
}

/* A row a workload, then the mean and the paper's; a column a figure. */
static void write_data(FILE *out, const chart_t *c) {
  fprintf(out, "$bars << END\n");
  for (unsigned w = 0; w < c->system->num_workloads; w++) {
    if (!c->workload[w]) continue;
    fprintf(out, "%s", c->system->workloads[w]);
    for (unsigned i = 0; i < c->count; i++)
      if (shown(c, i)) write_value(out, c->result[i].value[w]);
    fputc('\n', out);
  }
  fprintf(out, "mean");
  for (unsigned i = 0; i < c->count; i++)
    if (shown(c, i)) write_value(out, c->result[i].mean);
  bool compared = false;
  for (unsigned i = 0; i < c->count; i++) compared = compared || (shown(c, i) && c->result[i].paper);
  if (compared) fprintf(out, "\npaper");
  for (unsigned i = 0; i < c->count; i++)
    if (compared && shown(c, i)) fprintf(out, " %s", c->result[i].paper ? c->result[i].paper->value : "NaN");
  fprintf(out, "\nEND\n");
}

static void write_chart(FILE *out, const chart_t *c) {
  static const char *const colour[] = {"#1b5e9e", "#d95f02", "#1b9e77", "#a6267b", "#6a51a3", "#666666"};
  char text[160];
  unsigned column = 2, rows = 0;
  bool ratio = false;
  for (unsigned w = 0; w < c->system->num_workloads; w++) rows += c->workload[w];
  for (unsigned i = 0; i < c->count; i++) ratio = ratio || (shown(c, i) && c->result[i].paper && *c->result[i].paper->unit == 'x');
  fprintf(out, "set title \"%s\"\n", draw_plain(c->system->groups[c->group].title, text, sizeof text));
  fprintf(out, "set arrow 1 from %g,graph 0 to %g,graph 1 nohead dt 3 lc rgb '#909090'\n", rows - 0.5, rows - 0.5);
  if (ratio) fprintf(out, "set arrow 2 from graph 0,first 1 to graph 1,first 1 nohead lc rgb '#909090'\n");
  fprintf(out, "plot ");
  for (unsigned i = 0; i < c->count; i++) {
    if (!shown(c, i)) continue;
    const char *id = c->result[i].figure->id;
    fprintf(out, "%s$bars using %u%s title \"%s%s%s\" lc rgb '%s'", column > 2 ? ", " : "", column, column == 2 ? ":xtic(1)" : "", id ? id : "", id ? " " : "",
            draw_plain(c->result[i].figure->column, text, sizeof text), colour[(column - 2) % 6]);
    column++;
  }
  fprintf(out, "\n");
}

static bool draw_chart(const char *folder, const chart_t *c, trouble_t *trouble) {
  char place[1024];
  FILE *out = draw_open();
  if (!out) return draw_no_gnuplot(trouble);
  draw_plain(folder, place, sizeof place);
  write_data(out, c);
  for (const char *const *kind = draw_kinds; *kind; kind++) {
    draw_output(out, 1000, 420, "%s/%s-%s.%s", place, c->system->name, c->system->groups[c->group].name, *kind);
    fprintf(out, "set style data histograms\nset style histogram clustered gap 1\nset style fill solid 0.9\nset boxwidth 0.9\n"
                 "set grid y lc rgb '#dddddd'\nset yrange [*<0:*]\nset key above\nset xtics nomirror\n");
    write_chart(out, c);
  }
  return draw_close(out, trouble);
}

static const figure_result_t *column_of(const chart_t *c, const char *column) {
  for (unsigned i = 0; i < c->count; i++)
    if (shown(c, i) && !strcmp(c->result[i].figure->column, column)) return &c->result[i];
  return NULL;
}

/* One column against another; true where the group has none to draw. */
static bool draw_against(const char *folder, const chart_t *c, trouble_t *trouble) {
  const figure_system_t *s = c->system;
  const bool has = s->orders.along && s->orders.group == c->group;
  const figure_result_t *along = has ? column_of(c, s->orders.along) : NULL, *against = has ? column_of(c, s->orders.against) : NULL;
  char text[160], place[1024];
  FILE *out = along && against ? draw_open() : NULL;
  if (!along || !against) return true;
  if (!out) return draw_no_gnuplot(trouble);
  fprintf(out, "$points << END\n");
  for (unsigned w = 0; w < s->num_workloads; w++)
    if (c->workload[w] && isfinite(along->value[w]) && isfinite(against->value[w]))
      fprintf(out, "%g %g %s\n", along->value[w], against->value[w], s->workloads[w]);
  fprintf(out, "END\n");
  draw_plain(folder, place, sizeof place);
  for (const char *const *kind = draw_kinds; *kind; kind++) {
    draw_output(out, 800, 500, "%s/%s-%s-against.%s", place, s->name, s->groups[c->group].name, *kind);
    fprintf(out, "set title \"%s\"\nset grid lc rgb '#dddddd'\nset xrange [0:*]\nset yrange [0:*]\nset offsets 0,graph 0.15,graph 0.1,0\n",
            draw_plain(s->groups[c->group].title, text, sizeof text));
    fprintf(out, "set xlabel \"%s\"\n", draw_plain(s->orders.along, text, sizeof text));
    fprintf(out, "set ylabel \"%s\"\n", draw_plain(s->orders.against, text, sizeof text));
    fprintf(out, "plot $points using 1:2 with points pt 7 lc rgb '#1b5e9e' notitle, $points using 1:2:3 with labels left offset 0.7,0.3 notitle\n");
  }
  return draw_close(out, trouble);
}

bool figures_draw(const char *folder, const figure_system_t *system, const figure_result_t *result, unsigned count, const bool *workload, trouble_t *trouble) {
  bool good = true;
  for (unsigned g = 0; g < system->num_groups && good; g++) {
    chart_t chart = {system, result, count, g, workload};
    bool any = false;
    for (unsigned i = 0; i < count; i++) any = any || shown(&chart, i);
    if (any) good = draw_chart(folder, &chart, trouble) && draw_against(folder, &chart, trouble);
  }
  return good;
}
