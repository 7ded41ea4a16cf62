/* SPDX-License-Identifier: Apache-2.0 */
#include "whole.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "clock.h"
#include "lock.h"

static const double lock_seconds = 60;

static const unsigned long long little_room = 64 << 10; /* less than the buffers of programs that write */

/* ---- files that a program will make again */

enum { CLEARED_MOST = 8 };

static struct {
  char path[WHOLE_PATH];
  mode_t mode;
} cleared[CLEARED_MOST];
static unsigned cleared_count;

static mode_t cleared_mode(const char *path) {
  for (unsigned i = 0; i < cleared_count; i++)
    if (strcmp(cleared[i].path, path) == 0) return cleared[i].mode;
  return 0;
}

int whole_clear(const char *path) {
  struct stat info;
  if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 || stat(path, &info) || !S_ISREG(info.st_mode))
    return 0;
  char *real = realpath(path, NULL);
  const int error = !real || unlink(real) ? errno : 0;
  free(real);
  if (error || cleared_count == CLEARED_MOST) return error;
  snprintf(cleared[cleared_count].path, sizeof cleared->path, "%.4095s", path);
  cleared[cleared_count++].mode = info.st_mode & 07777;
  return 0;
}

/* ---- one file ---- */

/* The file that a link leads to. If that file does not exist, glibc's realpath still gives its
 * name. NULL: unknown. */
static const char *target(const char *path, char real[PATH_MAX]) {
  struct stat info;
  if (realpath(path, real)) return real;
  return errno == ENOENT && lstat(path, &info) == 0 && S_ISLNK(info.st_mode) ? real : NULL;
}

/* Writes to a link's target, so that the link stays. A device or /dev/fd/3 has no name of its own
 * and is written in place. Removes the temporary file of a killed process, so that it cannot pass
 * for this program's output. */
const char *whole_begin(whole_t *w, const char *path) {
  struct stat info;
  char behind[PATH_MAX];
  const bool there = stat(path, &info) == 0, regular = there && S_ISREG(info.st_mode);
  const char *real = !there || regular ? target(path, behind) : NULL;
  const bool named = !there || (real && access(real, F_OK) == 0);
  snprintf(w->path, sizeof w->path, "%.4095s", real && named ? real : path);
  w->mode = regular && named ? info.st_mode & 07777 : cleared_mode(path);
  if (!named) memcpy(w->part, w->path, sizeof w->part);
  else snprintf(w->part, sizeof w->part, "%.4095s.part%04x", w->path, (unsigned)getpid() & 0xffff);
  if (named) unlink(w->part);
  return w->part;
}

/* Flushes the file to the disk before it gets its name. */
static int flush_file(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  int error = fsync(fd) && errno != EINVAL && errno != EROFS ? errno : 0;
  close(fd);
  return error;
}

int whole_end(whole_t *w, int error) {
  if (strcmp(w->path, w->part) == 0) return error;
  if (!error && w->mode && chmod(w->part, w->mode)) error = errno;
  if (!error) error = flush_file(w->part);
  if (!error && rename(w->part, w->path)) error = errno;
  if (error) unlink(w->part);
  return error;
}

/* ---- unique names */

enum { NAMES_MOST = 100000 };

static bool same_contents(const char *a, const char *b) {
  FILE *files[2] = {fopen(a, "rb"), fopen(b, "rb")};
  bool same = files[0] && files[1];
  for (int c = 0; same && c != EOF;) same = (c = getc(files[0])) == getc(files[1]);
  for (int i = 0; i < 2; i++)
    if (files[i]) fclose(files[i]);
  return same;
}

/* Takes a free name, by a hard link or, without hard links, by creating the name first. Returns 0,
 * or errno. */
static int take_name(const char *from, const char *name) {
  if (link(from, name) == 0) return unlink(from), 0;
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return errno;
  const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  close(fd);
  return rename(from, name) ? errno : 0;
}

/* True if a file exists with the stem and one of these endings. */
static bool has_companion(const char *stem, const char *endings) {
  char path[WHOLE_PATH];
  for (const char *at = endings; *at; at += strspn(at, " ")) {
    const size_t n = strcspn(at, " ");
    snprintf(path, sizeof path, "%.4000s%.*s", stem, (int)n, at);
    if (access(path, F_OK) == 0) return true;
    at += n;
  }
  return false;
}

int whole_keep(const char *from, char *path, size_t size, const char *endings) {
  char wanted[WHOLE_PATH], stem[WHOLE_PATH + 16];
  snprintf(wanted, sizeof wanted, "%s", path);
  const char *slash = strrchr(wanted, '/'), *dot = strrchr(slash ? slash : wanted, '.');
  if (!dot) dot = wanted + strlen(wanted);
  for (unsigned k = 1; k <= NAMES_MOST; k++) {
    snprintf(stem, sizeof stem, k == 1 ? "%.*s" : "%.*s-%u", (int)(dot - wanted), wanted, k);
    snprintf(path, size, "%.4090s%s", stem, dot);
    if (access(path, F_OK) && has_companion(stem, endings)) continue;
    const int error = take_name(from, path);
    if (error != EEXIST) return error;
    if (same_contents(from, path)) return unlink(from), 0;
  }
  return EEXIST;
}

int whole_close(void *file, int error) {
  if (ferror(file) && !error) error = errno ? errno : EIO;
  if (fclose(file) && !error) error = errno;
  return error;
}

/* Waits for the lock, and checks that it is the lock of the present file: another process may have
 * replaced the file meanwhile. 1: yes; 0: no; -1: errno. */
static int lock_there(int fd, const char *path, const lock_wait_t *how) {
  struct stat locked, there;
  if (!lock_wait(fd, how) || fstat(fd, &locked)) return -1;
  if (stat(path, &there)) return errno == ENOENT ? 0 : -1;
  return there.st_ino == locked.st_ino && there.st_dev == locked.st_dev;
}

int whole_lock(const char *path, const volatile sig_atomic_t *stop) {
  const double until = clock_seconds() + lock_seconds;
  for (;;) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    /* a file that cannot be written can still be replaced */
    if (fd < 0 && errno == EACCES) fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    const int locked = lock_there(fd, path, &(lock_wait_t){.most_seconds = until - clock_seconds(), .stop = stop});
    if (locked > 0) return fd;
    const int error = errno;
    close(fd);
    if (locked < 0) return errno = error, -1;
  }
}

int whole_try_lock(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const int locked = fd < 0 ? -1 : lock_there(fd, path, &(lock_wait_t){.most_seconds = 0});
  const int error = locked == 0 || errno == ETIMEDOUT ? EWOULDBLOCK : errno;
  if (locked > 0) return fd;
  if (fd >= 0) close(fd);
  return errno = error, -1;
}

bool whole_unwritten(const char *program, const char *path, const char *log, trouble_t *trouble) {
  if (whole_no_room(path))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: no space left on the device for %s", program, path);
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s ended with status 0, but %s is not there to its end%s%s",
                     program, path, log ? "; its log is " : "", log ? log : "");
}

int whole_no_room(const char *path) {
  struct statvfs room;
  char folder[WHOLE_PATH];
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  if (statvfs(folder, &room)) return 0;
  return (unsigned long long)room.f_bavail * room.f_frsize < little_room || !room.f_favail ? ENOSPC : 0;
}
