/* SPDX-License-Identifier: Apache-2.0
 *
 * Starts `lockstack serve --socket=3` with one end of a socket pair as descriptor 3. It ends when
 * the other end is closed.
 */
#include "server.h"

#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PATH = 4096, THEIRS = 3 /* the socket's descriptor in the process */, LINE = 4095 };

/* PREFIX/bin/lockstack, if this library is in PREFIX/lib or below it. So an installation may be
 * moved. */
static bool command_beside_library(char path[PATH]) {
  Dl_info self;
  char *whole = dladdr((void *)command_beside_library, &self) ? realpath(self.dli_fname, NULL) : NULL;
  bool found = false;
  for (char *slash; whole && (slash = strrchr(whole, '/'));) {
    *slash = 0;
    const char *folder = strrchr(whole, '/');
    if (!folder || strcmp(folder, "/lib")) continue;
    found = snprintf(path, PATH, "%.*s/bin/lockstack", (int)(folder - whole), whole) < PATH && !access(path, X_OK);
    break;
  }
  free(whole);
  return found;
}

/* $LOCKSTACK, the command of this library's installation, or the one on the PATH. */
static const char *find_command(char path[PATH]) {
  const char *named = getenv("LOCKSTACK");
  if (named && *named) return named;
  return command_beside_library(path) ? path : "lockstack";
}

/* The words of the command, to be freed; the words themselves are the caller's. NULL: out of
 * memory. */
static char **make_command_words(const char *program, const char *system, const char *const *options) {
  unsigned n = 0;
  while (options && options[n]) n++;
  char **words = calloc(n + 6, sizeof *words);
  if (!words) return NULL;
  char **at = words;
  *at++ = (char *)program, *at++ = "serve", *at++ = "--socket=3"; /* THEIRS */
  for (unsigned i = 0; i < n; i++) *at++ = (char *)options[i];
  *at++ = "--", *at++ = (char *)system;
  return words;
}

/* 0, or errno. Standard input and output of the process are /dev/null; standard error is s->said.
 */
static int spawn_server(server_t *s, int theirs, const char *program, char **words) {
  posix_spawn_file_actions_t actions;
  int failed = posix_spawn_file_actions_init(&actions);
  if (failed) return failed;
  failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
  if (!failed) failed = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, s->said, STDERR_FILENO);
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, theirs, THEIRS);
  if (!failed) failed = posix_spawnp(&s->pid, program, &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

/* Also ends what was begun if it fails. */
bool server_start(server_t *s, const char *system, const char *const *options, char *error, size_t size) {
  char path[PATH];
  const char *program = find_command(path);
  char **words = make_command_words(program, system, options);
  int ends[2] = {-1, -1};
  *s = (server_t){.socket = -1};
  s->said = memfd_create("lockstack", MFD_CLOEXEC);
  int failed = words ? 0 : ENOMEM;
  if (!failed && (s->said < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))) failed = errno;
  s->socket = ends[0];
  if (!failed) failed = spawn_server(s, ends[1], program, words);
  if (ends[1] >= 0) close(ends[1]);
  free(words);
  if (!failed) return true;
  s->pid = 0;
  server_end(s);
  if (failed == ENOENT)
    snprintf(error, size, "%s: no such command; $LOCKSTACK=/a/path/to/lockstack would be right", program);
  else snprintf(error, size, "%s cannot be started: %s", program, strerror(failed));
  return false;
}

void server_end(server_t *s) {
  if (s->socket >= 0) close(s->socket); /* it ends by itself then */
  while (s->pid && waitpid(s->pid, NULL, 0) < 0 && errno == EINTR) continue;
  if (s->said >= 0) close(s->said);
  *s = (server_t){.socket = -1, .said = -1};
}

/* Reads at most the last LINE bytes. */
void server_line(const server_t *s, char *line, size_t size) {
  static const char prefix[] = "lockstack: ";
  char all[LINE + 1];
  const off_t end = lseek(s->said, 0, SEEK_END);
  const ssize_t n = end > 0 ? pread(s->said, all, LINE, end > LINE ? end - LINE : 0) : 0;
  all[n > 0 ? n : 0] = 0;
  for (size_t length = strlen(all); length && all[length - 1] == '\n';) all[--length] = 0;
  char *last = strrchr(all, '\n');
  last = last ? last + 1 : all;
  snprintf(line, size, "%s", strncmp(last, prefix, sizeof prefix - 1) ? last : last + sizeof prefix - 1);
}
