/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a build takes: cmake/bench_build.sh copies the tree, builds it with an empty cache,
 * changes one C file and builds again; it prints the two numbers of seconds.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int bench_build(bench_t *bench) {
  double cold, again;
  char *argv[] = {"bash", (char *)cli_data("cmake/bench_build.sh"), NULL};
  char *text = bench_output(argv, NULL, NULL, STDERR_FILENO);
  if (!text) return cli_interrupted ? cli_error(EXIT_ENV, "interrupted") : (int)EXIT_ENV;
  const int got = sscanf(text, "cold %lf\nagain %lf", &cold, &again);
  free(text);
  if (got != 2) return cli_error(EXIT_ENV, "cmake/bench_build.sh: should print two times");
  bench_add(bench, "cold configure and build", "s", &cold, 1, GOAL_AT_MOST, 300);
  bench_add(bench, "rebuild after a change", "s", &again, 1, GOAL_AT_MOST, 10);
  return 0;
}
