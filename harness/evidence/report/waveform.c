/* SPDX-License-Identifier: Apache-2.0
 *
 * Two pictures side by side: names, which stay, and cycles, which scroll. Rows have the same
 * height in both.
 *
 *              | 12 | 13 | 14 |
 *    gnt_o RTL | 1  | 1  |[0] |    [ ]: differs from the model
 *        model | 1  | 1  | 1  |
 */
#include "waveform.h"

#include "html.h"

#include <stdint.h>
#include <string.h>

enum {
  CYCLES = 24,
  ROWS = 40,
  ROW = 24,
  SWING = 15,
  HEAD = 24,
  CYCLE = 38,
  MOST_NAME = 26,
  SLANT = 3,
  MOST_VALUE = 64
};
static const double letter = 6.35; /* width of the value's font */

typedef struct {
  const char *name, *tag;       /* "RTL", the wave's `model`, or "" */
  const json_t *values, *other; /* other: the side to compare with; NULL: none */
  bool bit;
} row_t;

typedef struct {
  FILE *out;
  size_t first, count;  /* of the window's cycles */
  uint64_t from, wrong; /* cycle number of `first`, and of the failure */
  row_t row[ROWS];
  size_t rows;
  const char *model; /* the tag of its rows: "model", or "reference" for a device in its place */
} wave_t;

static const char *value_at(const row_t *r, size_t at) {
  return json_string_value(json_array_get(r->values, at));
}

/* NULL is a value that is not valid; two of these are equal. */
static bool same_value(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_wrong(const row_t *r, size_t at) {
  return r->other && !same_value(value_at(r, at), json_string_value(json_array_get(r->other, at)));
}

/* A signal has values of the RTL only where RTL and model differ. */
static bool has_difference(const json_t *signal) {
  return json_is_array(json_object_get(signal, "rtl"));
}

/* Within the cycles that are drawn. */
static bool value_changes(const wave_t *w, const json_t *signal) {
  const row_t r = {.values = json_object_get(signal, "model")};
  for (size_t i = 1; i < w->count; i++)
    if (!same_value(value_at(&r, w->first + i), value_at(&r, w->first))) return true;
  return false;
}

/* key: which side's values; other: the side to compare with, or NULL. */
static void add_signal(wave_t *w, const json_t *signal, const char *tag, const char *key, const char *other) {
  if (w->rows == ROWS) return;
  w->row[w->rows++] = (row_t){fact_text(signal, "name"), tag, json_object_get(signal, key),
                              other ? json_object_get(signal, other) : NULL, fact_number(signal, "width") == 1};
}

/* Two rows, each compared with the other, so that wrong values are marked in both. */
static void add_pair(wave_t *w, const json_t *signal) {
  add_signal(w, signal, "RTL", "rtl", "model");
  add_signal(w, signal, w->model, "model", "rtl");
}

static bool is_port(const json_t *signal, const char *port) {
  const char *name = fact_text(signal, "name");
  return port && name && strcmp(name, port) == 0;
}

/* The first wrong port, then other wrong ones, then signals that change, in the order of the
 * port file. */
static void choose_signals(wave_t *w, const json_t *signals, const char *port) {
  size_t i;
  const json_t *signal;
  json_array_foreach(signals, i, signal) if (has_difference(signal) && is_port(signal, port)) add_pair(w, signal);
  json_array_foreach(signals, i, signal) if (has_difference(signal) && !is_port(signal, port)) add_pair(w, signal);
  json_array_foreach(signals, i, signal) if (!has_difference(signal) && value_changes(w, signal))
      add_signal(w, signal, "", "model", NULL);
}

/* ---- names ---- */

/* The start of a long name, and an ellipsis. */
static void cut_name(char *buf, const char *name, size_t most) {
  size_t n = strlen(name);
  if (n <= most) strcpy(buf, name);
  else snprintf(buf, most + 3, "%.*s\u2026", (int)most - 1, name);
}

/* In pixels, by the width of the font's digits. The tag stands behind the name. */
static double names_width(const wave_t *w) {
  size_t most = 6;
  for (size_t i = 0; i < w->rows; i++) {
    size_t n = w->row[i].name ? strlen(w->row[i].name) : 0;
    n = (n < MOST_NAME ? n : MOST_NAME) + (*w->row[i].tag ? strlen(w->row[i].tag) + 1 : 0);
    if (n > most) most = n;
  }
  return (double)most * 6.7 + 12;
}

/* This picture does not scroll, so names stay in view beside any cycle. */
static void draw_names(const wave_t *w) {
  double width = names_width(w);
  html(w->out, "<svg class=\"names\" width=\"%.0f\" height=\"%zu\" role=\"img\"><title>Names of the signals</title>\n",
       width, HEAD + w->rows * ROW);
  html(w->out, "<text class=\"tick\" x=\"%.0f\" y=\"15\" text-anchor=\"end\">cycle</text>\n", width - 8);
  for (size_t i = 0; i < w->rows; i++) {
    const row_t *r = &w->row[i];
    char name[MOST_NAME + 8];
    cut_name(name, r->name ? r->name : "", MOST_NAME);
    html(w->out, "<text class=\"%s\" x=\"%.0f\" y=\"%zu\" text-anchor=\"end\">%s", r->other ? "name differs" : "name",
         width - 8, HEAD + i * ROW + 16, name);
    if (*r->tag) html(w->out, "<tspan class=\"tag\"> %s</tspan>", r->tag);
    html(w->out, "<title>%s %s</title></text>\n", r->name ? r->name : "", r->tag);
  }
  html(w->out, "</svg>");
}

/* ---- cycles ---- */

/* The left edge of a cycle's column. */
static double x_of(size_t at) {
  return (double)(at * CYCLE);
}

/* Cycle numbers, the failing cycle, and resets. */
static void draw_columns(const wave_t *w, const json_t *window) {
  double height = (double)(HEAD + w->rows * ROW);
  size_t i;
  const json_t *reset;
  if (w->wrong >= w->from && w->wrong < w->from + w->count)
    html(w->out, "<rect class=\"failing\" x=\"%.0f\" y=\"0\" width=\"%d\" height=\"%.0f\"/>",
         x_of((size_t)(w->wrong - w->from)), CYCLE, height);
  json_array_foreach(json_object_get(window, "resets"), i, reset) {
    uint64_t cycle = (uint64_t)json_integer_value(reset);
    if (cycle < w->from || cycle >= w->from + w->count) continue;
    double x = x_of((size_t)(cycle - w->from));
    html(w->out, "<rect class=\"reset\" x=\"%.0f\" y=\"%d\" width=\"%d\" height=\"%.0f\"/>", x, HEAD, CYCLE,
         height - HEAD);
    html(w->out, "<text class=\"tick\" transform=\"translate(%.0f %d) rotate(90)\">reset</text>", x + CYCLE / 2.0 - 4,
         HEAD + 4);
  }
  for (i = 0; i < w->count; i++) {
    html(w->out, "<path class=\"grid\" d=\"M%.0f %d V%.0f\"/>", x_of(i), HEAD - 4, height);
    html(w->out, "<text class=\"tick\" x=\"%.0f\" y=\"15\" text-anchor=\"middle\">%llu</text>\n", x_of(i) + CYCLE / 2.0,
         (long long)(w->from + i));
  }
}

static void wrong_cells(const wave_t *w, const row_t *r, double y) {
  for (size_t i = 0; i < w->count; i++)
    if (is_wrong(r, w->first + i))
      html(w->out, "<rect class=\"wrong\" x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\"/>", x_of(i), y + 1, CYCLE,
           ROW - 2);
}

/* High and low; a gap where the value is not valid. */
static void bit_row(const wave_t *w, const row_t *r, double y) {
  bool drawing = false;
  html(w->out, "<path class=\"trace\" d=\"");
  for (size_t i = 0; i < w->count; i++) {
    const char *v = value_at(r, w->first + i);
    double level = y + 4 + (v && strcmp(v, "0") != 0 ? 0 : SWING);
    if (v) html(w->out, drawing ? "L%.0f %.0fh%d" : "M%.0f %.0fh%d", x_of(i), level, CYCLE);
    drawing = v != NULL;
  }
  html(w->out, "\"/>");
}

/* The highest digit that differs from the other side's, counted from the end: 1 is the last. 0:
 * none differs. */
static size_t highest_difference(const char *v, const char *other) {
  size_t n = strlen(v), m = other ? strlen(other) : 0, most = n > m ? n : m;
  for (size_t i = other ? most : 0; i > 0; i--) {
    char a = i > n ? '0' : v[n - i], b = i > m ? '0' : other[m - i];
    if (a != b) return i;
  }
  return 0;
}

/* A value that does not fit shows its end, or its digits from the first wrong one on. The title
 * has the whole value. */
static void bus_text(const wave_t *w, const char *v, const char *other, double x, double width, double y) {
  size_t n = strlen(v), room = (size_t)((width - 2 * SLANT - 2) / letter), wrong_at = highest_difference(v, other);
  if (room > MOST_VALUE) room = MOST_VALUE;
  bool whole = n <= room, ends = wrong_at < room;
  if (!whole && room < 3) return;
  size_t shown = n, from = 0;
  if (!whole && ends) shown = room - 1, from = n - shown;
  else if (!whole) shown = room - 2, from = n - (wrong_at < n ? wrong_at : n);
  html(w->out, "<text class=\"value\" x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%s", x + width / 2, y + 15.5,
       from ? "\u2026" : "");
  for (size_t i = from; i < from + shown && i < n; i++) html_text(w->out, (const char[]){v[i], 0});
  html(w->out, "%s</text>", from + shown < n ? "\u2026" : "");
}

/* What the other side has in the run's first wrong cycle; NULL: nothing is wrong. */
static const char *other_side(const wave_t *w, const row_t *r, size_t at, size_t length) {
  for (size_t i = w->first + at; i < w->first + at + length; i++)
    if (is_wrong(r, i)) return json_string_value(json_array_get(r->other, i));
  return NULL;
}

/* One value over several cycles; a line in the middle where it is not valid. */
static void bus_run(const wave_t *w, const row_t *r, size_t at, size_t length, double y) {
  const char *v = value_at(r, w->first + at);
  double x = x_of(at), end = x_of(at + length), top = y + 4, bottom = y + 4 + SWING, middle = y + 4 + SWING / 2.0;
  if (!v) {
    html(w->out, "<path class=\"quiet\" d=\"M%.0f %.1fH%.0f\"/>", x, middle, end);
    return;
  }
  html(w->out, "<g><title>%s = 0x%s</title><path class=\"bus\" d=\"M%.0f %.1fl%d -%.1fH%.0fl%d %.1fl-%d %.1fH%.0fz\"/>",
       r->name ? r->name : "", v, x, middle, SLANT, middle - top, end - SLANT, SLANT, middle - top, SLANT,
       bottom - middle, x + SLANT);
  bus_text(w, v, other_side(w, r, at, length), x, end - x, y);
  html(w->out, "</g>");
}

/* Equal values of neighbouring cycles are one run, with one text in its middle. */
static void bus_row(const wave_t *w, const row_t *r, double y) {
  size_t start = 0;
  for (size_t i = 1; i <= w->count; i++) {
    if (i < w->count && same_value(value_at(r, w->first + i), value_at(r, w->first + start))) continue;
    bus_run(w, r, start, i - start, y);
    start = i;
  }
}

/* Wrong cells lie below the traces. */
static void draw_cycles(const wave_t *w, const json_t *window) {
  unsigned long long last = w->from + w->count - 1;
  html(w->out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Waveform, scrolls\">");
  html(w->out,
       "<svg class=\"cycles\" width=\"%zu\" height=\"%zu\" role=\"img\"><title>Waveform of cycles %llu to "
       "%llu</title>\n",
       w->count * CYCLE + 1, HEAD + w->rows * ROW, (long long)w->from, (long long)last);
  html(w->out, "<desc>%zu rows of values; in cycle %llu RTL and model differ first.</desc>\n", w->rows,
       (long long)w->wrong);
  draw_columns(w, window);
  for (size_t i = 0; i < w->rows; i++) {
    double y = (double)(HEAD + i * ROW);
    wrong_cells(w, &w->row[i], y);
    if (w->row[i].bit) bit_row(w, &w->row[i], y);
    else bus_row(w, &w->row[i], y);
    html(w->out, "\n");
  }
  html(w->out, "</svg></div>");
}

/* ---- those that do nothing ---- */

/* Is one of the rows of this signal? */
static bool is_drawn(const wave_t *w, const json_t *signal) {
  for (size_t i = 0; i < w->rows; i++)
    if (w->row[i].values == json_object_get(signal, "model")) return true;
  return false;
}

/* The other signals and their values in the last cycle, folded away. */
static void print_undrawn(const wave_t *w, const json_t *signals) {
  size_t i, count = 0;
  const json_t *signal;
  json_array_foreach(signals, i, signal) count += !is_drawn(w, signal);
  if (!count) return;
  html(w->out, "<details><summary>%zu signals that are not drawn</summary><p class=\"values\">", count);
  json_array_foreach(signals, i, signal) {
    const char *v = json_string_value(json_array_get(json_object_get(signal, "model"), w->first + w->count - 1));
    if (is_drawn(w, signal)) continue;
    if (v) html(w->out, "<span>%s = 0x%s</span> ", fact_text(signal, "name"), v);
    else html(w->out, "<span>%s: not valid</span> ", fact_text(signal, "name"));
  }
  html(w->out, "</p></details>\n");
}

/* Draws the last CYCLES cycles of the window, which ends with the failure. */
bool waveform_draw(FILE *out, const json_t *window, const char *wrong_port) {
  const json_t *signals = fact_list(window, "signals");
  double from = fact_number(window, "from"), to = fact_number(window, "to"), failing = fact_number(window, "wrong");
  if (!signals || !(from >= 0) || !(to >= from) || !(to < 9e15)) return false;
  wave_t w = {.out = out,
              .model = fact_text(window, "against") ? "reference" : "model",
              .count = to - from + 1 < CYCLES ? (size_t)(to - from) + 1 : CYCLES,
              .wrong = failing >= 0 && failing < 9e15 ? (uint64_t)failing : 0};
  w.from = (uint64_t)to + 1 - w.count;
  w.first = (size_t)(w.from - (uint64_t)from);
  choose_signals(&w, signals, wrong_port);
  if (!w.rows) return false;
  html(out, "<div class=\"wave\">");
  draw_names(&w);
  draw_cycles(&w, window);
  html(out, "</div>\n");
  print_undrawn(&w, signals);
  return true;
}
