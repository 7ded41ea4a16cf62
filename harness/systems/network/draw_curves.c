/* SPDX-License-Identifier: Apache-2.0
 *
 * Curves of latency and throughput. The latency of an unstable network grows with the time
 * measured, so the plots end at a multiple of the least latency. A curve leaves the plot between
 * the highest stable rate and the lowest unstable one. The search for saturation has brought these
 * two within 1 %; its runs are points of the curve, too.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

typedef struct {
  double rate, mean, p99, accepted;
  bool stable, asked;
} dot_t;

enum { DOTS = 512 };

typedef struct {
  dot_t dot[DOTS];
  unsigned dots;
} dots_t;

/* Ascending. */
static int by_rate(const void *a, const void *b) {
  const dot_t *x = a, *y = b;
  return (x->rate > y->rate) - (x->rate < y->rate);
}

static double highest_rate(const draw_curve_t *curve, unsigned curves) {
  double most = 0;
  for (unsigned c = 0; c < curves; c++)
    for (unsigned i = 0; i < curve[c].sweep->points; i++) most = fmax(most, curve[c].sweep->point[i].rate);
  return most;
}

/* All runs up to the highest rate that was asked for, sorted by rate. */
static void gather_dots(const network_sweep_t *s, double highest, dots_t *d) {
  d->dots = 0;
  for (unsigned i = 0; i < s->points && d->dots < DOTS; i++) {
    const measure_result_t *m = &s->point[i].result.measured;
    const histogram_t *h = &m->latency[MEASURE_ALL];
    if (h->packets)
      d->dot[d->dots++] = (dot_t){s->point[i].rate, histogram_mean(h), (double)histogram_quantile(h, 0.99),
                                  m->accepted,      m->stable,         true};
  }
  for (unsigned i = 0; i < s->probes && d->dots < DOTS; i++) {
    const network_probe_t *p = &s->probe[i];
    if (p->rate <= highest)
      d->dot[d->dots++] = (dot_t){p->rate, p->latency, (double)p->latency_p99, p->accepted, p->stable, false};
  }
  qsort(d->dot, d->dots, sizeof *d->dot, by_rate);
}

/* The highest latency to show: all stable points, but at most eight times the least. */
static double latency_ceiling(const draw_curve_t *curve, unsigned curves) {
  double least = HUGE_VAL, most = 0;
  for (unsigned c = 0; c < curves; c++) {
    dots_t d;
    gather_dots(curve[c].sweep, highest_rate(curve, curves), &d);
    for (unsigned i = 0; i < d.dots; i++) {
      least = fmin(least, d.dot[i].mean);
      if (d.dot[i].stable) most = fmax(most, d.dot[i].mean);
    }
  }
  if (!isfinite(least)) return 1;
  return fmin(8 * least, fmax(1.5 * most, 3 * least));
}

/* ---- gnuplot ---- */

/* Data blocks of curve C: $lC latency, up to the first run that is not stable; $aC accepted
 * throughput; $uC rates that were asked for and are not stable. */
static void write_data(FILE *out, const draw_curve_t *curve, unsigned curves) {
  const double top = latency_ceiling(curve, curves);
  for (unsigned c = 0; c < curves; c++) {
    dots_t d;
    gather_dots(curve[c].sweep, highest_rate(curve, curves), &d);
    fprintf(out, "$l%u << END\n", c);
    for (unsigned i = 0; i < d.dots && (!i || d.dot[i - 1].stable); i++)
      fprintf(out, "%g %g %g\n", d.dot[i].rate, d.dot[i].stable ? d.dot[i].mean : 2 * top,
              d.dot[i].stable ? d.dot[i].p99 : 2 * top);
    fprintf(out, "END\n$a%u << END\n", c);
    for (unsigned i = 0; i < d.dots; i++) fprintf(out, "%g %g\n", d.dot[i].rate, d.dot[i].accepted);
    fprintf(out, "END\n$u%u << END\n", c);
    for (unsigned i = 0; i < d.dots; i++)
      if (d.dot[i].asked && !d.dot[i].stable) fprintf(out, "%g %g %g\n", d.dot[i].rate, 0.97 * top, d.dot[i].accepted);
    fprintf(out, "END\n");
  }
}

/* A rate that was asked for was not stable. */
static bool any_unstable(const draw_curve_t *curve, unsigned c) {
  for (unsigned i = 0; i < curve[c].sweep->points; i++)
    if (!curve[c].sweep->point[i].result.measured.stable) return true;
  return false;
}

/* The `plot` command of one panel: latency or accepted throughput. */
static void write_panel(FILE *out, const draw_curve_t *curve, unsigned curves, bool latency) {
  const char *separator = "plot ";
  bool unstable = false;
  for (unsigned c = 0; c < curves; c++) {
    char name[64];
    draw_plain(curve[c].name, name, sizeof name);
    fprintf(out, "%s$%c%u using 1:2 with linespoints lw 2 pt %d ps 0.6 lc rgb '%s' title \"%s%s\"", separator,
            latency ? 'l' : 'a', c, draw_mark(c), draw_colour(c), name, latency && curves == 1 ? ": mean" : "");
    separator = ", ";
    if (latency && curves == 1)
      fprintf(out, ", $l0 using 1:3 with linespoints lw 1.2 dt 2 pt 6 ps 0.5 lc rgb '%s' title \"%s: 99 %% below\"",
              draw_colour(0), name);
    if (!any_unstable(curve, c)) continue;
    fprintf(out, ", $u%u using 1:%d with points pt 8 ps 1.3 lw 1.5 lc rgb '%s' notitle", c, latency ? 2 : 3,
            draw_colour(c));
    unstable = true;
  }
  if (unstable)
    fprintf(out, ", keyentry with points pt 8 ps 1.3 lw 1.5 lc rgb '#404040' title 'saturated: not stable'");
  if (!latency) fprintf(out, ", x with lines dt 3 lc rgb '#909090' title 'all that is offered'");
  fprintf(out, "\n");
}

/* Two panels: latency on the left, accepted throughput on the right. */
static void write_curves(FILE *out, const char *title, const draw_curve_t *curve, unsigned curves) {
  double x = 1.08 * highest_rate(curve, curves), saturation = curves == 1 ? curve[0].sweep->saturation : 0;
  fprintf(
      out,
      "set multiplot layout 1,2 title \"%s\" font ',13'\nset grid lc rgb '#dddddd'\nset key top left Left reverse\n",
      title);
  fprintf(out,
          "set xlabel 'offered load, flits per terminal and cycle'\nset xrange [0:%g]\nset yrange [0:%g]\n"
          "set ylabel 'latency, cycles'\n",
          x, latency_ceiling(curve, curves));
  if (saturation > 0 && saturation < x)
    fprintf(out,
            "set arrow 1 from %g,graph 0 to %g,graph 1 nohead dt 4 lc rgb '#b00020'\n"
            "set label 1 'saturation %.3f' at %g,graph 0.03 rotate left offset "
            "0.9,0 tc rgb '#b00020'\n",
            saturation, saturation, saturation, saturation);
  write_panel(out, curve, curves, true);
  fprintf(out, "unset arrow\nunset label\nset yrange [0:*]\nset ylabel 'accepted, flits per terminal and cycle'\n");
  write_panel(out, curve, curves, false);
  fprintf(out, "unset multiplot\n");
}

/* ---- CSV ---- */

typedef struct {
  const draw_curve_t *curve;
  unsigned curves;
} curves_t;

/* All points and runs of the searches; the column `run` tells them apart. */
static void write_table(FILE *out, const void *context) {
  const curves_t *all = context;
  fprintf(out, "policy,offered,latency_mean,latency_p99,accepted,stable,run\n");
  for (unsigned c = 0; c < all->curves; c++) {
    dots_t d;
    gather_dots(all->curve[c].sweep, 1, &d);
    for (unsigned i = 0; i < d.dots; i++)
      fprintf(out, "%s,%.6g,%.6g,%.6g,%.6g,%d,%s\n", all->curve[c].name, d.dot[i].rate, d.dot[i].mean, d.dot[i].p99,
              d.dot[i].accepted, d.dot[i].stable, d.dot[i].asked ? "asked" : "search");
  }
}

bool draw_curves(const char *folder, const char *name, const char *title, const draw_curve_t *curve, unsigned curves,
                 trouble_t *trouble) {
  char plain[256], place[1024];
  draw_plain(title, plain, sizeof plain);
  draw_plain(folder, place, sizeof place);
  FILE *out = draw_open();
  if (!out) return draw_no_gnuplot(trouble);
  write_data(out, curve, curves);
  for (const char *const *kind = draw_kinds; *kind; kind++) {
    draw_output(out, 1150, 480, "%s/%s.%s", place, name, *kind);
    write_curves(out, plain, curve, curves);
  }
  return draw_close(out, trouble) && draw_csv(folder, name, write_table, &(curves_t){curve, curves}, trouble);
}

/* ---- text ---- */

enum { COLUMNS = 64, ROWS = 16 };

/* x and y are shares of the grid. '*' stands where two curves meet, '^' for what is above the grid.
 */
static void put_mark(char grid[ROWS][COLUMNS + 1], double x, double y, char mark) {
  int column = (int)lround(x * (COLUMNS - 1)), row = (int)lround(y * (ROWS - 1));
  if (column < 0 || column >= COLUMNS || row < 0) return;
  if (row >= ROWS) row = ROWS - 1, mark = '^';
  char *cell = &grid[ROWS - 1 - row][column];
  *cell = *cell == ' ' || *cell == mark ? mark : '*';
}

void draw_text(FILE *out, const draw_curve_t *curve, unsigned curves) {
  static const char marks[] = "abcdef";
  char grid[ROWS][COLUMNS + 1];
  double top = latency_ceiling(curve, curves), right = highest_rate(curve, curves);
  if (!curves || curve[0].sweep->points < 2) return;
  for (unsigned r = 0; r < ROWS; r++) memset(grid[r], ' ', COLUMNS), grid[r][COLUMNS] = 0;
  for (unsigned c = 0; c < curves; c++) {
    dots_t d;
    gather_dots(curve[c].sweep, right, &d);
    for (unsigned i = 0; i < d.dots; i++)
      if (d.dot[i].asked) put_mark(grid, d.dot[i].rate / right, d.dot[i].mean / top, curves == 1 ? 'o' : marks[c % 6]);
  }
  fprintf(out, "mean latency, cycles (^: above)\n");
  for (unsigned r = 0; r < ROWS; r++) {
    if (r % 5 == 0) fprintf(out, "%7.0f |%s\n", top * (ROWS - 1 - r) / (ROWS - 1), grid[r]);
    else fprintf(out, "        |%s\n", grid[r]);
  }
  fprintf(out, "        +");
  for (unsigned i = 0; i < COLUMNS; i++) fputc('-', out);
  fprintf(out, "\n         0%*.3g\n", COLUMNS - 1, right);
  fprintf(out, "         offered, flits per terminal and cycle");
  for (unsigned c = 0; curves > 1 && c < curves; c++)
    fprintf(out, "%s%c: %s", c ? ", " : "; ", marks[c % 6], curve[c].name);
  fprintf(out, "\n");
}
