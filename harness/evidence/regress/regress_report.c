/* SPDX-License-Identifier: Apache-2.0
 *
 * A bucket has the failures with one signature (signature.h), so a fault that fails many jobs is
 * one line.
 */
#include "regress_report.h"

#include "utf8.h"
#include "whole.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const outcomes[] = {"PASS", "FAIL", "BAD_INPUT", "INFRA", "TIMEOUT", "KILLED"};
enum { NUM_OUTCOMES = sizeof outcomes / sizeof *outcomes };

typedef struct {
  const char *folder, *command;
  json_t *buckets, *places, *failures; /* places: signature -> index of its bucket */
  json_int_t count[NUM_OUTCOMES], jobs, done;
  unsigned not_passed;
  double cpu_seconds;
} collect_t;

/* The bucket of a signature; a new one if need be. */
static json_t *bucket_of(collect_t *c, const char *signature) {
  json_t *place = json_object_get(c->places, signature);
  if (place) return json_array_get(c->buckets, (size_t)json_integer_value(place));
  json_object_set_new(c->places, signature, json_integer((json_int_t)json_array_size(c->buckets)));
  json_array_append_new(c->buckets, json_pack("{s:s, s:i, s:[]}", "signature", signature, "count", 0, "keys"));
  return json_array_get(c->buckets, json_array_size(c->buckets) - 1);
}

/* The folder is told only when the job left one. */
static void add_failure(collect_t *c, const results_job_t *job) {
  char reproduce[8192], folder[4200];
  const char *signature = job->signature ? job->signature : job->outcome;
  json_t *bucket = bucket_of(c, signature);
  json_object_set_new(bucket, "count", json_integer(json_integer_value(json_object_get(bucket, "count")) + 1));
  json_array_append_new(json_object_get(bucket, "keys"), json_string(job->key));
  snprintf(reproduce, sizeof reproduce, "%s %.8000s", c->command, job->key);
  snprintf(folder, sizeof folder, "%.4000s/%u", c->folder, job->position);
  json_array_append_new(c->failures, json_pack("{s:s, s:s, s:i, s:s, s:f, s:s, s:o}", "key", job->key, "outcome",
                                               job->outcome, "exit_code", job->exit_code, "signature", signature,
                                               "seconds", job->seconds, "reproduce", reproduce, "folder",
                                               access(folder, F_OK) ? json_null() : json_string(folder)));
}

/* A job that is not done counts under `jobs` alone. */
static bool add_job(void *context, const results_job_t *job) {
  collect_t *c = context;
  c->jobs++;
  if (strcmp(job->state, "done") != 0) return true;
  c->done++;
  c->cpu_seconds += job->cpu_seconds;
  for (unsigned i = 0; i < NUM_OUTCOMES; i++) c->count[i] += !strcmp(job->outcome, outcomes[i]);
  if (!strcmp(job->outcome, "PASS")) return true;
  c->not_passed++;
  add_failure(c, job);
  return true;
}

static int by_count(const void *a, const void *b) {
  json_int_t x = json_integer_value(json_object_get(*(json_t *const *)a, "count")),
             y = json_integer_value(json_object_get(*(json_t *const *)b, "count"));
  return (y > x) - (y < x);
}

/* The largest first. Takes the reference. */
static json_t *sort_buckets(json_t *buckets) {
  size_t n = json_array_size(buckets);
  json_t **list = calloc(n ? n : 1, sizeof *list), *result = json_array();
  for (size_t i = 0; list && i < n; i++) list[i] = json_array_get(buckets, i);
  if (list) qsort(list, n, sizeof *list, by_count);
  for (size_t i = 0; list && i < n; i++) json_array_append(result, list[i]);
  free(list);
  json_decref(buckets);
  return result;
}

/* One pass over the jobs. Buckets come by size, failures in the order of the suite. */
json_t *regress_report(results_t *results, int64_t run, const char *folder, const char *command, unsigned *not_passed) {
  collect_t c = {
      .folder = folder, .command = command, .buckets = json_array(), .places = json_object(), .failures = json_array()};
  trouble_kind_t status = results_jobs(results, run, add_job, &c);
  json_t *counts = json_pack("{s:I, s:I}", "jobs", c.jobs, "done", c.done);
  for (unsigned i = 0; i < NUM_OUTCOMES; i++) json_object_set_new(counts, outcomes[i], json_integer(c.count[i]));
  json_t *root = json_pack("{s:o, s:f, s:o, s:o}", "counts", counts, "cpu_seconds", c.cpu_seconds, "buckets",
                           sort_buckets(c.buckets), "failures", c.failures);
  json_decref(c.places);
  *not_passed = c.not_passed;
  if (!status) return root;
  json_decref(root);
  return NULL;
}

/* ---- JUnit ---- */

/* Length of the character that begins here. 0: not UTF-8, or a character that XML does not
 * allow. */
static size_t xml_length(const char *p, size_t left) {
  const size_t n = utf8_length(p, left);
  if (n == 1) return (unsigned char)*p >= 0x20 || *p == '\n' || *p == '\t';
  return n == 3 && (!memcmp(p, "\xef\xbf\xbe", 3) || !memcmp(p, "\xef\xbf\xbf", 3)) ? 0 : n;
}

/* Escapes text; invalid bytes become '?'. */
static void write_xml_text(FILE *file, const char *text) {
  for (const char *p = text, *end = text + strlen(text); p < end;) {
    size_t n = xml_length(p, (size_t)(end - p));
    if (*p == '<') fputs("&lt;", file);
    else if (*p == '>') fputs("&gt;", file);
    else if (*p == '&') fputs("&amp;", file);
    else if (*p == '"') fputs("&quot;", file);
    else if (n) fwrite(p, 1, n, file);
    else fputc('?', file);
    p += n ? n : 1;
  }
}

typedef struct {
  FILE *file;
  const char *suite, *command;
} junit_t;

/* JUnit has failures (FAIL) and errors (all else but PASS). */
static void write_failure(const junit_t *j, const results_job_t *job) {
  const char *kind = !strcmp(job->outcome, "FAIL") ? "failure" : "error";
  fprintf(j->file, "\n      <%s type=\"%s\" message=\"", kind, job->outcome);
  write_xml_text(j->file, job->signature ? job->signature : job->outcome);
  fputs("\">", j->file);
  write_xml_text(j->file, j->command);
  fputc(' ', j->file);
  write_xml_text(j->file, job->key);
  fputc('\n', j->file);
  write_xml_text(j->file, job->output ? job->output : "");
  fprintf(j->file, "</%s>\n    ", kind);
}

/* One <testcase>. The verb becomes part of the class name, so that readers group by verb. */
static bool write_case(void *context, const results_job_t *job) {
  const junit_t *j = context;
  fputs("    <testcase classname=\"", j->file);
  write_xml_text(j->file, j->suite);
  fprintf(j->file, ".%s\" name=\"", job->verb);
  write_xml_text(j->file, job->key);
  fprintf(j->file, "\" time=\"%.3f\">", job->seconds);
  if (strcmp(job->state, "done") != 0) fputs("<skipped message=\"not run yet\"/>", j->file);
  else if (strcmp(job->outcome, "PASS") != 0) write_failure(j, job);
  fputs("</testcase>\n", j->file);
  return true;
}

typedef struct {
  unsigned tests, failures, errors, skipped;
  double seconds;
} totals_t;

/* The totals stand in the head of the document, before the cases. Hence the jobs are read twice. */
static bool add_totals(void *context, const results_job_t *job) {
  totals_t *t = context;
  bool done = !strcmp(job->state, "done");
  t->tests++;
  t->skipped += !done;
  t->seconds += job->seconds;
  t->failures += done && !strcmp(job->outcome, "FAIL");
  t->errors += done && strcmp(job->outcome, "FAIL") != 0 && strcmp(job->outcome, "PASS") != 0;
  return true;
}

/* An interrupted run must not look like one that passed: most readers of JUnit take a skipped
 * test for no fault. */
static void write_unfinished(const junit_t *j, const totals_t *t) {
  fputs("    <testcase classname=\"", j->file);
  write_xml_text(j->file, j->suite);
  fprintf(j->file,
          "\" name=\"the run\" time=\"0\"><error type=\"INTERRUPTED\" message=\"%u of %u jobs done\"/></testcase>\n",
          t->tests - t->skipped, t->tests);
}

static bool write_junit(results_t *results, int64_t run, junit_t *j) {
  totals_t t = {0};
  if (results_jobs(results, run, add_totals, &t)) return false;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"", j->file);
  write_xml_text(j->file, j->suite);
  fprintf(j->file, "\" tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\">\n",
          t.tests + !!t.skipped, t.failures, t.errors + !!t.skipped, t.skipped, t.seconds);
  if (results_jobs(results, run, write_case, j)) return false;
  if (t.skipped) write_unfinished(j, &t);
  fputs("  </testsuite>\n</testsuites>\n", j->file);
  return true;
}

/* A reader never sees half a document: whole.h renames the file when all is written. */
bool regress_junit(results_t *results, int64_t run, const char *suite, const char *command, const char *path,
                   trouble_t *trouble) {
  whole_t whole;
  junit_t j = {fopen(whole_begin(&whole, path), "w"), suite, command};
  int wrong = j.file ? 0 : errno;
  if (j.file && !write_junit(results, run, &j)) wrong = errno ? errno : EIO;
  if (j.file) wrong = whole_close(j.file, wrong);
  wrong = whole_end(&whole, wrong);
  return !wrong || trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(wrong));
}
