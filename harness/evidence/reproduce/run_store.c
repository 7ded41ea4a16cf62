/* SPDX-License-Identifier: Apache-2.0
 *
 * The identity has the program and the systems' files, the result's `content` all other inputs.
 */
#include "run_store.h"

#include "content_json.h"
#include "file.h"
#include "whole.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const char schema[] = "lockstack.reproduce.run/1";

/* The caller frees it. NULL: no memory. */
static char *result_path(const figure_runs_t *runs, const figure_run_t *run) {
  char *path;
  int n =
      asprintf(&path, "%s/%s-%s-%s-%s.json", runs->folder, runs->system->name, runs->system->workloads[run->workload],
               runs->system->configurations[run->configuration].name, runs->small ? "small" : "full");
  return n < 0 ? NULL : path;
}

static json_t *arguments_of(const figure_run_t *run) {
  json_t *list = json_array();
  for (unsigned i = 0; run->argument[i]; i++) json_array_append_new(list, json_string(run->argument[i]));
  return list;
}

/* Returns 0, or errno. Closes the file. */
static int write_record(const json_t *record, FILE *file) {
  const bool ok = json_dumpf(record, file, JSON_INDENT(2) | JSON_PRESERVE_ORDER) == 0 && fputc('\n', file) != EOF;
  return whole_close(file, ok ? 0 : errno);
}

/* The record repeats identity and arguments, because the file's name does not hold them. */
bool run_store_write(const figure_runs_t *runs, const figure_run_t *run, json_t *result) {
  char *path = result_path(runs, run);
  json_t *record = json_pack("{s:s, s:O, s:o, s:O}", "schema", schema, "identity", runs->identity, "arguments",
                             arguments_of(run), "result", result);
  whole_t whole;
  int error = path && record ? 0 : ENOMEM;
  if (!error && !file_folder(runs->folder)) error = errno;
  if (!error) {
    FILE *file = fopen(whole_begin(&whole, path), "w");
    error = whole_end(&whole, file ? write_record(record, file) : errno);
  }
  json_decref(record);
  free(path);
  errno = error;
  return !error;
}

/* Has each file that the run read the same content now? The program is in the identity. */
static bool inputs_unchanged(const json_t *result) {
  trouble_t trouble;
  content_now_t now = {0};
  const bool same = content_files_are_now(&now, result, &trouble) && content_surroundings_are_now(result, &trouble);
  content_now_free(&now);
  return same;
}

/* A file of an older schema, or one that is no JSON, counts as another program's. */
json_t *run_store_read(figure_runs_t *runs, const figure_run_t *run) {
  char *path = result_path(runs, run);
  json_t *arguments = arguments_of(run), *result = NULL;
  bool there = path && access(path, F_OK) == 0;
  json_t *record = there ? json_load_file(path, 0, NULL) : NULL;
  const char *kind = json_string_value(json_object_get(record, "schema"));
  if (kind && !strcmp(kind, schema) && json_equal(json_object_get(record, "identity"), runs->identity) &&
      json_equal(json_object_get(record, "arguments"), arguments) &&
      inputs_unchanged(json_object_get(record, "result")))
    result = json_incref(json_object_get(record, "result"));
  runs->others += there && !result;
  json_decref(record);
  json_decref(arguments);
  free(path);
  return result;
}

/* -1: the file cannot be read. */
static json_int_t checksum(const char *path) {
  uint32_t crc;
  return file_crc32(path, &crc) ? (json_int_t)crc : -1;
}

/* A name without a slash or dot is a file in the folder of systems. */
static json_int_t checksum_of_system(const char *system, const char *(*place)(const char *path)) {
  char path[512];
  if (strchr(system, '/') || strchr(system, '.')) snprintf(path, sizeof path, "%s", system);
  else snprintf(path, sizeof path, "harness/systems/configs/%s.yaml", system);
  return checksum(place(path));
}

/* Checksums by CRC-32: they notice changes, and do not have to withstand an attack. Systems are
 * files of their own, so the program's checksum does not cover them. */
json_t *figure_identity(json_t *provenance, const char *program, const figure_system_t *s,
                        const char *(*place)(const char *path)) {
  json_t *configs = json_object();
  json_object_set_new(provenance, "program_crc32", json_integer(checksum(program)));
  for (unsigned c = 0; c < s->num_configurations; c++)
    if (s->configurations[c].source == FIGURE_SIMULATION)
      json_object_set_new(configs, s->configurations[c].system,
                          json_integer(checksum_of_system(s->configurations[c].system, place)));
  json_object_set_new(provenance, "config_crc32", configs);
  return provenance;
}
