/* SPDX-License-Identifier: Apache-2.0 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(const child_t *child, const char *program, char *const argv[], pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127); /* it ended before the line above */
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) _exit(127);
  if (dup2(fileno(child->out), STDOUT_FILENO) < 0 || dup2(fileno(child->err), STDERR_FILENO) < 0) _exit(127);
  execv(program, argv);
  dprintf(STDERR_FILENO, "%s: %s\n", program, strerror(errno));
  _exit(127);
}

static FILE *nameless(void) {
  FILE *file = tmpfile();
  if (file) fcntl(fileno(file), F_SETFD, FD_CLOEXEC); /* other children have no business with it */
  return file;
}

int child_start(child_t *child, const char *program, char *const argv[]) {
  pid_t parent = getpid();
  *child = (child_t){.pid = -1, .out = nameless(), .err = nameless()};
  if (child->out && child->err) child->pid = fork();
  if (child->pid == 0) become(child, program, argv, parent);
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
  else *status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  return true;
}

void child_stop(const child_t *child) { kill(child->pid, SIGTERM); }

void child_free(child_t *child) {
  if (child->out) fclose(child->out);
  if (child->err) fclose(child->err);
  *child = (child_t){.pid = -1};
}

char *child_text(FILE *file) {
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  char *text = malloc(size < 0 ? 1 : (size_t)size + 1);
  rewind(file);
  if (text) text[size > 0 ? fread(text, 1, (size_t)size, file) : 0] = 0;
  return text;
}

const char *child_last_line(char *text) {
  size_t n = strlen(text);
  while (n && strchr(" \t\r\n", text[n - 1])) n--;
  text[n] = 0;
  char *line = strrchr(text, '\n');
  return line ? line + 1 : text;
}
