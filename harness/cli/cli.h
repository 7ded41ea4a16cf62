/* SPDX-License-Identifier: Apache-2.0
 *
 * What every verb of the command shares: exit codes, option parsing, error lines, JSON output,
 * provenance, Ctrl-C.
 *
 * A verb is one file verb_X.c that defines `const verb_t verb_X`; README.md of this folder shows
 * how. Its run goes through these calls:
 *
 *   cli_parse    options checked, files of CLI_MADE cleared, standard output moved for --json -
 *      |
 *    the work    loops look at cli_interrupted; a failure is one line: cli_error, cli_trouble
 *      |
 *   cli_json     {"schema", "provenance"}; the verb adds its keys
 *      |
 *   cli_finish   JSON written whole or not at all; returns the exit code
 *
 * All calls are for the main thread. Strings that they return live until the program ends.
 */
#ifndef CLI_H
#define CLI_H

#include "trouble.h"

#include <argp.h>
#include "json_sure.h"
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Exit codes, the same kinds as trouble_t's, so that a trouble is an exit code. EXIT_HELD: all
 * that was checked held. EXIT_BROKEN: something did not. EXIT_BAD: usage or input is wrong.
 * EXIT_ENV: the environment failed (a tool, the disk, memory, Ctrl-C). */
typedef enum {
  EXIT_HELD = TROUBLE_NONE,
  EXIT_BROKEN = TROUBLE_BROKEN,
  EXIT_BAD = TROUBLE_INPUT,
  EXIT_ENV = TROUBLE_ENVIRONMENT
} cli_exit_t;

typedef struct {
  /* What a run of one verb writes to. cli_parse fills it; run_verb in main.c closes it. */
  const char *json; /* --json's file, "-" for standard output; NULL: none asked for */
  FILE *machine;    /* with --json - standard output; else NULL */
  FILE *out;        /* where the report for people goes: standard output, or nowhere with --json - */
} cli_t;

typedef struct {
  const char *name;                              /* "list" */
  const char *help;                              /* one line for the list of verbs */
  int (*run)(cli_t *cli, int argc, char **argv); /* argv[0] is "lockstack list"; returns a cli_exit_t */
  /* its options and arguments: help, completion, manual and suites read them here */
  const struct argp *argp;
} verb_t;

extern const verb_t *const cli_verbs[]; /* NULL-terminated, in the order of CMakeLists.txt */

/* A flag of an option that may be given several times, each time for one more entry. Any other
 * option with a value may be given once: otherwise the last value would win silently. */
enum { CLI_LIST = 0x100 };

/* A flag of an option whose value is a file that the verb makes. Once all options are right,
 * cli_parse checks that the file can be written and removes what an earlier run left there: a
 * run that fails then leaves no old result. cli_parse refuses the file if another argument names
 * it, too. */
enum { CLI_MADE = 0x200 };

extern const struct argp_option cli_common_options[]; /* what every verb takes besides: --json */

/* Calls see for each option of a verb that --help shows: the verb's own first, then the common
 * ones. */
void cli_each_option(const verb_t *verb, void (*see)(void *context, const struct argp_option *option), void *context);

/* Parses a verb's options and adds --json, --help and --usage. `input` reaches the verb's parser
 * as state->input. Returns 0 to go on, or the exit code after a line on standard error, or
 * CLI_HELPED after --help and --usage. The verb returns whatever is not 0. */
enum { CLI_HELPED = -1 };
int cli_parse(cli_t *cli, const struct argp *argp, int argc, char **argv, void *input);

/* For a verb's argp parser: `return cli_usage(state, "--seed: ...")` prints the one line and
 * makes the command end with EXIT_BAD. The line begins with the verb's name. */
error_t cli_usage(const struct argp_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reads a whole number, decimal or 0x hexadecimal, from least to most, both included. Otherwise
 * prints the line and returns EINVAL; *value keeps what it had. `option` is what the line names:
 * "--seed". */
error_t cli_number(const struct argp_state *state, const char *option, const char *text, uint64_t least, uint64_t most,
                   uint64_t *value);

/* Checks a new --set NAME=VALUE against the `count` settings in `before`. Refuses it (a line,
 * EINVAL) when one of them has the same NAME. */
error_t cli_set_once(const struct argp_state *state, const char *setting, const char *const *before, unsigned count);

/* Prints one line on standard error, "lockstack: ...", and returns code. */
int cli_error(cli_exit_t code, const char *format, ...) __attribute__((format(printf, 2, 3)));

int cli_trouble(const trouble_t *trouble); /* prints its line; returns its kind, which is the exit code */

json_t *cli_json(const char *verb, int version); /* {"schema": "lockstack.VERB/VERSION", "provenance": {...}} */
json_t *cli_provenance(void);                    /* version, git commit, dirty flag, tool versions */

/* Ends a verb that only checked its arguments (--dry-run): reports how many results a run would
 * have, as text and as JSON. Returns EXIT_HELD. */
int cli_dry_run(cli_t *cli, const char *schema, unsigned results);

/* Ends a verb: writes root where --json asked for it, and drops the reference in any case. The
 * file appears whole or not at all. Adds `content` (what was judged) and, after Ctrl-C,
 * `interrupted`. Returns code, or EXIT_ENV after a line when writing failed. root NULL: there
 * was no memory for it. */
int cli_finish(cli_t *cli, json_t *root, cli_exit_t code);

/* Writes a text file, whole or not at all; size in bytes. Returns 0, or EXIT_BAD (a name that
 * cannot be) or EXIT_ENV after a line. */
int cli_write_text(const char *path, const char *text, size_t size);

/* Set by the first Ctrl-C (or SIGTERM): stop soon, report what is known, return EXIT_ENV. A
 * second signal kills. */
extern volatile sig_atomic_t cli_interrupted;
bool cli_is_interrupted(void); /* the same as a function, for queues that take one */

/* Absolute path of a file that the command needs ("firmware/workloads/kernels/vadd/vadd.ptx"):
 * in the source tree, or where `install` put it. */
const char *cli_data(const char *path);
const char *cli_objects(void);  /* folder of the loadable devices */
const char *cli_programs(void); /* folder of the libraries that programs under `exec` are given */
/* What a user types to call this command: ./lockstack in the tree, lockstack where it is
 * installed. */
const char *cli_command(void);
/* The database of results when --db names none: build/lockstack.db of the tree; installed,
 * lockstack-out/lockstack.db in the working folder. */
const char *cli_database(void);

#endif
