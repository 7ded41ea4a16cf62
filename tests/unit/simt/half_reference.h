/* SPDX-License-Identifier: Apache-2.0
 *
 * f16 and bf16 by the host's binary32. A result is computed toward zero, and its last
 * digit is set if it is not exact (rounding to odd). Such a result can then be rounded to
 * fewer digits as a whole number, without rounding twice. bf: bfloat16, else f16.
 */
#ifndef HALF_REFERENCE_H
#define HALF_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

float float_of(uint32_t bits);
uint32_t bits_of(float f);
bool no_number(bool bf, unsigned h);
/* A half is a binary32 with fewer digits: exact. */
float widen(bool bf, unsigned h);
/* odd: its last digit is 1 if it is not exact; round: 0 nearest, 1 zero, 2 down, 3 up */
unsigned narrow(bool bf, float odd, unsigned round);
/* a * b + c as an odd binary32. */
float odd_fma(float a, float b, float c);
/* flushed: a subnormal code becomes zero of its
 * sign. saturated: clamped to 0 to 1, NaN is 0. */
unsigned flushed(bool bf, unsigned h);
unsigned saturated(bool bf, unsigned h);

/* codes at the ends of binades, subnormal ones, infinities, NaNs, and any */
unsigned pick_half(bool bf, uint64_t *seed);

#endif
