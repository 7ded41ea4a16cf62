/* SPDX-License-Identifier: Apache-2.0
 *
 * The guard waits on a pipe whose other end this process alone holds: its end is noticed however it
 * came. It inherits the lock, so that nobody goes on with the database before what was left behind
 * has ended.
 */
#include "processes.h"

#include "clock.h"
#include "lock.h"
#include "process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Does the environment of /proc/PID have the variable with a value that begins so? */
static bool has_tag(const char *pid, const char *tag) {
  char path[300];
  char *text = NULL;
  size_t room = 0, n = strlen(tag);
  bool found = false;
  snprintf(path, sizeof path, "/proc/%.200s/environ", pid);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  while (!found && getdelim(&text, &room, 0, file) > 0)
    found = !strncmp(text, PROCESSES_VARIABLE "=", sizeof PROCESSES_VARIABLE) &&
            !strncmp(text + sizeof PROCESSES_VARIABLE, tag, n);
  free(text);
  fclose(file);
  return found;
}

static unsigned kill_once(const char *tag) {
  unsigned count = 0;
  DIR *all = opendir("/proc");
  for (struct dirent *one; all && (one = readdir(all));)
    if (isdigit((unsigned char)*one->d_name) && atol(one->d_name) != (long)getpid() && has_tag(one->d_name, tag)) {
      kill((pid_t)atol(one->d_name), SIGKILL);
      count++;
    }
  if (all) closedir(all);
  return count;
}

/* One that forks while we look is seen the next time. A killed one has no environment any more. */
void processes_kill(const char *tag) {
  for (unsigned tries = 0; tries < 1000 && kill_once(tag); tries++) clock_pause(2);
}

static int owned = -1; /* the lock file */

bool processes_own(const char *lock_file, long *owner) {
  char text[32] = "";
  int fd = open(lock_file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  *owner = -1;
  if (fd < 0) return false;
  if (lock_wait(fd, &(lock_wait_t){.most_seconds = 5})) { /* a guard may still be at work */
    int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    owned = fd;
    /* the number is only for others' error line */
    if (ftruncate(fd, 0) || pwrite(fd, text, (size_t)n, 0) != n) errno = 0;
    return true;
  }
  *owner = pread(fd, text, sizeof text - 1, 0) > 0 ? atol(text) : 0;
  close(fd);
  return false;
}

static int guard_pipe = -1;
static pid_t guard_pid;

static void guard(int pipe_end, const char *tag) {
  char byte;
  setsid();
  prctl(PR_SET_NAME, "lockstack-guard");
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  int nothing = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3 && nothing >= 0; fd++) dup2(nothing, fd); /* who reads our output waits for its end */
  ssize_t n;
  while ((n = read(pipe_end, &byte, 1)) < 0 && errno == EINTR) continue;
  if (n == 0) processes_kill(tag);
  _exit(0);
}

bool processes_guard(const char *tag) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return false;
  pid_t child = process_fork(0);
  if (child == 0) {
    close(ends[1]);
    guard(ends[0], tag);
  }
  close(ends[0]);
  guard_pipe = ends[1];
  guard_pid = child;
  return child > 0;
}

void processes_dismiss(void) {
  if (guard_pid > 0) {
    ssize_t n = write(guard_pipe, "", 1);
    close(guard_pipe);
    if (n == 1) process_wait(guard_pid);
    guard_pid = 0;
  }
  if (owned >= 0) close(owned);
  owned = -1;
}
