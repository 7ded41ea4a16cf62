/* SPDX-License-Identifier: Apache-2.0
 *
 * Guards calls into models and stimuli. A crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, abort(), stack
 * overflow), or a call that does not return, calls the handler of dut->on_model_assert or
 * on_stim_crash. The handler longjmps out of the call.
 *
 *   engine --call--> model ... SIGSEGV --> signal handler --> on_model_assert --> longjmp
 *     ^                                                                              |
 *     +------------------------------------------------------------------------------+
 *
 * A longjmp is enough and a child process is not needed: a model has no heap, no locks and no
 * files, so nothing is left half done. The shrinker needs thousands of attempts with a crash each.
 * State and outputs of a model lie between guard pages (guard_memory), so a stray write crashes and
 * cannot spoil the engine's data.
 *
 *   guard_start(dut);           dut_load calls it
 *   guard_limit(20);            CPU seconds of a call; default 10
 *   guard_interrupts(&flag);    a running call ends soon after *flag is set
 *
 * Calls into a device between guard_enter_device and guard_left_device are limited in the same way:
 * one that does not return calls the handler, which longjmps. The device is then lost: it must not
 * be used or destroyed. A device in a process of its own limits its calls itself.
 *
 * A crash outside of models and stimuli, or without a handler, ends the program with one line: exit
 * 1 if a model or a stimulus crashed, else 3. Only one thread may run models.
 */
#ifndef GUARD_H
#define GUARD_H

#include "dut.h"

#include <signal.h>

void guard_start(const dut_t *dut);
void guard_limit(unsigned seconds);
void guard_interrupts(const volatile sig_atomic_t *flag);
bool guard_interrupted(void); /* the flag of guard_interrupts is set */
void guard_be_silent(void);   /* prints nothing in a child whose parent reports the death */

void guard_enter_device(const dut_t *dut, dut_assert_t handler, void *context);
void guard_left_device(void);

/* The handler's text when the flag of guard_interrupts was set. */
#define GUARD_INTERRUPTED "interrupted"

/* Zeroed memory between guard pages, for a model to write to. NULL: out of memory. guard_free needs
 * the same size. */
void *guard_memory(size_t size);
void guard_free(void *memory, size_t size);

#endif
