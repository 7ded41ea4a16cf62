/* SPDX-License-Identifier: Apache-2.0
 *
 * Clock domains as exact ticks: one tick is the largest time of which every clock's period is a whole multiple.
 *
 * 700, 1250 and 350 MHz and a tCK of 1.5 ns give periods of 100, 56, 200 and 105 ticks of 1/70 ns: no rounding, so edges that
 * coincide in the machine coincide in the simulation.
 */
#ifndef CLOCKS_H
#define CLOCKS_H

#include <stdint.h>

enum { CLOCKS_MAX = 8 };

typedef struct {
  unsigned count;
  uint64_t period_num[CLOCKS_MAX], period_den[CLOCKS_MAX]; /* nanoseconds, reduced */
} clocks_t;

/* Each returns the clock's number, 0 for the first. */
unsigned clocks_add_mhz(clocks_t *clocks, double mhz); /* to the kHz */
unsigned clocks_add_ps(clocks_t *clocks, uint64_t picoseconds);

uint64_t clocks_ticks_per_ns(const clocks_t *clocks);               /* the common denominator */
uint64_t clocks_period(const clocks_t *clocks, unsigned clock);     /* in ticks */

#endif
