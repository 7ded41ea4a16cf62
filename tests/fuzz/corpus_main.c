/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a target on each file of a corpus once, without a fuzzer: corpus_X FILE|FOLDER... The last
 * file printed is the one in which a crash happened.
 */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static unsigned count;

static bool run_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  uint8_t *data = NULL;
  size_t size = 0, room = 0;
  do {
    room = room ? 2 * room : 4096;
    uint8_t *more = realloc(data, room);
    if (!more) break;
    data = more;
    size += fread(data + size, 1, room - size, file);
  } while (size == room);
  bool good = size < room && !ferror(file);
  fclose(file);
  /* Exactly as long as the input: a sanitizer sees the first byte read behind it. */
  uint8_t *input = good ? malloc(size ? size : 1) : NULL;
  if (input) memcpy(input, data, size);
  free(data);
  if (!input) return false;
  printf("%s\n", path);
  fflush(stdout);
  LLVMFuzzerTestOneInput(input, size);
  free(input);
  count++;
  return true;
}

static bool run_path(const char *path) {
  struct stat info;
  if (stat(path, &info)) return false;
  if (!S_ISDIR(info.st_mode)) return run_file(path);
  struct dirent **entries;
  int n = scandir(path, &entries, NULL, alphasort);
  bool good = n >= 0;
  for (int i = 0; i < n; i++) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
    if (*entries[i]->d_name != '.') good = run_path(name) && good;
    free(entries[i]);
  }
  if (n >= 0) free(entries);
  return good;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!run_path(argv[i])) {
      fprintf(stderr, "%s: cannot be read\n", argv[i]);
      return 3;
    }
  printf("%u inputs\n", count);
  return count ? 0 : 3;
}
