/* SPDX-License-Identifier: Apache-2.0
 *
 * Clock domains as exact ticks: one tick is the largest time of which each clock's period is a
 * whole multiple.
 *
 * 700, 1250 and 350 MHz and a tCK of 1.5 ns give periods of 100, 56, 200 and 105 ticks of 1/70 ns.
 * Nothing is rounded, so edges that coincide in the machine coincide in the simulation.
 *
 *   clocks_t clocks = {0};
 *   if (!clocks_parse("700 MHz", &num, &den)) ...
 *   unsigned core = clocks_add(&clocks, num, den);            all clocks first
 *   uint64_t period = clocks_period(&clocks, core);           then periods, in ticks
 */
#ifndef CLOCKS_H
#define CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

enum { CLOCKS_MAX = 8 };

typedef struct {
  unsigned count;
  uint64_t period_num[CLOCKS_MAX], period_den[CLOCKS_MAX]; /* nanoseconds, reduced */
} clocks_t;

/* "700 MHz", "1.25 GHz" (to the kHz), "1.5 ns", "1500 ps" (to the ps): a period of num / den ns,
 * from 0.1 to 1000 ns. False: text is none of these. */
bool clocks_parse(const char *text, uint64_t *num, uint64_t *den);

unsigned clocks_add(clocks_t *clocks, uint64_t num, uint64_t den); /* the clock's number, 0 for the first */

/* Ticks in a nanosecond; 0: more than 10^9, so that times would not fit. */
uint64_t clocks_ticks_per_ns(const clocks_t *clocks);
uint64_t clocks_period(const clocks_t *clocks, unsigned clock); /* in ticks */

#endif
