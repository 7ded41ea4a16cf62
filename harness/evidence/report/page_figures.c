/* SPDX-License-Identifier: Apache-2.0
 *
 * What the papers publish, compared with our figures.
 */
#include "page.h"

#include "html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAR = 160 };

/* The paper's value is text as printed there; NAN: it is not a number. */
static double paper_value(const json_t *figure) {
  const char *text = fact_text(figure, "value");
  char *end;
  double value = text ? strtod(text, &end) : NAN;
  return text && end != text ? value : NAN;
}

/* Two bars on one scale: the paper's above ours. */
static void draw_bars(FILE *out, double paper, double ours) {
  double most = fmax(isfinite(paper) ? fabs(paper) : 0, isfinite(ours) ? fabs(ours) : 0);
  if (!(most > 0)) return;
  html(out, "<svg class=\"two\" role=\"img\" viewBox=\"0 0 %d 26\"><title>The paper's %g, ours %g</title>", BAR, paper,
       ours);
  if (isfinite(paper))
    html(out, "<rect class=\"s5-fill\" x=\"0\" y=\"2\" width=\"%.1f\" height=\"10\"/>",
         fmax(BAR * fabs(paper) / most, 1));
  if (isfinite(ours))
    html(out, "<rect class=\"s0-fill\" x=\"0\" y=\"14\" width=\"%.1f\" height=\"10\"/>",
         fmax(BAR * fabs(ours) / most, 1));
  html(out, "</svg>");
}

/* A row, and a second one with the explanation if the figure has one. */
static void print_figure(FILE *out, const json_t *f) {
  const char *relation = fact_text(f, "relation"), *explanation = fact_text(f, "explanation");
  double ratio = fact_number(f, "ratio"), ours = fact_number(f, "ours");
  bool is = !relation || strcmp(relation, "=") == 0 || !*relation;
  html(out,
       "<tr><th scope=\"row\">%s</th><td class=\"prose\">%s<span class=\"note\"> paper %s, %s; %s</span></td><td "
       "class=\"n\">%s%s%s\u202f%s</td>",
       fact_text(f, "id"), fact_text(f, "metric"), fact_text(f, "paper"), fact_text(f, "section"),
       fact_text(f, "workload"), is ? "" : relation, is ? "" : " ", fact_text(f, "value"), fact_text(f, "unit"));
  if (fact_text(f, "ours")) html(out, "<td class=\"n\">%s</td>", fact_text(f, "ours"));
  else html_cell_short(out, ours, "");
  html(out, fact_true(f, "misses") ? "<td class=\"n bad\">" : "<td class=\"n\">");
  if (isfinite(ratio)) html(out, "%.2f", ratio);
  else html(out, "\u2013");
  html(out, "</td><td>");
  draw_bars(out, paper_value(f), ours);
  html(out, "</td></tr>\n");
  if (explanation)
    html(out, "<tr class=\"why\"><td></td><td colspan=\"5\" class=\"prose\">%s</td></tr>\n", explanation);
}

/* A folded table: a row for each workload, a column for each figure that has values by workload. */
static void print_workloads(FILE *out, const json_t *figures) {
  const json_t *first = json_object_get(json_array_get(figures, 0), "values"), *value, *f;
  const char *workload;
  size_t i;
  if (!json_is_object(first)) return;
  html(out, "<details><summary>Each workload</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
            "aria-label=\"Workloads\"><table><thead><tr>"
            "<th scope=\"col\">Workload</th>");
  json_array_foreach(figures, i, f) html(out, "<th scope=\"col\" class=\"n\">%s</th>", fact_text(f, "id"));
  html(out, "</tr></thead><tbody>\n");
  json_object_foreach((json_t *)first, workload, value) {
    html(out, "<tr><th scope=\"row\">%s</th>", workload);
    json_array_foreach(figures, i, f) html_cell_short(out, fact_number(json_object_get(f, "values"), workload), "");
    html(out, "</tr>\n");
  }
  html(out, "</tbody></table></div></details>\n");
}

/* A document of `reproduce` for one system. Figures of runs that are not complete get a warning. */
static void print_system(FILE *out, const json_t *facts, const json_t *entry) {
  static const char *const columns[] = {"Figure", "What", "#Paper", "#Ours", "#Ratio", "Both", NULL};
  const json_t *d = json_object_get(entry, "result"), *figures = fact_list(d, "figures"), *f;
  size_t i;
  if (!json_array_size(figures)) return;
  html(out, "<article><h3>%s</h3>\n<p class=\"note\">%s scale; <code>%s %s</code>%s</p>\n", fact_text(d, "system"),
       fact_text(d, "scale"), page_command(facts), fact_text(entry, "key"),
       fact_true(d, "complete")
           ? ""
           : ". Not all workloads at full scale: the quotient says how far small runs are from the paper's, not more.");
  html(out, "<ul class=\"legend\"><li><i class=\"s5-fill\"></i>the paper's</li><li><i "
            "class=\"s0-fill\"></i>ours</li></ul>\n");
  html_table(out, "Figures", columns);
  json_array_foreach(figures, i, f) print_figure(out, f);
  html_table_end(out);
  print_workloads(out, figures);
  html(out, "</article>\n");
}

/* The section is there without results, too, and then says which command makes them. */
void page_figures(FILE *out, const json_t *facts) {
  size_t i;
  const json_t *entry;
  html(out, "<section id=\"figures\"><h2>The papers' figures beside ours</h2>\n");
  if (!fact_count(facts, "figures"))
    html(out, "<p class=\"none\">No results yet: <code>%s reproduce</code> is in no run.</p>\n", page_command(facts));
  json_array_foreach(json_object_get(facts, "figures"), i, entry) print_system(out, facts, entry);
  html(out, "</section>\n");
}
