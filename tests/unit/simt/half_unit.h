/* SPDX-License-Identifier: Apache-2.0
 *
 * An instruction of halves, executed, and its lanes.
 */
#ifndef HALF_UNIT_H
#define HALF_UNIT_H

#include "half_reference.h"
#include "simt_unit.h"

void run_unit(unit_t *u, uint64_t v[32][4]);
void expect_lane(const unit_t *u, unsigned lane, uint64_t want);

#endif
