/* SPDX-License-Identifier: Apache-2.0 */
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "clock.h"

static const double say_seconds = 10, stopped_seconds = 1;
enum { PAUSE_MS = 10 };

bool lock_wait(int fd, const lock_wait_t *how) {
  const double began = clock_seconds();
  bool said = !how->say;
  while (flock(fd, LOCK_EX | LOCK_NB)) {
    if (errno == ENOSYS || errno == EOPNOTSUPP || errno == ENOLCK) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    const double waited = clock_seconds() - began;
    const bool stopped = how->stop && *how->stop && waited >= stopped_seconds;
    if (waited >= how->most_seconds || stopped) return errno = ETIMEDOUT, false;
    if (!said && waited >= say_seconds) said = true, fprintf(stderr, "%s\n", how->say);
    clock_pause(PAUSE_MS);
  }
  return true;
}

int lock_open(const char *path, bool inherited, const lock_wait_t *how) {
  const int fd = open(path, O_RDWR | O_CREAT | (inherited ? 0 : O_CLOEXEC), 0666);
  if (fd < 0 || lock_wait(fd, how)) return fd;
  const int error = errno;
  close(fd);
  return errno = error, -1;
}
