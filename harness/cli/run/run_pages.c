/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of pages, and the run that comes first when none is there yet.
 */
#include "run_pages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "file.h"
#include "judged.h"
#include "known.h"
#include "run_counts.h"

static const char mark[] = "# run: ";

/* The keys that decide which node runs a thread block, and which data it gets. */
static const char *const keys[] = {"gpu.sms", "gpu.node_sms", "gpu.cta_order", "system.seed"};

/* A key's value as text; "": the system has no such key. Returns text. */
static const char *config_value_text(const composition_t *c, const char *name, char text[CONFIG_TEXT_SIZE]) {
  const config_key_t *key;
  const void *values;
  *text = 0;
  for (unsigned i = 0; (key = composition_key(c, i, &values)); i++)
    if (!strcmp(key->key, name)) config_text(key, values, text, CONFIG_TEXT_SIZE);
  return text;
}

/* The line that says which run a file is of: "# run: nn workload.points=5120 gpu.sms=64 ...". To be
 * freed; NULL: out of memory. */
static char *run_of(const simulate_job_t *job) {
  char *text = NULL, value[CONFIG_TEXT_SIZE];
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  fprintf(out, "%s%s", mark, job->workload->name);
  if (job->workload->digest) fprintf(out, " %.16s", job->workload->digest);
  for (unsigned i = 0; job->workload->params[i].name; i++)
    fprintf(out, " workload.%s=%" PRId64, job->workload->params[i].name, job->values[i]);
  for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
    fprintf(out, " %s=%s", keys[i], config_value_text(&job->system.composition, keys[i], value));
  return fclose(out) ? free(text), NULL : text;
}

/* Finds that line among the comments at the file's start. */
static bool find_mark(FILE *file, char *line, int size) {
  while (fgets(line, size, file)) {
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, mark, sizeof mark - 1)) return true;
    if (*line != '#') return false;
  }
  return false;
}

int run_pages_check(const char *path, const simulate_job_t *job) {
  char line[1024];
  judged_file(path);
  FILE *file = fopen(path, "r");
  if (!file) return cli_error(EXIT_BAD, "--pages: %s: %s", path, strerror(errno));
  const bool found = find_mark(file, line, sizeof line);
  fclose(file);
  if (!found)
    return cli_error(EXIT_BAD,
                     "--pages: %s: no line '%s..' before its numbers; a file that --profile wrote would be right", path,
                     mark);
  char *run = run_of(job);
  if (!run) return cli_error(EXIT_ENV, "out of memory");
  const bool same = !strcmp(run, line);
  const int code =
      same ? 0
           : cli_error(EXIT_BAD, "--pages: %s is of another run, '%s'; one with --profile of '%s' would be right", path,
                       line + sizeof mark - 1, run + sizeof mark - 1);
  free(run);
  return code;
}

/* Sets where pages come from, and whether accesses are counted. 0, or an exit code after a line. */
static int set_homes(composition_t *c, const char *homes, bool profile) {
  trouble_t trouble = {0};
  const bool good = composition_set(c, "map.homes", homes, &trouble) &&
                    composition_set(c, "map.profile", profile ? "true" : "false", &trouble) &&
                    composition_settle(c, &trouble);
  return good ? 0 : cli_trouble(&trouble);
}

/* Simulates the first run and writes its file. 0, or an exit code after a line. */
static int profile_run(simulate_job_t *first, const char *path,
                       void (*simulate_job)(simulate_job_t *, const char *, simulate_result_t *)) {
  static simulate_result_t result;
  simulate_job(first, "profile", &result);
  if (result.trouble.kind)
    return cli_error((cli_exit_t)result.trouble.kind, "profile: %s%s%s", result.trouble.text, *result.waits ? "\n" : "",
                     result.waits);
  if (!result.result_ok) return cli_error(EXIT_BROKEN, "profile: %s", result.wrong.text);
  const int code = run_pages_write(path, first, &result);
  system_stats_free(&result.stats);
  return code;
}

int run_pages_first(const char *folder, simulate_job_t *job,
                    void (*simulate_job)(simulate_job_t *, const char *, simulate_result_t *)) {
  static simulate_job_t first;
  char key[KNOWN_KEY], path[CONFIG_TEXT_SIZE];
  int code;
  if (strcmp(config_value_text(&job->system.composition, "map.homes", path), "profile") != 0) return 0;
  first = *job;
  first.keep = false;
  first.system.gates.wanted = false;
  memset(first.system.engine, 0, sizeof first.system.engine);
  memset(first.system.rtl, 0, sizeof first.system.rtl);
  trouble_t trouble = {0};
  /* one for all policies */
  if (!composition_set(&first.system.composition, "network.policy", "base", &trouble)) return cli_trouble(&trouble);
  if ((code = set_homes(&first.system.composition, "none", true))) return code;
  if (!system_make_engines(&first.system)) return cli_error(EXIT_ENV, "out of memory");
  if (!known_key(&first, key)) return cli_error(EXIT_ENV, "the program cannot read itself");
  snprintf(path, sizeof path, "%.100s/pages-%s-%.16s.csv", folder, job->workload->name, key);
  if (access(path, R_OK) && (!file_folder(folder) || (code = profile_run(&first, path, simulate_job))))
    return code ? code : cli_error(EXIT_ENV, "%s: %s", folder, strerror(errno));
  return set_homes(&job->system.composition, path, false);
}

/* The table as CSV, its columns' names first. */
static void write_rows(FILE *out, const system_table_t *table, const counter_t *columns) {
  for (unsigned k = 0; k < table->values; k++) fprintf(out, "%s%s", k ? "," : "", columns[k].name);
  fputc('\n', out);
  for (size_t i = 0; i < (size_t)table->rows * table->values; i++)
    fprintf(out, "%" PRIu64 "%c", table->value[i], (i + 1) % table->values ? ',' : '\n');
}

int run_pages_write(const char *path, const simulate_job_t *job, const simulate_result_t *result) {
  const counter_t *columns;
  const system_table_t *table = run_counts_table(&job->system.composition, &result->stats, "pages", &columns);
  char *run = run_of(job), *text = NULL;
  size_t size;
  FILE *out = run && table ? open_memstream(&text, &size) : NULL;
  if (!out) {
    free(run);
    return table ? cli_error(EXIT_ENV, "out of memory") : cli_error(EXIT_BAD, "--profile: no SM accessed a page");
  }
  fprintf(out, "# Of pages of 4 KB, the node whose SMs accessed each most: lockstack run --profile\n%s\n", run);
  free(run);
  write_rows(out, table, columns);
  const int code = fclose(out) ? cli_error(EXIT_ENV, "out of memory") : cli_write_text(path, text, size);
  free(text);
  return code;
}
