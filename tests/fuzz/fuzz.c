/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fuzz targets share; fuzz.h says what each function promises.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzz_file(const uint8_t *data, size_t size) {
  static int file = -1;
  static char path[40];
  if (file < 0) {
    file = memfd_create("fuzz", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  }
  if (file < 0 || ftruncate(file, 0) || pwrite(file, data, size, 0) != (ssize_t)size) {
    perror("a file in memory");
    exit(3);
  }
  return path;
}

void fuzz_check(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "fuzz: does not hold: %s\n", what);
  abort();
}

void fuzz_check_error(const char *error) {
  fuzz_check(*error != 0, "a refusal says why");
  fuzz_check(!strchr(error, '\n'), "a refusal is one line");
}
