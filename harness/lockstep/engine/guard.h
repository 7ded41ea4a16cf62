/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks after the code of others, models and stimuli: a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL,
 * abort(), a full stack) and a call that does not return become a call of the handler given to
 * dut->on_model_assert or on_stim_crash, which jumps out of them.
 *
 * A jump, not a child process: a model has no heap, no locks and no files, so that nothing is left
 * half done when it is cut off, and the shrinker needs thousands of tries, each after a crash. What
 * a model may write to, its state and its outputs, lies between pages that nobody may touch
 * (guard_memory), so that it crashes where it leaves them and spoils nothing of the engine's.
 *
 *   guard_start(dut);           dut_load does it
 *   guard_limit(20);            CPU seconds a call may take; default 10
 *   guard_interrupts(&flag);    a call that is under way when *flag is set ends soon after
 *
 * A crash outside of both, or in one that has no handler, ends the program with one line: exit 1
 * when it was a model or a stimulus, else 3. One thread runs models.
 */
#ifndef GUARD_H
#define GUARD_H

#include "dut.h"

#include <signal.h>

void guard_start(const dut_t *dut);
void guard_limit(unsigned seconds);
void guard_interrupts(const volatile sig_atomic_t *flag);
bool guard_interrupted(void); /* that flag */
void guard_be_silent(void);   /* in a child whose death its parent explains */

/* What the handlers get as text when the flag of guard_interrupts was set. */
#define GUARD_INTERRUPTED "interrupted"

/* Zeroed memory for a model to write to; size goes back to guard_free. NULL: out of memory. */
void *guard_memory(size_t size);
void guard_free(void *memory, size_t size);

#endif
