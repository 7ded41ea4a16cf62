/* SPDX-License-Identifier: Apache-2.0
 *
 * `cover --prove`: coverage points that no input can hit, found by proof.
 */
#ifndef COVER_PROVE_H
#define COVER_PROVE_H

#include "cover.h"

/* Proves missed and waived bits that cannot rise and fall, and marks them waived and proved. A bit
 * must be stuck in every instance with each of the sets of parameters. seconds: processor time for
 * each set. Call it after cover_run; if something goes wrong, the result's outcome and trouble say
 * so. */
void cover_prove(const cover_t *cover, double seconds, cover_result_t *result);

#endif
