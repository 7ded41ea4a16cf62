/* SPDX-License-Identifier: Apache-2.0
 *
 * The lockstack command: finds the verb and runs it.
 *
 *   main --> outer_run ==fork==> run_command --> dispatch --> verb->run
 *     ^                                               \-----> --help, --names, --completion ...
 *     '---- exit status, believed only if run_command returned
 */
#include "cli.h"
#include "completion.h"
#include "guard.h"
#include "named_tools.h"
#include "names.h"
#include "outer.h"
#include "process.h"
#include "progress.h"
#include "terminal.h"
#include "version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_verbs(FILE *out) {
  for (const verb_t *const *verb = cli_verbs; *verb; verb++) fprintf(out, "  %-9s %s\n", (*verb)->name, (*verb)->help);
}

/* Lists the verbs and what holds for all of them. To standard error when no verb was given. */
static int print_help(FILE *out) {
  fputs("Usage: lockstack VERB [OPTION...]\n\n"
        "Near-data processing hardware for GPUs: RTL and golden models, compared cycle by cycle.\n\n",
        out);
  print_verbs(out);
  fputs(
      "\nlockstack VERB --help explains a verb, with an example. Every verb takes --json FILE. -V, --version: the "
      "version.\n"
      "What FILE of --json, --junit, --csv, --wave and the like had is removed once the options are right, before the "
      "work.\n"
      "Exit status: 0 all held, 1 something checked did not hold, 2 bad usage or input, 3 the environment failed.\n",
      out);
  return EXIT_HELD;
}

static int print_version(void) {
  printf("lockstack %s (%s%s)\n", LOCKSTACK_VERSION, LOCKSTACK_COMMIT, LOCKSTACK_DIRTY ? ", changed" : "");
  return EXIT_HELD;
}

static void print_name(void *context, const char *name) {
  fprintf(context, "%s\n", name);
}

/* For completion: `lockstack --names blocks`. */
static int print_names(const char *kind) {
  if (!kind) return cli_error(EXIT_BAD, "--names: a kind is missing, such as blocks");
  if (names_each(kind, print_name, stdout)) return EXIT_HELD;
  return cli_error(EXIT_BAD, "--names: no kind '%s' of names%s", kind, names_nearest("kinds", kind));
}

/* One line: the verbs there are, and the nearest one. */
static int unknown_verb(const char *name) {
  fprintf(stderr, "lockstack: no verb '%s'; the verbs are", name);
  for (const verb_t *const *verb = cli_verbs; *verb; verb++)
    fprintf(stderr, "%s %s", verb == cli_verbs ? "" : ",", (*verb)->name);
  fprintf(stderr, "%s\n", names_nearest("verbs", name));
  return EXIT_BAD;
}

/* Runs a verb. argv[0] becomes "lockstack VERB": argp begins its lines with it. */
static int run_verb(const verb_t *verb, int argc, char **argv) {
  cli_t cli = {.out = stdout};
  char *name;
  if (asprintf(&name, "lockstack %s", verb->name) < 0) return cli_error(EXIT_ENV, "out of memory");
  argv[0] = name;
  int code = verb->run(&cli, argc, argv);
  if (cli.out != stdout) fclose(cli.out);
  if (cli.machine) fclose(cli.machine);
  free(name);
  return code == CLI_HELPED ? EXIT_HELD : code;
}

static bool is_either_word(const char *word, const char *either, const char * or) {
  return !strcmp(word, either) || !strcmp(word, or);
}

/* Options of the command itself come first; everything behind a verb's name is the verb's. Returns
 * the process's exit status. */
static int dispatch(int argc, char **argv) {
  if (argc < 2) { /* as git and cmake have it: what there is, and that it was not enough */
    print_help(stderr);
    return EXIT_BAD;
  }
  if (is_either_word(argv[1], "--help", "-h") || is_either_word(argv[1], "help", "-?")) return print_help(stdout);
  if (is_either_word(argv[1], "--version", "-V")) return print_version();
  if (!strcmp(argv[1], "--names")) return print_names(argv[2]);
  if (!strcmp(argv[1], "--completion")) return completion_print(argv[2]);
  for (const verb_t *const *verb = cli_verbs; *verb; verb++)
    if (strcmp((*verb)->name, argv[1]) == 0) return run_verb(*verb, argc - 1, argv + 1);
  return unknown_verb(argv[1]);
}

/* Reads a variable that is a limit; *seconds stays as it is without the variable. */
static int read_limit(const char *name, unsigned *seconds) {
  const char *text = getenv(name);
  char *end;
  if (!text) return EXIT_HELD;
  unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || value < 1 || value > 86400)
    return cli_error(EXIT_BAD, "%s: '%s' should be a whole number from 1 to 86400", name, text);
  *seconds = (unsigned)value;
  return EXIT_HELD;
}

/* Sets the limit for one call of a model, stimulus or RTL. The jobs of `regress` inherit it in
 * LOCKSTACK_CALL_SECONDS; without the variable there is no limit here. That of a tool is read where
 * tools are started (process_limit). */
static int limit_calls(void) {
  unsigned seconds = 0, tool;
  guard_interrupts(&cli_interrupted);
  const int code = read_limit("LOCKSTACK_CALL_SECONDS", &seconds);
  if (code) return code;
  if (seconds) guard_limit(seconds);
  return read_limit("LOCKSTACK_TOOL_SECONDS", &tool);
}

/* errno of an output that failed. If an earlier part of a long text failed, errno is gone: write
 * one more byte to get it again. The output has a gap already, so the byte does no harm. */
static int why_unwritten(void) {
  if (!errno && write(STDOUT_FILENO, "\n", 1) == 1) return EIO;
  return errno;
}

/* The command itself, in the child process. An output that could not be written is worse than a
 * good verdict and overrides 0 and 1. */
static int run_command(int argc, char **argv) {
  terminal_start();
  process_supervise(cli_is_interrupted, progress_tool);
  /* models in Python: harness/lockstep/dut/python/model.h */
  setenv("LOCKSTACK_PYTHON_MODEL", cli_data("harness/lockstep/dut/python/model.py"), 1);
  int code = limit_calls();
  if (!code) code = dispatch(argc, argv);
  errno = 0;
  if ((fflush(stdout) || ferror(stdout)) && code < EXIT_BAD)
    return cli_error(EXIT_ENV, "standard output: cannot write: %s", strerror(why_unwritten()));
  return code;
}

/* Is this a task of a Slurm array? Slurm's daemon ends the task, and each job of the task is a
 * command with its own parent; a parent here would only stand between. */
static bool is_slurm_task(int argc, char **argv) {
  return argc > 2 && !strcmp(argv[1], "regress") && !strncmp(argv[2], "--task", 6);
}

int main(int argc, char **argv) {
  process_begin();
  trouble_t trouble = {0};
  if (!named_tools_choose(&trouble))
    return cli_error(trouble.kind == TROUBLE_INPUT ? EXIT_BAD : EXIT_ENV, "%s", trouble.text);
  unsetenv("POSIXLY_CORRECT"); /* options behind words are options here, and for the tools that are started */
  return is_slurm_task(argc, argv) ? outer_none(run_command, argc, argv) : outer_run(run_command, argc, argv);
}
