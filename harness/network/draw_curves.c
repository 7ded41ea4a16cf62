/* SPDX-License-Identifier: Apache-2.0
 *
 * Latency of an unstable network grows with the time one looks, so the plots end at a multiple of the least latency; a curve leaves them where it
 * saturates.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

static double mean_of(const network_point_t *p) {
  return histogram_mean(&p->result.measured.latency[MEASURE_ALL]);
}

static bool shown(const network_point_t *p) {
  return p->result.measured.latency[MEASURE_ALL].packets > 0;
}

/* Highest latency to show: all stable points, but at most eight times the least. */
static double ceiling(const draw_curve_t *curve, unsigned curves) {
  double least = HUGE_VAL, most = 0;
  for (unsigned c = 0; c < curves; c++) {
    for (unsigned i = 0; i < curve[c].sweep->points; i++) {
      const network_point_t *p = &curve[c].sweep->point[i];
      if (!shown(p)) continue;
      least = fmin(least, mean_of(p));
      if (p->result.measured.stable) most = fmax(most, mean_of(p));
    }
  }
  if (!isfinite(least)) return 1;
  return fmin(8 * least, fmax(1.5 * most, 3 * least));
}

static double highest_rate(const draw_curve_t *curve, unsigned curves) {
  double most = 0;
  for (unsigned c = 0; c < curves; c++)
    for (unsigned i = 0; i < curve[c].sweep->points; i++) most = fmax(most, curve[c].sweep->point[i].rate);
  return most;
}

/* ---- gnuplot ---- */

static void write_data(FILE *out, const draw_curve_t *curve, unsigned curves) {
  for (unsigned c = 0; c < curves; c++) {
    fprintf(out, "$c%u << END\n", c);
    for (unsigned i = 0; i < curve[c].sweep->points; i++) {
      const network_point_t *p = &curve[c].sweep->point[i];
      if (shown(p))
        fprintf(out, "%g %g %llu %g\n", p->rate, mean_of(p), (unsigned long long)histogram_quantile(&p->result.measured.latency[MEASURE_ALL], 0.99),
                p->result.measured.accepted);
    }
    fprintf(out, "END\n");
  }
}

static void write_panel(FILE *out, const draw_curve_t *curve, unsigned curves, bool latency) {
  static const char *const colour[] = {"#1b5e9e", "#d95f02", "#1b9e77", "#a6267b", "#6a51a3", "#666666"};
  const char *separator = "plot ";
  for (unsigned c = 0; c < curves; c++) {
    char name[64];
    draw_plain(curve[c].name, name, sizeof name);
    fprintf(out, "%s$c%u using 1:%d with linespoints lw 2 pt 7 ps 0.6 lc rgb '%s' title \"%s%s\"", separator, c, latency ? 2 : 4, colour[c % 6], name,
            latency && curves == 1 ? ": mean" : "");
    separator = ", ";
    if (latency && curves == 1) fprintf(out, ", $c0 using 1:3 with linespoints lw 1.2 dt 2 pt 6 ps 0.5 lc rgb '%s' title \"%s: 99 %% below\"", colour[0], name);
  }
  if (!latency) fprintf(out, ", x with lines dt 3 lc rgb '#909090' title 'all that is offered'");
  fprintf(out, "\n");
}

static void write_curves(FILE *out, const char *title, const draw_curve_t *curve, unsigned curves) {
  double x = 1.03 * highest_rate(curve, curves), saturation = curves == 1 ? curve[0].sweep->saturation : 0;
  fprintf(out, "set multiplot layout 1,2 title \"%s\" font ',13'\nset grid lc rgb '#dddddd'\nset key top left\n", title);
  fprintf(out, "set xlabel 'offered, flits per terminal and cycle'\nset xrange [0:%g]\nset yrange [0:%g]\nset ylabel 'latency, cycles'\n", x,
          ceiling(curve, curves));
  if (saturation > 0 && saturation < x)
    fprintf(out,
            "set arrow 1 from %g,graph 0 to %g,graph 1 nohead dt 4 lc rgb '#b00020'\nset label 1 'saturation %.3f' at %g,graph 0.6 rotate right offset "
            "-0.8,0 tc rgb '#b00020'\n",
            saturation, saturation, saturation, saturation);
  write_panel(out, curve, curves, true);
  fprintf(out, "unset arrow\nunset label\nset yrange [0:*]\nset ylabel 'accepted, flits per terminal and cycle'\n");
  write_panel(out, curve, curves, false);
  fprintf(out, "unset multiplot\n");
}

bool draw_curves(const char *folder, const char *name, const char *title, const draw_curve_t *curve, unsigned curves, trouble_t *trouble) {
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
  return draw_close(out, trouble);
}

/* ---- text ---- */

enum { COLUMNS = 64, ROWS = 16 };

static void put(char grid[ROWS][COLUMNS + 1], double x, double y, char mark) {
  int column = (int)lround(x * (COLUMNS - 1)), row = (int)lround(y * (ROWS - 1));
  if (column < 0 || column >= COLUMNS || row < 0) return;
  if (row >= ROWS) row = ROWS - 1, mark = '^';
  char *cell = &grid[ROWS - 1 - row][column];
  *cell = *cell == ' ' || *cell == mark ? mark : '*';
}

void draw_text(FILE *out, const draw_curve_t *curve, unsigned curves) {
  static const char marks[] = "abcdef";
  char grid[ROWS][COLUMNS + 1];
  double top = ceiling(curve, curves), right = highest_rate(curve, curves);
  if (!curves || curve[0].sweep->points < 2) return;
  for (unsigned r = 0; r < ROWS; r++) memset(grid[r], ' ', COLUMNS), grid[r][COLUMNS] = 0;
  for (unsigned c = 0; c < curves; c++)
    for (unsigned i = 0; i < curve[c].sweep->points; i++)
      if (shown(&curve[c].sweep->point[i]))
        put(grid, curve[c].sweep->point[i].rate / right, mean_of(&curve[c].sweep->point[i]) / top, curves == 1 ? 'o' : marks[c % 6]);
  fprintf(out, "mean latency, cycles (^: above)\n");
  for (unsigned r = 0; r < ROWS; r++) {
    if (r % 5 == 0) fprintf(out, "%7.0f |%s\n", top * (ROWS - 1 - r) / (ROWS - 1), grid[r]);
    else fprintf(out, "        |%s\n", grid[r]);
  }
  fprintf(out, "        +");
  for (unsigned i = 0; i < COLUMNS; i++) fputc('-', out);
  fprintf(out, "\n         0%*.3g\n", COLUMNS - 1, right);
  fprintf(out, "         offered, flits per terminal and cycle");
  for (unsigned c = 0; curves > 1 && c < curves; c++) fprintf(out, "%s%c: %s", c ? ", " : "; ", marks[c % 6], curve[c].name);
  fprintf(out, "\n");
}
