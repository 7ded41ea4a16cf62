/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that appear whole or not at all. A regular file is written beside its place and renamed, so
 * that a full disk or Ctrl-C never leaves half of it. A device or a pipe (/dev/stdout, a named
 * pipe) is written in place.
 */
#include "cli.h"
#include "whole.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name that cannot be is the user's mistake (EXIT_BAD); everything else is the environment's. */
static int write_failed(const char *path, int error) {
  bool bad_name = error == ENOENT || error == ENOTDIR || error == EISDIR || error == ENAMETOOLONG;
  return cli_error(bad_name ? EXIT_BAD : EXIT_ENV, "%s: cannot write: %s", path, strerror(error));
}

/* Writes the text and closes the file. 0, or errno of the first failure. */
static int write_text_and_close(FILE *file, const char *text, size_t size) {
  int error = fwrite(text, 1, size, file) == size ? 0 : errno;
  if (fclose(file) && !error) error = errno;
  return error;
}

/* For what cannot be renamed over, as a pipe or a device. 0, or errno. */
static int write_in_place(const char *path, const char *text, size_t size) {
  FILE *file = fopen(path, "w");
  return file ? write_text_and_close(file, text, size) : errno;
}

/* Writes PATH.XXXXXX with these rights and renames it to PATH. 0, or errno, and nothing is left
 * behind. */
static int write_beside(const char *path, mode_t mode, const char *text, size_t size) {
  char *temp;
  if (asprintf(&temp, "%s.XXXXXX", path) < 0) return ENOMEM;
  int fd = mkstemp(temp), error = 0;
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
  if (!file) error = errno;
  else {
    if (fchmod(fd, mode)) error = errno;
    int broken = write_text_and_close(file, text, size);
    if (!error) error = broken;
    if (!error && rename(temp, path)) error = errno;
    if (error) unlink(temp);
  }
  free(temp);
  return error;
}

/* A file that exists keeps its rights; a new one gets 0666 without the umask. */
static int write_whole_text(const char *name, const char *text, size_t size) {
  whole_t whole;
  mode_t mask = umask(0);
  umask(mask);
  whole_begin(&whole, name);
  if (strcmp(whole.path, whole.part) == 0) return write_in_place(name, text, size);
  return write_beside(whole.path, whole.mode ? whole.mode : 0666 & ~mask, text, size);
}

int cli_write_text(const char *path, const char *text, size_t size) {
  int error = write_whole_text(path, text, size);
  return error ? write_failed(path, error) : 0;
}
