/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack test: runs one suite with ctest, shows ctest's output and sums it up in one line. ctest
 * runs in the build folder that this program came from; a suite of another preset runs in that
 * preset's folder, which is built first.
 */
#include "cli.h"
#include "clock.h"
#include "judged.h"
#include "names.h"
#include "process.h"
#include "progress.h"
#include "slowest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A line of suites.def. */
typedef struct {
  const char *name, *labels, *preset, *help;
} suite_t;

static const suite_t suites[] = {
#define SUITE(...) {__VA_ARGS__},
#include "suites.def"
    {0},
};

typedef struct {
  const suite_t *suite;
  const char *only; /* regular expression on test names */
  uint64_t jobs;
} options_t;

/* What ctest said; `failures` has the names of the tests that failed. */
typedef struct {
  unsigned long passed, failed;
  json_t *failures;
  slowest_t slowest;
} result_t;

static const struct argp_option argp_options[] = {
    {"jobs", 'j', "N", 0, "Tests at a time (default: one a processor)", 0},
    {"only", 'R', "REGEX", 0, "Only tests whose name matches", 0},
    {0},
};

/* Chooses the suite of this name; 0, or EINVAL after a line that names all suites. */
static error_t find_suite(options_t *options, const char *name, const struct argp_state *state) {
  for (const suite_t *s = suites; s->name; s++)
    if (strcmp(s->name, name) == 0) {
      options->suite = s;
      return 0;
    }
  char names[256] = "";
  for (const suite_t *s = suites; s->name; s++) strcat(strcat(names, s == suites ? "" : ", "), s->name);
  return cli_usage(state, "no suite '%s'; the suites are %s%s", name, names, names_nearest("suites", name));
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *options = state->input;
  switch (key) {
  case 'j': return cli_number(state, "--jobs", arg, 1, 1024, &options->jobs);
  case 'R': options->only = arg; return 0;
  case ARGP_KEY_ARG:
    if (options->suite) return ARGP_ERR_UNKNOWN;
    return find_suite(options, arg, state);
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* Makes Ctrl-C end the read of a child's line. Otherwise the read would go on behind the
 * handler. */
static void signals_interrupt(void) {
  static const int signals[] = {SIGINT, SIGTERM};
  struct sigaction action;
  for (int i = 0; i < 2; i++) {
    sigaction(signals[i], NULL, &action);
    action.sa_flags &= ~SA_RESTART;
    sigaction(signals[i], &action, NULL);
  }
}

/* The next line of the child's output; false at its end. Passes an interrupt that reached this
 * process alone on to the child, once. */
static bool next_line(char **line, size_t *size, FILE *lines, pid_t child) {
  static bool passed_on;
  for (;;) {
    if (cli_interrupted && !passed_on) passed_on = kill(child, SIGINT) == 0;
    if (getline(line, size, lines) >= 0) return true;
    if (errno != EINTR || feof(lines)) return false;
    clearerr(lines);
  }
}

/* Runs argv and calls on_line for every line of its output, errors included. Returns its exit
 * status, 127 when it could not be started. */
static int run_lines(char *const argv[], void (*on_line)(void *context, const char *line), void *context) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return PROCESS_NOT_STARTED;
  pid_t child = process_start(&(process_t){.argv = argv, .out = ends[1], .err = ends[1]});
  close(ends[1]);
  if (child < 0) return close(ends[0]), PROCESS_NOT_STARTED;
  FILE *lines = fdopen(ends[0], "r");
  char *line = NULL;
  size_t size = 0;
  while (lines && next_line(&line, &size, lines, child)) on_line(context, line);
  free(line);
  if (lines) fclose(lines);
  return process_wait(child);
}

typedef struct {
  FILE *out;
  result_t *result;
} watch_t;

/* Reads two of ctest's lines: " 3/57 Test #12: unit.packet ......***Failed 0.01 sec" and "98%
 * tests passed, 1 tests failed out of 57". Shows every line. */
static void on_test_line(void *context, const char *line) {
  watch_t *watch = context;
  unsigned long failed, total;
  char name[256];
  fputs(line, watch->out);
  fflush(watch->out);
  slowest_note(&watch->result->slowest, line);
  if (sscanf(line, "%*u%% tests passed, %lu tests failed out of %lu", &failed, &total) == 2) {
    watch->result->failed = failed;
    watch->result->passed = total - failed;
  }
  if (strstr(line, "***") && !strstr(line, "***Skipped") && sscanf(line, " %*u/%*u Test %*[#0-9]: %255s", name) == 1)
    json_array_append_new(watch->result->failures, json_string(name));
}

/* The last lines of a build's output: those that a reader needs if it fails. */
enum { KEPT = 20 };
/* The last KEPT lines of a command, a ring: line i is in place i % KEPT. */
typedef struct {
  char *lines[KEPT];
  unsigned count;
} tail_t;

/* Keeps a line of a build's output, and drops the one that it replaces. */
static void on_build_line(void *context, const char *line) {
  tail_t *tail = context;
  char **place = &tail->lines[tail->count++ % KEPT];
  free(*place);
  *place = strdup(line);
}

/* One command of a build, silent unless it fails. 0, or EXIT_ENV after its last lines. */
static int build_step(char *const argv[], const char *what) {
  tail_t tail = {0};
  fprintf(stderr, "lockstack test: %s ...\n", what);
  int status = run_lines(argv, on_build_line, &tail);
  for (unsigned i = 0; i < KEPT; i++) {
    char *line = tail.lines[(tail.count + i) % KEPT];
    if (status && line) fputs(line, stderr);
    free(line);
  }
  return status ? cli_error(EXIT_ENV, "%s failed (%s, status %d)", what, argv[0], status) : 0;
}

/* Configures and builds a preset in the source tree; the working folder stays there. */
static int build_preset(const char *preset) {
  char *configure[] = {"cmake", "--preset", (char *)preset, NULL};
  char *build[] = {"cmake", "--build", "--preset", (char *)preset, NULL};
  if (chdir(LOCKSTACK_SOURCE_DIR)) return cli_error(EXIT_ENV, LOCKSTACK_SOURCE_DIR ": %s", strerror(errno));
  int code = build_step(configure, "configuring the preset");
  return code ? code : build_step(build, "building the preset");
}

/* The build folder whose tests run: this program's own, unless the suite is of another preset,
 * which is then built. 0, or an exit code after a line. */
static int suite_folder(const suite_t *suite, char *folder, size_t size) {
  const char *own = strrchr(LOCKSTACK_BINARY_DIR, '/') + 1;
  snprintf(folder, size, "%s", LOCKSTACK_BINARY_DIR);
  if (strcmp(suite->preset, "release") == 0 || strcmp(suite->preset, own) == 0) return 0;
  if (strcmp(suite->preset, "fuzz") == 0 && !(process_there("clang") && process_there("clang++")))
    return cli_error(EXIT_ENV, "the suite fuzz needs clang and clang++; install the package clang");
  snprintf(folder, size, "%s/build/%s", LOCKSTACK_SOURCE_DIR, suite->preset);
  return build_preset(suite->preset);
}

/* Runs ctest on the suite. 0 says that tests ran, whether they passed or not; no test at all is
 * an error, EXIT_BAD where --only matched none. */
static int run_suite(const cli_t *cli, const options_t *options, result_t *result) {
  char folder[4096], jobs[24];
  int code = suite_folder(options->suite, folder, sizeof folder);
  if (code) return code;
  snprintf(jobs, sizeof jobs, "%lu",
           options->jobs ? (unsigned long)options->jobs : (unsigned long)sysconf(_SC_NPROCESSORS_ONLN));
  char *argv[] = {"ctest",
                  "--test-dir",
                  folder,
                  "-L",
                  (char *)options->suite->labels,
                  "--output-on-failure",
                  "--no-tests=error",
                  "-j",
                  jobs,
                  options->only ? "-R" : NULL,
                  (char *)options->only,
                  NULL};
  watch_t watch = {cli->out, result};
  int status = run_lines(argv, on_test_line, &watch);
  if (status == 127) return cli_error(EXIT_ENV, "ctest could not be started; install the package cmake");
  bool none = !result->passed && !result->failed && !cli_interrupted;
  if (none && options->only)
    return cli_error(EXIT_BAD, "no test of suite %s has a name that matches '%s'", options->suite->name, options->only);
  if (none) return cli_error(EXIT_ENV, "ctest ran no test of suite %s in %s", options->suite->name, folder);
  if (status && !result->failed && !cli_interrupted)
    return cli_error(EXIT_ENV, "ctest ended with status %d, and no test failed", status);
  return 0;
}

static const struct argp argp = {argp_options,
                                 parse,
                                 "[SUITE]",
                                 "Runs a suite of tests (default: every quick one). `lockstack list suites` names "
                                 "them.\vExample:\n  lockstack test unit -R packet\n",
                                 NULL,
                                 NULL,
                                 NULL};

static int run(cli_t *cli, int argc, char **argv) {
  options_t options = {0};
  int code = cli_parse(cli, &argp, argc, argv, &options);
  if (code) return code;
  if (!options.suite) options.suite = suites;
  judged_unknown(); /* what tests read */

  result_t result = {.failures = json_array()};
  signals_interrupt();
  double start = clock_seconds();
  code = run_suite(cli, &options, &result);
  bool stopped = !code && cli_interrupted;
  if (code) {
    json_decref(result.failures);
    return code;
  }
  double seconds = clock_seconds() - start;
  json_t *root = cli_json("test", 1);
  json_object_update_new(root, json_pack("{s:s, s:I, s:I, s:f, s:o}", "suite", options.suite->name, "passed",
                                         (json_int_t)result.passed, "failed", (json_int_t)result.failed, "seconds",
                                         seconds, "failures", result.failures));
  slowest_print(&result.slowest, cli->out);
  if (!stopped) fprintf(cli->out, "%lu passed, %lu failed\n", result.passed, result.failed);
  cli_exit_t verdict = result.failed ? EXIT_BROKEN : EXIT_HELD;
  if (stopped) verdict = EXIT_ENV;
  code = cli_finish(cli, root, verdict);
  return stopped ? cli_error(EXIT_ENV, "interrupted") : code;
}

const verb_t verb_test = {"test", "run a suite of tests", run, &argp};
