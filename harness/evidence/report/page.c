/* SPDX-License-Identifier: Apache-2.0
 *
 * The page's frame, and its head: verdict, stale results, totals, versions.
 */
#include "page.h"

#include "html.h"
#include "text.h"

#include <math.h>
#include <string.h>

const char *page_command(const json_t *facts) {
  const char *command = fact_text(facts, "command");
  return command ? command : "./lockstack";
}

static size_t open_failures(const json_t *facts) {
  size_t open = 0, i;
  const json_t *bucket;
  json_array_foreach(json_object_get(facts, "failures"), i, bucket) open += fact_true(bucket, "open");
  return open;
}

/* Red while a failure is open. A failure is open until the same command passes. */
static void print_verdict(FILE *out, const json_t *facts) {
  size_t open = open_failures(facts), runs = fact_count(facts, "runs");
  const json_t *last = json_array_get(json_object_get(facts, "runs"), 0);
  double failed = fact_number(last, "failed") + fact_number(last, "other"), waiting = fact_number(last, "waiting");
  if (!runs) {
    html(out, "<p class=\"verdict none\">No results yet: the database has no run.</p>\n");
    return;
  }
  html(out, "<p class=\"verdict %s\">", open ? "bad" : "good");
  if (open)
    html(out, "<a href=\"#failures\">%zu %s</a>. ", open,
         open == 1 ? "failure is open" : "different failures are open");
  else html(out, "Nothing fails. ");
  const char *state = waiting > 0 ? "has no failure so far" : "passed";
  html(out, "The latest run, <b>%s</b>, %s", fact_text(last, "suite"), failed > 0 ? "" : state);
  if (failed > 0) html(out, "has %.0f of %.0f jobs that did not pass", failed, fact_number(last, "total"));
  else if (!(waiting > 0)) html(out, " all %.0f jobs", fact_number(last, "total"));
  if (waiting > 0) html(out, "; %.0f %s not done", waiting, waiting == 1 ? "job is" : "jobs are");
  html(out, ".</p>\n");
}

/* How many results were left out, and why the newest of these was. */
static void print_stale(FILE *out, const json_t *facts) {
  const json_t *found = json_object_get(facts, "stale"), *first = json_object_get(found, "first");
  const double results = fact_number(found, "results");
  if (!(results > 0)) return;
  html(out, "<p class=\"verdict warn\">%.0f %s stale and %s below, but in the history: <code>%s</code>: %s.</p>\n",
       results, results > 1 ? "results are" : "result is", results > 1 ? "count for nothing" : "counts for nothing",
       fact_text(first, "key"), fact_text(first, "why"));
}

/* A large figure with a line below it; the exact number is its title. */
static void print_tile(FILE *out, const char *label, double value, const char *note) {
  char text[TEXT_NUMBER], exact[TEXT_NUMBER];
  html(out, "<div><dt>%s</dt><dd title=\"%s\">%s</dd><dd class=\"note\">%s</dd></div>\n", label,
       text_exact(exact, value), text_count(text, value), note);
}

/* Five figures. `Failed` counts FAIL alone; what could not run is in its note. */
static void print_tiles(FILE *out, const json_t *totals, bool own) {
  char note[96], number[TEXT_NUMBER];
  html(out, "<dl class=\"tiles\">\n");
  snprintf(note, sizeof note, "%.0f with results in lockstep", fact_number(totals, "blocks_checked"));
  print_tile(out, "Blocks", fact_number(totals, "blocks"), note);
  if (own) snprintf(note, sizeof note, "of all checks");
  else
    snprintf(note, sizeof note, "of blocks alone; %s in systems and networks",
             text_count(number, fact_number(totals, "system_cycles")));
  print_tile(out, "Cycles in lockstep", fact_number(totals, "cycles"), note);
  print_tile(out, "Divergences", fact_number(totals, "divergences") + fact_number(totals, "system_divergences"),
             own ? "checks that diverged" : "checks, systems and networks that diverged");
  snprintf(note, sizeof note, "of %s jobs in %.0f %s", text_count(number, fact_number(totals, "jobs")),
           fact_number(totals, "runs"), fact_number(totals, "runs") == 1 ? "run" : "runs");
  print_tile(out, "Passed", fact_number(totals, "passed"), note);
  snprintf(note, sizeof note, "and %.0f that were stopped or could not run", fact_number(totals, "other"));
  print_tile(out, "Failed", fact_number(totals, "failed"), note);
  html(out, "</dl>\n");
}

static void print_tool(FILE *out, const char *name, const char *version) {
  if (version && *version) html(out, "<div><dt>%s</dt><dd>%s</dd></div>", name, version);
}

/* Versions of the latest run's tools, else those of this program's build. No own block is in a
 * system. */
static void print_tools(FILE *out, const json_t *run, const json_t *provenance, bool own) {
  const json_t *tools = json_object_get(run, "tools"), *value;
  const char *key;
  json_object_foreach((json_t *)tools, key, value) if (strcmp(key, "version") != 0 && strcmp(key, "commit") != 0)
      print_tool(out, key, json_string_value(value)); /* version and commit stand above */
  if (json_is_object(tools) && json_object_size(tools)) return;
  static const char *const names[] = {"compiler", "verilator", "systemc"};
  for (size_t i = 0; i < (own ? 2u : 3u); i++) print_tool(out, names[i], fact_text(provenance, names[i]));
}

/* Without a run, commit and version are those of this program. */
void page_head(FILE *out, const json_t *facts) {
  const json_t *run = json_array_get(json_object_get(facts, "runs"), 0),
               *provenance = json_object_get(facts, "provenance");
  const json_t *from = run ? run : provenance;
  const bool own = fact_true(facts, "own");
  bool dirty = fact_true(from, "dirty") || fact_number(from, "dirty") > 0;
  html(out, "<header>\n<h1>Lockstack <span>report</span></h1>\n");
  html(out, "<p class=\"lead\">%s written twice, as Verilog and as golden C models, compared every cycle.</p>\n",
       own ? "Hardware" : "Near-data processing hardware");
  print_verdict(out, facts);
  print_stale(out, facts);
  print_tiles(out, json_object_get(facts, "totals"), own);
  html(out, "<dl class=\"source\"><div><dt>%s</dt><dd><code>%s</code>%s</dd></div>",
       own ? "Commit of Lockstack" : "Commit", fact_text(from, "commit"), dirty ? " with local changes" : "");
  print_tool(out, "Version", fact_text(from, "version"));
  if (run) {
    html(out, "<div><dt>Latest run</dt><dd>");
    html_time(out, fact_text(run, "started"));
    html(out, "</dd></div>");
  }
  print_tool(out, "Host", fact_text(run, "host"));
  print_tools(out, run, provenance, own);
  print_tool(out, "Database", fact_text(facts, "database"));
  html(out, "</dl>\n</header>\n");
}

/* Sections without content are not in the menu. */
static void print_navigation(FILE *out, const json_t *facts) {
  static const struct {
    const char *id, *text, *list; /* list: the section exists only with this list; NULL: always */
    bool tree;                    /* not where all results are of own blocks */
  } places[] = {{"failures", "Failures", NULL, false},
                {"table", "Blocks", NULL, false},
                {"history", "History", NULL, false},
                {"networks", "Networks", NULL, true},
                {"figures", "The papers' figures", NULL, true},
                {"each-failure", "Each failure", "failures", false},
                {"blocks", "Block by block", "blocks", false}};
  html(out, "<nav aria-label=\"Sections\"><ul>");
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if ((!places[i].list || fact_count(facts, places[i].list)) && !(places[i].tree && fact_true(facts, "own")))
      html(out, "<li><a href=\"#%s\">%s</a></li>", places[i].id, places[i].text);
  html(out, "</ul></nav>\n");
}

/* Style and script are in the page, so that it works from a file and in a mail. */
void page_write(FILE *out, const json_t *facts) {
  fputs("<!DOCTYPE html>\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<title>Lockstack report</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n",
        out);
  fputs(page_style, out);
  fputs("</style>\n</head>\n<body>\n", out);
  page_head(out, facts);
  print_navigation(out, facts);
  fputs("<main>\n", out);
  page_failures(out, facts);
  page_table(out, facts);
  page_history(out, facts);
  if (!fact_true(facts, "own")) page_networks(out, facts), page_figures(out, facts);
  page_each_failure(out, facts);
  page_blocks(out, facts);
  fputs("</main>\n<script>\n", out);
  fputs(page_script, out);
  fputs("</script>\n</body>\n</html>\n", out);
}
