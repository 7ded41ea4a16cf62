/* SPDX-License-Identifier: Apache-2.0
 *
 * An instruction of halves, executed on all lanes, and what its result has to be.
 */
#ifndef HALF_UNIT_H
#define HALF_UNIT_H

#include "half_reference.h"
#include "simt_unit.h"

/* Registers 1 to 4 of every class get v[lane][0]
 * to v[lane][3], then the first instruction runs. */
void run_unit(unit_t *u, uint64_t v[32][4]);
/* Register 0 of the class that has one, in this lane. */
void expect_lane(const unit_t *u, unsigned lane, uint64_t want);

#endif
