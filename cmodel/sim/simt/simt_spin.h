/* SPDX-License-Identifier: Apache-2.0
 *
 * Endless loops: what a machine tells the watchdog about its warps.
 *
 * The watchdog looks for some time (simt_run_t.watch), and then asks the machine to note each warp
 * that has not ended. All of them go round without progress, or wait at a barrier for such warps:
 * then nothing will ever change, as registers are the same in each round and nobody writes memory.
 */
#ifndef SIMT_SPIN_H
#define SIMT_SPIN_H

#include "simt_block.h"
#include "simt_turns.h"

typedef struct {
  unsigned warps, spinning, waiting; /* that have not ended; of these: go round; wait at a barrier */
  uint64_t progress;                 /* the machine's sum of what has happened: CTAs, barriers */
  char first[TROUBLE_TEXT];          /* the first that goes round: "FILE:LINE: kernel K: thread ... at '...'" */
} simt_spin_t;

/* Notes a warp. at_barrier: it waits for others of its CTA. */
void simt_spin_note(simt_spin_t *spin, const simt_run_t *run, const simt_block_t *block, uint32_t first_thread,
                    const simt_turns_t *turns, bool at_barrier);
/* Nothing but endless loops. */
static inline bool simt_spin_is_endless(const simt_spin_t *spin) {
  return spin->spinning && spin->spinning + spin->waiting == spin->warps;
}
/* The error; false. */
bool simt_spin_fail(const simt_spin_t *spin, trouble_t *trouble);
/* Appends where a warp goes round, as " at FILE:LINE, '...', threads 0x...". As snprintf. */
int simt_spin_place(const simt_run_t *run, const simt_turns_t *turns, char *text, size_t size);

#endif
