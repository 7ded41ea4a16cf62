/* SPDX-License-Identifier: Apache-2.0
 *
 * f16 and bf16 by the host's binary32: its results toward zero, with a last digit that says whether
 * they are exact, rounded as whole numbers. bf: bfloat16.
 */
#ifndef HALF_REFERENCE_H
#define HALF_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

float float_of(uint32_t bits);
uint32_t bits_of(float f);
bool no_number(bool bf, unsigned h);
float widen(bool bf, unsigned h);
/* odd: its last digit is 1 if it is not exact; round: 0 nearest, 1 zero, 2 down, 3 up */
unsigned narrow(bool bf, float odd, unsigned round);
float odd_fma(float a, float b, float c);
unsigned flushed(bool bf, unsigned h);
unsigned saturated(bool bf, unsigned h);

/* codes at the ends of binades, subnormal ones, infinities, NaNs, and any */
unsigned pick_half(bool bf, uint64_t *seed);

#endif
