/* SPDX-License-Identifier: Apache-2.0
 *
 * When a check resets the block on top of what its stimulus does. Most stimuli reset a block that
 * is idle, if at all, and then a register that is not reset has its value already.
 *
 *   at random     often in the first cycles, then ever more seldom, so that what takes a block long
 *                 to get to is still reached; not beyond cycle RESETS_LAST
 *   at an event   a 1-bit output or probe rises, an enum changes, the stimulus begins to wait: up
 *                 to twice for each, and not before its third time
 *
 * It depends on the seed and on the model's outputs alone, so that a run is the same for any RTL.
 */
#ifndef RESETS_H
#define RESETS_H

#include "dut.h"
#include "stim.h"

enum { RESETS_LAST = 8192 };

typedef struct resets resets_t;

/* NULL: out of memory. */
resets_t *resets_new(const dut_t *dut, const stim_t *stim);
void resets_free(resets_t *resets);

/* Begins a run. */
void resets_start(resets_t *resets, uint64_t seed);

/* True: the coming cycle is a reset. out: the model's outputs of the last cycle. Call it once a
 * cycle. */
bool resets_due(resets_t *resets, const void *state, const void *out);

#endif
