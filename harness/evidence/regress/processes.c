/* SPDX-License-Identifier: Apache-2.0
 *
 * The guard waits on a pipe whose other end only this process holds, so it notices every kind of
 * end. The guard inherits the lock: nobody goes on with the database before the left-over
 * processes have ended.
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

/* Does the environment of /proc/PID have the variable, with a value that begins with the tag? */
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

/* Returns how many processes had the tag. */
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

/* A process that forks meanwhile is seen in the next round. A killed process has no environment
 * any more. */
void processes_kill(const char *tag) {
  for (unsigned tries = 0; tries < 1000 && kill_once(tag); tries++) clock_pause(2);
}

static int owned = -1; /* the lock file */

/* The lock is flock's, not a number in a file: the kernel drops it when its last holder ends, so
 * a crash leaves no stale lock. A guard that still kills also holds the lock. Hence up to five
 * seconds of tries. */
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

/* The guard's whole life. It has a session of its own, so that the terminal's Ctrl-C does not
 * reach it. */
static void watch_parent(int pipe_end, const char *tag) {
  char byte;
  setsid();
  prctl(PR_SET_NAME, "lockstack-guard");
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  int nothing = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3 && nothing >= 0; fd++)
    dup2(nothing, fd); /* a reader of our output waits until all writers close it */
  ssize_t n;
  while ((n = read(pipe_end, &byte, 1)) < 0 && errno == EINTR) continue;
  if (n == 0) processes_kill(tag);
  _exit(0);
}

/* The pipe tells the guard how the regression ended. A byte: in order. End of file without a
 * byte: it died. */
bool processes_guard(const char *tag) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return false;
  pid_t child = process_fork(0);
  if (child == 0) {
    close(ends[1]);
    watch_parent(ends[0], tag);
  }
  close(ends[0]);
  guard_pipe = ends[1];
  guard_pid = child;
  return child > 0;
}

/* The guard ends on the byte and kills nothing. The lock is dropped last, when the guard has
 * ended. */
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
