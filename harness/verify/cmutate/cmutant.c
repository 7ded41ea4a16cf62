/* SPDX-License-Identifier: Apache-2.0
 *
 * The server runs where cmocka would run a group: the program is loaded once, and each test is a
 * fork of it. It replaces cmocka's function by name (dlsym finds the original), so that tests
 * need no change.
 */
#include "cmutant.h"

#include "file.h"
#include "process.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

unsigned cmutant_on;
_Alignas(4096) unsigned char cmutant_reached[CMUTANTS_MOST];

typedef int (*run_group_t)(const char *, const struct CMUnitTest *, size_t, CMFixtureFunction, CMFixtureFunction);

static struct itimerval cpu_limit;

/* Limits CPU time. Timers are not inherited, so each child of a test sets the same one. */
static void arm_timer(void) {
  setitimer(ITIMER_PROF, &cpu_limit, NULL);
}

/* Maps the array as shared memory at its own place, so that the server sees what children reach. */
static void share_reached(void) {
  const int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED;
  if (mmap(cmutant_reached, sizeof cmutant_reached, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) _exit(3);
}

static void limit_resource(int what, rlim_t most) {
  struct rlimit r = {most, most};
  setrlimit(what, &r);
}

/* A mutant may use up memory, fill the disk or sleep for ever. This process must hurt nobody
 * else. */
static void confine(const cmutant_ask_t *ask) {
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; fd++) dup2(null, fd);
  setpgid(0, 0);
  limit_resource(RLIMIT_CORE, 0);
  limit_resource(RLIMIT_AS, (rlim_t)6 << 30);
  limit_resource(RLIMIT_FSIZE, (rlim_t)64 << 20);
  cpu_limit.it_value = (struct timeval){ask->limit_ms / 1000, (suseconds_t)(ask->limit_ms % 1000) * 1000};
  pthread_atfork(NULL, NULL, arm_timer);
  arm_timer();
  close(CMUTANT_IN);
  close(CMUTANT_OUT);
}

/* Waits for the child. True: it slept too long by the wall clock and was killed. */
static bool sleeps(pid_t child, int *status, struct rusage *usage, const cmutant_ask_t *ask) {
  unsigned waited_ms = 0;
  while (wait4(child, status, WNOHANG, usage) == 0) {
    unsigned step_us = waited_ms < 50 ? 200 : 2000;
    usleep(step_us);
    static unsigned us;
    us += step_us;
    waited_ms += us / 1000;
    us %= 1000;
    if (waited_ms < 60 * ask->limit_ms + 60000) continue;
    kill(-child, SIGKILL);
    wait4(child, status, 0, usage);
    return true;
  }
  return false;
}

/* How the test ended. Kills what it left behind. */
static cmutant_answer_t answer_of(pid_t child, const cmutant_ask_t *ask) {
  int status = 0;
  struct rusage u = {0};
  bool slept = sleeps(child, &status, &u, ask);
  kill(-child, SIGKILL); /* children it left behind */
  uint64_t us = 1000000u * (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
  cmutant_answer_t a = {CMUTANT_PASSED, (uint32_t)us};
  if (slept || (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)) a.how = CMUTANT_TIMEOUT;
  else if (WIFSIGNALED(status)) a.how = CMUTANT_CRASHED;
  else if (WEXITSTATUS(status)) a.how = CMUTANT_FAILED;
  return a;
}

/* Answers questions about one group. True: go on to the next group; false: the other side is
 * gone. */
static bool serve(run_group_t run, const char *name, const struct CMUnitTest *tests, size_t count,
                  CMFixtureFunction setup, CMFixtureFunction teardown) {
  uint32_t number = (uint32_t)count;
  cmutant_ask_t ask;
  share_reached();
  if (!file_put(CMUTANT_OUT, &number, sizeof number)) _exit(3);
  while (file_get(CMUTANT_IN, &ask, sizeof ask)) {
    if (ask.test == CMUTANT_NEXT) return true;
    for (size_t i = 0; i < sizeof cmutant_reached; i++) cmutant_reached[i] = 0;
    pid_t child = process_fork(0);
    if (child == 0) {
      confine(&ask);
      cmutant_on = ask.mutant;
      exit(run(name, tests + ask.test, 1, setup, teardown) ? 1 : 0);
    }
    if (child < 0) _exit(3);
    cmutant_answer_t answer = answer_of(child, &ask);
    if (!file_put(CMUTANT_OUT, &answer, sizeof answer)) _exit(3);
    if (!ask.mutant && !file_put(CMUTANT_OUT, cmutant_reached, sizeof cmutant_reached)) _exit(3);
  }
  return false;
}

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *const tests, const size_t count,
                            CMFixtureFunction setup, CMFixtureFunction teardown) {
  union {
    void *symbol;
    run_group_t run;
  } next = {dlsym(RTLD_NEXT, "_cmocka_run_group_tests")};
  if (!next.symbol) abort();
  if (!getenv("CMUTANT_SERVER")) return next.run(name, tests, count, setup, teardown);
  if (!serve(next.run, name, tests, count, setup, teardown)) _exit(0);
  return 0;
}
