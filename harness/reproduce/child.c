/* SPDX-License-Identifier: Apache-2.0 */
#include "child.h"

#include "file.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *nameless(void) {
  FILE *file = tmpfile();
  if (file) fcntl(fileno(file), F_SETFD, FD_CLOEXEC); /* other children have no business with it */
  return file;
}

int child_start(child_t *child, const char *program, char *const argv[]) {
  *child = (child_t){.pid = -1, .out = nameless(), .err = nameless()};
  if (child->out && child->err)
    child->pid = process_start(&(process_t){.argv = argv, .program = program, .out = fileno(child->out), .err = fileno(child->err), .dies_with_us = SIGTERM});
  if (child->pid > 0) return 0;
  int error = errno;
  child_free(child);
  errno = error;
  return -1;
}

bool child_done(child_t *child, int *status) {
  int raw;
  pid_t got = waitpid(child->pid, &raw, WNOHANG);
  if (got == 0 || (got < 0 && errno == EINTR)) return false;
  if (got < 0) *status = -1;
  else *status = process_status(raw);
  return true;
}

void child_stop(const child_t *child) { kill(child->pid, SIGTERM); }

void child_free(child_t *child) {
  if (child->out) fclose(child->out);
  if (child->err) fclose(child->err);
  *child = (child_t){.pid = -1};
}

char *child_text(FILE *file) {
  rewind(file);
  return file_rest(file, FILE_MOST, NULL);
}

const char *child_last_line(char *text) {
  size_t n = strlen(text);
  while (n && strchr(" \t\r\n", text[n - 1])) n--;
  text[n] = 0;
  char *line = strrchr(text, '\n');
  return line ? line + 1 : text;
}
