/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks a command in a copy of this process (fork), whose output goes to two temporary files.
 */
#include "sweep_check.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "process.h"

enum { MOST = 1 << 24 };

/* argv of the dry run: "lockstack run" nsu vadd ... --dry-run --json -. NULL: out of memory. */
static char **make_dry_run_command(const verb_t *verb, const json_t *args) {
  const size_t n = json_array_size(args);
  char **argv = calloc(n + 4, sizeof *argv);
  if (!argv || asprintf(&argv[0], "lockstack %s", verb->name) < 0) return NULL;
  for (size_t i = 1; i < n; i++) argv[i] = (char *)json_string_value(json_array_get(args, i));
  argv[n] = "--dry-run", argv[n + 1] = "--json", argv[n + 2] = "-";
  return argv;
}

/* The child: runs the verb with its output in the files, and ends with its exit code. */
static void run_in_copy(const verb_t *verb, const json_t *args, int out, int err) {
  cli_t cli = {.out = stdout};
  char **argv = make_dry_run_command(verb, args);
  if (!argv || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0) _exit(EXIT_ENV);
  const int code = verb->run(&cli, (int)json_array_size(args) + 3, argv);
  fflush(stdout);
  _exit(code);
}

/* The whole file as text, to be freed. */
static char *read_all_of(FILE *file) {
  rewind(file);
  return file_rest(file, MOST, NULL);
}

/* The trouble of a command that failed: its first line, without "lockstack run: ". Returns
 * false. */
static bool fail_with_said_line(int status, const char *text, trouble_t *trouble) {
  const char *line = text;
  if (!strncmp(line, "lockstack", 9) && strstr(line, ": ")) line = strstr(line, ": ") + 2;
  return trouble_set(trouble, status ? (trouble_kind_t)status : TROUBLE_ENVIRONMENT, "%.*s", (int)strcspn(line, "\n"),
                     *line ? line : "no word why");
}

/* What the child printed, as JSON. A status of 0 without JSON is a failure, too. */
static bool result_of(int status, FILE *out, FILE *err, json_t **like, trouble_t *trouble) {
  char *said = read_all_of(out), *wrong = read_all_of(err);
  *like = said && !status ? json_loads(said, 0, NULL) : NULL;
  if (!*like) fail_with_said_line(status, wrong ? wrong : "", trouble);
  free(said);
  free(wrong);
  return *like;
}

bool sweep_check(const verb_t *verb, const json_t *args, json_t **like, trouble_t *trouble) {
  FILE *out = tmpfile(), *err = tmpfile();
  *like = NULL;
  fflush(stdout);
  fflush(stderr);
  const pid_t child = out && err ? process_fork(SIGKILL) : -1;
  if (child == 0) run_in_copy(verb, args, fileno(out), fileno(err));
  const bool good = child < 0 ? trouble_set(trouble, TROUBLE_ENVIRONMENT, "cannot start a process: %s", strerror(errno))
                              : result_of(process_wait(child), out, err, like, trouble);
  if (out) fclose(out);
  if (err) fclose(err);
  return good;
}
