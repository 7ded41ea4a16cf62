/* SPDX-License-Identifier: Apache-2.0
 *
 * Periods as reduced fractions of nanoseconds; ticks are their common denominator.
 */
#include "clocks.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/* A period is rounded to the picosecond, a frequency to the kilohertz. The range is 1 MHz to 10
 * GHz. */
bool clocks_parse(const char *text, uint64_t *num, uint64_t *den) {
  static const struct {
    const char *unit;
    double khz, ps; /* one of them */
  } units[] = {{"MHz", 1e3, 0}, {"GHz", 1e6, 0}, {"ns", 0, 1e3}, {"ps", 0, 1}};
  char *end;
  const double value = strtod(text, &end);
  const char *unit = end + strspn(end, " ");
  if (end == text || !isfinite(value) || *text == ' ') return false;
  for (unsigned i = 0; i < sizeof units / sizeof *units; i++) {
    if (strcmp(unit, units[i].unit) != 0) continue;
    const double whole = value * (units[i].khz + units[i].ps);
    if (!(whole >= 1 && whole <= 1e9)) return false;
    *num = units[i].ps > 0 ? (uint64_t)llround(whole) : 1000000;
    *den = units[i].ps > 0 ? 1000 : (uint64_t)llround(whole);
    return *num * 10 >= *den && *num <= 1000 * *den;
  }
  return false;
}

unsigned clocks_add(clocks_t *clocks, uint64_t num, uint64_t den) {
  assert(clocks->count < CLOCKS_MAX && num && den);
  uint64_t common = greatest_common_divisor(num, den);
  clocks->period_num[clocks->count] = num / common;
  clocks->period_den[clocks->count] = den / common;
  return clocks->count++;
}

/* The least common multiple of the denominators. */
uint64_t clocks_ticks_per_ns(const clocks_t *clocks) {
  uint64_t lcm = 1;
  for (unsigned i = 0; i < clocks->count; i++) { /* each is at most 10^7 */
    lcm = lcm / greatest_common_divisor(lcm, clocks->period_den[i]) * clocks->period_den[i];
    if (lcm > 1000000000) return 0;
  }
  return lcm;
}

uint64_t clocks_period(const clocks_t *clocks, unsigned clock) {
  return clocks_ticks_per_ns(clocks) / clocks->period_den[clock] * clocks->period_num[clock];
}
