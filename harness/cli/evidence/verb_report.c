/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack report: the database of results as one HTML page; with --blocks the tables of blocks
 * (report_blocks.c).
 */
#include "cli.h"
#include "facts.h"
#include "file.h"
#include "hardware.h"
#include "html.h"
#include "page.h"
#include "report_blocks.h"
#include "results.h"
#include "whole.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *database, *out, *csv;
  enum { NO_BLOCKS, WRITE_BLOCKS, CHECK_BLOCKS } blocks;
  char **files; /* of results; NULL: the database */
} options_t;

/* A line of blocks.cmake: paths from the tree's root, "" where there is none. */
typedef struct {
  const char *name, *family, *rtl, *ports, *model, *test, *proof, *synth;
} block_t;

static const block_t blocks[] = {
#define BLOCK(...) {__VA_ARGS__},
#include "lists.def"
    {0},
};

enum { KEY_DB = 0x100, KEY_BLOCKS, KEY_CSV };

static const struct argp_option argp_options[] = {
    {"db", KEY_DB, "FILE", 0,
     "Database that `regress` wrote (default build/lockstack.db; installed: lockstack-out/lockstack.db)", 0},
    {"blocks", KEY_BLOCKS, "check", OPTION_ARG_OPTIONAL,
     "No page: docs/blocks.csv, docs/blocks.md and the README's sums from the database, or from FILEs that cover, "
     "mutate, area and prove wrote "
     "with --json; check: has either gone stale?",
     0},
    {"csv", KEY_CSV, "FILE", CLI_MADE,
     "Also write every result of area and power, a line each: cells, area, path, Fmax, slack, toggles, energy and "
     "watts by library and commit",
     0},
    {"out", 'o', "FILE", CLI_MADE, "The page (default lockstack-out/report.html)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_DB: o->database = arg; return *arg ? 0 : cli_usage(state, "--db: a file name is missing");
  case KEY_BLOCKS:
    o->blocks = arg ? CHECK_BLOCKS : WRITE_BLOCKS;
    return !arg || strcmp(arg, "check") == 0
               ? 0
               : cli_usage(state, "--blocks=%s: should be --blocks or --blocks=check", arg);
  case KEY_CSV: o->csv = arg; return *arg ? 0 : cli_usage(state, "--csv: a file name is missing");
  case ARGP_KEY_ARGS: o->files = state->argv + state->next; return 0;
  case ARGP_KEY_END:
    if (o->csv && o->blocks != NO_BLOCKS) return cli_usage(state, "--csv and --blocks: one of both would be right");
    return o->files && o->blocks != WRITE_BLOCKS
               ? cli_usage(state, "'%s': files of results are for --blocks", *o->files)
               : 0;
  case 'o': o->out = arg; return *arg ? 0 : cli_usage(state, "--out: a file name is missing");
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* The blocks as JSON, as `list` has them. */
static json_t *list_of_blocks(void) {
  json_t *list = json_array();
  for (const block_t *b = blocks; b->name; b++)
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "name", b->name, "family",
                                          b->family, "rtl", b->rtl, "ports", b->ports, "model", b->model, "test",
                                          b->test, "proof", b->proof, "synth", b->synth));
  return list;
}

/* Fills root with the facts of a database. 0, or an exit code after a line. */
static int gather_database_facts(json_t *root, const char *path) {
  trouble_t trouble = {0};
  results_t *results = NULL;
  if (!results_open(&results, path, false, &trouble)) return cli_trouble(&trouble);
  json_t *list = list_of_blocks();
  const facts_sources_t sources = {list, cli_data, NULL, report_sources};
  json_object_set_new(root, "database", json_string(path));
  json_object_set_new(root, "command", json_string(cli_command()));
  int code = facts_gather(root, results_sqlite(results), &sources, &trouble)
                 ? 0
                 : cli_error((cli_exit_t)trouble.kind, "%s: %s", path, trouble.text);
  json_decref(list);
  results_close(results);
  return code;
}

/* --blocks: no page. The facts come from FILEs if there are any, else from the database. */
static int about_blocks(cli_t *cli, const options_t *o) {
  json_t *root = cli_json("report", 1), *list = list_of_blocks();
  int code;
  if (o->blocks == CHECK_BLOCKS) code = report_blocks_check(cli, root, list);
  else code = o->files ? report_blocks_read(root, o->files, list) : gather_database_facts(root, o->database);
  if (!code && o->blocks == WRITE_BLOCKS) code = report_blocks_write(cli, root, list);
  json_decref(list);
  if (code == EXIT_HELD || code == EXIT_BROKEN) return cli_finish(cli, root, (cli_exit_t)code);
  json_decref(root);
  return code;
}

/* Writes what `put` makes of the facts, whole or not at all. */
static int write_as(const char *path, void (*put)(FILE *out, const json_t *facts), const json_t *root) {
  char *text = NULL;
  size_t size;
  FILE *memory = open_memstream(&text, &size);
  if (memory) put(memory, root);
  bool ok = memory && !ferror(memory);
  if (memory && fclose(memory)) ok = false;
  int code = ok ? cli_write_text(path, text, size) : cli_error(EXIT_ENV, "out of memory");
  free(text);
  return code;
}

/* The last line: how much the page has to show. */
static void print_report_summary(const cli_t *cli, const json_t *root, const char *out) {
  const json_t *totals = json_object_get(root, "totals");
  fprintf(cli->out, "%s: %.0f runs, %.0f jobs, %.0f of %.0f blocks with results in lockstep, %zu different failures\n",
          out, fact_number(totals, "runs"), fact_number(totals, "jobs"), fact_number(totals, "blocks_checked"),
          fact_number(totals, "blocks"), fact_count(root, "failures"));
}

static const struct argp argp = {
    argp_options,
    parse,
    "[FILE...]",
    "Writes one HTML page, with nothing outside of itself, from the database of results: every block's ports, cycles "
    "in "
    "lockstep, coverage, mutation score, proofs, area, timing, power and faults; regressions over time; networks; the "
    "papers' figures "
    "beside ours; and each failure with its transactions and waveform. With --json the same facts.\v"
    "Example:\n  lockstack report --db nightly.db --out report.html --csv hardware.csv\n"
    "  lockstack report --blocks=check\n"
    "  lockstack mutate fifo --json fifo.json; lockstack report --blocks fifo.json\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  options_t o = {.database = cli_database()};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;
  if (o.blocks != NO_BLOCKS) return about_blocks(cli, &o);
  json_t *root = cli_json("report", 1);
  if (!o.out) {
    file_folder("lockstack-out"); /* that it cannot be made is said when the page is written */
    o.out = "lockstack-out/report.html";
    whole_clear(o.out);
  }
  code = gather_database_facts(root, o.database);
  if (!code) code = write_as(o.out, page_write, root);
  if (!code && o.csv) code = write_as(o.csv, hardware_csv, root);
  if (code) {
    json_decref(root);
    return code;
  }
  print_report_summary(cli, root, o.out);
  return cli_finish(cli, root, EXIT_HELD);
}

const verb_t verb_report = {"report", "the database of results as one HTML page", run, &argp};
