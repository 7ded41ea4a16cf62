/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus from the port file alone, for a block that brings none of its own: valid bits at several
 * rates, data random or from corners (all zero, all one, one bit). It knows nothing of the block's
 * rules, so a model should accept anything.
 */
#ifndef STIM_DEFAULT_H
#define STIM_DEFAULT_H

#include "dut.h"
#include "stim.h"

/* The stimulus of a device: its own, or the default one. One device at a time. */
const stim_t *stim_of(const dut_t *dut);

#endif
