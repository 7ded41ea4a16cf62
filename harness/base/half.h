/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point formats of 16 bits: binary16 (IEEE 754: 5 bits of exponent, 10 of fraction) and
 * bfloat16 (8 and 7: the upper half of a binary32).
 *
 * Each of their numbers is a double. A double that is the exact result, or half_sum of two that
 * are, is rounded once:
 *
 *   half_bits(f, half_value(f, a) * half_value(f, b), HALF_NEAREST)                      a product
 *   half_bits(f, half_sum(half_value(f, a) * half_value(f, b), half_value(f, c)), ...)   fused
 */
#ifndef HALF_H
#define HALF_H

#include <stdint.h>

typedef enum { HALF_F16, HALF_BF16 } half_format_t;
typedef enum { HALF_NEAREST, HALF_ZERO, HALF_DOWN, HALF_UP } half_round_t; /* NEAREST: ties to even */

/* Codes without a sign: infinity, above which NaNs are; the smallest normal number; one. */
static inline unsigned half_infinity(half_format_t format) {
  return format == HALF_F16 ? 0x7c00 : 0x7f80;
}
static inline unsigned half_least(half_format_t format) {
  return format == HALF_F16 ? 0x0400 : 0x0080;
}
static inline unsigned half_one(half_format_t format) {
  return format == HALF_F16 ? 0x3c00 : 0x3f80;
}

double half_value(half_format_t format, uint16_t bits);

/* Too large: infinity, or the largest finite number where the rounding
 * says so. NaN: the quiet one without a sign, 0x7e00 or 0x7fc0. */
uint16_t half_bits(half_format_t format, double value, half_round_t round);

/* a + b to odd: the exact sum, or of the two doubles about it the one whose last digit is odd, so
 * that rounding to a shorter format is right. The host's mode is to nearest; no sum overflows. */
double half_sum(double a, double b);

#endif
