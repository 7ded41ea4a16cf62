/* SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char *draw_check(const char *folder, char *error, size_t size) {
  if (mkdir(folder, 0777) && errno != EEXIST) {
    snprintf(error, size, "%s: %s", folder, strerror(errno));
    return error;
  }
  struct stat info;
  if (stat(folder, &info) || !S_ISDIR(info.st_mode) || access(folder, W_OK)) {
    snprintf(error, size, "%s: not a folder that can be written to", folder);
    return error;
  }
  int status = system("command -v gnuplot >/dev/null 2>&1");
  if (status == 0) return NULL;
  snprintf(error, size, "gnuplot is missing: apt-get install gnuplot-nox");
  return error;
}

FILE *draw_open(void) { return popen("gnuplot -", "w"); }

const char *draw_close(FILE *gnuplot, char *error, size_t size) {
  bool written = !ferror(gnuplot);
  int status = pclose(gnuplot);
  if (written && status == 0) return NULL;
  snprintf(error, size, "gnuplot failed (status %d); is the disk full?", status < 0 ? status : WEXITSTATUS(status));
  return error;
}

const char *draw_plain(const char *text, char *plain, size_t size) {
  size_t n = 0;
  for (; *text && n + 1 < size; text++)
    if (*text != '"' && *text != '\\' && *text != '\n') plain[n++] = *text;
  plain[n] = 0;
  return plain;
}
