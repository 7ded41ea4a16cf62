/* SPDX-License-Identifier: Apache-2.0 */
#include "whole.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "clock.h"

enum { LOCK_PAUSE_MS = 10, LOCK_MS = 60000, LOCK_STOPPED_MS = 1000 };

static const unsigned long long little_room = 64 << 10; /* less than the buffers of those who write */

/* ---- what is to be made again ---- */

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

/* Where a link leads; also to a file that is not there, whose
 * name glibc's realpath then has. NULL: this is not known. */
static const char *target(const char *path, char real[PATH_MAX]) {
  struct stat info;
  if (realpath(path, real)) return real;
  return errno == ENOENT && lstat(path, &info) == 0 && S_ISLNK(info.st_mode) ? real : NULL;
}

/* A link keeps pointing at the file it points at; what has no name of its own (a device, /dev/fd/3)
 * is written in place. What a killed process left under the part's name goes: a program that then
 * writes nothing has written nothing. */
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

/* On the disk before it has its name. */
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

/* ---- names that are nobody else's ---- */

enum { NAMES_MOST = 100000 };

static bool same_contents(const char *a, const char *b) {
  FILE *files[2] = {fopen(a, "rb"), fopen(b, "rb")};
  bool same = files[0] && files[1];
  for (int c = 0; same && c != EOF;) same = (c = getc(files[0])) == getc(files[1]);
  for (int i = 0; i < 2; i++)
    if (files[i]) fclose(files[i]);
  return same;
}

/* Links where the file system has them; else the name first, then the file. 0, or errno. */
static int take_name(const char *from, const char *name) {
  if (link(from, name) == 0) return unlink(from), 0;
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return errno;
  const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  close(fd);
  return rename(from, name) ? errno : 0;
}

/* Is there a file of one of these endings behind the stem? */
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

/* Of the file that is there now: who waited may have the lock of one
 * that another has replaced meanwhile. 1: yes; 0: no; -1: errno. */
static int lock_there(int fd, const char *path, const volatile sig_atomic_t *stop, unsigned *waited) {
  struct stat locked, there;
  while (flock(fd, LOCK_EX | LOCK_NB)) {
    /* a file system without locks */
    if (errno != EWOULDBLOCK && errno != EINTR)
      return errno == ENOSYS || errno == EOPNOTSUPP || errno == ENOLCK ? 1 : -1;
    if (*waited >= (stop && *stop ? LOCK_STOPPED_MS : LOCK_MS)) return errno = ETIMEDOUT, -1;
    clock_pause(LOCK_PAUSE_MS);
    *waited += LOCK_PAUSE_MS;
  }
  if (fstat(fd, &locked)) return -1;
  if (stat(path, &there)) return errno == ENOENT ? 0 : -1;
  return there.st_ino == locked.st_ino && there.st_dev == locked.st_dev;
}

int whole_lock(const char *path, const volatile sig_atomic_t *stop) {
  for (unsigned waited = 0;;) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EACCES) fd = open(path, O_RDONLY | O_CLOEXEC); /* it can be replaced all the same */
    if (fd < 0) return -1;
    const int locked = lock_there(fd, path, stop, &waited);
    if (locked > 0) return fd;
    const int error = errno;
    close(fd);
    if (locked < 0) return errno = error, -1;
  }
}

int whole_try_lock(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  unsigned waited = LOCK_MS;
  const int locked = fd < 0 ? -1 : lock_there(fd, path, NULL, &waited);
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
