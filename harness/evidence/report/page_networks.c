/* SPDX-License-Identifier: Apache-2.0
 *
 * Networks: latency and accepted load over offered load, and maps of congestion. A document has
 * one run, a sweep (`points`), or either of these for several `policies`.
 */
#include "page.h"

#include "html.h"
#include "svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 256 };

typedef struct {
  const char *policy;
  const json_t *of, *points; /* points: NULL for one run, which `of` is */
  size_t count;
} curve_t;

/* A curve for each policy; returns how many. */
static size_t curves_of(const json_t *network, curve_t *curve) {
  const json_t *policies = fact_list(network, "policies");
  size_t n = policies ? json_array_size(policies) : 1;
  if (n > SVG_SERIES) n = SVG_SERIES;
  for (size_t i = 0; i < n; i++) {
    const json_t *of = policies ? json_array_get(policies, i) : network;
    const json_t *points = fact_list(of, "points");
    curve[i] = (curve_t){fact_text(of, "policy"), of, points, points ? json_array_size(points) : 1};
    if (curve[i].count > RUNS) curve[i].count = RUNS;
  }
  return n;
}

/* Point i of a sweep, or the one run. */
static const json_t *run_of(const curve_t *c, size_t i) {
  return c->points ? json_array_get(c->points, i) : c->of;
}
/* Offered load, latency and accepted load of a run. Loads are flits for each terminal and cycle.
 * Latency is cycles from a packet's generation to the arrival of its last flit. */
static double rate_of(const json_t *run) {
  return fact_number(run, "rate");
}
static double latency_of(const json_t *run) {
  return fact_number(json_object_get(run, "latency"), "mean");
}
static double accepted_of(const json_t *run) {
  return fact_number(run, "accepted");
}

/* The top of the latency axis, as harness/systems/network has it: all stable points, but at most
 * eight times the least latency. The latency of an unstable point grows with time and says
 * nothing. */
static double latency_ceiling(const curve_t *curve, size_t curves) {
  double least = HUGE_VAL, most = 0;
  for (size_t c = 0; c < curves; c++)
    for (size_t i = 0; i < curve[c].count; i++) {
      double mean = latency_of(run_of(&curve[c], i));
      if (!isfinite(mean)) continue;
      least = fmin(least, mean);
      if (fact_true(run_of(&curve[c], i), "stable")) most = fmax(most, mean);
    }
  return isfinite(least) ? fmin(8 * least, fmax(1.5 * most, 3 * least)) : 1;
}

/* latency: mean latency, else accepted load, over offered load. Saturation is marked for a
 * single curve. */
static void draw_load_chart(FILE *out, const curve_t *curve, size_t curves, bool latency) {
  double *x = calloc(curves * RUNS, sizeof *x), *y = calloc(curves * RUNS, sizeof *y), end = 0,
         most = latency ? latency_ceiling(curve, curves) : 0;
  svg_series_t series[SVG_SERIES];
  for (size_t c = 0; x && y && c < curves; c++) {
    series[c] =
        (svg_series_t){curve[c].policy ? curve[c].policy : "", x + c * RUNS, y + c * RUNS, curve[c].count, false};
    for (size_t i = 0; i < curve[c].count; i++) {
      const json_t *run = run_of(&curve[c], i);
      x[c * RUNS + i] = rate_of(run);
      y[c * RUNS + i] = latency ? latency_of(run) : accepted_of(run);
      if (isfinite(rate_of(run))) end = fmax(end, rate_of(run));
      if (!latency && isfinite(accepted_of(run))) most = fmax(most, accepted_of(run));
    }
  }
  const svg_chart_t c = {
      latency ? "Latency over offered load" : "Accepted over offered load",
      latency ? "Mean latency in cycles against the offered load; a curve that leaves at the top saturates"
              : "What the network accepts of it",
      "offered, flits per terminal and cycle",
      latency ? "mean latency, cycles" : "accepted, flits",
      0,
      end * 1.03,
      most,
      curves == 1 ? fact_number(curve->of, "saturation") : NAN,
      "saturation",
      NULL};
  if (x && y && end > 0 && most > 0) svg_lines(out, &c, series, curves);
  free(x);
  free(y);
}

/* A row for each point. Latencies of an unstable run depend on its length. */
static void print_network_runs(FILE *out, const curve_t *curve, size_t curves) {
  static const char *const columns[] = {"Policy",      "#Offered",        "#Accepted", "#Mean latency",
                                        "#99 % below", "#Critical paths", "Stable",    NULL};
  html_table(out, "Runs", columns);
  for (size_t c = 0; c < curves; c++)
    for (size_t i = 0; i < curve[c].count; i++) {
      const json_t *run = run_of(&curve[c], i);
      html(out, "<tr><th scope=\"row\">%s</th>", curve[c].policy);
      html_cell_short(out, rate_of(run), "");
      html_cell_short(out, accepted_of(run), "");
      html_cell_short(out, latency_of(run), "");
      html_cell_short(out, fact_number(json_object_get(run, "latency"), "p99"), "");
      html_cell_short(out, fact_number(json_object_get(run, "latency_critical"), "mean"), "");
      html(out, "<td>%s</td></tr>\n", fact_true(run, "stable") ? "yes" : "no");
    }
  html_table_end(out);
}

/* The stable run with the highest load. Beyond it, every link is hot and the map says nothing. */
static const json_t *hottest_stable_run(const curve_t *c) {
  const json_t *best = NULL;
  for (size_t i = 0; i < c->count; i++) {
    const json_t *run = run_of(c, i);
    if (!fact_list(run, "links")) continue;
    if (!best || (fact_true(run, "stable") && !(rate_of(run) < rate_of(best)))) best = run;
  }
  return best;
}

/* A map for each policy. */
static void draw_heats(FILE *out, const json_t *network, const curve_t *curve, size_t curves) {
  for (size_t c = 0; c < curves; c++) {
    const json_t *run = hottest_stable_run(&curve[c]);
    if (!run) continue;
    html(out, "<figure class=\"heat\"><figcaption>Congestion, %s at %g</figcaption>\n", curve[c].policy, rate_of(run));
    if (!heat_draw(out, network, run)) html(out, "<p class=\"none\">Too many routers to draw, or none.</p>\n");
    html(out, "</figure>\n");
  }
}

/* A single run has no curves, only its map and its row. */
static void print_network(FILE *out, const json_t *facts, const json_t *entry) {
  const json_t *d = json_object_get(entry, "result");
  curve_t curve[SVG_SERIES];
  size_t curves = curves_of(d, curve), most = 0;
  double diverged = fact_number(d, "divergences");
  for (size_t c = 0; c < curves; c++) most = curve[c].count > most ? curve[c].count : most;
  html(out, "<article><h3>%s, %s</h3>\n<p class=\"note\">%.0f routers, %.0f terminals; %s; <code>%s %s</code></p>\n",
       fact_text(d, "topology"), fact_text(d, "pattern"), fact_number(d, "routers"), fact_number(d, "terminals"),
       fact_text(d, "engine"), page_command(facts), fact_text(entry, "key"));
  if (diverged > 0) html(out, "<p class=\"bad\">%.0f routers diverged.</p>\n", diverged);
  html(out, "<div class=\"charts\">\n");
  if (most > 1) {
    html(out, "<figure><figcaption>Latency</figcaption>\n");
    draw_load_chart(out, curve, curves, true);
    html(out, "</figure><figure><figcaption>Throughput</figcaption>\n");
    draw_load_chart(out, curve, curves, false);
    html(out, "</figure>\n");
  }
  draw_heats(out, d, curve, curves);
  html(out, "</div>\n");
  print_network_runs(out, curve, curves);
  html(out, "</article>\n");
}

/* A result that is no object, for instance of a run that was stopped, is left out. */
void page_networks(FILE *out, const json_t *facts) {
  size_t i;
  const json_t *entry;
  html(out, "<section id=\"networks\"><h2>Networks</h2>\n");
  if (!fact_count(facts, "networks"))
    html(out, "<p class=\"none\">No results yet: <code>%s network</code> is in no run.</p>\n", page_command(facts));
  json_array_foreach(json_object_get(facts, "networks"), i, entry) if (json_is_object(json_object_get(entry, "result")))
      print_network(out, facts, entry);
  html(out, "</section>\n");
}
