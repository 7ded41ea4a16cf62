/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `lockstack sweep`: what to sweep, with all options that its verb has.
 */
#ifndef SWEEP_ARGUMENTS_H
#define SWEEP_ARGUMENTS_H

#include "cli.h"
#include "sweep.h"

/* The command line, parsed. `sweep` is planned: it has its runs. */
typedef struct {
  const verb_t *verb; /* that is swept */
  sweep_t sweep;      /* planned */
  const char *over[SWEEP_AXES + 1], *metric[SWEEP_METRICS + 1];
  unsigned overs, metrics;
  const char *csv, *plot, *database, *queue;
  uint64_t jobs, seeds, seed;
  bool resume, dry, list_metrics;
} sweep_arguments_t;

extern const struct argp sweep_argp; /* without the swept verb's options */

/* Parses the command line and plans the sweep. 0, or an exit code after a line. The strings are
 * those of argv, which changes. */
int sweep_arguments(cli_t *cli, int argc, char **argv, sweep_arguments_t *arguments);

#endif
