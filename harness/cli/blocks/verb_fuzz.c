/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack fuzz: one reader of files under libFuzzer, for a time, from a seed.
 *
 *   build_fuzz_target (preset fuzz, under a lock) --> run_search --> report_fuzz
 *   inputs: the corpus, FOLDER/found; new inputs go to FOLDER/found, failures to FOLDER/failed-*
 */
#include "cli.h"
#include "clock.h"
#include "file.h"
#include "judged.h"
#include "lock.h"
#include "names.h"
#include "number.h"
#include "process.h"
#include "progress.h"
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const char *target, *folder;
  uint64_t seconds, seed;
} options_t;

static const struct argp_option argp_options[] = {
    {"seconds", 't', "N", 0, "Time of the search (default 60)", 0},
    {"seed", 's', "N", 0, "Seed of the search (default 1)", 0},
    {"out", 'o', "FOLDER", 0, "Where new inputs, failures and the log go (default lockstack-out)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case 't': return cli_number(state, "--seconds", arg, 1, 1000000, &o->seconds);
  case 's': return cli_number(state, "--seed", arg, 1, UINT32_MAX, &o->seed);
  case 'o': o->folder = arg; return 0;
  case ARGP_KEY_ARG:
    if (o->target) return ARGP_ERR_UNKNOWN;
    o->target = arg;
    return 0;
  case ARGP_KEY_END: return o->target ? 0 : cli_usage(state, "a TARGET is missing; tests/fuzz/README.md lists them");
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* While a tool runs: whether to stop. */
static bool stop_fuzz_tool(void *context) {
  (void)context;
  return cli_interrupted;
}

/* One command, its output in `log`. 0, or EXIT_ENV after a line. seconds: its time limit. */
static int tool_step(char *const argv[], const char *log, double seconds, const char *what) {
  int status = process_run(argv, log, seconds, stop_fuzz_tool, NULL);
  if (status == PROCESS_STOPPED) return cli_error(EXIT_ENV, "interrupted while %s", what);
  return status ? cli_error(EXIT_ENV, "%s failed (%s, status %d); the log is %s", what, argv[0], status, log) : 0;
}

/* Asks Ninja again: a target that is of its sources leaves no work to do. This catches a compiler
 * that reported success and wrote nothing. 0, or EXIT_ENV after a line. */
static int check_fuzz_target(char *const make[], const char *name, const char *work) {
  char log[4200];
  snprintf(log, sizeof log, "%.4000s/built.log", work);
  int code = tool_step(make, log, 3600, "building the fuzz target");
  char *text = code ? NULL : file_read(log);
  if (!code && !(text && strstr(text, "no work to do")))
    code = cli_error(EXIT_ENV, "the build of %s ended well, and it is not of its sources; see %s", name, log);
  free(text);
  return code;
}

/* Configures and builds the target's program. A lock keeps searches that start together from
 * building at the same time. The working folder is as before at the end. */
static int build_fuzz_target(const char *target, const char *work) {
  char log[4200], lock[4200], name[128];
  if (!(process_there("clang") && process_there("clang++")))
    return cli_error(EXIT_ENV, "fuzz needs clang and clang++; install the package clang");
  snprintf(log, sizeof log, "%.4000s/build.log", work);
  snprintf(lock, sizeof lock, LOCKSTACK_SOURCE_DIR "/build/.fuzz-lock");
  snprintf(name, sizeof name, "fuzz_%.100s", target);
  int fd = lock_open(lock, false,
                     &(lock_wait_t){.most_seconds = 3600,
                                    .stop = &cli_interrupted,
                                    .say = "lockstack: another search builds the preset fuzz; waiting for it"});
  if (fd < 0) return cli_error(EXIT_ENV, "%s: cannot lock: %s", lock, strerror(errno));
  fprintf(stderr, "lockstack: building the preset fuzz\n");
  char *configure[] = {"cmake", "--preset", "fuzz", NULL},
       *make[] = {"cmake", "--build", "--preset", "fuzz", "--target", name, NULL};
  int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* presets are looked for in the working folder */
  int code = chdir(LOCKSTACK_SOURCE_DIR) ? cli_error(EXIT_ENV, LOCKSTACK_SOURCE_DIR ": %s", strerror(errno)) : 0;
  if (!code && access(LOCKSTACK_SOURCE_DIR "/build/fuzz/build.ninja", F_OK))
    code = tool_step(configure, log, 600, "configuring the preset fuzz");
  if (!code) code = tool_step(make, log, 3600, "building the fuzz target");
  if (!code) code = check_fuzz_target(make, name, work);
  close(fd);
  if (here < 0 || fchdir(here)) code = cli_error(EXIT_ENV, "working folder: %s", strerror(errno));
  close(here);
  return code;
}

/* A search at work; `start` is in seconds of clock_seconds. */
typedef struct {
  const options_t *options;
  progress_t progress;
  double start;
} search_t;

/* Progress in seconds; whether to stop. */
static bool on_search(void *context) {
  search_t *s = context;
  progress_update(&s->progress, (uint64_t)(clock_seconds() - s->start));
  return cli_interrupted;
}

/* The command of the search. `inputs` has further words, a line each, as tests/fuzz/CMakeLists.txt
 * wrote them: the corpus, and "-seed_inputs=...". The words live until the next call. */
static char **search_arguments(const options_t *o, const char *folder, char *inputs) {
  static char words[7][4300];
  static char *argv[16];
  unsigned n = 0;
  snprintf(words[0], sizeof *words, LOCKSTACK_SOURCE_DIR "/build/fuzz/tests/fuzz_%.100s", o->target);
  snprintf(words[1], sizeof *words, "-seed=%" PRIu64, o->seed);
  snprintf(words[2], sizeof *words, "-max_total_time=%" PRIu64, o->seconds);
  snprintf(words[3], sizeof *words, "-artifact_prefix=%.4000s/failed-", folder);
  snprintf(words[4], sizeof *words, "%.4000s/found", folder);
  for (unsigned i = 0; i < 4; i++) argv[n++] = words[i];
  static char *const fixed[] = {"-timeout=20", "-rss_limit_mb=2048", "-max_len=8192", "-print_final_stats=1",
                                "-verbosity=0"};
  for (unsigned i = 0; i < 5; i++) argv[n++] = fixed[i];
  argv[n++] = words[4];
  for (char *line = strtok(inputs, "\n"); line && n < 15; line = strtok(NULL, "\n")) argv[n++] = line;
  argv[n] = NULL;
  return argv;
}

/* A number that libFuzzer prints at its end, "stat::NAME: 123"; 0 if it does not. */
static uint64_t statistic(const char *log, const char *name) {
  const char *at = log ? strstr(log, name) : NULL;
  return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* The file of the input that failed, from "Test unit written to FOLDER/failed-crash-...". To be
 * freed; NULL: none. */
static char *failing_input(const char *log) {
  const char *at = log ? strstr(log, "Test unit written to ") : NULL;
  if (!at) return NULL;
  at += strlen("Test unit written to ");
  return strndup(at, strcspn(at, "\n"));
}

/* What the sanitizer said, "ERROR: AddressSanitizer: heap-buffer-overflow on ...". To be freed. */
static char *failure_reason(const char *log) {
  const char *at = log ? strstr(log, "ERROR: ") : NULL;
  if (!at && log) at = strstr(log, "runtime error: ");
  return at ? strndup(at, strcspn(at, "\n")) : strdup("it ended early");
}

/* The end of a search. A status of 0 without statistics is no PASS: the program did not run the
 * search. */
static int report_fuzz(cli_t *cli, const options_t *o, int status, double seconds, const char *log_path) {
  char *log = file_read(log_path), *failed = failing_input(log), *text = status ? failure_reason(log) : NULL,
       number[28];
  uint64_t runs = statistic(log, "stat::number_of_executed_units:"), found = statistic(log, "stat::new_units_added:");
  if (!status && !runs) {
    free(log), free(failed);
    return cli_error(EXIT_ENV, "fuzz_%s ended with status 0 and does not say what it ran; its log is %s", o->target,
                     log_path);
  }
  fprintf(cli->out, "%s fuzz %s: %s inputs in %.0f s, %" PRIu64 " of them new, seed %" PRIu64 "\n",
          status ? "FAIL" : "PASS", o->target, number_text(runs, number), seconds, found, o->seed);
  if (text) fprintf(cli->out, "  %s\n  input      %s\n", text, failed ? failed : "none");
  json_t *root = cli_json("fuzz", 1);
  json_object_update_new(root, json_pack("{s:s, s:I, s:f, s:I, s:I, s:s, s:o}", "target", o->target, "seed",
                                         (json_int_t)o->seed, "seconds", seconds, "inputs", (json_int_t)runs,
                                         "new_inputs", (json_int_t)found, "outcome", status ? "FAIL" : "PASS", "input",
                                         failed ? json_string(failed) : json_null()));
  if (text) json_object_set_new(root, "failure", json_pack("{s:s}", "text", text));
  free(log);
  free(failed);
  free(text);
  return cli_finish(cli, root, status ? EXIT_BROKEN : EXIT_HELD);
}

/* The end after Ctrl-C: a result without a verdict, EXIT_ENV. */
static int finish_interrupted_fuzz(cli_t *cli, const options_t *o) {
  json_t *root = cli_json("fuzz", 1);
  json_object_update_new(
      root, json_pack("{s:s, s:I, s:s}", "target", o->target, "seed", (json_int_t)o->seed, "outcome", "INTERRUPTED"));
  cli_finish(cli, root, EXIT_ENV);
  return cli_error(EXIT_ENV, "interrupted");
}

/* Tells judged.h which files the result depends on besides this command, which has the readers: the
 * target's source and program, and the list of its inputs. */
static void judge_fuzz_files(const options_t *o, const char *inputs) {
  char path[4300];
  snprintf(path, sizeof path, LOCKSTACK_SOURCE_DIR "/tests/fuzz/%.100s.c", o->target);
  judged_file(path);
  snprintf(path, sizeof path, LOCKSTACK_SOURCE_DIR "/build/fuzz/tests/fuzz_%.100s", o->target);
  judged_file(path);
  judged_file(inputs);
}

/* Runs the search and reports. The time limit leaves libFuzzer room to end by itself. */
static int run_search(cli_t *cli, const options_t *o, const char *folder, const char *work) {
  char path[4300], log[4300];
  snprintf(path, sizeof path, LOCKSTACK_SOURCE_DIR "/build/fuzz/tests/fuzz_%.100s.inputs", o->target);
  judge_fuzz_files(o, path);
  char *inputs = file_read(path);
  if (!inputs) return cli_error(EXIT_ENV, "%s: %s", path, strerror(errno));
  snprintf(path, sizeof path, "%.4000s/found", folder);
  snprintf(log, sizeof log, "%.4000s/search.log", work);
  search_t s = {.options = o, .start = clock_seconds()};
  progress_start(&s.progress, o->target, "s", o->seconds);
  int status = file_folder(path)
                   ? process_run(search_arguments(o, folder, inputs), log, (double)o->seconds * 2 + 300, on_search, &s)
                   : PROCESS_NOT_STARTED;
  progress_end(&s.progress);
  free(inputs);
  if (status == PROCESS_STOPPED) return finish_interrupted_fuzz(cli, o);
  if (status == PROCESS_NOT_STARTED)
    return cli_error(EXIT_ENV, "%s: cannot write, or fuzz_%s could not be started", folder, o->target);
  return report_fuzz(cli, o, status, clock_seconds() - s.start, log);
}

/* A target has a folder in tests/fuzz/corpus. */
static bool is_known_target(const char *target) {
  char path[4300];
  snprintf(path, sizeof path, LOCKSTACK_SOURCE_DIR "/tests/fuzz/corpus/%.100s", target);
  return !strchr(target, '/') && *target != '.' && access(path, F_OK) == 0;
}

static const struct argp argp = {
    argp_options,
    parse,
    "TARGET",
    "Searches for files that one of the readers of files cannot stand: libFuzzer with both sanitizers, "
    "built with clang on the way. Needs the source tree. Exit status 1: an input made it fail.\v"
    "Example:\n  lockstack fuzz ptx --seconds 600 --seed 7\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  options_t o = {.seconds = 60, .seed = 1, .folder = "lockstack-out"};
  char folder[4200];
  work_t work;
  trouble_t trouble;
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;
  if (!is_known_target(o.target))
    return cli_error(EXIT_BAD, "no fuzz target '%s'; tests/fuzz/README.md lists them%s", o.target,
                     names_nearest("targets", o.target));
  snprintf(folder, sizeof folder, "%.3900s/fuzz-%.100s", o.folder, o.target);
  char *real = file_folder(folder) ? realpath(folder, NULL) : NULL;
  if (!real) return cli_error(EXIT_ENV, "%s: cannot write: %s", folder, strerror(errno));
  if (!work_open(&work, real, "run", &trouble)) code = cli_trouble(&trouble);
  else code = build_fuzz_target(o.target, work.path);
  if (!code) code = run_search(cli, &o, real, work.path);
  work_close(&work, code && !cli_interrupted); /* with the log of a failure */
  free(real);
  return code;
}

const verb_t verb_fuzz = {"fuzz", "a reader of files under libFuzzer", run, &argp};
