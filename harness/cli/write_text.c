/* SPDX-License-Identifier: Apache-2.0
 *
 * Text files that appear whole or not at all: written beside their place and renamed. A device or a pipe is written in place.
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_failed(const char *path, int error) {
  bool bad = error == ENOENT || error == ENOTDIR || error == EISDIR || error == ENAMETOOLONG;
  return cli_error(bad ? EXIT_BAD : EXIT_ENV, "%s: cannot write: %s", path, strerror(error));
}

static int put(const char *path, const char *text, size_t size) {
  FILE *file = fopen(path, "w");
  int error = file ? 0 : errno;
  if (file && fwrite(text, 1, size, file) != size) error = errno;
  if (file && fclose(file) && !error) error = errno;
  return error;
}

int cli_write_text(const char *path, const char *text, size_t size) {
  struct stat info;
  bool there = stat(path, &info) == 0;
  char *temp = NULL;
  if (there && S_ISDIR(info.st_mode)) return write_failed(path, EISDIR);
  if (there && !S_ISREG(info.st_mode)) {
    int error = put(path, text, size);
    return error ? write_failed(path, error) : 0;
  }
  if (asprintf(&temp, "%s.part", path) < 0) return cli_error(EXIT_ENV, "out of memory");
  int error = put(temp, text, size);
  if (!error && rename(temp, path)) error = errno;
  if (error) unlink(temp);
  free(temp);
  return error ? write_failed(path, error) : 0;
}
