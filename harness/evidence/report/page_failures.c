/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of failures, and a section for each of them: the cause, how to have it again, the
 * transactions before it, the waveform around it.
 */
#include "page.h"

#include "html.h"
#include "one_line.h"
#include "plain.h"
#include "text.h"
#include "waveform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWN = 60, OUTPUT = 8000 };

static const char *title_of(const json_t *bucket) {
  const char *key = fact_text(bucket, "key");
  return key && *key ? key : "unnamed job";
}

/* A check's own outcome ("DIVERGED") is more specific than the job's ("FAIL"). */
static const char *outcome_of(const json_t *bucket) {
  const char *found = fact_text(bucket, "found");
  return found ? found : fact_text(bucket, "outcome");
}

/* Without a check's document, the last line of output says why; its last MOST bytes are shown. */
static void print_last_words(FILE *out, const char *text) {
  enum { MOST = 600 };
  size_t length;
  const char *line = last_line(text ? text : "", &length);
  if (!length) return;
  const size_t cut = length > MOST ? length - MOST : 0;
  char words[MOST + 1];
  snprintf(words, sizeof words, "%.*s", (int)(length - cut), line + cut);
  html(out, "<p><code>%s</code></p>\n", words);
}

/* Which port was wrong first, in which cycle, and how far the stimulus was shrunk. */
static void print_cause(FILE *out, const json_t *bucket) {
  const json_t *failure = json_object_get(bucket, "failure");
  const char *port = fact_text(failure, "port"), *text = fact_text(failure, "text"),
             *profile = fact_text(bucket, "profile");
  if (!json_is_object(failure)) {
    print_last_words(out, fact_text(bucket, "output"));
    return;
  }
  if (fact_text(bucket, "what")) html(out, "<p>In the whole: %s. In the block alone:</p>\n", fact_text(bucket, "what"));
  html(out, "<p>Cycle %.0f", fact_number(failure, "cycle"));
  if (profile) html(out, " of profile %s, seed %.0f", profile, fact_number(bucket, "seed"));
  if (port) html(out, ": <code>%s</code> is wrong first", port);
  else html(out, ": %s", text ? text : "it failed");
  if (fact_number(bucket, "shrunk_cycles") > 0)
    html(out, "; shrunk to %.0f cycles", fact_number(bucket, "shrunk_cycles"));
  html(out, ".</p>\n");
}

/* "Model", or "Reference (netlist)" where a device stood in its place. */
static void print_model_name(FILE *out, const json_t *window) {
  const char *against = fact_text(window, "against");
  if (against) html(out, "<tr><th scope=\"row\">Reference (%s)</th>", against);
  else html(out, "<tr><th scope=\"row\">Model</th>");
}

/* RTL and model of the first wrong port in the failing cycle. */
static void print_port_values(FILE *out, const json_t *window, const char *port) {
  const json_t *signals = json_object_get(window, "signals"), *signal;
  double at = fact_number(window, "wrong") - fact_number(window, "from");
  size_t i;
  if (!port || !(at >= 0) || at > 1e6) return;
  json_array_foreach(signals, i, signal) {
    const char *name = fact_text(signal, "name"),
               *rtl = json_string_value(json_array_get(json_object_get(signal, "rtl"), (size_t)at));
    const char *model = json_string_value(json_array_get(json_object_get(signal, "model"), (size_t)at));
    if (!name || strcmp(name, port) != 0 || !json_is_array(json_object_get(signal, "rtl"))) continue;
    html(out, "<table class=\"pair\"><caption>%s, %.0f %s</caption><tbody>", name, fact_number(signal, "width"),
         fact_number(signal, "width") == 1 ? "bit" : "bits");
    html(out, "<tr><th scope=\"row\">RTL</th><td><code>%s%s</code></td></tr>", rtl ? "0x" : "",
         rtl ? rtl : "not valid");
    print_model_name(out, window);
    html(out, "<td><code>%s%s</code></td></tr></tbody></table>\n", model ? "0x" : "", model ? model : "not valid");
  }
}

/* For instance "i_gather (lsu_gather, rtl/lsu/lsu_gather.sv)". */
static void print_instance(FILE *out, const json_t *of, const char *name) {
  html(out, "<code>%s</code>", name);
  if (fact_text(of, "module")) html(out, " (%s, <code>%s</code>)", fact_text(of, "module"), fact_text(of, "file"));
}

/* The first MOST instances that drive the port. */
static void print_drivers(FILE *out, const json_t *drivers) {
  enum { MOST = 4 };
  size_t i;
  const json_t *driver;
  json_array_foreach(drivers, i, driver) {
    if (i == MOST) break;
    if (i) html(out, ", ");
    print_instance(out, driver, fact_text(driver, "name"));
  }
  if (json_array_size(drivers) > MOST) html(out, " and %zu more", json_array_size(drivers) - MOST);
}

/* What decided the wrong bits, back to the inputs; the first MOST entries. */
static void print_decided(FILE *out, const json_t *decided) {
  enum { MOST = 16 };
  static const char *const columns[] = {"Name", "Kind", "#Cycles", "Value", "Written in", NULL};
  size_t i;
  const json_t *e;
  if (!json_array_size(decided)) return;
  html_table(out, "What decided it, back to the inputs", columns);
  json_array_foreach(decided, i, e) {
    const char *first = fact_text(e, "first"), *last = fact_text(e, "last"), *where = fact_text(e, "where");
    const double from = fact_number(e, "from"), to = fact_number(e, "to");
    const bool same = first && last && !strcmp(first, last);
    if (i == MOST) break;
    html(out, "<tr><th scope=\"row\"><code>%s</code></th><td>%s</td><td class=\"n\">%.0f", fact_text(e, "name"),
         fact_text(e, "kind"), from);
    if (to > from) html(out, "\u2013%.0f", to);
    html(out, "</td><td><code>%s</code>", first ? first : "?");
    if (!same) html(out, " to <code>%s</code>", last ? last : "?");
    html(out, "</td><td><code>%s</code></td></tr>\n", where ? where : "");
  }
  html_table_end(out);
}

/* The port's line in the port file and its drivers; for an assertion, its text and place. */
static void print_location(FILE *out, const json_t *failure) {
  const json_t *rule = json_object_get(failure, "rule"), *assertion = json_object_get(failure, "assertion");
  const json_t *drivers = json_object_get(failure, "drivers");
  if (json_is_object(rule))
    html(out, "<p>Rule: <code>%s:%.0f</code> <code>%s</code></p>\n", fact_text(rule, "file"), fact_number(rule, "line"),
         fact_text(rule, "text"));
  if (json_array_size(drivers)) {
    html(out, "<p>It comes from ");
    print_drivers(out, drivers);
    html(out, ".</p>\n");
  }
  print_decided(out, json_object_get(failure, "decided"));
  if (json_is_object(assertion))
    html(out, "<p>Assertion: <code>%s</code> in %s, <code>%s:%.0f</code></p>\n", fact_text(assertion, "text"),
         fact_text(assertion, "instance"), fact_text(assertion, "file"), fact_number(assertion, "line"));
}

/* What the wrong part got in that cycle. With right inputs and a wrong output, the fault is in
 * it. */
static void inside_inputs(FILE *out, const json_t *inputs) {
  static const char *const columns[] = {"Input", "Value", "From", NULL};
  size_t i;
  const json_t *input;
  if (!json_array_size(inputs)) return;
  html_table(out, "Its inputs in that cycle", columns);
  json_array_foreach(inputs, i, input) {
    html(out, "<tr><th scope=\"row\">%s</th><td><code>%s</code></td><td>", fact_text(input, "name"),
         fact_text(input, "value"));
    print_drivers(out, json_object_get(input, "from"));
    html(out, "</td></tr>\n");
  }
  html_table_end(out);
}

/* Further parts that are wrong, and parts that could not be judged. */
static void print_other_wrong(FILE *out, const json_t *inside) {
  if (fact_text(inside, "also")) html(out, "<p>Wrong in the same cycle: %s.</p>\n", fact_text(inside, "also"));
  if (fact_text(inside, "unjudged")) html(out, "<p>Not judged: %s.</p>\n", fact_text(inside, "unjudged"));
}

/* The first part inside the RTL that differs from its own model. */
static void print_inside(FILE *out, const json_t *inside) {
  const char *name = fact_text(inside, "part");
  if (!json_is_object(inside)) return;
  if (!name) {
    html(out, "<p>Inside, each of %.0f parts that were judged does what its model does%s.</p>\n",
         fact_number(inside, "judged"), fact_true(inside, "cut") ? ", as far as there was time" : "");
    print_other_wrong(out, inside);
    return;
  }
  html(out, "<p>First wrong inside: ");
  print_instance(out, inside, name);
  html(out, ", cycle %.0f: <code>%s</code> is <code>%s</code>, should be <code>%s</code>.</p>\n",
       fact_number(inside, "cycle"), fact_text(inside, "port"), fact_text(inside, "rtl"), fact_text(inside, "model"));
  print_other_wrong(out, inside);
  inside_inputs(out, json_object_get(inside, "inputs"));
}

/* Commands to paste: the job, and the replay of its shrunk stimulus. */
static void print_commands(FILE *out, const json_t *facts, const json_t *bucket) {
  const char *key = fact_text(bucket, "key"), *replay = fact_text(bucket, "replay"),
             *folder = fact_text(bucket, "folder");
  html(out, "<p>Again:</p><pre class=\"command\">%s %s</pre>\n", page_command(facts), key);
  if (!replay || !*replay) return;
  bool whole = *replay == '/' || !folder || !*folder;
  char path[PLAIN_WORD], word[PLAIN_WORD];
  snprintf(path, sizeof path, "%s%s%s", whole ? "" : folder, whole ? "" : "/", replay);
  html(out, "<pre class=\"command\">%s replay %s</pre>\n", page_command(facts), plain_word(path, word));
}

/* Inputs of each cycle, and packets that the model recognised. */
static void print_transactions(FILE *out, const json_t *list) {
  static const char *const columns[] = {"#Cycle", "Inputs, and packets that the model showed", NULL};
  size_t i, k;
  const json_t *t, *packet;
  if (!json_array_size(list)) return;
  html(out, "<h4>Transactions before it</h4><div class=\"transactions\">");
  html_table(out, "Transactions", columns);
  json_array_foreach(list, i, t) {
    const char *inputs = fact_text(t, "inputs"), *before = fact_text(t, "before");
    if (before) html(out, "<tr><td class=\"n\">&#8230;</td><td>%s</td></tr>\n", before);
    html(out, "<tr><th scope=\"row\" class=\"n\">%.0f</th><td>", fact_number(t, "cycle"));
    if (inputs) html(out, "<code>%s</code>", inputs);
    json_array_foreach(json_object_get(t, "packets"), k, packet)
        html(out, "<code class=\"packet\">%s</code>", json_string_value(packet));
    html(out, "</td></tr>\n");
  }
  html_table_end(out);
  html(out, "</div>\n");
}

/* Other jobs with the same fault. */
static void print_jobs(FILE *out, const json_t *facts, const json_t *bucket) {
  static const char *const columns[] = {"Command", "Suite", "When", "Outcome", NULL};
  size_t i;
  const json_t *job;
  double count = fact_number(bucket, "count");
  html(out, "<details><summary>%.0f %s in this bucket</summary>", count, count == 1 ? "job" : "jobs");
  html_table(out, "Jobs", columns);
  json_array_foreach(json_object_get(bucket, "jobs"), i, job)
      html(out, "<tr><th scope=\"row\"><code>%s %s</code></th><td>%s</td><td>%s</td><td>%s%s</td></tr>\n",
           page_command(facts), fact_text(job, "key"), fact_text(job, "suite"), fact_text(job, "started"),
           fact_text(job, "outcome"), fact_true(job, "open") ? "" : "; passed since");
  if (count > (double)fact_count(bucket, "jobs"))
    html(out, "<tr><td colspan=\"4\">and %.0f older ones</td></tr>", count - (double)fact_count(bucket, "jobs"));
  html_table_end(out);
  html(out, "</details>\n");
}

/* The last OUTPUT bytes of what the job printed. */
static void print_output(FILE *out, const json_t *bucket) {
  const char *text = fact_text(bucket, "output");
  size_t n = text ? strlen(text) : 0;
  if (!n) return;
  html(out, "<details><summary>What it printed</summary><pre>%s%s</pre></details>\n", n > OUTPUT ? "\u2026" : "",
       n > OUTPUT ? text + n - OUTPUT : text);
}

/* RTL and model of the first wrong port, then the waveform, then the check's own text. */
static void print_window(FILE *out, const json_t *bucket) {
  const json_t *window = json_object_get(bucket, "window");
  const char *port = fact_text(json_object_get(bucket, "failure"), "port"), *text = fact_text(window, "text");
  if (!json_is_object(window)) return;
  print_port_values(out, window, port);
  html(out, "<h4>Around the failure</h4>\n");
  if (!waveform_draw(out, window, port)) html(out, "<p class=\"none\">No signal of it changes.</p>\n");
  if (text) html(out, "<details><summary>The report of the check</summary><pre>%s</pre></details>\n", text);
}

/* Does the page have a section of this block? "all", for instance, is none. */
static bool has_section(const json_t *facts, const char *name) {
  size_t i;
  const json_t *block;
  json_array_foreach(json_object_get(facts, "blocks"), i, block) {
    const char *is = fact_text(block, "name");
    if (is && name && strcmp(is, name) == 0) return true;
  }
  return false;
}

/* A failure that came once has one time. */
static void print_times(FILE *out, const json_t *bucket) {
  double count = fact_number(bucket, "count");
  if (count > 1) {
    html(out, ", %.0f times, first ", count);
    html_time(out, fact_text(bucket, "first"));
    html(out, ", last ");
  } else html(out, ", ");
  html_time(out, fact_text(bucket, "last"));
}

/* From the cause to the evidence: what is wrong, where, how to see it again, and the raw output
 * last. */
static void print_failure(FILE *out, const json_t *facts, const json_t *bucket, size_t number) {
  const char *signature = fact_text(bucket, "signature"), *block = fact_text(bucket, "block");
  bool open = fact_true(bucket, "open");
  html(out, "<article class=\"failure %s\" id=\"", open ? "open" : "closed");
  html_id(out, "failure", signature);
  html(out, "\"><h3>%zu. %s</h3>\n<p class=\"meta\"><b class=\"%s\">%s</b>%s", number, title_of(bucket),
       open ? "bad" : "good", outcome_of(bucket), open ? "" : ", passes since");
  print_times(out, bucket);
  if (has_section(facts, block)) {
    html(out, "; block ");
    html_link(out, "block", block, block);
  }
  html(out, "; bucket <code>%s</code></p>\n", signature);
  print_cause(out, bucket);
  print_location(out, json_object_get(bucket, "failure"));
  print_inside(out, json_object_get(bucket, "inside"));
  print_commands(out, facts, bucket);
  print_window(out, bucket);
  print_transactions(out, json_object_get(bucket, "transactions"));
  print_output(out, bucket);
  print_jobs(out, facts, bucket);
  html(out, "</article>\n");
}

/* DRAWN sections at most: each has a waveform, and a page of thousands would not open. */
void page_each_failure(FILE *out, const json_t *facts) {
  size_t i;
  const json_t *bucket;
  if (!fact_count(facts, "failures")) return;
  html(out, "<section id=\"each-failure\"><h2>Each failure</h2>\n");
  json_array_foreach(json_object_get(facts, "failures"), i, bucket) {
    if (i == DRAWN) break;
    print_failure(out, facts, bucket, i + 1);
  }
  html(out, "</section>\n");
}

/* ---- the list of them ---- */

/* A row of the list, with a link to the failure's section. */
static void print_failure_row(FILE *out, const json_t *bucket) {
  const char *port = fact_text(json_object_get(bucket, "failure"), "port");
  bool open = fact_true(bucket, "open");
  html(out, "<tr><th scope=\"row\">");
  html_link(out, "failure", fact_text(bucket, "signature"), title_of(bucket));
  html(out, "</th><td class=\"%s\">%s</td><td>", open ? "bad" : "", outcome_of(bucket));
  if (port) html(out, "<code>%s</code>", port);
  html(out, "</td><td>%s</td>", open ? "open" : "passes since");
  html_cell_count(out, fact_number(bucket, "count"));
  html(out, "<td>");
  html_time(out, fact_text(bucket, "last"));
  html(out, "</td></tr>\n");
}

/* Open failures come first (facts.c), so the cut at DRAWN drops those that pass since. */
void page_failures(FILE *out, const json_t *facts) {
  static const char *const columns[] = {"Command", "Outcome", "First wrong port", "State", "#Times", "Last", NULL};
  size_t i, n = fact_count(facts, "failures");
  const json_t *bucket;
  html(out, "<section id=\"failures\"><h2>Failures</h2>\n");
  if (!n) {
    html(out, "<p class=\"good\">None in the database.</p></section>\n");
    return;
  }
  html(
      out,
      "<p class=\"note\">One line for each fault, however many jobs it fails; those that still fail come first.</p>\n");
  html_table(out, "Failures", columns);
  json_array_foreach(json_object_get(facts, "failures"), i, bucket) {
    if (i == DRAWN) break;
    print_failure_row(out, bucket);
  }
  html_table_end(out);
  if (n > DRAWN) html(out, "<p>And %zu older ones.</p>\n", n - DRAWN);
  html(out, "</section>\n");
}
