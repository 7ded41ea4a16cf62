/* SPDX-License-Identifier: Apache-2.0
 *
 * Each part is a question to the database (question.h) and the shaping of its rows.
 *
 *    facts_stale --> temp.stale --> blocks, networks, figures     only what is of now
 *                             \-> runs, failures, trends          all: they are the history
 *                             \-> totals                          sums over these parts
 */
#include "facts.h"

#include "html.h"
#include "question.h"

#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

void facts_copy(json_t *object, const json_t *document, const char *const *keys) {
  for (; *keys; keys++) {
    json_t *value = json_object_get(document, *keys);
    json_object_set(object, *keys, value ? value : json_null());
  }
}

/* ---- runs ---- */

/* `other` counts jobs that ended with neither PASS nor FAIL, `waiting` those that are not done. */
json_t *facts_runs(sqlite3 *db) {
  return question(
      db,
      "SELECT run.id AS id, suite, run.started AS started, run.ended AS ended, commit_id AS 'commit', dirty, version, "
      "tools AS tools_json,"
      " host, jobs, engine, run.state AS state, COUNT(job.id) AS total, TOTAL(job.outcome = 'PASS') AS passed,"
      " TOTAL(job.outcome = 'FAIL') AS failed, TOTAL(job.state = 'done' AND job.outcome NOT IN ('PASS', 'FAIL')) AS "
      "other,"
      " TOTAL(job.state <> 'done') AS waiting, TOTAL(job.seconds) AS job_seconds, TOTAL(job.cpu_seconds) AS "
      "cpu_seconds,"
      " (julianday(run.ended) - julianday(run.started)) * 86400 AS seconds"
      " FROM run LEFT JOIN job ON job.run = run.id GROUP BY run.id ORDER BY run.started DESC, run.id DESC");
}

/* ---- failures ---- */

/* The object, if it has a window of signals. */
static const json_t *with_window(const json_t *object) {
  return json_is_object(json_object_get(object, "window")) ? object : NULL;
}

/* The divergence to draw: a check's own, else that of a system's first diverging instance, else
 * that of a network. */
static const json_t *find_divergence(const json_t *document) {
  size_t i;
  const json_t *entry, *found = with_window(document);
  if (!found) found = with_window(json_object_get(document, "first_divergence"));
  json_array_foreach(json_object_get(json_object_get(document, "lockstep"), "instances"), i, entry) if (!found) found =
      with_window(json_object_get(entry, "first"));
  json_array_foreach(json_object_get(document, "points"), i, entry) if (!found) found =
      with_window(json_object_get(entry, "first_divergence"));
  json_array_foreach(json_object_get(document, "policies"), i, entry) if (!found) found = find_divergence(entry);
  return found;
}

/* A bucket is one fault, however many jobs it fails. It describes the newest of these jobs. */
static json_t *new_bucket(const json_t *job, const char *name) {
  static const char *const keys[] = {"key",    "verb",  "subject", "outcome", "exit_code", "node",
                                     "output", "suite", "folder",  "commit",  NULL};
  static const char *const parts[] = {"failure", "inside",  "window", "transactions", "replay", "shrunk_cycles",
                                      "seed",    "profile", "params", "block",        NULL};
  const json_t *result = json_object_get(job, "result"), *drawn = find_divergence(result);
  const char *found = fact_text(result, "outcome");
  if (found && !strcmp(found, "PASS") && !strcmp(fact_text(job, "outcome"), "FAIL"))
    found = "NOT_COMPARED"; /* the check held, but the union missed an output */
  json_t *b =
      json_pack("{s:s, s:o, s:O, s:O, s:i, s:b}", "signature", name, "jobs", json_array(), "last",
                json_object_get(job, "started"), "first", json_object_get(job, "started"), "count", 0, "open", 0);
  facts_copy(b, job, keys);
  facts_copy(b, drawn ? drawn : result, parts);
  json_object_set_new(b, "what", fact_text(drawn, "what") ? json_string(fact_text(drawn, "what")) : json_null());
  json_object_set_new(b, "found", found ? json_string(found) : json_null());
  return b;
}

/* Adds a job to its bucket. Jobs come newest first, so the last one added is the first failure. */
static void add_job(json_t *b, const json_t *job) {
  static const char *const keys[] = {"key", "suite", "outcome", "started", "seconds", "open", NULL};
  enum { LISTED = 20 };
  json_object_set(b, "first", json_object_get(job, "started"));
  json_object_set_new(b, "count", json_integer(json_integer_value(json_object_get(b, "count")) + 1));
  if (fact_number(job, "open") > 0) json_object_set_new(b, "open", json_true());
  if (fact_count(b, "jobs") >= LISTED) return;
  json_t *kept = json_object();
  facts_copy(kept, job, keys);
  json_object_set_new(kept, "open", json_boolean(fact_number(job, "open") > 0));
  json_array_append_new(json_object_get(b, "jobs"), kept);
}

/* Open failures first; within these, the newest first. Takes the reference. */
static json_t *order_buckets(json_t *buckets) {
  json_t *list = json_array(), *b;
  const char *name;
  for (int open = 1; open >= 0; open--)
    json_object_foreach(buckets, name, b) if (fact_true(b, "open") == (open == 1)) json_array_append(list, b);
  json_decref(buckets);
  return list;
}

/* A job is open when no later run of the same command exists. Jobs without a signature have
 * their command as one. */
json_t *facts_failures(sqlite3 *db) {
  json_t *jobs = question(
      db,
      "SELECT job.key AS key, verb, subject, outcome, exit_code, job.started AS started, seconds, signature, output, "
      "result AS result_json,"
      " node, suite, folder, commit_id AS 'commit',"
      " job.id = (SELECT MAX(id) FROM job AS later WHERE later.key = job.key AND later.state = 'done') AS open"
      " FROM job JOIN run ON run.id = job.run WHERE job.state = 'done' AND outcome <> 'PASS' ORDER BY job.id DESC "
      "LIMIT 2000");
  json_t *buckets = json_object(), *job;
  size_t i;
  if (!jobs) return NULL;
  json_array_foreach(jobs, i, job) {
    const char *name = fact_text(job, "signature");
    if (!name || !*name) name = fact_text(job, "key");
    if (!name) continue;
    if (!json_object_get(buckets, name)) json_object_set_new(buckets, name, new_bucket(job, name));
    add_job(json_object_get(buckets, name), job);
  }
  json_decref(jobs);
  return order_buckets(buckets);
}

/* ---- jobs that ran more than once ---- */

/* Jobs with more than one result, the oldest result first, KEPT of them at most. Jobs of `run`
 * and `memory` also have the cycles they simulated. */
json_t *facts_trends(sqlite3 *db) {
  enum { KEPT = 30 };
  json_t *rows = question(
      db, "SELECT key, outcome, seconds, CASE WHEN verb IN ('run', 'memory') AND json_valid(result)"
          " THEN json_extract(result, '$.cycles') END AS cycles FROM job WHERE state = 'done' AND key IN"
          " (SELECT key FROM job WHERE state = 'done' GROUP BY key HAVING COUNT(*) > 1) ORDER BY id LIMIT 20000");
  json_t *of = json_object(), *list = json_array(), *row, *trend;
  const char *key;
  size_t i;
  if (!rows) return json_decref(of), json_decref(list), NULL;
  json_array_foreach(rows, i, row) {
    if (!(key = fact_text(row, "key"))) continue;
    if (!json_object_get(of, key))
      json_object_set_new(of, key, json_pack("{s:s, s:[], s:[], s:[]}", "key", key, "outcomes", "seconds", "cycles"));
    trend = json_object_get(of, key);
    json_array_append(json_object_get(trend, "outcomes"), json_object_get(row, "outcome"));
    json_array_append(json_object_get(trend, "seconds"), json_object_get(row, "seconds"));
    json_array_append(json_object_get(trend, "cycles"), json_object_get(row, "cycles"));
    for (size_t k = 0; k < 3 && fact_count(trend, "outcomes") > KEPT; k++)
      json_array_remove(json_object_get(trend, (const char *const[]){"seconds", "cycles", "outcomes"}[k]), 0);
  }
  json_object_foreach(of, key, trend) json_array_append(list, trend);
  json_decref(of);
  json_decref(rows);
  return list;
}

/* ---- documents of which the latest is shown as it is ---- */

/* The latest result of each command of a verb, without stale ones. */
static json_t *latest_documents(sqlite3 *db, const char *verb) {
  char sql[512];
  snprintf(
      sql, sizeof sql,
      "SELECT key, started, result AS result_json FROM job WHERE verb = '%s' AND id IN (SELECT MAX(id) FROM job WHERE "
      "verb = '%s' AND"
      " state = 'done' AND result IS NOT NULL GROUP BY key) AND id NOT IN temp.stale ORDER BY position, id",
      verb, verb);
  return question(db, sql);
}

/* ---- the whole ---- */

/* Sum of a member over a list of objects, or of their member `object`. Missing figures count as
 * 0. */
static double sum_member(const json_t *list, const char *object, const char *key) {
  double total = 0;
  size_t i;
  const json_t *entry;
  json_array_foreach(list, i, entry) {
    double value = fact_number(object ? json_object_get(entry, object) : entry, key);
    if (isfinite(value)) total += value;
  }
  return total;
}

/* How many entries have an object under this key. */
static double count_having(const json_t *list, const char *key) {
  double n = 0;
  size_t i;
  const json_t *entry;
  json_array_foreach(list, i, entry) n += json_is_object(json_object_get(entry, key));
  return n;
}

/* An integer where the value is one exactly; null for NaN. */
static json_t *number_json(double value) {
  if (!isfinite(value)) return json_null();
  return fabs(value) < 9e15 && value == floor(value) ? json_integer((json_int_t)value) : json_real(value);
}

/* Cycles that systems and networks compared, and their divergences. */
static json_t *cycles_elsewhere(sqlite3 *db) {
  return question(
      db,
      "SELECT TOTAL(json_extract(result, '$.lockstep.cycles')) + TOTAL(json_extract(result, '$.cycles_compared')) AS "
      "cycles,"
      " TOTAL(json_extract(result, '$.lockstep.divergences')) + TOTAL(json_extract(result, '$.divergences')) AS "
      "divergences"
      " FROM (SELECT CASE WHEN json_valid(result) THEN result END AS result FROM job"
      " WHERE state = 'done' AND verb IN ('run', 'network') AND id NOT IN temp.stale)");
}

/* Cycles of blocks alone and those of systems and networks stay apart: the second are not cycles
 * of one block. */
static json_t *totals_json(const json_t *root, const json_t *others) {
  const json_t *blocks = json_object_get(root, "blocks"), *runs = json_object_get(root, "runs"),
               *other = json_array_get(others, 0);
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "blocks", number_json((double)json_array_size(blocks)),
      "blocks_checked", number_json(count_having(blocks, "check")), "cycles",
      number_json(sum_member(blocks, "check", "cycles")), "divergences",
      number_json(sum_member(blocks, "check", "divergences")), "system_cycles",
      number_json(fact_number(other, "cycles")), "system_divergences", number_json(fact_number(other, "divergences")),
      "runs", number_json((double)json_array_size(runs)), "jobs", number_json(sum_member(runs, NULL, "total")),
      "passed", number_json(sum_member(runs, NULL, "passed")), "failed", number_json(sum_member(runs, NULL, "failed")),
      "other", number_json(sum_member(runs, NULL, "other")));
}

/* False: the part failed (NULL). */
static bool put_part(json_t *root, const char *key, json_t *value) {
  return value && json_object_set_new(root, key, value) == 0;
}

/* facts_stale must come first, because the other parts ask its table. */
bool facts_gather(json_t *root, sqlite3 *db, const facts_sources_t *sources, trouble_t *trouble) {
  bool ok = put_part(root, "stale", facts_stale(db, sources));
  json_t *others = ok ? cycles_elsewhere(db) : NULL;
  ok = others && put_part(root, "blocks", facts_blocks(db, sources)) && put_part(root, "runs", facts_runs(db)) &&
       put_part(root, "failures", facts_failures(db)) && put_part(root, "trends", facts_trends(db)) &&
       put_part(root, "networks", latest_documents(db, "network")) &&
       put_part(root, "figures", latest_documents(db, "reproduce"));
  if (!ok) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s", sqlite3_errmsg(db));
  else {
    const bool own = facts_only_own(root, db);
    if (own) facts_drop_listed(root);
    json_object_set_new(root, "own", json_boolean(own));
    json_object_set_new(root, "totals", totals_json(root, others));
  }
  json_decref(others);
  return ok;
}
