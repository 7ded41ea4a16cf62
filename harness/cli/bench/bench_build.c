/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a build takes: cmake/bench_build.sh copies the tree, builds it with an empty cache,
 * changes one C file and builds again; it prints the two numbers of seconds.
 */
#include "bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int bench_build(bench_t *bench) {
  double cold, again;
  char *command;
  if (asprintf(&command, "bash '%s'", cli_data("cmake/bench_build.sh")) < 0)
    return cli_error(EXIT_ENV, "out of memory");
  FILE *pipe = popen(command, "r");
  free(command);
  if (!pipe) return cli_error(EXIT_ENV, "bench_build.sh: %s", strerror(errno));
  int got = fscanf(pipe, "cold %lf\nagain %lf", &cold, &again), status = pclose(pipe);
  if (got != 2 || status) return cli_error(EXIT_ENV, "cmake/bench_build.sh failed");
  bench_add(bench, "cold configure and build", "s", &cold, 1, GOAL_AT_MOST, 300);
  bench_add(bench, "rebuild after a change", "s", &again, 1, GOAL_AT_MOST, 10);
  return 0;
}
