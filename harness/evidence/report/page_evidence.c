/* SPDX-License-Identifier: Apache-2.0
 *
 * The panels of a block: coverage, mutation, proofs, area, faults. Each panel shows one verb's
 * result and the versions of its tools. Without a result it writes nothing.
 */
#include "page.h"

#include "basis.h"

#include "html.h"
#include "svg.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 0 for a missing figure. */
static double count_or_zero(double value) {
  return isfinite(value) && value > 0 ? value : 0;
}

/* For instance "yosys 0.23, z3 4.8.12". */
void page_tools(FILE *out, const json_t *object) {
  const char *name, *between = "";
  const json_t *version;
  if (!json_object_size(json_object_get(object, "tools"))) return;
  html(out, "<p class=\"note\">");
  json_object_foreach(json_object_get((json_t *)object, "tools"), name, version) {
    html(out, "%s%s %s", between, name, json_string_value(version));
    between = ", ";
  }
  html(out, "</p>\n");
}

/* The caller closes the panel's div. */
static void open_panel(FILE *out, const char *title, const json_t *object) {
  const char *params = fact_text(object, "params");
  html(out, "<div class=\"panel\"><h4>%s</h4>", title);
  if (params && *params) html(out, "<p class=\"note\">%s</p>", params);
  page_tools(out, object);
}

/* ---- coverage ---- */

/* Waived points do not count. */
double page_covered(const json_t *coverage, const char *kind) {
  const json_t *c = json_object_get(coverage, kind);
  return fact_share(fact_number(c, "hit"), fact_number(c, "points") - count_or_zero(fact_number(c, "waived")));
}

/* A bar of three parts: hit, not hit, waived. */
static void coverage_bar(FILE *out, const json_t *coverage, const char *kind, const char *label) {
  static const char *const part[] = {"hit", "not hit", "waived"}, *const classes[] = {"good-fill", "bad-fill",
                                                                                      "waived-fill"};
  const json_t *c = json_object_get(coverage, kind);
  double points = fact_number(c, "points"), hit = count_or_zero(fact_number(c, "hit")),
         waived = count_or_zero(fact_number(c, "waived")), proved = fact_number(c, "proved");
  const double value[] = {hit, fmax(count_or_zero(points) - hit - waived, 0), waived};
  char title[96];
  if (!isfinite(points)) return;
  if (!(points > 0)) {
    html(out, "<p><b>%s</b> <span class=\"note\">no points</span></p>", label);
    return;
  }
  html(out, "<div class=\"bar\"><p><b>%s</b> ", label);
  html_percent(out, page_covered(coverage, kind));
  html(out, "<span class=\"note\"> %.0f of %.0f", hit, points - waived);
  if (waived > 0) html(out, ", %.0f waived", waived);
  if (waived > 0 && isfinite(proved)) html(out, " (%.0f proved unreachable)", proved);
  html(out, "</span></p>");
  snprintf(title, sizeof title, "%s coverage", label);
  svg_stack(out, title, part, classes, value, 3);
  html(out, "</div>");
}

typedef struct {
  double *x, *guided, *unguided;
  size_t count;
} curve_t;

/* Points reached over cycles, guided and not, on one chart. */
static void draw_coverage_curve(FILE *out, const json_t *points) {
  size_t i, n = json_array_size(points);
  const json_t *point;
  curve_t c = {calloc(n, sizeof(double)), calloc(n, sizeof(double)), calloc(n, sizeof(double)), n};
  double most = 0, end = 0;
  if (n < 2 || !c.x || !c.guided || !c.unguided) goto done;
  json_array_foreach(points, i, point) {
    c.x[i] = fact_number(point, "cycles");
    c.guided[i] = fact_number(point, "guided");
    c.unguided[i] = fact_number(point, "unguided");
    most = fmax(most, fmax(count_or_zero(c.guided[i]), count_or_zero(c.unguided[i])));
    end = fmax(end, count_or_zero(c.x[i]));
  }
  const svg_series_t series[] = {{"guided by coverage", c.x, c.guided, n, false},
                                 {"not guided", c.x, c.unguided, n, true}};
  const svg_chart_t chart = {"Coverage over cycles, guided and not",
                             "Points reached against cycles in lockstep",
                             "cycles",
                             "points reached",
                             0,
                             end,
                             most,
                             NAN,
                             "",
                             NULL};
  svg_lines(out, &chart, series, 2);
done:
  free(c.x);
  free(c.guided);
  free(c.unguided);
}

/* A point that is not hit, or that is waived: its place, its name, and the reason. */
static void print_point(FILE *out, const json_t *p) {
  const char *text = fact_text(p, "text"), *reason = fact_text(p, "reason");
  double line = fact_number(p, "line");
  html(out, "<li>%s <code>%s", fact_text(p, "kind"), fact_text(p, "file"));
  if (line > 0) html(out, ":%.0f", line);
  html(out, " %s</code> %s", fact_text(p, "name"), text ? text : "");
  if (json_is_boolean(json_object_get(p, "rose")))
    html(out, "%s%s", fact_true(p, "rose") ? "" : " never rose", fact_true(p, "fell") ? "" : " never fell");
  if (reason) html(out, ": %s%s", reason, fact_true(p, "proved") ? " (proved)" : "");
  html(out, "</li>");
}

/* A folded list of the first SHOWN points. */
static void print_points(FILE *out, const json_t *list, const char *what) {
  enum { SHOWN = 60 };
  size_t i, n = json_array_size(list);
  const json_t *p;
  if (!n) return;
  html(out, "<details><summary>%s</summary><ul class=\"list\">", what);
  json_array_foreach(list, i, p) {
    if (i == SHOWN) break;
    print_point(out, p);
  }
  if (n > SHOWN) html(out, "<li>and %zu more</li>", n - SHOWN);
  html(out, "</ul></details>");
}

/* The shortest list of runs with the same coverage, first entries only. */
static void print_ranked(FILE *out, const json_t *list) {
  static const char *const columns[] = {"Profile", "#Seed", "#Cycles", "#New points", NULL};
  enum { SHOWN = 12 };
  size_t i;
  const json_t *run;
  if (!json_array_size(list)) return;
  html(out, "<details><summary>Fewest runs for the same coverage</summary>");
  html_table(out, "Ranked runs", columns);
  json_array_foreach(list, i, run) {
    if (i == SHOWN) break;
    html(out, "<tr><th scope=\"row\">%s</th>", fact_text(run, "profile"));
    html_cell_count(out, fact_number(run, "seed"));
    html_cell_count(out, fact_number(run, "cycles"));
    html_cell_count(out, fact_number(run, "new"));
    html(out, "</tr>");
  }
  html_table_end(out);
  html(out, "</details>");
}

/* Shares leave waived points out; the bar shows them in their own colour. */
void page_coverage(FILE *out, const json_t *coverage) {
  char runs[TEXT_NUMBER], cycles[TEXT_NUMBER];
  if (!json_is_object(coverage)) return;
  open_panel(out, "Coverage", coverage);
  coverage_bar(out, coverage, "line", "Line");
  coverage_bar(out, coverage, "toggle", "Toggle");
  coverage_bar(out, coverage, "functional", "Functional");
  if (isfinite(fact_number(coverage, "runs")))
    html(out, "<p class=\"note\">%s runs, %s cycles</p>", text_count(runs, fact_number(coverage, "runs")),
         text_count(cycles, fact_number(coverage, "cycles")));
  print_points(out, json_object_get(coverage, "misses"), "What was not hit");
  print_points(out, json_object_get(coverage, "waivers"), "What is waived, and why");
  print_ranked(out, json_object_get(coverage, "ranked"));
  html(out, "</div>\n");
}

/* One point makes no curve. */
void page_guided(FILE *out, const json_t *guided) {
  char cycles[TEXT_NUMBER];
  size_t seeds = fact_count(guided, "seeds");
  if (fact_count(guided, "curve") < 2) return;
  open_panel(out, "Guided by coverage or not", guided);
  draw_coverage_curve(out, json_object_get(guided, "curve"));
  if (seeds)
    html(out, "<p class=\"note\">mean of %zu seeds, %s cycles each</p>", seeds,
         text_count(cycles, fact_number(guided, "cycles")));
  html(out, "</div>\n");
}

/* ---- mutation ---- */

/* Survivors need no word. */
static const char *why_left(const char *status) {
  if (status && strcmp(status, "undecided") == 0) return ", undecided";
  return status && strcmp(status, "open") == 0 ? ", not looked at" : "";
}

/* Undecided mutants are in this list, too: nobody has shown that they are equivalent. */
static void print_survivors(FILE *out, const json_t *mutation) {
  const json_t *list = json_object_get(mutation, "survivors"), *m;
  size_t i;
  if (!json_array_size(list)) return;
  html(out, "<details><summary>Mutants that are not killed</summary><ul class=\"list\">");
  json_array_foreach(list, i, m) {
    const char *source = fact_text(m, "source"), *status = fact_text(m, "status");
    html(out, "<li><code>%s</code> %s of %s[%.0f]%s</li>", source ? source : "?", fact_text(m, "mode"),
         fact_text(m, "port"), fact_number(m, "bit"), why_left(status));
  }
  html(out, "</ul></details>");
}

/* The denominator of the score: without equivalent mutants. */
double page_counted(const json_t *mutation) {
  return count_or_zero(fact_number(mutation, "killed")) + count_or_zero(fact_number(mutation, "survived")) +
         count_or_zero(fact_number(mutation, "undecided"));
}

/* basis.h has the two limits below which a share says little. */
bool page_few_mutants(const json_t *mutation) {
  return page_counted(mutation) < BASIS_MUTANTS;
}

bool page_few_cycles(const json_t *coverage) {
  return fact_number(coverage, "cycles") < BASIS_CYCLES;
}

/* The score, a bar of what became of the mutants, and a list of those that live. */
void page_mutation(FILE *out, const json_t *mutation) {
  static const char *const part[] = {"killed", "survived", "undecided", "equivalent"};
  static const char *const classes[] = {"good-fill", "bad-fill", "warn-fill", "waived-fill"};
  double value[4];
  if (!json_is_object(mutation)) return;
  for (size_t i = 0; i < 4; i++) value[i] = count_or_zero(fact_number(mutation, part[i]));
  open_panel(out, "Mutation", mutation);
  html(out, "<p class=\"big\">");
  html_percent(out, fact_number(mutation, "score"));
  html(out, " <small>%.0f of %.0f that are not equivalent%s</small></p><div class=\"bar\">", value[0],
       page_counted(mutation), page_few_mutants(mutation) ? ": few" : "");
  svg_stack(out, "Mutants: killed, survived, undecided, equivalent", part, classes, value, 4);
  html(out, "</div><ul class=\"legend\">");
  for (size_t i = 0; i < 4; i++) html(out, "<li><i class=\"%s\"></i>%.0f %s</li>", classes[i], value[i], part[i]);
  html(out, "</ul>");
  print_survivors(out, mutation);
  html(out, "</div>\n");
}

/* ---- proofs ---- */

static bool fact_is(const json_t *object, const char *key, const char *text) {
  const char *value = fact_text(object, key);
  return value && strcmp(value, text) == 0;
}

/* Only "proved" holds. A property without a verdict counts as not held. */
void page_proof_count(const json_t *proofs, size_t *held, size_t *all) {
  size_t i;
  const json_t *p;
  *held = 0;
  *all = fact_count(proofs, "properties");
  json_array_foreach(json_object_get(proofs, "properties"), i, p) *held += fact_is(p, "status", "proved");
}

static size_t count_true(const json_t *list, const char *key) {
  size_t i, n = 0;
  const json_t *entry;
  json_array_foreach(list, i, entry) n += fact_true(entry, key);
  return n;
}

/* Properties, covers and broken copies have a member each that says whether they are as they
 * should be. */
static void print_claims(FILE *out, const json_t *list, const char *kind) {
  size_t i;
  const json_t *c;
  json_array_foreach(list, i, c) {
    const char *status = fact_text(c, "status"), *params = fact_text(c, "params"), *of = fact_text(c, "property");
    bool held = fact_is(c, "status", "proved") || fact_true(c, "reached") || fact_true(c, "refuted");
    html(out, "<tr><th scope=\"row\">%s%s%s</th><td>%s</td><td class=\"%s\">%s</td><td>%s%s</td>", fact_text(c, "name"),
         of ? " / " : "", of ? of : "", kind, held ? "good" : "bad", status, fact_text(c, "method"),
         fact_true(c, "bounded") ? ", bounded" : "");
    html_cell_count(out, fact_number(c, "depth"));
    html(out, "<td>%s</td></tr>\n", params ? params : "");
  }
}

/* Covers show that a proof is not vacuous, broken copies that a wrong block would be found. */
void page_proofs(FILE *out, const json_t *proofs) {
  static const char *const columns[] = {"Name", "Kind", "Status", "Method", "#Depth", "Parameters", NULL};
  const json_t *covers = json_object_get(proofs, "covers"), *broken = json_object_get(proofs, "broken_copies");
  size_t held, all, copies = json_array_size(broken);
  if (!json_is_object(proofs)) return;
  page_proof_count(proofs, &held, &all);
  html(out, "<div class=\"panel\"><h4>Proofs</h4><p class=\"big\">%zu <small>of %zu properties proved</small></p>",
       held, all);
  page_tools(out, proofs);
  if (held < all) html(out, "<p class=\"bad\">%zu not proved</p>", all - held);
  html(out, "<p class=\"note\">%zu of %zu covers reached; %zu of %zu broken copies refuted</p>",
       count_true(covers, "reached"), json_array_size(covers), count_true(broken, "refuted"), copies);
  html(out, "<details><summary>Each property</summary>");
  html_table(out, "Proofs", columns);
  print_claims(out, json_object_get(proofs, "properties"), "property");
  print_claims(out, covers, "cover");
  print_claims(out, broken, "broken copy");
  html_table_end(out);
  html(out, "</details></div>\n");
}

/* ---- area ---- */

static void fact_row(FILE *out, const char *label, double value, const char *unit) {
  html(out, "<tr><th scope=\"row\">%s</th>", label);
  html_cell_short(out, value, unit);
  html(out, "</tr>");
}

/* The area at the papers' nodes, with its range. */
static void print_scaled(FILE *out, const json_t *area) {
  size_t i;
  const json_t *at;
  char low[TEXT_NUMBER], high[TEXT_NUMBER], text[TEXT_NUMBER];
  json_array_foreach(json_object_get(area, "scaled"), i, at) {
    html(out, "<tr><th scope=\"row\">at %g nm</th><td class=\"n\">%s\u202f\u00b5m\u00b2", fact_number(at, "nm"),
         text_short(text, fact_number(at, "um2")));
    if (isfinite(fact_number(at, "low")))
      html(out, "<br><span class=\"note\">%s to %s</span>", text_short(low, fact_number(at, "low")),
           text_short(high, fact_number(at, "high")));
    html(out, "</td></tr>");
    if (isfinite(fact_number(at, "dram_um2")))
      fact_row(out, "on a DRAM die", fact_number(at, "dram_um2"), "\u00b5m\u00b2");
  }
}

/* um2 where the library has a node, else bits. */
static void print_macros(FILE *out, const json_t *area) {
  size_t i;
  const json_t *m, *list = json_object_get(area, "macros");
  double bits = 0, um2 = 0, sum = fact_number(area, "macros_um2");
  json_array_foreach(list, i, m) {
    bits += count_or_zero(fact_number(m, "bits"));
    um2 += count_or_zero(fact_number(m, "um2"));
  }
  if (!json_array_size(list)) return;
  if (um2 > 0) fact_row(out, "memory macros", isfinite(sum) ? sum : um2, "\u00b5m\u00b2");
  fact_row(out, um2 > 0 ? "their bits" : "bits of memory macros", bits, "");
}

/* The papers' figures for this block, with ours and the ratio. */
static void print_papers(FILE *out, const json_t *list) {
  static const char *const columns[] = {"Paper's figure", "#Published", "#Ours", "#Ratio", NULL};
  size_t i;
  const json_t *p;
  if (!json_array_size(list)) return;
  html_table(out, "The papers' figures", columns);
  json_array_foreach(list, i, p) {
    const char *unit = fact_text(p, "unit"), *note = fact_text(p, "note");
    html(out, "<tr><th scope=\"row\">%s%s%s</th>", fact_text(p, "what"), note && *note ? ": " : "", note ? note : "");
    html_cell_short(out, fact_number(p, "published"), unit ? unit : "");
    html_cell_short(out, fact_number(p, "ours"), unit ? unit : "");
    html_cell_short(out, fact_number(p, "ratio"), "");
    html(out, "</tr>\n");
  }
  html_table_end(out);
}

/* "grown" is red: the block costs more than its line of synth/budget.csv. */
static void print_budget(FILE *out, const json_t *area) {
  const char *verdict = fact_text(json_object_get(area, "budget"), "verdict"),
             *why = fact_text(json_object_get(area, "budget"), "why");
  if (verdict)
    html(out, "<p class=\"%s\">Budget: %s %s</p>", strcmp(verdict, "grown") == 0 ? "bad" : "note", verdict,
         why ? why : "");
}

/* The area in the unit of its cells: gate equivalents or um2. */
static double area_of(const json_t *area, const char **unit) {
  const double ge = fact_number(area, "ge");
  return *unit = isfinite(ge) ? "GE" : "\u00b5m\u00b2", isfinite(ge) ? ge : fact_number(area, "um2");
}

/* The longest path in FO4 (inverter delays) where the library has them, else in ns. */
static double path_of(const json_t *area, const char **unit) {
  const double fo4 = fact_number(area, "longest_path_fo4");
  return *unit = isfinite(fo4) ? "FO4" : "ns", isfinite(fo4) ? fo4 : fact_number(area, "longest_path_ns");
}

/* Areas are without memory macros, which have rows of their own. */
void page_area(FILE *out, const json_t *area) {
  char number[TEXT_NUMBER];
  const char *unit;
  if (!json_is_object(area)) return;
  open_panel(out, "Area", area);
  html(out, "<p class=\"big\">%s <small>cells, %s</small></p><table><tbody>",
       text_count(number, fact_number(area, "cells")), fact_text(area, "target"));
  fact_row(out, "flip-flops", fact_number(area, "flipflops"), "");
  const double cells = area_of(area, &unit);
  fact_row(out, "cells' area", cells, unit);
  print_macros(out, area);
  const double path = path_of(area, &unit);
  fact_row(out, "longest path", path, unit);
  print_scaled(out, area);
  html(out, "</tbody></table>");
  print_budget(out, area);
  print_papers(out, json_object_get(area, "paper"));
  page_sweeps(out, area);
  html(out, "</div>\n");
}

/* ---- faults ---- */

enum { KINDS = 4 };
/* How a bit flip can end: keys of the document, their names and colours. docs/json.md explains
 * them. */
static const char *const fault_key[KINDS] = {"masked", "own", "lockstep", "silent"};
static const char *const fault_name[KINDS] = {"masked", "seen by the block itself", "seen by lockstep", "silent"};
static const char *const fault_class[KINDS] = {"waived-fill", "s0-fill", "good-fill", "bad-fill"};

/* Columns in the order of fault_key. */
static void print_registers(FILE *out, const json_t *list) {
  static const char *const columns[] = {"Register", "#masked", "#own", "#lockstep", "#silent", NULL};
  size_t i;
  const json_t *r;
  if (!json_array_size(list)) return;
  html(out, "<details><summary>Registers: %zu</summary>", json_array_size(list));
  html_table(out, "Registers", columns);
  json_array_foreach(list, i, r) {
    html(out, "<tr><th scope=\"row\"><code>%s</code></th>", fact_text(r, "name"));
    for (size_t k = 0; k < KINDS; k++) html_cell_count(out, fact_number(r, fault_key[k]));
    html(out, "</tr>\n");
  }
  html_table_end(out);
  html(out, "</details>");
}

/* `silent` is the class to look at: the state stays wrong and nothing shows it. */
void page_faults(FILE *out, const json_t *faults) {
  double value[KINDS], all = 0;
  char number[TEXT_NUMBER];
  if (!json_is_object(faults)) return;
  for (size_t k = 0; k < KINDS; k++) all += value[k] = count_or_zero(fact_number(faults, fault_key[k]));
  open_panel(out, "Faults", faults);
  html(out, "<p class=\"big\">%s <small>bit flips in its registers</small></p><div class=\"bar\">",
       text_count(number, all));
  svg_stack(out, "What became of the bit flips", fault_name, fault_class, value, KINDS);
  html(out, "</div><ul class=\"legend\">");
  for (size_t k = 0; k < KINDS; k++)
    html(out, "<li><i class=\"%s\"></i>%.0f %s</li>", fault_class[k], value[k], fault_name[k]);
  html(out, "</ul>");
  print_registers(out, json_object_get(faults, "registers"));
  html(out, "</div>\n");
}
