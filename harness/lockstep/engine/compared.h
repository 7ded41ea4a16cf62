/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run that found nothing wrong is worth: its verdict by what it compared (tally.h), and the
 * lines that say so.
 */
#ifndef COMPARED_H
#define COMPARED_H

#include "lockstep.h"

#include <stdio.h>

#define COMPARED_NOTHING "no cycle was outside of reset: nothing was compared"
#define COMPARED_NO_OUTPUT "no output had a meaning in any cycle: nothing was compared"

bool compared_could_be(const dut_t *dut); /* it has an output or probe */

/* Why nothing at all was compared: no cycle outside of reset, or no output that had a meaning in
 * any of them. NULL: something was. */
const char *compared_nothing(const tally_t *tally);

/* PASS, or NOT_COMPARED: nothing was; and in a full run (all profiles, of the default
 * length or longer) an output that was never compared, or inputs of which none ever changed. */
outcome_t compared_outcome(const tally_t *tally, bool full);

/* The same of recorded inputs that no longer fail. port: of the recorded failure, "" for none. */
outcome_t compared_again(const tally_t *tally, const char *port);

/* Lines on what was never compared or never sent, each with two spaces
 * in front; nothing where all was. stimulus, ports: files to name. */
void compared_print(FILE *out, const tally_t *tally, outcome_t outcome, const char *stimulus, const char *ports);

#endif
