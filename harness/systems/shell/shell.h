/* SPDX-License-Identifier: Apache-2.0
 *
 * The SystemC shell gives the parts of a machine their clocks. shell.cpp is the one file here that
 * knows SystemC.
 *
 *   part = shell_add(&kind, self, periods);       each part of the machine
 *   shell_elaborate(reversed);                    once in a process
 *   shell_run(ticks);                             any number of times
 *
 * At an instant, each part that is awake and has an edge ticks: once for each of its clocks that
 * has one, in the order of its kind's list. Parts of phase 0 tick first. Then those of phase 1
 * tick; they see what phase 0 did.
 *
 *   instant t      phase 0: cores, stacks, GPU ...   |  phase 1: networks, dispatch
 *                  any order                         |  any order, after all of phase 0
 *
 * A part must not see what another part of its phase did in this instant. What parts say to each
 * other goes through channels (channel.h) or waits for the other phase. So the order inside a phase
 * does not matter; `reversed` is for a test of that.
 *
 * A part whose kind has `idle` sleeps when `idle` says so after its ticks. It goes on at its first
 * edge after shell_wake, as if it had been clocked all the time: ticks of an idle part must change
 * nothing. Parts of the same clocks and phase are one SystemC module.
 */
#ifndef SHELL_H
#define SHELL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SHELL_CLOCKS = 3 };

typedef struct shell_kind {
  const char *name;                                         /* "gpu" */
  unsigned clocks, phase;                                   /* clocks: 1..SHELL_CLOCKS; phase: 0 or 1 */
  void (*tick)(void *self, unsigned clock, uint64_t cycle); /* cycle: number of the clock's edge, from 0 */
  bool (*idle)(const void *self);                           /* must look at the channels, too; NULL: never sleeps */
  /* NULL, or: shell_run ends when it is false at an edge of the first clock */
  bool (*running)(const void *self);
} shell_kind_t;

typedef struct shell_part shell_part_t;

/* Adds a part, before shell_elaborate. period: of each of the kind's clocks, in ticks, copied. kind
 * and self are kept. A part is never freed. */
shell_part_t *shell_add(const shell_kind_t *kind, void *self, const uint64_t *period);
/* Puts all parts into SystemC modules. reversed: parts tick in the reverse order. */
void shell_elaborate(bool reversed);
/* Runs for so many ticks, or until a part's `running` is false. */
void shell_run(uint64_t ticks);
/* Ends a part's sleep: it ticks again at its first edge after this instant. A part of phase 1 that
 * phase 0 wakes may tick in this instant. NULL does nothing. */
void shell_wake(shell_part_t *part); /* NULL is fine */

extern uint64_t shell_now; /* the present instant, in ticks; only the shell writes it */

#ifdef __cplusplus
}
#endif

#endif
