/* SPDX-License-Identifier: Apache-2.0
 *
 * A result counts only for what its block is made of now. Three questions decide, the first that
 * applies:
 *
 *   1. the document has a checksum of its sources   is it the block's? are options' files the same?
 *   2. each part of the document has one            parts are judged one by one (facts_drop_stale)
 *   3. else                                         are the files that it read unchanged?
 *
 * On another machine there may be nothing to compare with. Then the latest result of a block
 * says which sources count. A document that does not say what it is of, as older programs wrote
 * them, counts for nothing.
 */
#include "facts.h"

#include "content_json.h"
#include "html.h"
#include "question.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const facts_sources_t *sources;
  content_now_t now;
  json_t *known; /* {"VERB BLOCK": sources that count} */
  char why[TROUBLE_TEXT];
} judge_t;

/* Always true, so that a judgement can end in it. */
static bool set_reason(judge_t *j, const char *why) {
  snprintf(j->why, sizeof j->why, "%s", why);
  return true;
}

/* ---- by sources */

/* The sources that count: the tree's own, else those of the first result that asks, which is the
 * latest. */
static const char *meant_sources(judge_t *j, const char *verb, const char *block, const char *sources) {
  char key[1024];
  snprintf(key, sizeof key, "%.20s %.1000s", verb, block);
  const char *known = json_string_value(json_object_get(j->known, key)), *now;
  if (known) return known;
  now = j->sources->now ? j->sources->now(block, verb) : NULL;
  json_object_set_new(j->known, key, json_string(now ? now : sources));
  return now ? now : sources;
}

static bool other_sources(judge_t *j, const char *verb, const char *block, const char *sources) {
  return strcmp(meant_sources(j, verb, block, sources), sources) != 0 &&
         set_reason(j, "measured of other sources than those there now");
}

/* ---- by files */

/* Is one of the files that the document read on this machine? */
static bool any_there(const json_t *document) {
  size_t i;
  const json_t *file;
  json_array_foreach(json_object_get(json_object_get(document, "content"), "files"), i, file) {
    const char *path = fact_text(file, "path");
    if (path && fact_text(file, "sha256") && access(path, F_OK) == 0) return true;
  }
  return false;
}

static bool other_files(judge_t *j, const json_t *document) {
  trouble_t trouble;
  if (content_files_are_now(&j->now, document, &trouble)) return false;
  /* of another machine */
  if (json_is_object(json_object_get(document, "content")) && !any_there(document)) return false;
  return set_reason(j, trouble.text);
}

/* Files that options name are in no checksum of sources. */
static bool other_options(judge_t *j, const json_t *document) {
  trouble_t trouble;
  return !content_options_are_now(&j->now, document, &trouble) && set_reason(j, trouble.text);
}

/* ---- documents of several blocks */

static const char *const lists[] = {"blocks", "sweep"};

/* Removes from the end, so that indices of what is left do not move. */
void facts_drop_stale(json_t *document, const char *verb, const facts_sources_t *sources) {
  judge_t j = {.sources = sources, .known = json_object()};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    json_t *list = json_object_get(document, lists[k]);
    for (size_t i = json_array_size(list); i-- > 0;) {
      const char *block = fact_text(json_array_get(list, i), "block"),
                 *of = fact_text(json_array_get(list, i), "sources");
      if (block && of && other_sources(&j, verb, block, of)) json_array_remove(list, i);
    }
  }
  json_decref(j.known);
}

/* Does each part of the document have its sources? */
static bool says_in_parts(const json_t *document) {
  size_t i, parts = 0;
  const json_t *part;
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
    json_array_foreach(json_object_get(document, lists[k]), i, part) {
      if (!fact_text(part, "sources")) return false;
      parts++;
    }
  return parts > 0;
}

/* ---- jobs */

/* True: j->why says why. */
static bool is_stale(judge_t *j, const json_t *job) {
  const char *verb = fact_text(job, "verb"), *block = fact_text(job, "block"), *sources = fact_text(job, "sources");
  const json_t *document = json_object_get(job, "result");
  if (sources && block) return other_sources(j, verb, block, sources) || other_options(j, document);
  if (fact_text(document, "rtl")) return set_reason(j, "it is of the RTL of another folder (--rtl)");
  /* each check of a block's own RTL does */
  if (strcmp(verb, "check") == 0) return set_reason(j, "it does not say of which sources it is");
  return says_in_parts(document) ? other_options(j, document) : other_files(j, document);
}

static bool mark_job(sqlite3 *db, const json_t *job) {
  char sql[96];
  snprintf(sql, sizeof sql, "INSERT INTO temp.stale VALUES(%lld)",
           (long long)json_integer_value(json_object_get(job, "id")));
  return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* Jobs come newest first, so `first` is the newest stale one. */
static bool mark_all(sqlite3 *db, const json_t *jobs, judge_t *j, json_t *found) {
  json_int_t results = 0;
  const json_t *job;
  size_t i;
  json_array_foreach(jobs, i, job) {
    if (!is_stale(j, job)) continue;
    if (!mark_job(db, job)) return false;
    if (!results++)
      json_object_set_new(found, "first", json_pack("{s:O, s:s}", "key", json_object_get(job, "key"), "why", j->why));
  }
  json_object_set_new(found, "results", json_integer(results));
  return true;
}

/* The question leaves the large parts of a document in the database. A document with its own
 * sources needs only the files of its options; the others are judged by all their files. */
json_t *facts_stale(sqlite3 *db, const facts_sources_t *sources) {
  judge_t j = {.sources = sources, .known = json_object()};
  json_t *found = json_pack("{s:i, s:n}", "results", 0, "first"), *jobs = NULL;
  bool ok = sqlite3_exec(db, "CREATE TABLE temp.stale(id INTEGER PRIMARY KEY)", NULL, NULL, NULL) == SQLITE_OK;
  if (ok)
    jobs = question(
        db,
        "SELECT id, key, verb, json_extract(doc, '$.block') AS block, json_extract(doc, '$.sources') AS sources,"
        " CASE WHEN json_type(doc, '$.sources') IS 'text' THEN json_object('content', json_object('files', (SELECT "
        "json_group_array(json(value))"
        " FROM json_each(doc, '$.content.files') WHERE json_extract(value, '$.option')))) ELSE doc END AS result_json"
        " FROM (SELECT id, key, verb, CASE WHEN json_valid(result) THEN result END AS doc FROM job WHERE state = 'done'"
        " AND verb IN ('check', 'cover', 'mutate', 'prove', 'area', 'power', 'faults', 'run', 'network', 'reproduce'))"
        " WHERE doc IS NOT NULL ORDER BY id DESC");
  ok = jobs && mark_all(db, jobs, &j, found);
  content_now_free(&j.now);
  json_decref(j.known);
  json_decref(jobs);
  if (ok) return found;
  json_decref(found);
  return NULL;
}
