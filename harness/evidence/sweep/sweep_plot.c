/* SPDX-License-Identifier: Apache-2.0
 *
 * The script of gnuplot has two blocks of data for each metric m and curve c: $s<m>_<c> with
 * place, mean, least and most, and $u<m>_<c> with the points that are not stable.
 */
#include "sweep_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "process.h"

enum { WIDTH = 760, PANEL = 380, LABEL = 160 };

typedef struct {
  const sweep_t *s;
  unsigned x;     /* the axis along x; 0 without axes */
  double *number; /* its values; NULL: they are words */
  const char *unit;
  unsigned curves;
  FILE *out;
} plot_t;

bool sweep_plot_named(const char *path) {
  return draw_kind(path) != NULL;
}

/* The numeric axis with most values, else the first axis. */
static unsigned axis_along(const sweep_t *s) {
  const char *unit;
  unsigned along = 0, most = 1;
  for (unsigned a = 0; a < s->axes; a++)
    if (s->axis[a].values > most && sweep_numbers(&s->axis[a], NULL, &unit)) along = a, most = s->axis[a].values;
  return along;
}

/* Combinations of the axes that are not along x. */
static unsigned curves_of(const sweep_t *s, unsigned x) {
  return s->axes ? s->points / s->axis[x].values : 1;
}

/* More than SWEEP_CURVES curves cannot be told apart. */
bool sweep_plot_check(const sweep_t *s, trouble_t *trouble) {
  const unsigned curves = curves_of(s, axis_along(s));
  if (curves > SWEEP_CURVES)
    return trouble_set(trouble, TROUBLE_INPUT, "--plot: %u curves are too many for a picture; at most %d", curves,
                       SWEEP_CURVES);
  return process_there("gnuplot") ||
         trouble_set(trouble, TROUBLE_ENVIRONMENT, "gnuplot is missing: apt-get install gnuplot-nox");
}

/* ---- which point is where ---- */

/* The point of curve c at place i along x. The other axes are the digits of c. */
static unsigned point_at(const plot_t *p, unsigned c, unsigned i) {
  const sweep_t *s = p->s;
  unsigned point = 0, digit[SWEEP_AXES];
  for (unsigned a = s->axes; a-- > 0;) {
    digit[a] = a == p->x ? i : c % s->axis[a].values;
    if (a != p->x) c /= s->axis[a].values;
  }
  for (unsigned a = 0; a < s->axes; a++) point = point * s->axis[a].values + digit[a];
  return point;
}

static unsigned count_places(const plot_t *p) {
  return p->s->axes ? p->s->axis[p->x].values : 1;
}

/* "policy crit, vcs 4": the settings that tell curves apart. Returns text. */
static const char *curve_name(const plot_t *p, unsigned c, char text[LABEL]) {
  const sweep_t *s = p->s;
  char plain[LABEL];
  size_t used = 0;
  *text = 0;
  for (unsigned a = 0; a < s->axes && used < LABEL; a++)
    if (a != p->x && s->axis[a].values > 1)
      used += (size_t)snprintf(text + used, LABEL - used, "%s%s %s", used ? ", " : "", s->axis[a].name,
                               sweep_value(s, point_at(p, c, 0), a));
  snprintf(plain, sizeof plain, "%s", text);
  draw_plain(plain, text, LABEL);
  return text;
}

/* ---- data ---- */

/* The top of a latency's axis: a network that is not stable has a latency that grows with time.
 * Infinite: no limit. */
static double picture_top(const plot_t *p, unsigned m) {
  double least = HUGE_VAL, most = 0;
  bool unstable = false;
  for (unsigned i = 0; i < p->s->points; i++) {
    const sweep_spread_t v = sweep_spread(p->s, i, m);
    if (!v.count) continue;
    least = fmin(least, v.least);
    if (v.unstable) unstable = true;
    else most = fmax(most, v.most);
  }
  if (!unstable || strncmp(p->s->metric[m].name, "latency", 7) || !isfinite(least)) return HUGE_VAL;
  return fmin(8 * least, fmax(1.5 * most, 3 * least));
}

/* Rows of place, mean, least, most. A curve of latency ends where it leaves the picture. */
static void write_curve(const plot_t *p, unsigned m, unsigned c, double top) {
  bool over = false;
  fprintf(p->out, "$s%u_%u << END\n", m, c);
  for (unsigned i = 0; i < count_places(p); i++) {
    const sweep_spread_t v = sweep_spread(p->s, point_at(p, c, i), m);
    const double x = p->number ? p->number[i] : i;
    if (!v.count || (over && v.unstable)) fprintf(p->out, "%.10g NaN NaN NaN\n", x);
    else fprintf(p->out, "%.10g %.10g %.10g %.10g\n", x, fmin(v.mean, top), fmin(v.least, top), fmin(v.most, top));
    over = isfinite(top) && v.unstable;
  }
  fprintf(p->out, "END\n");
}

/* Points where the network is not stable. */
static void write_unstable(const plot_t *p, unsigned m, unsigned c, double top) {
  fprintf(p->out, "$u%u_%u << END\n", m, c);
  for (unsigned i = 0; i < count_places(p); i++) {
    const sweep_spread_t v = sweep_spread(p->s, point_at(p, c, i), m);
    if (v.unstable) fprintf(p->out, "%.10g %.10g\n", p->number ? p->number[i] : i, fmin(v.mean, top));
  }
  fprintf(p->out, "END\n");
}

/* ---- one panel ---- */

/* The factor between neighbours, if it is the same everywhere: the axis is then logarithmic. 0:
 * it is not. */
static double factor_of(const plot_t *p) {
  const unsigned n = count_places(p);
  if (!p->number || n < 4 || p->number[0] <= 0) return 0;
  const double factor = p->number[1] / p->number[0];
  for (unsigned i = 1; i < n; i++)
    if (!(p->number[i] > 0) || fabs(p->number[i] / p->number[i - 1] / factor - 1) > 0.01) return 0;
  return factor > 1.5 ? factor : 0;
}

/* What a verb's option is called at an axis, with its unit; else its name. */
static const char *label_of(const sweep_t *s, const char *name) {
  static const char *const known[][3] = {{"network", "rate", "rate: offered load, flits per terminal and cycle"},
                                         {"network", "depth", "depth of a virtual channel, flits"},
                                         {"network", "vcs", "virtual channels a port"},
                                         {"memory", "outstanding", "outstanding requests"},
                                         {"memory", "reads", "share of reads"}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(known[i][0], s->verb) && !strcmp(known[i][1], name)) return known[i][2];
  return name;
}

/* Words, and values with a common factor, get a tick each. */
static void write_x(const plot_t *p) {
  char text[LABEL];
  const double factor = factor_of(p);
  if (!p->s->axes) {
    fprintf(p->out, "set xlabel ''\nset xtics ('' 0)\nset xrange [-1:1]\n");
    return;
  }
  const sweep_axis_t *axis = &p->s->axis[p->x];
  fprintf(p->out, "set xlabel \"%s%s%s\"\n", draw_plain(label_of(p->s, axis->name), text, sizeof text),
          *p->unit ? ", " : "", p->unit + (*p->unit == ' '));
  if (factor > 0)
    fprintf(p->out, "set logscale x %.6g\nset xrange [%.6g:%.6g]\n", factor, p->number[0] / sqrt(sqrt(factor)),
            p->number[axis->values - 1] * sqrt(sqrt(factor)));
  if (factor > 0 || !p->number) {
    fprintf(p->out, "set xtics nomirror%s (", !p->number && axis->values > 8 ? " rotate by -35" : "");
    for (unsigned i = 0; i < axis->values; i++)
      fprintf(p->out, "%s\"%s\" %.10g", i ? ", " : "", draw_plain(axis->value[i], text, sizeof text),
              p->number ? p->number[i] : i);
    fprintf(p->out, ")\n");
  }
  if (!p->number) fprintf(p->out, "set xrange [-0.6:%g]\n", axis->values - 0.4);
  else if (factor <= 0) fprintf(p->out, "set offsets graph 0.02,graph 0.02,0,0\n");
}

/* From 0, unless a value is negative or latency has a top. */
static void write_y(const plot_t *p, unsigned m, double top) {
  const sweep_metric_t *metric = &p->s->metric[m];
  char text[LABEL];
  bool negative = false;
  for (unsigned i = 0; i < p->s->points; i++) negative = negative || sweep_spread(p->s, i, m).least < 0;
  const char *name = *metric->text && strlen(metric->text) < 60 ? metric->text : metric->name,
             *unit = strcmp(metric->unit, name) ? metric->unit : "";
  fprintf(p->out, "set ylabel \"%s%s%s\"\n", draw_plain(name, text, sizeof text),
          *unit && !strstr(name, unit) ? ", " : "", strstr(name, unit) ? "" : unit);
  if (isfinite(top)) fprintf(p->out, "set yrange [0:%.6g]\n", 1.03 * top);
  else fprintf(p->out, "set yrange [%s:*]\n", negative ? "*" : "0");
}

/* From the least value to the most. */
static void write_bar(const plot_t *p, unsigned m, unsigned c, double aside, const char *of) {
  fprintf(p->out,
          ", $s%u_%u using ($1+%.6g):3:(0):($4-$3) with vectors heads size graph 0.006,90 lw 1.3 lc rgb '%s' notitle",
          m, c, aside, of);
}

/* Curves with marks. Unstable points are open triangles at their place, or at the edge of the
 * picture. */
static void plot_curves(const plot_t *p, unsigned m, bool key) {
  const bool bars = p->s->seeds > 1;
  char text[LABEL];
  bool unstable = false;
  fprintf(p->out, "plot ");
  for (unsigned c = 0; c < p->curves; c++) {
    const char *name = curve_name(p, c, text);
    fprintf(p->out, "%s$s%u_%u using 1:2 with linespoints lw 2 pt %d ps 0.7 lc rgb '%s' ", c ? ", " : "", m, c,
            draw_mark(c), draw_colour(c));
    if (key && *name) fprintf(p->out, "title \"%s\"", name);
    else fprintf(p->out, "notitle");
    if (bars) write_bar(p, m, c, 0, draw_colour(c));
    for (unsigned i = 0; i < count_places(p); i++)
      unstable = unstable || sweep_spread(p->s, point_at(p, c, i), m).unstable;
  }
  for (unsigned c = 0; c < p->curves && unstable; c++) {
    bool any = false;
    for (unsigned i = 0; i < count_places(p); i++) any = any || sweep_spread(p->s, point_at(p, c, i), m).unstable;
    if (any)
      fprintf(p->out, ", $u%u_%u using 1:2 with points pt 8 ps 1.3 lw 1.5 lc rgb '%s' notitle", m, c, draw_colour(c));
  }
  if (unstable && key)
    fprintf(p->out, ", keyentry with points pt 8 ps 1.3 lw 1.5 lc rgb '#404040' title 'saturated: not stable'");
  fprintf(p->out, "\n");
}

/* Bars side by side at each place, as wide as there is room. */
static void plot_bars(const plot_t *p, unsigned m, bool key) {
  const double width = 0.8 / p->curves;
  char text[LABEL];
  fprintf(p->out, "set style fill solid 0.9\nset boxwidth %.6g\nplot ", 0.94 * width);
  for (unsigned c = 0; c < p->curves; c++) {
    const double aside = (c + 0.5) * width - 0.4;
    const char *name = curve_name(p, c, text);
    fprintf(p->out, "%s$s%u_%u using ($1+%.6g):2 with boxes lc rgb '%s' ", c ? ", " : "", m, c, aside, draw_colour(c));
    if (key && *name) fprintf(p->out, "title \"%s\"", name);
    else fprintf(p->out, "notitle");
    if (p->s->seeds > 1) write_bar(p, m, c, aside, "#202020");
  }
  fprintf(p->out, "\n");
}

/* ---- all ---- */

/* The command without its sweep; the caller frees it. */
static char *title_of(const sweep_t *s) {
  json_t *words = json_pack("[s]", s->verb);
  json_array_extend(words, s->arguments);
  json_array_extend(words, s->options);
  char *text = suite_command(words);
  json_decref(words);
  return text;
}

/* All panels below each other, the key above the first. */
static void write_picture(const plot_t *p, const char *path) {
  const sweep_t *s = p->s;
  char *title = title_of(s), text[LABEL];
  draw_output(p->out, WIDTH, 60 + PANEL * s->metrics, "%s", path);
  fprintf(p->out, "set multiplot layout %u,1\nset lmargin 12\nset key above\n%s \"%s%s\"\n", s->metrics,
          p->curves > 1 ? "set key title" : "set title", draw_plain(title ? title : "", text, sizeof text),
          s->seeds > 1 ? "; bars: least and most over seeds" : "");
  fprintf(p->out, "set grid lc rgb '#dddddd'\nset xtics nomirror\nset ytics nomirror\nset border 3\n");
  write_x(p);
  for (unsigned m = 0; m < s->metrics; m++) {
    write_y(p, m, picture_top(p, m));
    (p->number ? plot_curves : plot_bars)(p, m, m == 0);
    fprintf(p->out, "unset title\nset key title ''\n");
  }
  fprintf(p->out, "unset multiplot\n");
  free(title);
}

/* Data blocks come first, because gnuplot reads its script from top to bottom. */
bool sweep_plot(const sweep_t *s, const char *path, trouble_t *trouble) {
  plot_t p = {.s = s, .x = axis_along(s), .unit = ""};
  p.curves = curves_of(s, p.x);
  p.number = s->axes ? calloc(s->axis[p.x].values, sizeof *p.number) : NULL;
  if (p.number && !sweep_numbers(&s->axis[p.x], p.number, &p.unit)) {
    free(p.number);
    p.number = NULL, p.unit = "";
  }
  bool good = (p.out = draw_open()) != NULL;
  for (unsigned m = 0; m < s->metrics && good; m++)
    for (unsigned c = 0; c < p.curves; c++)
      write_curve(&p, m, c, picture_top(&p, m)), write_unstable(&p, m, c, picture_top(&p, m));
  if (good) write_picture(&p, path);
  free(p.number);
  return good ? draw_close(p.out, trouble) : draw_no_gnuplot(trouble);
}
