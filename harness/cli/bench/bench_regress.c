/* SPDX-License-Identifier: Apache-2.0
 *
 * What a regression costs besides its jobs. Time per job: 40 jobs that do next to nothing, less the
 * time of as many bare runs. Gain of a second process: jobs that only compute, with --jobs 1 and 2.
 */
#include "bench.h"
#include "clock.h"
#include "file.h"
#include "process.h"
#include "progress.h"
#include "regress_catalog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOBS = 40 };

/* Wall-clock seconds of this program with other arguments; negative: it failed. */
static double seconds_of(char *const argv[], const char *folder) {
  const double start = clock_seconds();
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  char *text = nothing < 0 ? NULL : bench_output(argv, process_self(), folder, nothing);
  const double seconds = clock_seconds() - start;
  if (nothing >= 0) close(nothing);
  free(text);
  return text ? seconds : -1;
}

/* Wall-clock seconds of a regression with a new database; negative: it failed. */
static double regress_seconds(const char *folder, const char *suite, const char *jobs) {
  char database[4200];
  snprintf(database, sizeof database, "%.4000s/bench.db", folder);
  unlink(database);
  char *argv[] = {"lockstack", "regress", (char *)suite, "--db", database, "--jobs", (char *)jobs, NULL};
  return seconds_of(argv, folder);
}

/* Writes a suite of these jobs, YAML lines that are indented already. False: errno says why. */
static bool write_suite(const char *folder, const char *name, const char *jobs) {
  char path[4200];
  snprintf(path, sizeof path, "%.4000s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fprintf(file, "jobs:\n%s", jobs);
  return fclose(file) == 0;
}

/* The three suites: one small job, 41 small jobs, 8 that compute. */
static bool write_suites(const char *folder) {
  return write_suite(folder, "one.yaml", "  - memory: {requests: 1, seeds: 1}\n") &&
         write_suite(folder, "many.yaml", "  - memory: {requests: 1, seeds: 41}\n") &&
         write_suite(folder, "compute.yaml", "  - memory: {requests: 4000000, pattern: stream-hit, seeds: 8}\n");
}

/* Milliseconds that each of JOBS further jobs costs beyond the job itself; -1: a run failed. */
static double measure_job_overhead(const char *folder) {
  char *alone[] = {"lockstack", "memory", "--requests", "1", "--seed", "1", "--json", "alone.json", NULL};
  double many = regress_seconds(folder, "./many.yaml", "1"), one = regress_seconds(folder, "./one.yaml", "1"), bare = 0;
  for (unsigned i = 0; i < JOBS; i++) bare += seconds_of(alone, folder);
  return many < 0 || one < 0 ? -1 : 1e3 * (many - one - bare) / JOBS;
}

/* Seconds with one process over seconds with two; -1: a run failed. */
static double measure_job_speedup(const char *folder) {
  double one = regress_seconds(folder, "./compute.yaml", "1"), two = regress_seconds(folder, "./compute.yaml", "2");
  return one < 0 || two < 0 ? -1 : one / two;
}

/* Each sample is a pair of runs, of the overhead and of two jobs against one. 0 after an interrupt,
 * too: the samples until then are dropped. Else 0, or EXIT_ENV after a line. */
static int measure_regress(bench_t *bench, const char *folder) {
  double cost[BENCH_SAMPLES], gain[BENCH_SAMPLES];
  if (!write_suites(folder)) return cli_error(EXIT_ENV, "%s: %s", folder, strerror(errno));
  unsigned count = 0;
  for (; count < bench->samples && !cli_interrupted; count++) {
    cost[count] = measure_job_overhead(folder);
    gain[count] = measure_job_speedup(folder);
    if (!cli_interrupted && gain[count] < 0) return EXIT_ENV; /* bench_output has said why */
  }
  if (cli_interrupted) return 0;
  bench_add(bench, "regress, a job's overhead", "ms", cost, count, GOAL_AT_MOST, 20);
  bench_add(bench, "regress, 2 jobs against 1", "times", gain, count, GOAL_AT_LEAST, 1.9);
  return 0;
}

int bench_regress(bench_t *bench) {
  char folder[] = "/tmp/lockstack-bench-XXXXXX";
  if (!mkdtemp(folder)) return cli_error(EXIT_ENV, "%s: %s", folder, strerror(errno));
  int code = measure_regress(bench, folder);
  if (!file_remove_all(folder)) cli_error(EXIT_ENV, "%s: cannot remove", folder);
  return code;
}
