/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COVER_PROVE_H
#define COVER_PROVE_H

#include "cover.h"

/* Missed and waived bits that cannot rise and fall, of any instance with any of the sets of
 * parameters, become waived and proved. seconds: of processor time, for each set. After cover_run;
 * what goes wrong is in the result's outcome and error. */
void cover_prove(const cover_t *cover, double seconds, cover_result_t *result);

#endif
