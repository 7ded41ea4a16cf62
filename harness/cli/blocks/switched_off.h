/* SPDX-License-Identifier: Apache-2.0
 *
 * Outputs that a run never compared: do the parameters switch them off?
 */
#ifndef SWITCHED_OFF_H
#define SWITCHED_OFF_H

#include "check.h"

/* Marks in the tally those conditions that are proved never to be 1 with the block's parameters,
 * and proved to be 1 once with another value of one of them: the first makes the output
 * unreachable, the second says that the parameters are why. A line to `out` for each. False:
 * interrupted. What cannot be proved, for lack of time or of Yosys, stays as it is. */
bool switched_off(const block_t *block, const dut_t *dut, tally_t *tally, FILE *out);

/* Of a full run that missed an output: the verdict again, as the parameters may be why. */
void switched_off_judge(const check_t *check, check_result_t *result, FILE *out);

#endif
