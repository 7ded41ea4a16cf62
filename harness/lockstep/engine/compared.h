/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdict of a run without a failure, from what the run compared (tally.h), and the lines that
 * explain the verdict.
 */
#ifndef COMPARED_H
#define COMPARED_H

#include "lockstep.h"

#include <stdio.h>

#define COMPARED_NOTHING "no cycle was outside of reset: nothing was compared"
#define COMPARED_NO_OUTPUT "no output had a meaning in any cycle: nothing was compared"

bool compared_could_be(const dut_t *dut); /* the block has an output or a probe */

/* Why nothing was compared: no cycle outside of reset, or no output was valid in any cycle. NULL:
 * something was compared. */
const char *compared_nothing(const tally_t *tally);

/* PASS or NOT_COMPARED. NOT_COMPARED: nothing was compared. In a full run (all profiles, at least
 * the default length) also: an output was never compared, or no input ever changed. */
outcome_t compared_outcome(const tally_t *tally, bool full);

/* The same for recorded inputs that no longer fail. `port`: of the recorded failure; "": none. */
outcome_t compared_again(const tally_t *tally, const char *port);

/* Prints what was never compared or never sent, each line with two leading spaces; prints nothing
 * if all was. `stimulus` and `ports` are files to name. */
void compared_print(FILE *out, const tally_t *tally, outcome_t outcome, const char *stimulus, const char *ports);

#endif
