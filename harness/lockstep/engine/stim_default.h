/* SPDX-License-Identifier: Apache-2.0
 *
 * The default stimulus, made from the port file for a block without its own. Valid bits come at
 * several rates; data is random or from corners (all zero, all one, one bit). The stimulus knows no
 * rules of the block, so a model should accept any input.
 */
#ifndef STIM_DEFAULT_H
#define STIM_DEFAULT_H

#include "dut.h"
#include "stim.h"

/* The stimulus of a device: its own, or the default one. Serves one device at a time. */
const stim_t *stim_of(const dut_t *dut);

#endif
