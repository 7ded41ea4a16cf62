/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack report: the database of results as one HTML page.
 */
#include "cli.h"
#include "facts.h"
#include "html.h"
#include "page.h"
#include "results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const char *database, *out;
} options_t;

typedef struct {
  const char *name, *family, *rtl, *ports, *model, *test, *proof, *synth;
} block_t;

static const block_t blocks[] = {
#define BLOCK(...) {__VA_ARGS__},
#include "lists.def"
    {0},
};

enum { KEY_DB = 0x100 };

static const struct argp_option argp_options[] = {
    {"db", KEY_DB, "FILE", 0, "Database that `regress` wrote (default build/lockstack.db; installed: lockstack-out/lockstack.db)", 0},
    {"out", 'o', "FILE", 0, "The page (default lockstack-out/report.html)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_DB: o->database = arg; return *arg ? 0 : cli_usage(state, "--db: a file name is missing");
  case 'o': o->out = arg; return *arg ? 0 : cli_usage(state, "--out: a file name is missing");
  default: return ARGP_ERR_UNKNOWN;
  }
}

static json_t *list_of_blocks(void) {
  json_t *list = json_array();
  for (const block_t *b = blocks; b->name; b++)
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "name", b->name, "family", b->family, "rtl", b->rtl, "ports",
                                          b->ports, "model", b->model, "test", b->test, "proof", b->proof, "synth", b->synth));
  return list;
}

static int gather(json_t *root, const char *path) {
  char error[RESULTS_ERROR];
  results_t *results = NULL;
  results_status_t status = results_open(&results, path, false, error);
  if (status != RESULTS_OK) return cli_error((cli_exit_t)status, "%s", error);
  json_t *list = list_of_blocks();
  const facts_sources_t sources = {list, cli_data};
  json_object_set_new(root, "database", json_string(path));
  const char *why = facts_gather(root, results_sqlite(results), &sources);
  int code = why ? cli_error(EXIT_ENV, "%s: %s", path, why) : 0;
  json_decref(list);
  results_close(results);
  return code;
}

static int write_failed(const char *path, int error) {
  bool bad = error == ENOENT || error == ENOTDIR || error == EISDIR || error == ENAMETOOLONG;
  return cli_error(bad ? EXIT_BAD : EXIT_ENV, "%s: cannot write: %s", path, strerror(error));
}

static int put(const char *path, const char *text, size_t size) {
  FILE *file = fopen(path, "w");
  int error = file ? 0 : errno;
  if (file && fwrite(text, 1, size, file) != size) error = errno;
  if (file && fclose(file) && !error) error = errno;
  return error;
}

/* Whole or not at all: written beside its place and renamed. A device or a pipe is written in place. */
static int put_whole(const char *path, const char *text, size_t size) {
  struct stat info;
  bool there = stat(path, &info) == 0;
  char *temp = NULL;
  if (there && S_ISDIR(info.st_mode)) return write_failed(path, EISDIR);
  if (there && !S_ISREG(info.st_mode)) {
    int error = put(path, text, size);
    return error ? write_failed(path, error) : 0;
  }
  if (asprintf(&temp, "%s.part", path) < 0) return cli_error(EXIT_ENV, "out of memory");
  int error = put(temp, text, size);
  if (!error && rename(temp, path)) error = errno;
  if (error) unlink(temp);
  free(temp);
  return error ? write_failed(path, error) : 0;
}

static int write_page(const char *path, const json_t *root) {
  char *text = NULL;
  size_t size;
  FILE *memory = open_memstream(&text, &size);
  if (memory) page_write(memory, root);
  bool ok = memory && !ferror(memory);
  if (memory && fclose(memory)) ok = false;
  int code = ok ? put_whole(path, text, size) : cli_error(EXIT_ENV, "out of memory");
  free(text);
  return code;
}

static void summary(const cli_t *cli, const json_t *root, const char *out) {
  const json_t *totals = json_object_get(root, "totals");
  fprintf(cli->out, "%s: %.0f runs, %.0f jobs, %.0f of %.0f blocks with results in lockstep, %zu different failures\n", out,
          fact_number(totals, "runs"), fact_number(totals, "jobs"), fact_number(totals, "blocks_checked"), fact_number(totals, "blocks"),
          fact_count(root, "failures"));
}

static int run(cli_t *cli, int argc, char **argv) {
  static const struct argp argp = {
      argp_options,
      parse,
      "",
      "Writes one HTML page, with nothing outside of itself, from the database of results: every block's ports, cycles in "
      "lockstep, coverage, mutation score, proofs, area and faults; regressions over time; networks; the papers' figures "
      "beside ours; and each failure with its transactions and waveform. With --json the same facts.\v"
      "Example:\n  lockstack report --db nightly.db --out report.html\n",
      NULL,
      NULL,
      NULL};
  options_t o = {cli_database(), NULL};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;
  json_t *root = cli_json("report", 1);
  code = gather(root, o.database);
  if (!code && !o.out) {
    mkdir("lockstack-out", 0777); /* that it cannot be made is said when the page is written */
    o.out = "lockstack-out/report.html";
  }
  if (!code) code = write_page(o.out, root);
  if (code) {
    json_decref(root);
    return code;
  }
  summary(cli, root, o.out);
  return cli_finish(cli, root, EXIT_HELD);
}

const verb_t verb_report = {"report", "the database of results as one HTML page", run};
