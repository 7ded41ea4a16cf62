/* SPDX-License-Identifier: Apache-2.0
 *
 * 16-bit floating-point formats: binary16 (IEEE 754, 5 exponent bits, 10 fraction bits) and
 * bfloat16 (8 and 7 bits: the upper half of a binary32).
 *
 * A double holds every number of both formats. If a double is exact, or comes from half_sum of two
 * exact doubles, half_bits rounds it just once:
 *
 *   half_bits(f, half_value(f, a) * half_value(f, b), HALF_NEAREST)                      a product
 *   half_bits(f, half_sum(half_value(f, a) * half_value(f, b), half_value(f, c)), ...)   fused
 */
#ifndef HALF_H
#define HALF_H

#include <stdint.h>

typedef enum { HALF_F16, HALF_BF16 } half_format_t;
typedef enum { HALF_NEAREST, HALF_ZERO, HALF_DOWN, HALF_UP } half_round_t; /* NEAREST: ties to even */

/* Bit patterns without the sign: infinity (NaNs are above), the smallest normal number, one. */
static inline unsigned half_infinity(half_format_t format) {
  return format == HALF_F16 ? 0x7c00 : 0x7f80;
}
static inline unsigned half_least(half_format_t format) {
  return format == HALF_F16 ? 0x0400 : 0x0080;
}
static inline unsigned half_one(half_format_t format) {
  return format == HALF_F16 ? 0x3c00 : 0x3f80;
}

double half_value(half_format_t format, uint16_t bits); /* exact */

/* Rounds a double to the format. Overflow gives infinity, or the largest finite number where the
 * rounding mode says so. A NaN gives the positive quiet NaN, 0x7e00 or 0x7fc0. */
uint16_t half_bits(half_format_t format, double value, half_round_t round);

/* a + b, rounded to odd: the exact sum, or the neighbouring double whose last digit is odd.
 * Rounding that to a shorter format is then correct. The host must round to nearest, and the sum
 * must not overflow. */
double half_sum(double a, double b);

#endif
