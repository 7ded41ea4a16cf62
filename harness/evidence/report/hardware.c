/* SPDX-License-Identifier: Apache-2.0
 *
 * A result's figures are copied from its document; figures in other units have the unit in a
 * member beside them.
 */
#include "hardware.h"

#include "csv.h"
#include "html.h"
#include "question.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- from the database */

/* Copies the member `from` as `to`, if it is a number. copy_text does so for texts. */
static void copy_number(json_t *result, const char *to, const json_t *document, const char *from) {
  json_t *value = json_object_get(document, from);
  if (json_is_number(value)) json_object_set(result, to, value);
}

static void copy_text(json_t *result, const char *to, const json_t *document, const char *from) {
  json_t *value = json_object_get(document, from);
  if (json_is_string(value)) json_object_set(result, to, value);
}

typedef struct {
  const char *member, *unit;
} measure_t;

/* Copies the first of these members that is a number, and its unit. */
static void copy_measure(json_t *result, const char *to, const char *unit, const json_t *document,
                         const measure_t *measures) {
  for (; measures->member; measures++) {
    if (!json_is_number(json_object_get(document, measures->member))) continue;
    copy_number(result, to, document, measures->member);
    json_object_set_new(result, unit, json_string(measures->unit));
    return;
  }
}

/* Slack below 0 is a violation. `violated` counts the ends of paths that are late or early. */
static void put_timing(json_t *result, const json_t *timing) {
  static const char *const members[] = {"shortest_period", "fmax_mhz", "period"};
  const json_t *setup = json_object_get(timing, "setup"), *hold = json_object_get(timing, "hold");
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) copy_number(result, members[i], timing, members[i]);
  copy_text(result, "sdc", timing, "sdc");
  copy_text(result, "period_unit", timing, "unit");
  copy_number(result, "setup_slack", setup, "slack");
  copy_number(result, "setup_violated", setup, "violated");
  copy_number(result, "hold_slack", hold, "slack");
  copy_number(result, "hold_violated", hold, "violated");
}

/* False: the synthesis failed, so there are no figures. */
static bool put_area(json_t *result, const json_t *d) {
  static const measure_t area[] = {{"ge", "GE"}, {"um2", "um2"}, {"luts", "LUT"}, {0}};
  static const measure_t path[] = {
      {"longest_path_fo4", "FO4"}, {"longest_path_ns", "ns"}, {"longest_path_levels", "levels"}, {0}};
  const char *status = fact_text(d, "status");
  if (status && strcmp(status, "ok") != 0) return false;
  copy_text(result, "library", d, "target");
  copy_number(result, "cells", d, "cells");
  copy_number(result, "flipflops", d, "flipflops");
  copy_text(result, "method", d, "method");
  copy_measure(result, "area", "area_unit", d, area);
  copy_measure(result, "path", "path_unit", d, path);
  put_timing(result, json_object_get(d, "timing"));
  return true;
}

/* Cells of no process have a figure of loads only; those of a process have joules and watts.
 * False: nothing was counted, or the run did not pass. */
static bool put_power(json_t *result, const json_t *d) {
  const json_t *activity = json_object_get(d, "activity"), *power = json_object_get(d, "power");
  const char *outcome = fact_text(d, "outcome");
  if (!json_is_object(activity) || !outcome || strcmp(outcome, "PASS") != 0) return false;
  copy_text(result, "library", d, "cells");
  copy_text(result, "profile", d, "profile");
  copy_number(result, "seed", d, "seed");
  copy_number(result, "cycles", d, "cycles");
  copy_number(result, "counted_cycles", activity, "cycles");
  copy_number(result, "toggles_per_cycle", activity, "toggles_per_cycle");
  copy_number(result, "joules_per_cycle", power, "joules_per_cycle");
  copy_number(result, "watts", json_object_get(power, "all"), "watts");
  copy_number(result, "clock_ns", power, "clock_ns");
  if (!json_is_number(json_object_get(power, "clock_ns")))
    copy_number(result, "switched_loads", power, "switched_loads");
  return true;
}

/* All members null, in the order of the columns. */
static json_t *empty_result(void) {
  json_t *result = json_object();
#define MEMBER(name) json_object_set_new(result, #name, json_null());
  HARDWARE_MEMBERS(MEMBER)
#undef MEMBER
  return result;
}

/* of_now: the result is of the present sources. */
static void add_result(json_t *blocks, const json_t *job, const json_t *d, bool of_now) {
  const char *block = fact_text(d, "block"), *verb = fact_text(job, "verb");
  if (!block || !*block || fact_text(d, "rtl")) return; /* RTL of another folder is not the block's */
  json_t *result = empty_result();
  copy_text(result, "block", d, "block");
  copy_text(result, "params", d, "params");
  copy_text(result, "verb", job, "verb");
  copy_number(result, "run", job, "run");
  copy_text(result, "commit", job, "commit");
  copy_text(result, "started", job, "started");
  copy_text(result, "command", job, "key");
  json_object_set_new(result, "changed", json_boolean(fact_number(job, "dirty") > 0));
  json_object_set_new(result, "of_now", json_boolean(of_now));
  if (strcmp(verb, "area") == 0 ? put_area(result, d) : put_power(result, d)) {
    if (!json_object_get(blocks, block)) json_object_set_new(blocks, block, json_array());
    json_array_append(json_object_get(blocks, block), result);
  }
  json_decref(result);
}

/* ---- documents of several blocks */

/* The very same object, not an equal one. */
static bool is_in(const json_t *list, const json_t *wanted) {
  size_t i;
  const json_t *one;
  json_array_foreach(list, i, one) if (one == wanted) return true;
  return false;
}

/* Adds each block of a document's lists. A part is of now when facts_drop_stale leaves it.
 * False: the document has no lists. */
static bool add_parts(json_t *blocks, const json_t *job, const json_t *d, const facts_sources_t *sources) {
  static const char *const lists[] = {"blocks", "sweep"};
  const bool stale = fact_number(job, "stale") > 0;
  json_t *left = json_object();
  const json_t *part;
  size_t i;
  for (size_t k = 0; k < 2; k++)
    if (fact_list(d, lists[k])) json_object_set_new(left, lists[k], json_copy(fact_list(d, lists[k])));
  const bool any = json_object_size(left) > 0;
  facts_drop_stale(left, fact_text(job, "verb"), sources);
  for (size_t k = 0; k < 2; k++)
    json_array_foreach(json_object_get(d, lists[k]), i, part)
        add_result(blocks, job, part, !stale && is_in(json_object_get(left, lists[k]), part));
  json_decref(left);
  return any;
}

/* Stale results are in it, too, marked by of_now: they are the history that the charts show. The
 * question drops large members, which would make up most of the bytes. */
json_t *hardware_gather(struct sqlite3 *db, const facts_sources_t *sources) {
  json_t *jobs = question(
      db,
      "SELECT key, verb, run.id AS run, job.started AS started, commit_id AS 'commit', dirty, job.id IN (SELECT id "
      "FROM temp.stale) AS stale,"
      " CASE WHEN json_valid(result) THEN json_remove(result, '$.content', '$.provenance', '$.ports', '$.compared', "
      "'$.papers',"
      " '$.timing.paths', '$.power.parts', '$.power.windows', '$.activity.windows', '$.activity.busiest') END AS "
      "result_json"
      " FROM job JOIN run ON run.id = job.run WHERE job.state = 'done' AND verb IN ('area', 'power') AND result IS "
      "NOT NULL"
      " ORDER BY job.id");
  json_t *blocks = json_object();
  const json_t *job;
  size_t i;
  if (!jobs) return json_decref(blocks), NULL;
  json_array_foreach(jobs, i, job) {
    const json_t *document = json_object_get(job, "result");
    if (!add_parts(blocks, job, document, sources)) add_result(blocks, job, document, !(fact_number(job, "stale") > 0));
  }
  json_decref(jobs);
  return blocks;
}

/* ---- as CSV */

/* The shortest text that reads back as the same number. */
static void print_real(FILE *out, double value) {
  char digits_of[32];
  int digits = 15;
  do snprintf(digits_of, sizeof digits_of, "%.*g", digits, value);
  while (digits++ < 17 && strtod(digits_of, NULL) != value);
  fputs(digits_of, out);
}

static void print_member(FILE *out, const json_t *value) {
  if (json_is_string(value)) csv_text(out, json_string_value(value));
  else if (json_is_integer(value)) fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
  else if (json_is_real(value)) print_real(out, json_real_value(value));
  else if (json_is_boolean(value)) fputs(json_is_true(value) ? "1" : "0", out);
}

/* Blocks in the report's order, then results, the oldest first. */
void hardware_csv(FILE *out, const json_t *facts) {
  static const char *const names[] = {
#define MEMBER(name) #name,
      HARDWARE_MEMBERS(MEMBER)
#undef MEMBER
  };
  enum { NAMES = sizeof names / sizeof *names };
  size_t i, k;
  const json_t *block, *result;
  for (unsigned n = 0; n < NAMES; n++) fprintf(out, "%s%c", names[n], n + 1 < NAMES ? ',' : '\n');
  json_array_foreach(json_object_get(facts, "blocks"), i, block)
      json_array_foreach(json_object_get(block, "hardware"), k, result) {
    for (unsigned n = 0; n < NAMES; n++) {
      print_member(out, json_object_get(result, names[n]));
      fputc(n + 1 < NAMES ? ',' : '\n', out);
    }
  }
}
