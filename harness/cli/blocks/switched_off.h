/* SPDX-License-Identifier: Apache-2.0
 *
 * Outputs that a run never compared: do the parameters switch them off?
 */
#ifndef SWITCHED_OFF_H
#define SWITCHED_OFF_H

#include "check.h"

/* Marks in the tally those conditions that the parameters switch off. Two proofs are needed for
 * each: with the block's parameters the condition is never 1, and with another value of one of them
 * it is 1 in some run. The first makes the output unreachable, the second shows that the parameters
 * are the reason. A line to `out` for each. False: interrupted. A condition without both proofs,
 * for lack of time or of Yosys, stays as it is. */
bool switched_off(const block_t *block, const dut_t *dut, tally_t *tally, FILE *out);

/* For a full run that missed an output: asks whether the parameters are the reason, and judges the
 * run again. */
void switched_off_judge(const check_t *check, check_result_t *result, FILE *out);

#endif
