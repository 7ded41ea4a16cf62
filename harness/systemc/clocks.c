/* SPDX-License-Identifier: Apache-2.0 */
#include "clocks.h"

#include <assert.h>
#include <math.h>

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

static unsigned add(clocks_t *clocks, uint64_t num, uint64_t den) {
  assert(clocks->count < CLOCKS_MAX && num && den);
  uint64_t common = gcd(num, den);
  clocks->period_num[clocks->count] = num / common;
  clocks->period_den[clocks->count] = den / common;
  return clocks->count++;
}

unsigned clocks_add_mhz(clocks_t *clocks, double mhz) {
  return add(clocks, 1000000, (uint64_t)llround(mhz * 1000));
}

unsigned clocks_add_ps(clocks_t *clocks, uint64_t picoseconds) {
  return add(clocks, picoseconds, 1000);
}

uint64_t clocks_ticks_per_ns(const clocks_t *clocks) {
  uint64_t lcm = 1;
  for (unsigned i = 0; i < clocks->count; i++) lcm = lcm / gcd(lcm, clocks->period_den[i]) * clocks->period_den[i];
  return lcm;
}

uint64_t clocks_period(const clocks_t *clocks, unsigned clock) {
  return clocks_ticks_per_ns(clocks) / clocks->period_den[clock] * clocks->period_num[clock];
}
