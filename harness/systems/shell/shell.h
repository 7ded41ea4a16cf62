/* SPDX-License-Identifier: Apache-2.0
 *
 * The SystemC shell: gives the parts of a machine their clocks. The one file here that knows
 * SystemC is shell.cpp.
 *
 *   part = shell_add(&kind, self, periods);       each part of the machine
 *   shell_elaborate(reversed);                    once in a process
 *   shell_run(ticks);                             any number of times
 *
 * At an instant, every part that has an edge then and is awake ticks, once for each of its clocks
 * that has one, in the order in which its kind lists them. Parts of phase 0 first, then those of
 * phase 1, which see what phase 0 did. Parts of one phase may not see what another did in this
 * instant: what they say to each other goes through channels (channel.h), or waits until the other
 * phase. So the order in which parts of a phase run does not matter; `reversed` is for a test of
 * that.
 *
 * A part whose kind has `idle` sleeps when it says so after its ticks, and goes on at its first
 * edge after shell_wake, as if it had been clocked all the time: ticks of an idle part must change
 * nothing. The parts of one kind of clocks and phase are one SystemC module.
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
  unsigned clocks, phase;                                   /* 1..SHELL_CLOCKS; 0 or 1 */
  void (*tick)(void *self, unsigned clock, uint64_t cycle); /* cycle: of that clock, from 0 on */
  bool (*idle)(const void *self);                           /* looks at its channels, too; NULL: never sleeps */
  /* NULL, or: shell_run ends when it is false at an edge of the first clock */
  bool (*running)(const void *self);
} shell_kind_t;

typedef struct shell_part shell_part_t;

/* period: of each clock, in ticks */
shell_part_t *shell_add(const shell_kind_t *kind, void *self, const uint64_t *period);
void shell_elaborate(bool reversed);
void shell_run(uint64_t ticks);
void shell_wake(shell_part_t *part); /* NULL is fine */

extern uint64_t shell_now; /* in ticks: the present instant. For reading */

#ifdef __cplusplus
}
#endif

#endif
