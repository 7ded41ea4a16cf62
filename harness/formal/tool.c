/* SPDX-License-Identifier: Apache-2.0
 *
 * The child holds the writing end of a pipe and so does all that it starts: end of file says that they have ended, and
 * waiting for it costs nothing.
 */
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static pid_t start(char *const argv[], const char *log, int ends[2]) {
  pid_t child = fork();
  if (child) return child;
  int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666), in = open("/dev/null", O_RDONLY);
  setpgid(0, 0);
  signal(SIGPIPE, SIG_DFL);
  close(ends[0]);
  if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(TOOL_NOT_STARTED);
  execvp(argv[0], argv);
  _exit(TOOL_NOT_STARTED);
}

int tool_run(char *const argv[], const char *log, double seconds, bool (*stop)(void *context), void *context) {
  int ends[2], status = 0, early = 0;
  double end = now() + seconds;
  if (pipe(ends)) return TOOL_NOT_STARTED;
  pid_t child = start(argv, log, ends);
  if (child > 0) setpgid(child, child); /* both do it: neither knows who is first */
  close(ends[1]);
  struct pollfd ended = {ends[0], POLLIN, 0};
  while (child > 0 && !early && poll(&ended, 1, 100) <= 0)
    early = stop && stop(context) ? TOOL_STOPPED : now() > end ? TOOL_TIMEOUT : 0;
  close(ends[0]);
  if (child < 0) return TOOL_NOT_STARTED;
  if (early) kill(-child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return early ? early : WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

bool tool_there(const char *name) {
  const char *path = getenv("PATH");
  char file[4096];
  for (const char *p = path ? path : ""; *p; p += *p == ':') {
    size_t n = strcspn(p, ":");
    snprintf(file, sizeof file, "%.*s/%s", (int)n, p, name);
    if (access(file, X_OK) == 0) return true;
    p += n;
  }
  return false;
}

char *tool_read(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) return NULL;
  size_t size = 0, room = 4096;
  char *text = malloc(room);
  for (size_t n = 1; text && n; size += n) {
    if (room - size < 4096) {
      char *more = realloc(text, room *= 2);
      if (!more) free(text);
      text = more;
    }
    n = text ? fread(text + size, 1, room - size - 1, file) : 0;
  }
  if (text) text[size] = 0;
  fclose(file);
  return text;
}

bool tool_folder(const char *path) {
  char part[4096];
  struct stat info;
  snprintf(part, sizeof part, "%s", path);
  for (char *slash = part; (slash = strchr(slash + 1, '/'));) {
    *slash = 0;
    mkdir(part, 0777);
    *slash = '/';
  }
  mkdir(part, 0777);
  return stat(part, &info) == 0 && S_ISDIR(info.st_mode);
}

void tool_remove(const char *path) {
  int error = errno;
  unlink(path);
  errno = error;
}
