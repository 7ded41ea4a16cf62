/* SPDX-License-Identifier: Apache-2.0
 *
 * For every test in C: cmocka with the headers that it needs, random numbers that are the same
 * everywhere, and two checks that cmocka has not.
 */
#ifndef UNIT_TEST_H
#define UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* splitmix64: every call moves *state and gives 64 fresh bits; the same start gives the same
 * sequence on every machine. */
static inline uint64_t test_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Of positive numbers: value is from (1 - share) to (1 + share) times what is expected. For
 * figures that are measured or published with few digits. */
static inline void assert_close(double value, double expected, double share) {
  if (!(value >= expected * (1 - share) && value <= expected * (1 + share)))
    fail_msg("%.4f should be %.4f within %g %%", value, expected, 100 * share);
}

/* What a check has against a value, as a text that lasts until this line runs again; NULL: nothing.
 *
 *   assert_null(REFUSAL(vault_check_config, &config)); */
#define REFUSAL(check, ...)                                           \
  ({                                                                  \
    static trouble_t refusal;                                         \
    check(__VA_ARGS__, &refusal) ? NULL : (const char *)refusal.text; \
  })

#endif
