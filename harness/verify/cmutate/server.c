/* SPDX-License-Identifier: Apache-2.0
 *
 * The other side of the protocol in cmutant.h.
 */
#include "server.h"

#include "file.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs the program in its own folder, as ctest does, without input and output. */
static _Noreturn void exec_server(const char *program, int in, int out) {
  char folder[4096];
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(program, '/') - program), program);
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; fd++) dup2(null, fd);
  dup2(in, CMUTANT_IN);
  dup2(out, CMUTANT_OUT);
  setenv("CMUTANT_SERVER", "1", 1);
  if (chdir(folder)) _exit(127);
  execl(program, program, NULL);
  _exit(127);
}

/* Reads how many tests the group has. 0: there is no such group. */
static bool read_group(server_t *s) {
  if (!file_get(s->out, &s->tests, sizeof s->tests)) s->tests = 0;
  return s->tests > 0;
}

bool server_start(server_t *s, const char *program) {
  char whole[PATH_MAX];
  int in[2], out[2];
  if (!realpath(program, whole)) return false;
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) return false;
  s->pid = process_fork(0);
  if (s->pid == 0) exec_server(whole, in[0], out[1]);
  close(in[0]);
  close(out[1]);
  s->in = in[1];
  s->out = out[0];
  return s->pid > 0 && read_group(s);
}

bool server_next(server_t *s) {
  const cmutant_ask_t next = {.test = CMUTANT_NEXT};
  return file_put(s->in, &next, sizeof next) && read_group(s);
}

bool server_ask(server_t *s, const cmutant_ask_t *ask, cmutant_answer_t *answer, unsigned char *reached) {
  if (!file_put(s->in, ask, sizeof *ask) || !file_get(s->out, answer, sizeof *answer)) return false;
  return ask->mutant || file_get(s->out, reached, CMUTANTS_MOST);
}

void server_end(server_t *s) {
  close(s->in);
  close(s->out);
  process_wait(s->pid);
}
