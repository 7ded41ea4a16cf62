/* SPDX-License-Identifier: Apache-2.0
 *
 * What a regression costs beside its jobs: time a job with 40 jobs that do next to nothing, less the time of such a program alone;
 * and what a second process gains on jobs that only compute.
 */
#include "bench.h"
#include "progress.h"
#include "regress_catalog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS = 40 };

/* Wall-clock seconds of this program with other arguments; negative: it failed. */
static double seconds_of(char *const argv[], const char *folder) {
  double start = clock_seconds();
  int status;
  pid_t child = fork();
  if (child == 0) {
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0 || chdir(folder)) _exit(127);
    execv(regress_program(), argv);
    _exit(127);
  }
  if (child < 0 || waitpid(child, &status, 0) < 0 || status) return -1;
  return clock_seconds() - start;
}

static double regress_seconds(const char *folder, const char *suite, const char *jobs) {
  char database[4200];
  snprintf(database, sizeof database, "%.4000s/bench.db", folder);
  unlink(database);
  char *argv[] = {"lockstack", "regress", (char *)suite, "--db", database, "--jobs", (char *)jobs, NULL};
  return seconds_of(argv, folder);
}

static bool write_suite(const char *folder, const char *name, const char *jobs) {
  char path[4200];
  snprintf(path, sizeof path, "%.4000s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fprintf(file, "jobs:\n%s", jobs);
  return fclose(file) == 0;
}

static bool write_suites(const char *folder) {
  return write_suite(folder, "one.yaml", "  - memory: {requests: 1, seeds: 1}\n") &&
         write_suite(folder, "many.yaml", "  - memory: {requests: 1, seeds: 41}\n") &&
         write_suite(folder, "compute.yaml", "  - memory: {requests: 4000000, pattern: stream-hit, seeds: 8}\n");
}

static double overhead(const char *folder) {
  char *alone[] = {"lockstack", "memory", "--requests", "1", "--seed", "1", "--json", "alone.json", NULL};
  double many = regress_seconds(folder, "./many.yaml", "1"), one = regress_seconds(folder, "./one.yaml", "1"), bare = 0;
  for (unsigned i = 0; i < JOBS; i++) bare += seconds_of(alone, folder);
  return many < 0 || one < 0 ? -1 : 1e3 * (many - one - bare) / JOBS;
}

static double speedup(const char *folder) {
  double one = regress_seconds(folder, "./compute.yaml", "1"), two = regress_seconds(folder, "./compute.yaml", "2");
  return one < 0 || two < 0 ? -1 : one / two;
}

static int measure(bench_t *bench, const char *folder) {
  double cost[BENCH_SAMPLES], gain[BENCH_SAMPLES];
  if (!write_suites(folder)) return cli_error(EXIT_ENV, "%s: %s", folder, strerror(errno));
  unsigned count = 0;
  for (; count < bench->samples && !cli_interrupted; count++) {
    cost[count] = overhead(folder);
    gain[count] = speedup(folder);
    if (!cli_interrupted && gain[count] < 0) return cli_error(EXIT_ENV, "bench: `lockstack regress` failed in %s", folder);
  }
  if (cli_interrupted) return 0;
  bench_add(bench, "regress, a job's overhead", "ms", cost, count, GOAL_AT_MOST, 20);
  bench_add(bench, "regress, 2 jobs against 1", "times", gain, count, GOAL_AT_LEAST, 1.9);
  return 0;
}

int bench_regress(bench_t *bench) {
  char folder[] = "/tmp/lockstack-bench-XXXXXX", *remove;
  if (!mkdtemp(folder)) return cli_error(EXIT_ENV, "%s: %s", folder, strerror(errno));
  int code = measure(bench, folder);
  if (asprintf(&remove, "rm -rf %s", folder) > 0) {
    if (system(remove)) cli_error(EXIT_ENV, "%s: cannot remove", folder);
    free(remove);
  }
  return code;
}
