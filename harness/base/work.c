/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder in use has a file `.lock`, which its run holds. A kept folder has the file under the
 * name `.kept`. A folder without either is not ours. Before a process looks at the folders or makes
 * one, it takes `.lock` of the parent folder.
 */
#include "work.h"

#include "file.h"
#include "whole.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

enum { NAME = 200, NUMBERS = 1024, NUMBER_MOST = 1000000000 };

typedef struct {
  const char *folder, *name;
  unsigned kept[NUMBERS], num_kept, last; /* the highest number in use */
} look_t;

static const char *path_of(const look_t *l, unsigned number, const char *file, char path[PLAIN_PATH]) {
  snprintf(path, PLAIN_PATH, "%s/%.*s.%u%s", l->folder, NAME, l->name, number, file);
  return path;
}

/* Removes the lock last, so that a folder removed by half still counts as left behind. */
static void remove_folder(const char *path) {
  char inside[PLAIN_PATH];
  DIR *folder = opendir(path);
  for (struct dirent *e; folder && (e = readdir(folder));) {
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || !strcmp(e->d_name, ".lock")) continue;
    snprintf(inside, sizeof inside, "%s/%s", path, e->d_name);
    file_remove_all(inside);
  }
  if (folder) closedir(folder);
  file_remove_all(path);
}

/* True if the folder's lock is free: its run was killed. False on a file system without locks, or
 * if the run has just kept the folder. */
static bool left_behind(const char *lock) {
  int fd = open(lock, O_RDWR | O_CLOEXEC);
  const bool left = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && access(lock, F_OK) == 0;
  if (fd >= 0) close(fd);
  return left;
}

static void look_at(look_t *l, unsigned number) {
  char path[PLAIN_PATH];
  if (number > l->last) l->last = number;
  if (left_behind(path_of(l, number, "/.lock", path))) remove_folder(path_of(l, number, "", path));
  else if (access(path_of(l, number, "/.kept", path), F_OK) == 0 && l->num_kept < NUMBERS)
    l->kept[l->num_kept++] = number;
}

/* The number in NAME.NUMBER; 0: another name. */
static unsigned entry_number(const look_t *l, const char *entry) {
  const size_t n = strnlen(l->name, NAME);
  char *end;
  if (strncmp(entry, l->name, n) || entry[n] != '.' || entry[n + 1] < '1' || entry[n + 1] > '9') return 0;
  const unsigned long number = strtoul(entry + n + 1, &end, 10);
  return *end || number >= NUMBER_MOST ? 0 : (unsigned)number;
}

static int newest_first(const void *a, const void *b) {
  const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return x > y ? -1 : x < y;
}

static void look_for_numbers(look_t *l) {
  char path[PLAIN_PATH];
  DIR *folder = opendir(l->folder);
  for (struct dirent *e; folder && (e = readdir(folder));) {
    const unsigned number = entry_number(l, e->d_name);
    if (number) look_at(l, number);
  }
  if (folder) closedir(folder);
  qsort(l->kept, l->num_kept, sizeof *l->kept, newest_first);
  for (unsigned i = WORK_KEPT; i < l->num_kept; i++) remove_folder(path_of(l, l->kept[i], "", path));
}

/* Makes the folder with the next number, or a higher one if another run was faster without locks.
 * Returns 0, or errno. */
static int make_numbered(work_t *w, const look_t *l) {
  unsigned number = l->last + 1;
  while (mkdir(path_of(l, number, "", w->path), 0777)) {
    if (errno != EEXIST || number >= NUMBER_MOST) return errno;
    number++;
  }
  char lock[PLAIN_PATH];
  w->lock = whole_lock(path_of(l, number, "/.lock", lock), NULL);
  if (w->lock >= 0) return 0;
  const int error = errno;
  file_remove_all(w->path);
  return error;
}

bool work_open(work_t *w, const char *above, const char *name, trouble_t *trouble) {
  char real[PLAIN_PATH], folder[PLAIN_PATH], lock[PLAIN_PATH];
  look_t l = {.folder = folder, .name = name};
  *w = (work_t){.lock = -1};
  if (!file_folder(above) || !realpath(above, real))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot make this folder: %s", above, strerror(errno));
  if (!plain_folder(real, NULL, folder, sizeof folder, trouble)) return false;
  snprintf(lock, sizeof lock, "%s/.lock", folder);
  const int held = whole_lock(lock, NULL);
  int failed = held < 0 ? errno : 0;
  if (!failed) look_for_numbers(&l), failed = make_numbered(w, &l);
  if (held >= 0) close(held);
  if (!failed) return true;
  *w->path = 0;
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot make a folder in it: %s", above, strerror(failed));
}

/* Renames the lock: its name says whether the folder is kept. */
static bool rename_lock(const work_t *w) {
  char from[PLAIN_PATH], to[PLAIN_PATH];
  snprintf(from, sizeof from, "%s/.lock", w->path);
  snprintf(to, sizeof to, "%s/.kept", w->path);
  return !whole_no_room(from) && rename(from, to) == 0;
}

static void end_work(work_t *w) {
  close(w->lock);
  *w = (work_t){.lock = -1};
}

void work_close(work_t *w, bool keep) {
  if (!*w->path) return;
  if (!keep || !rename_lock(w)) remove_folder(w->path);
  end_work(w);
}

bool work_publish(work_t *w, const char *path) {
  char lock[PLAIN_PATH];
  snprintf(lock, sizeof lock, "%s/.lock", w->path);
  file_remove_all(path);
  const bool renamed = unlink(lock) == 0 && rename(w->path, path) == 0;
  const int error = errno;
  if (!renamed) remove_folder(w->path);
  end_work(w);
  errno = error;
  return renamed;
}
