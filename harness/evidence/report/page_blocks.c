/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of all blocks, and a section for each block.
 */
#include "page.h"

#include "html.h"
#include "text.h"

#include <math.h>
#include <string.h>

/* Members of a block that are results; hardware is asked apart. */
static const char *const results[] = {"check", "coverage", "guided", "mutation", "proofs", "area", "faults"};
enum { RESULTS = sizeof results / sizeof *results };

static bool has_results(const json_t *block) {
  for (size_t i = 0; i < RESULTS; i++)
    if (json_is_object(json_object_get(block, results[i]))) return true;
  return page_has_hardware(block);
}

/* ---- the table ---- */

/* The title explains the column's short name. */
static void head_cell(FILE *out, const char *title, const char *text) {
  html(out, "<th scope=\"col\" class=\"n\" title=\"%s\">%s</th>", title, text);
}

/* The columns of table_row, in its order. */
static void table_head(FILE *out) {
  html(out, "<thead><tr><th scope=\"col\">Block</th>");
  head_cell(out, "Lines of Verilog of the block itself", "RTL lines");
  head_cell(out, "Inputs, outputs and probes", "Ports");
  head_cell(out, "Cycles of RTL and golden model side by side, those in reset too, all checks", "Cycles");
  head_cell(out, "Checks that diverged", "Div.");
  head_cell(out, "Line coverage, less waivers", "Line");
  head_cell(out, "Toggle coverage, less waivers", "Toggle");
  head_cell(out, "Functional points, less waivers", "Func.");
  head_cell(out, "Killed mutants of all that are not equivalent", "Mutation");
  head_cell(out, "Properties proved, of those tried", "Proofs");
  head_cell(out, "Cells of the netlist, without memory macros", "Cells");
  head_cell(out, "Area of the cells in gate equivalents, without memory macros", "GE");
  head_cell(out, "Longest path through logic, in delays of an inverter that drives four", "Path");
  html(out, "</tr></thead>\n");
}

/* Proved properties out of all; red when one is not proved. */
static void proofs_cell(FILE *out, const json_t *proofs) {
  size_t held, all;
  page_proof_count(proofs, &held, &all);
  if (!all) html(out, "<td class=\"n\">\u2013</td>");
  else html(out, "<td class=\"n%s\">%zu/%zu</td>", held < all ? " bad" : "", held, all);
}

/* A share that rests on little data is marked. The title, and the block's section, say how much. */
static void share_cell(FILE *out, double share, bool few, const char *basis) {
  if (!isfinite(share)) return html_cell_percent(out, share);
  html(out, "<td class=\"n%s\" title=\"%s\">", few ? " few" : "", basis);
  html_percent(out, share);
  html(out, "%s</td>", few ? " few" : "");
}

static void coverage_cell(FILE *out, const json_t *coverage, const char *kind) {
  char basis[96], cycles[TEXT_NUMBER];
  text_short(cycles, fact_number(coverage, "cycles"));
  snprintf(basis, sizeof basis, "%.0f runs, %s cycles", fact_number(coverage, "runs"), cycles);
  share_cell(out, page_covered(coverage, kind), page_few_cycles(coverage), basis);
}

static void mutation_cell(FILE *out, const json_t *mutation) {
  char basis[96];
  snprintf(basis, sizeof basis, "%.0f of %.0f killed", fact_number(mutation, "killed"), page_counted(mutation));
  share_cell(out, fact_number(mutation, "score"), page_few_mutants(mutation), basis);
}

/* Cells that the user's eye should find are red (`bad`): a divergence, a property without a
 * proof. */
static void table_row(FILE *out, const json_t *block) {
  const char *name = fact_text(block, "name");
  const json_t *check = json_object_get(block, "check"), *area = json_object_get(block, "area"),
               *coverage = json_object_get(block, "coverage");
  double diverged = fact_number(check, "divergences");
  html(out, "<tr><th scope=\"row\">");
  html_link(out, "block", name, name);
  html(out, "</th>");
  html_cell_count(out, fact_number(block, "rtl_lines"));
  html_cell_count(out, fact_count(block, "ports") ? (double)fact_count(block, "ports") : NAN);
  html_cell_count(out, fact_number(check, "cycles"));
  if (isfinite(diverged)) html(out, "<td class=\"n%s\">%.0f</td>", diverged > 0 ? " bad" : "", diverged);
  else html(out, "<td class=\"n\">\u2013</td>");
  coverage_cell(out, coverage, "line");
  coverage_cell(out, coverage, "toggle");
  coverage_cell(out, coverage, "functional");
  mutation_cell(out, json_object_get(block, "mutation"));
  proofs_cell(out, json_object_get(block, "proofs"));
  html_cell_count(out, fact_number(area, "cells"));
  html_cell_count(out, fact_number(area, "ge"));
  html_cell_short(out, fact_number(area, "longest_path_fo4"), "FO4");
  html(out, "</tr>\n");
}

static bool same_family(const json_t *a, const json_t *b) {
  const char *x = fact_text(a, "family"), *y = fact_text(b, "family");
  return strcmp(x ? x : "", y ? y : "") == 0;
}

/* Selects blocks: own ones or the tree's, with results or without. */
static bool is_wanted(const json_t *block, bool own, bool results_wanted) {
  return fact_true(block, "listed") != own && has_results(block) == results_wanted;
}

static size_t having_results(const json_t *facts, bool wanted) {
  size_t i, n = 0;
  const json_t *block;
  json_array_foreach(json_object_get(facts, "blocks"), i, block) n += has_results(block) == wanted;
  return n;
}

/* Opens a group of rows at each new family. *before: the last block, also of an earlier call. */
static void table_rows(FILE *out, const json_t *facts, bool own, const json_t **before) {
  size_t i;
  const json_t *block;
  json_array_foreach(json_object_get(facts, "blocks"), i, block) {
    const char *family = fact_text(block, "family");
    if (!is_wanted(block, own, true)) continue;
    if (*before && !same_family(block, *before)) html(out, "</tbody>\n");
    if (!*before || !same_family(block, *before))
      html(out, "<tbody><tr class=\"family\"><th scope=\"rowgroup\" colspan=\"13\">%s</th></tr>\n",
           family ? family : "own blocks");
    table_row(out, block);
    *before = block;
  }
}

/* Names of blocks without results, folded away. */
static void print_blocks_without(FILE *out, const json_t *facts) {
  size_t i, n = having_results(facts, false);
  const json_t *block, *before = NULL;
  if (!n) return;
  html(out, "<details class=\"others\"><summary>%zu %s no result yet</summary>", n,
       n == 1 ? "block has" : "blocks have");
  json_array_foreach(json_object_get(facts, "blocks"), i, block) {
    if (has_results(block)) continue;
    if (!before || !same_family(block, before))
      html(out, "%s<p><b>%s</b> ", before ? "</p>\n" : "",
           fact_text(block, "family") ? fact_text(block, "family") : "own blocks");
    html_link(out, "block", fact_text(block, "name"), fact_text(block, "name"));
    html(out, " ");
    before = block;
  }
  html(out, "</p></details>\n");
}

/* Own blocks come first: they are what their owner looks for. */
void page_table(FILE *out, const json_t *facts) {
  const json_t *before = NULL;
  html(out, "<section id=\"table\"><h2>Blocks</h2>\n");
  if (!fact_count(facts, "blocks")) {
    html(out, "<p class=\"none\">No blocks.</p></section>\n");
    return;
  }
  if (having_results(facts, true)) {
    html(out,
         "<p class=\"note\">Latest result of each block with its default parameters, cycles of all runs. \u2013: no "
         "result yet.</p>\n"
         "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of blocks with results\"><table "
         "class=\"blocks sortable\">\n");
    table_head(out);
    table_rows(out, facts, true, &before);
    table_rows(out, facts, false, &before);
    html(out, "</tbody></table></div>\n");
  }
  print_blocks_without(out, facts);
  html(out, "</section>\n");
}

/* ---- a block ---- */

/* A source file of the block and its number of lines. */
static void print_file(FILE *out, const json_t *files, const char *key, const char *label, double lines) {
  const char *path = fact_text(files, key);
  if (!path || !*path) return;
  html(out, "<div><dt>%s</dt><dd><code>%s</code>", label, path);
  if (isfinite(lines)) html(out, " <span class=\"note\">%.0f lines</span>", lines);
  html(out, "</dd></div>");
}

/* The lines of ports, stimulus and proof are not counted. */
static void print_files(FILE *out, const json_t *block) {
  const json_t *paths = json_object_get(block, "files");
  html(out, "<dl class=\"files\">");
  print_file(out, paths, "rtl", "RTL", fact_number(block, "rtl_lines"));
  print_file(out, paths, "model", "Model", fact_number(block, "model_lines"));
  print_file(out, paths, "ports", "Ports", NAN);
  print_file(out, paths, "test", "Stimulus", NAN);
  print_file(out, paths, "proof", "Proof", NAN);
  html(out, "</dl>\n");
}

/* Cycles and divergences, by device. */
static void print_lockstep(FILE *out, const json_t *check) {
  static const char *const columns[] = {"Device", "#Cycles", "#Diverged", NULL};
  size_t i;
  const json_t *kind;
  char number[TEXT_NUMBER], exact[TEXT_NUMBER];
  double diverged = fact_number(check, "divergences");
  html(out,
       "<div class=\"panel\"><h4>Lockstep</h4><p class=\"big\"><span title=\"%s\">%s</span> <small>cycles</small></p>",
       text_exact(exact, fact_number(check, "cycles")), text_count(number, fact_number(check, "cycles")));
  html(out, "<p class=\"%s\">%.0f of %.0f checks diverged</p>", diverged > 0 ? "bad" : "good", diverged,
       fact_number(check, "jobs"));
  html_table(out, "Devices", columns);
  json_array_foreach(json_object_get(check, "duts"), i, kind) {
    html(out, "<tr><th scope=\"row\">%s</th>", fact_text(kind, "dut"));
    html_cell_count(out, fact_number(kind, "cycles"));
    html_cell_count(out, fact_number(kind, "divergences"));
    html(out, "</tr>");
  }
  html_table_end(out);
  page_tools(out, check);
  html(out, "</div>\n");
}

/* dir: "in", "out" or "probe". */
static size_t count_ports(const json_t *ports, const char *dir) {
  size_t i, n = 0;
  const json_t *port;
  json_array_foreach(ports, i, port) {
    const char *is = fact_text(port, "dir");
    n += is && strcmp(is, dir) == 0;
  }
  return n;
}

/* Widths depend on parameters. The note says which, unless they are the defaults. */
static void print_ports(FILE *out, const json_t *block) {
  static const char *const columns[] = {"Port", "Direction", "#Bits", "Valid with", "Type", NULL};
  const json_t *list = json_object_get(block, "ports"), *port;
  const char *params = fact_text(block, "ports_params");
  size_t i;
  if (!json_array_size(list)) return;
  html(out, "<details><summary>Ports: %zu (in: %zu, out: %zu, probes: %zu)</summary>", json_array_size(list),
       count_ports(list, "in"), count_ports(list, "out"), count_ports(list, "probe"));
  if (params && *params) html(out, "<p class=\"note\">Widths with %s.</p>", params);
  html_table(out, "Ports", columns);
  json_array_foreach(list, i, port) {
    const char *valid = fact_text(port, "valid"), *type = fact_text(port, "type");
    html(out, "<tr><th scope=\"row\"><code>%s</code></th><td>%s</td>", fact_text(port, "name"), fact_text(port, "dir"));
    html_cell_count(out, fact_number(port, "width"));
    html(out, "<td><code>%s</code></td><td><code>%s</code></td></tr>\n", valid ? valid : "", type ? type : "");
  }
  html_table_end(out);
  html(out, "</details>\n");
}

/* A block's section; a block without results has only its files. */
static void print_block(FILE *out, const json_t *facts, const json_t *block) {
  const char *name = fact_text(block, "name"), *family = fact_text(block, "family");
  html(out, "<section class=\"block\" id=\"");
  html_id(out, "block", name);
  html(out, "\"><h3>%s%s%s</h3>\n", family ? family : "", family ? "/\u200b" : "", name);
  if (fact_true(block, "listed")) print_files(out, block);
  else if (!fact_true(facts, "own")) html(out, "<p class=\"note\">Not a block of the tree.</p>");
  if (!has_results(block)) {
    html(out, "<p class=\"none\">No results yet.</p></section>\n");
    return;
  }
  html(out, "<div class=\"panels\">\n");
  if (json_is_object(json_object_get(block, "check"))) print_lockstep(out, json_object_get(block, "check"));
  page_coverage(out, json_object_get(block, "coverage"));
  page_guided(out, json_object_get(block, "guided"));
  page_mutation(out, json_object_get(block, "mutation"));
  page_proofs(out, json_object_get(block, "proofs"));
  page_area(out, json_object_get(block, "area"));
  page_faults(out, json_object_get(block, "faults"));
  html(out, "</div>\n");
  page_hardware(out, block);
  print_ports(out, block);
  html(out, "</section>\n");
}

static void print_sections(FILE *out, const json_t *facts, bool own, bool results_wanted) {
  size_t i;
  const json_t *block;
  json_array_foreach(json_object_get(facts, "blocks"), i, block) if (is_wanted(block, own, results_wanted))
      print_block(out, facts, block);
}

/* The order of the table. Blocks without results are folded away, but their sections exist, so
 * that links to them work. */
void page_blocks(FILE *out, const json_t *facts) {
  const size_t without = having_results(facts, false);
  if (!fact_count(facts, "blocks")) return;
  html(out, "<section id=\"blocks\"><h2>Block by block</h2>\n");
  print_sections(out, facts, true, true);
  print_sections(out, facts, false, true);
  if (without)
    html(out, "<details class=\"others\"><summary>%zu %s no result yet</summary>\n", without,
         without == 1 ? "block has" : "blocks have");
  print_sections(out, facts, true, false);
  print_sections(out, facts, false, false);
  if (without) html(out, "</details>\n");
  html(out, "</section>\n");
}
