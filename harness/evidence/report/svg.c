/* SPDX-License-Identifier: Apache-2.0
 *
 * Coordinates of a chart, in units of its viewBox:
 *
 *         LEFT                      RIGHT
 *    TOP  +--------------------------+     y1 is the axis' end
 *         |  plot                    |
 *         +--------------------------+     y = 0
 *   BOTTOM  ticks, label
 *         key, below HEIGHT
 */
#include "svg.h"

#include "html.h"
#include "text.h"

#include <math.h>
#include <string.h>

static const double most_shown = 1e15; /* end of an axis at most; points beyond are not drawn */
enum { MOST_TICKS = 12, HEIGHT = 230, LEFT = 50, RIGHT = 22, TOP = 10, BOTTOM = 40, KEY_LINE = 15, POINTS_MARKED = 40 };

/* About four ticks. The small amount taken off before ceil keeps an exact multiple from getting
 * another step by rounding. */
double svg_axis(double most, double *step) {
  if (!isfinite(most) || most <= 0 || most > most_shown) most = most > most_shown ? most_shown : 1;
  double rough = most / 4, power = pow(10, floor(log10(rough))), times = rough / power;
  static const double round_steps[] = {1, 2, 2.5, 5};
  *step = power * 10;
  for (unsigned i = sizeof round_steps / sizeof *round_steps; i-- > 0;)
    if (times <= round_steps[i]) *step = power * round_steps[i];
  return *step * ceil(most / *step - 1e-9);
}

/* Ticks are round numbers; large ones get M or G. */
static const char *tick_text(char *buf, double value, double step) {
  if (fabs(value) < step / 2) return "0";
  if (fabs(value) >= 1e4) return text_count(buf, value);
  snprintf(buf, TEXT_NUMBER, "%.6g", value);
  return buf;
}

typedef struct {
  FILE *out;
  double left, width, top, height; /* of the plot area */
  double x0, x1, y1;
} plot_t;

static double x_of(const plot_t *p, double x) {
  return p->left + p->width * (x - p->x0) / (p->x1 - p->x0);
}
static double y_of(const plot_t *p, double y) {
  return p->top + p->height * (1 - y / p->y1);
}

/* The title is what a screen reader says first, `about` what it says on request. */
static void open_svg(FILE *out, const char *title, const char *about, double height) {
  html(out, "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %d %.0f\"><title>%s</title><desc>%s</desc>\n", SVG_WIDTH,
       height, title, about);
}

/* Grid lines with their numbers. */
static void y_axis(const plot_t *p, const char *label) {
  char text[TEXT_NUMBER];
  double step, end = svg_axis(p->y1, &step);
  for (int i = 0; i < MOST_TICKS && i * step <= end * 1.0001; i++) {
    double y = i * step;
    html(p->out, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", p->left, y_of(p, y), p->left + p->width);
    html(p->out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", p->left - 5,
         y_of(p, y) + 3.5, tick_text(text, y, step));
  }
  double middle = p->top + p->height / 2;
  html(p->out, "<text class=\"label\" transform=\"translate(11 %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
       middle, label);
}

/* The first tick is the first multiple of the step from x0 on. */
static void x_axis(const plot_t *p, const char *label) {
  char text[TEXT_NUMBER];
  double step, bottom = p->top + p->height;
  svg_axis(p->x1 - p->x0, &step);
  html(p->out, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>", p->left, bottom, p->left + p->width);
  for (int i = 0; i < MOST_TICKS; i++) {
    double x = (ceil(p->x0 / step - 1e-9) + i) * step;
    if (x > p->x1 * 1.0001) break;
    html(p->out, "<path class=\"axis\" d=\"M%.1f %.1fv4\"/>", x_of(p, x), bottom);
    html(p->out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x_of(p, x),
         bottom + 15, tick_text(text, x, step));
  }
  html(p->out, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", p->left + p->width / 2,
       bottom + 31, label);
}

/* As many whole names as fit, always with the last one. */
static void x_names(const plot_t *p, const char *label, const char *const *names) {
  enum { NAMES = 5 };
  const double bottom = p->top + p->height;
  const int count = (int)p->x1, every = (count + NAMES - 1) / NAMES;
  html(p->out, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>", p->left, bottom, p->left + p->width);
  for (int i = count; i >= 1; i -= every) {
    html(p->out, "<path class=\"axis\" d=\"M%.1f %.1fv4\"/>", x_of(p, i), bottom);
    html(p->out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x_of(p, i),
         bottom + 15, names[i - 1]);
  }
  html(p->out, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", p->left + p->width / 2,
       bottom + 31, label);
}

/* Points above the axis' end are shown: their line leaves the plot at the top. */
static bool is_shown(const plot_t *p, double x, double y) {
  return isfinite(x) && isfinite(y) && x >= p->x0 && x <= p->x1 && y >= 0 && y <= most_shown;
}

/* Few points have dots, each with its values as title. */
static void draw_series(const plot_t *p, const svg_series_t *s, size_t number, const char *const *names) {
  bool drawing = false;
  html(p->out, "<path class=\"line s%zu%s\" d=\"", number % SVG_SERIES, s->dashed ? " dashed" : "");
  for (size_t i = 0; i < s->count; i++) {
    if (!is_shown(p, s->x[i], s->y[i])) continue;
    html(p->out, "%s%.1f %.1f", drawing ? "L" : "M", x_of(p, s->x[i]), y_of(p, s->y[i]));
    drawing = true;
  }
  html(p->out, "\"/>");
  for (size_t i = 0; i < s->count && s->count <= POINTS_MARKED && !s->dashed; i++)
    if (is_shown(p, s->x[i], s->y[i]) && s->y[i] <= p->y1) {
      html(p->out, "<circle class=\"dot s%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"><title>%s: ", number % SVG_SERIES,
           x_of(p, s->x[i]), y_of(p, s->y[i]), s->name);
      if (names) html(p->out, "%s", names[(size_t)s->x[i] - 1]);
      else html(p->out, "%g", s->x[i]);
      html(p->out, ", %g</title></circle>", s->y[i]);
    }
  html(p->out, "\n");
}

/* Below the chart; a single series needs none. */
static void line_key(FILE *out, double y, const svg_series_t *series, size_t count) {
  for (size_t i = 0; i < count; i++, y += KEY_LINE) {
    html(out, "<path class=\"line s%zu%s\" d=\"M%d %.1fh22\"/>", i % SVG_SERIES, series[i].dashed ? " dashed" : "",
         LEFT, y);
    html(out, "<text class=\"key\" x=\"%d\" y=\"%.1f\">%s</text>\n", LEFT + 28, y + 3.5, series[i].name);
  }
}

/* Its label is on the side with more room. */
static void draw_mark_line(const plot_t *p, const svg_chart_t *chart) {
  double x = x_of(p, chart->mark);
  bool left = x > p->left + p->width / 2;
  html(p->out, "<path class=\"mark\" d=\"M%.1f %.1fv%.1f\"/>", x, p->top, p->height);
  html(p->out, "<text class=\"marked\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x + (left ? -4 : 4),
       p->top + p->height - 6, left ? "end" : "start", chart->mark_label);
}

/* Is there a line (two points), or a dot where dots are drawn? */
static bool has_points(const plot_t *p, const svg_series_t *series, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t points = 0;
    for (size_t k = 0; k < series[i].count; k++)
      points += is_shown(p, series[i].x[k], series[i].y[k]) && series[i].y[k] <= p->y1;
    if (points > 1 || (points == 1 && !series[i].dashed && series[i].count <= POINTS_MARKED)) return true;
  }
  return false;
}

/* An axis of no length would divide by 0, so x gets at least 1. */
void svg_lines(FILE *out, const svg_chart_t *chart, const svg_series_t *series, size_t count) {
  double step, key = count > 1 ? (double)(KEY_LINE * count) + 4 : 0;
  plot_t p = {out,
              LEFT,
              SVG_WIDTH - LEFT - RIGHT,
              TOP,
              HEIGHT - TOP - BOTTOM,
              chart->x_least,
              chart->x_most,
              svg_axis(chart->y_most, &step)};
  if (!(fabs(p.x0) <= most_shown)) p.x0 = 0;
  p.x1 = fmin(p.x1, most_shown);
  if (!(p.x1 > p.x0)) p.x1 = p.x0 + 1;
  if (!has_points(&p, series, count)) {
    html(out, "<p class=\"none\">No point to draw.</p>\n");
    return;
  }
  open_svg(out, chart->title, chart->about, HEIGHT + key);
  y_axis(&p, chart->y_label);
  if (chart->x_names) x_names(&p, chart->x_label, chart->x_names);
  else x_axis(&p, chart->x_label);
  /* A viewport of its own cuts off what is above the highest tick. */
  html(out, "<svg x=\"0\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" viewBox=\"0 %.1f %d %.1f\">\n", p.top - 4, SVG_WIDTH,
       p.height + 8, p.top - 4, SVG_WIDTH, p.height + 8);
  for (size_t i = 0; i < count; i++) draw_series(&p, &series[i], i, chart->x_names);
  html(out, "</svg>");
  if (isfinite(chart->mark) && chart->mark > p.x0 && chart->mark < p.x1) draw_mark_line(&p, chart);
  if (count > 1) line_key(out, HEIGHT + 4, series, count);
  html(out, "</svg>\n");
}

/* ---- columns ---- */

/* A part of a stack: no sign, no NaN. */
static double positive(double value) {
  return isfinite(value) && value > 0 ? fmin(value, most_shown) : 0;
}

/* The highest column. */
static double highest_sum(const svg_columns_t *c) {
  double most = 0;
  for (size_t i = 0; i < c->categories; i++) {
    double sum = 0;
    for (size_t k = 0; k < c->parts; k++) sum += positive(c->value[i * c->parts + k]);
    most = fmax(most, sum);
  }
  return most;
}

/* Parts on top of each other; a part that is too small to see still gets half a unit. */
static void draw_column(const plot_t *p, const svg_columns_t *c, size_t i, double x, double width) {
  double from = 0;
  char text[TEXT_NUMBER];
  for (size_t k = 0; k < c->parts; k++) {
    double value = positive(c->value[i * c->parts + k]);
    if (!(value > 0)) continue;
    html(p->out,
         "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s, %s: %s</title></rect>",
         c->classes[k], x, y_of(p, from + value), width, fmax(y_of(p, from) - y_of(p, from + value), 0.5),
         c->category ? c->category[i] : "", c->part[k], text_short(text, value));
    from += value;
  }
}

/* Widths are estimated: SVG cannot ask the font. */
static void column_key(FILE *out, double y, const svg_columns_t *c) {
  double x = LEFT;
  for (size_t k = 0; k < c->parts; k++) {
    html(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\"/>", c->classes[k], x, y - 9);
    html(out, "<text class=\"key\" x=\"%.1f\" y=\"%.1f\">%s</text>", x + 14, y, c->part[k]);
    x += 30 + 6.2 * (double)strlen(c->part[k]);
  }
}

/* Every n-th category is labelled, LABELS of them at most. */
void svg_columns(FILE *out, const svg_columns_t *c) {
  enum { LABELS = 8 };
  double step, bottom = HEIGHT - BOTTOM;
  plot_t p = {out, LEFT, SVG_WIDTH - LEFT - RIGHT, TOP, HEIGHT - TOP - BOTTOM, 0, 1, svg_axis(highest_sum(c), &step)};
  double slot = p.width / (double)(c->categories ? c->categories : 1), width = fmin(slot * 0.8, 46);
  size_t every = (c->categories + LABELS - 1) / LABELS;
  open_svg(out, c->title, c->about, HEIGHT + (c->parts > 1 ? 10 : 0));
  y_axis(&p, c->y_label);
  for (size_t i = 0; i < c->categories; i++) {
    double x = p.left + slot * (double)i + (slot - width) / 2;
    draw_column(&p, c, i, x, width);
    if (c->category && i % every == 0)
      html(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x + width / 2,
           bottom + 15, c->category[i]);
  }
  html(out, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>", p.left, bottom, p.left + p.width);
  if (c->parts > 1) column_key(out, HEIGHT, c);
  html(out, "</svg>\n");
}

/* Each part is at least 0.8 wide, so that one survivor among thousands can be seen. */
void svg_stack(FILE *out, const char *title, const char *const *part, const char *const *classes, const double *value,
               size_t parts) {
  double sum = 0, x = 0;
  char text[TEXT_NUMBER];
  for (size_t k = 0; k < parts; k++) sum += positive(value[k]);
  if (!(sum > 0)) return;
  html(out, "<svg class=\"stack\" role=\"img\" viewBox=\"0 0 %d 14\" preserveAspectRatio=\"none\"><title>%s</title>",
       SVG_WIDTH, title);
  for (size_t k = 0; k < parts; k++) {
    double width = SVG_WIDTH * positive(value[k]) / sum;
    if (!(width > 0)) continue;
    html(out, "<rect class=\"%s\" x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"14\"><title>%s: %s</title></rect>",
         classes[k], x, fmax(width, 0.8), part[k], text_count(text, value[k]));
    x += width;
  }
  html(out, "</svg>\n");
}

/* ---- sparklines ---- */

/* No axis: the shape is the message. The line begins at 0, so a small change looks small. */
void svg_spark(FILE *out, const char *title, const double *value, const bool *bad, size_t count) {
  enum { WIDE = 120, HIGH = 24, EDGE = 3 };
  double least = 0, most = 0;
  for (size_t i = 0; i < count; i++)
    if (isfinite(value[i])) most = fmax(most, value[i]);
  html(out, "<svg class=\"spark\" viewBox=\"0 0 %d %d\" role=\"img\"><title>%s</title><path class=\"line s0\" d=\"",
       WIDE, HIGH, title);
  bool drawn = false;
  for (size_t i = 0; i < count; i++) {
    const double x = EDGE + (WIDE - 2.0 * EDGE) * (double)i / (double)(count > 1 ? count - 1 : 1);
    const double y = HIGH - EDGE - (HIGH - 2.0 * EDGE) * (most > least ? (value[i] - least) / (most - least) : 0);
    if (isfinite(y)) html(out, "%s%.1f %.1f", drawn ? "L" : "M", x, y);
    drawn = drawn || isfinite(y);
  }
  html(out, "\"/>");
  for (size_t i = 0; i < count; i++) {
    const double x = EDGE + (WIDE - 2.0 * EDGE) * (double)i / (double)(count > 1 ? count - 1 : 1);
    const double y = HIGH - EDGE - (HIGH - 2.0 * EDGE) * (most > least ? (value[i] - least) / (most - least) : 0);
    if (isfinite(y) && (bad[i] || i + 1 == count))
      html(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>", bad[i] ? "bad-fill" : "dot s0", x, y);
  }
  html(out, "</svg>");
}
