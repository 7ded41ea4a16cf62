/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run that found nothing wrong is worth: its verdict by what it compared (tally.h), and the lines that say so.
 */
#ifndef COMPARED_H
#define COMPARED_H

#include "lockstep.h"

#include <stdio.h>

#define COMPARED_NOTHING "no cycle was outside of reset: nothing was compared"

/* PASS, or NOT_COMPARED: no cycle outside of reset, or no output that could be compared; and in a full run (all profiles, of the default
 * length or longer) an output that was never compared, or inputs of which none ever changed. */
outcome_t compared_outcome(const tally_t *tally, bool full);

/* The same of recorded inputs that no longer fail. port: of the recorded failure, "" for none. */
outcome_t compared_again(const tally_t *tally, const char *port);

/* Lines on what was never compared or never sent, each with two spaces in front; nothing where all was. stimulus, ports: files to name. */
void compared_print(FILE *out, const tally_t *tally, outcome_t outcome, const char *stimulus, const char *ports);

#endif
