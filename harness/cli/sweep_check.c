/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep_check.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "process.h"

enum { MOST = 1 << 24 };

/* "lockstack run" nsu vadd ... --dry-run --json - */
static char **command(const verb_t *verb, const json_t *args) {
  const size_t n = json_array_size(args);
  char **argv = calloc(n + 4, sizeof *argv);
  if (!argv || asprintf(&argv[0], "lockstack %s", verb->name) < 0) return NULL;
  for (size_t i = 1; i < n; i++) argv[i] = (char *)json_string_value(json_array_get(args, i));
  argv[n] = "--dry-run", argv[n + 1] = "--json", argv[n + 2] = "-";
  return argv;
}

static void in_copy(const verb_t *verb, const json_t *args, int out, int err) {
  cli_t cli = {.out = stdout};
  char **argv = command(verb, args);
  if (!argv || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0) _exit(EXIT_ENV);
  const int code = verb->run(&cli, (int)json_array_size(args) + 3, argv);
  fflush(stdout);
  _exit(code);
}

static char *all_of(FILE *file) {
  rewind(file);
  return file_rest(file, MOST, NULL);
}

/* "lockstack run: --set ..." without the first word and the second. */
static void first_line(const char *text, char *error, size_t size) {
  const char *line = text;
  if (!strncmp(line, "lockstack", 9) && strstr(line, ": ")) line = strstr(line, ": ") + 2;
  snprintf(error, size, "%.*s", (int)strcspn(line, "\n"), *line ? line : "no word why");
}

static int result_of(int status, FILE *out, FILE *err, json_t **like, char *error, size_t size) {
  char *said = all_of(out), *wrong = all_of(err);
  *like = said && !status ? json_loads(said, 0, NULL) : NULL;
  if (status || !*like) first_line(wrong ? wrong : "", error, size);
  free(said);
  free(wrong);
  return status ? status : *like ? 0 : EXIT_ENV;
}

int sweep_check(const verb_t *verb, const json_t *args, json_t **like, char *error, size_t size) {
  FILE *out = tmpfile(), *err = tmpfile();
  int code = EXIT_ENV;
  *like = NULL;
  fflush(stdout);
  fflush(stderr);
  const pid_t child = out && err ? process_fork(SIGKILL) : -1;
  if (child == 0) in_copy(verb, args, fileno(out), fileno(err));
  if (child < 0) snprintf(error, size, "cannot start a process: %s", strerror(errno));
  else code = result_of(process_wait(child), out, err, like, error, size);
  if (out) fclose(out);
  if (err) fclose(err);
  return code;
}
