/* SPDX-License-Identifier: Apache-2.0
 *
 * Results as JSON. A regular file is written beside its place and renamed, so that a full disk or Ctrl-C never leaves
 * half of one; a device or pipe (/dev/stdout, a named pipe) is written in place.
 */
#include "cli.h"
#include "version.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

json_t *cli_provenance(void) {
  return json_pack("{s:s, s:s, s:b, s:s, s:s, s:s}", "version", LOCKSTACK_VERSION, "commit", LOCKSTACK_COMMIT, "dirty",
                   LOCKSTACK_DIRTY, "compiler", LOCKSTACK_COMPILER, "verilator", LOCKSTACK_VERILATOR, "systemc",
                   LOCKSTACK_SYSTEMC);
}

json_t *cli_json(const char *verb, int version) {
  char schema[64];
  snprintf(schema, sizeof schema, "lockstack.%s/%d", verb, version);
  return json_pack("{s:s, s:o}", "schema", schema, "provenance", cli_provenance());
}

static int dump(json_t *root, FILE *file) {
  if (json_dumpf(root, file, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9)) || fputc('\n', file) == EOF)
    return -1;
  return fflush(file);
}

static int write_failed(const char *path, int error) {
  bool bad_name = error == ENOENT || error == ENOTDIR || error == EISDIR || error == ENAMETOOLONG;
  return cli_error(bad_name ? EXIT_BAD : EXIT_ENV, "%s: cannot write: %s", path, strerror(error));
}

static int write_in_place(json_t *root, const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) return write_failed(path, errno);
  int error = dump(root, file) ? errno : 0;
  if (fclose(file) && !error) error = errno;
  return error ? write_failed(path, error) : 0;
}

static int write_beside(json_t *root, const char *path, mode_t mode) {
  char *temp;
  if (asprintf(&temp, "%s.XXXXXX", path) < 0) return cli_error(EXIT_ENV, "out of memory");
  int fd = mkstemp(temp), error = 0;
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
  if (!file) error = errno;
  else {
    if (dump(root, file) || fchmod(fd, mode)) error = errno;
    if (fclose(file) && !error) error = errno;
    if (!error && rename(temp, path)) error = errno;
    if (error) unlink(temp);
  }
  free(temp);
  return error ? write_failed(path, error) : 0;
}

static int write_file(json_t *root, const char *name) {
  struct stat info;
  mode_t mask = umask(0);
  umask(mask);
  if (stat(name, &info)) return write_beside(root, name, 0666 & ~mask);
  if (S_ISDIR(info.st_mode)) return write_failed(name, EISDIR);
  if (!S_ISREG(info.st_mode)) return write_in_place(root, name);
  char *real = realpath(name, NULL); /* a link keeps pointing at the file it points at */
  int result = write_beside(root, real ? real : name, info.st_mode & 07777);
  free(real);
  return result;
}

int cli_finish(cli_t *cli, json_t *root, cli_exit_t code) {
  int result = 0;
  if (cli->json && !root) result = cli_error(EXIT_ENV, "out of memory");
  else if (cli->json && strcmp(cli->json, "-") == 0) {
    if (dump(root, stdout)) result = write_failed("standard output", errno);
  } else if (cli->json) result = write_file(root, cli->json);
  json_decref(root);
  if (!result && cli->out && (fflush(cli->out) || ferror(cli->out))) result = write_failed("standard output", errno);
  return result ? result : (int)code;
}
