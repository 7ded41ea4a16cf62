/* SPDX-License-Identifier: Apache-2.0
 *
 * add_results DB SUITE STARTED ENDED COMMIT: adds a run to a database of results, for the test
 * scripts. Its jobs are lines of standard input, in order, with tabs between six words:
 *
 *   OUTCOME SECONDS SIGNATURE RESULT OUTPUT KEY
 *
 * RESULT and OUTPUT are files; a RESULT without `content` gets one without files. SIGNATURE, RESULT
 * and OUTPUT may be "-": none. A job whose OUTCOME is "-" is left waiting.
 */
#include "results.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS = 256, FIELDS = 6 };

static void stop_with(const char *what, const char *why) {
  fprintf(stderr, "add_results: %s: %s\n", what, why);
  exit(2);
}

static char *file_text(const char *path) {
  if (strcmp(path, "-") == 0) return NULL;
  FILE *file = fopen(path, "r");
  char *text = NULL;
  size_t size = 0;
  if (!file) stop_with(path, strerror(errno));
  if (getdelim(&text, &size, 0, file) < 0) text = strdup("");
  fclose(file);
  return text;
}

/* A document that says of what it is keeps that; any
 * other is of no file, and so of what is there now. */
static char *result_text(const char *path) {
  char *text = file_text(path), *with;
  json_t *root = text ? json_loads(text, 0, NULL) : NULL;
  if (!json_is_object(root) || json_object_get(root, "content")) return json_decref(root), text;
  json_object_set_new(root, "content",
                      json_pack("{s:s, s:s, s:{}, s:[]}", "digest", "0", "program", "0", "tools", "files"));
  with = json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER);
  json_decref(root);
  free(text);
  return with;
}

static char *words_json(const char *key) {
  json_t *words = json_array();
  char *copy = strdup(key), *rest = NULL;
  for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    json_array_append_new(words, json_string_nocheck(word));
  char *text = json_dumps(words, JSON_COMPACT);
  json_decref(words);
  free(copy);
  return text ? text : strdup("[]");
}

static void read_job(results_job_t *job, char *line, unsigned position) {
  char *field[FIELDS], *rest = line;
  for (int i = 0; i < FIELDS; i++)
    if (!(field[i] = strsep(&rest, i + 1 < FIELDS ? "\t" : "\n"))) stop_with("a line", "six words with tabs between");
  char *verb = strdup(field[5]), *subject = verb;
  strsep(&subject, " ");
  *job = (results_job_t){.position = position,
                         .key = field[5],
                         .verb = verb,
                         .subject = subject ? strsep(&subject, " ") : "",
                         .args = words_json(field[5]),
                         .state = strcmp(field[0], "-") ? "done" : "waiting",
                         .outcome = field[0],
                         .exit_code = strcmp(field[0], "PASS") != 0,
                         .seconds = atof(field[1]),
                         .cpu_seconds = atof(field[1]),
                         .peak_rss_bytes = 50000000,
                         .signature = strcmp(field[2], "-") ? field[2] : NULL,
                         .result = result_text(field[3]),
                         .output = file_text(field[4]),
                         .node = "here"};
}

int main(int argc, char **argv) {
  static results_job_t job[JOBS];
  trouble_t trouble = {0};
  char *line = NULL;
  size_t room = 0;
  unsigned count = 0;
  results_t *r;
  if (argc != 6) stop_with("usage", "add_results DB SUITE STARTED ENDED COMMIT <JOBS");
  for (; count < JOBS && getline(&line, &room, stdin) > 0; line = NULL) read_job(&job[count], line, count), count++;
  if (!results_open(&r, argv[1], true, &trouble)) stop_with(argv[1], trouble.text);
  results_run_t run = {.suite = argv[2],
                       .suite_sha = "0",
                       .started = argv[3],
                       .commit = argv[5],
                       .version = "0.1.0",
                       .tools = "{\"compiler\": \"GNU 12.2.0\", \"verilator\": \"Verilator 5.006\"}",
                       .host = "here",
                       .jobs = 2,
                       .engine = "local",
                       .state = "running",
                       .folder = "/tmp/results"};
  if (results_add_run(r, &run, job, count) != TROUBLE_NONE) stop_with(argv[1], results_trouble(r)->text);
  bool all = true;
  for (unsigned i = 0; i < count; i++) {
    job[i].run = run.id;
    job[i].started = argv[3];
    job[i].ended = argv[4];
    bool done = strcmp(job[i].state, "done") == 0;
    all = all && done;
    if (!done) continue;
    if (results_start_job(r, run.id, i, argv[3], "here") != TROUBLE_NONE || results_end_job(r, &job[i]) != TROUBLE_NONE)
      stop_with(job[i].key, results_trouble(r)->text);
  }
  if (all && results_end_run(r, run.id, "done", argv[4]) != TROUBLE_NONE) stop_with(argv[1], results_trouble(r)->text);
  results_close(r);
  return 0;
}
