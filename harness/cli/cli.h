/* SPDX-License-Identifier: Apache-2.0
 *
 * What every verb of the command shares: exit codes, option parsing, error lines, JSON output,
 * provenance, Ctrl-C.
 *
 * A verb is one file verb_X.c that defines `const verb_t verb_X`; README.md of this folder shows
 * how.
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

typedef enum {
  EXIT_HELD = TROUBLE_NONE,
  EXIT_BROKEN = TROUBLE_BROKEN,
  EXIT_BAD = TROUBLE_INPUT,
  EXIT_ENV = TROUBLE_ENVIRONMENT
} cli_exit_t;

typedef struct {
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

/* A flag of an option that adds to those before. Any other option with a value may be given once:
 * the last one would win without a word. */
enum { CLI_LIST = 0x100 };

/* One of an option whose value is a file that the verb makes. Once the options are right its place
 * is looked at, and what an earlier run made there goes: a run that then ends without it leaves
 * none. A file that another argument names as well is refused. */
enum { CLI_MADE = 0x200 };

extern const struct argp_option cli_common_options[]; /* what every verb takes besides: --json */

/* Calls see for each option of a verb that --help shows, its own first. */
void cli_each_option(const verb_t *verb, void (*see)(void *context, const struct argp_option *option), void *context);

/* Parses a verb's options and adds --json. `input` reaches the verb's parser as state->input.
 * Returns 0 to go on, the exit code when a line has been printed, or CLI_HELPED after --help and
 * --usage: the verb returns it. */
enum { CLI_HELPED = -1 };
int cli_parse(cli_t *cli, const struct argp *argp, int argc, char **argv, void *input);

/* In a verb's argp parser: `return cli_usage(state, "--seed:
 * ...")` prints the one line and ends with EXIT_BAD. */
error_t cli_usage(const struct argp_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A number in decimal or 0x hexadecimal, within least..most; otherwise prints the line and returns
 * EINVAL. `option` is what the line names: "--seed". */
error_t cli_number(const struct argp_state *state, const char *option, const char *text, uint64_t least, uint64_t most,
                   uint64_t *value);

/* --set NAME=VALUE, of which `before` were given: refused when one of them has that name. */
error_t cli_set_once(const struct argp_state *state, const char *setting, const char *const *before, unsigned count);

/* One line on standard error, "lockstack: ..."; returns code. */
int cli_error(cli_exit_t code, const char *format, ...) __attribute__((format(printf, 2, 3)));

int cli_trouble(const trouble_t *trouble); /* its line; returns its kind, which is the exit code */

json_t *cli_json(const char *verb, int version); /* {"schema": "lockstack.VERB/VERSION", "provenance": {...}} */
json_t *cli_provenance(void);                    /* version, git commit, dirty flag, tool versions */

/* The end of one that was only checked (--dry-run): how
 * many results it would have. Returns EXIT_HELD. */
int cli_dry_run(cli_t *cli, const char *schema, unsigned results);

/* The end of a verb: writes root where --json asked for (nowhere otherwise) and drops the
 * reference. The file appears whole or not at all. Returns code, or EXIT_ENV after a line when
 * writing failed. */
int cli_finish(cli_t *cli, json_t *root, cli_exit_t code);

/* A text file, whole or not at all. 0, or EXIT_BAD (a
 * name that cannot be) or EXIT_ENV after a line. */
int cli_write_text(const char *path, const char *text, size_t size);

/* Set by the first Ctrl-C (or TERM): stop soon, report
 * what is known, return EXIT_ENV. A second one kills. */
extern volatile sig_atomic_t cli_interrupted;
bool cli_is_interrupted(void); /* the same, for queues that ask */

/* Absolute path of a file the command needs ("firmware/workloads/kernels/vadd.ptx"), in the source
 * tree or where it was installed. The string lives until the program ends. */
const char *cli_data(const char *path);
const char *cli_objects(void);  /* folder of the loadable devices */
const char *cli_programs(void); /* folder of the libraries that programs under `exec` are given */
/* what one types to call this command: ./lockstack in the tree, lockstack where it is installed */
const char *cli_command(void);
/* of results, when --db names none: build/lockstack.db, installed lockstack-out/lockstack.db */
const char *cli_database(void);

#endif
