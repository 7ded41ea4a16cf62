/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference of half_reference.h: bits of a binary32, moved and rounded as whole
 * numbers.
 */
#include "half_reference.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "unit_test.h"

/* ---- the reference ---- */

/* A binary32 from its bits, and its bits. */
float float_of(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}
uint32_t bits_of(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}

/* NaN: above the code of infinity. */
bool no_number(bool bf, unsigned h) {
  return (h & 0x7fff) > (bf ? 0x7f80u : 0x7c00u);
}

/* A half is a binary32 with fewer digits. */
float widen(bool bf, unsigned h) {
  if (bf) return float_of(h << 16);
  const uint32_t sign = (h & 0x8000u) << 16, rest = h & 0x7fff;
  if (rest >= 0x7c00) return float_of(sign | 0x7f800000u | (rest & 1023) << 13);
  if (rest >= 0x0400) return float_of(sign | ((rest << 13) + (112u << 23)));
  const float tiny = (float)rest * 0x1p-24f;
  return sign ? -tiny : tiny;
}

/* From a binary32 whose last digit is 1 if it is not
 * exact. round: 0 nearest, 1 zero, 2 down, 3 up. */
unsigned narrow(bool bf, float odd, unsigned round) {
  const uint32_t bits = bits_of(odd), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu,
                 infinity = bf ? 0x7f80 : 0x7c00;
  if (magnitude > 0x7f800000u) return 0x7fff;
  if (magnitude == 0x7f800000u) return sign | infinity;
  uint64_t whole = magnitude; /* in units of the half's last digit, times 2^shift */
  unsigned shift = 16;
  if (!bf && magnitude < 113u << 23) { /* below 2^-14: units of 2^-24 */
    const unsigned exponent = magnitude >> 23;
    whole = exponent ? (magnitude & 0x7fffffu) | 0x800000u : magnitude & 0x7fffffu;
    shift = 126 - (exponent ? exponent : 1);
  } else if (!bf) whole = magnitude - (112u << 23), shift = 13;
  if (shift > 40) whole = whole != 0, shift = 2; /* less than a quarter */
  const uint64_t kept = whole >> shift, lost = whole & ((1ull << shift) - 1), middle = 1ull << (shift - 1);
  bool up = false;
  if (round == 0) up = lost > middle || (lost == middle && kept & 1);
  else if (round == (sign ? 2 : 3)) up = lost != 0;
  /* rounding up past the largest number gives
   * infinity; rounding the other way stays below it */
  uint64_t code = kept + up;
  if (code >= infinity) code = round == 0 || round == (sign ? 2 : 3) ? infinity : infinity - 1;
  return sign | (unsigned)code;
}

/* Not inlined and with volatile operands: the compiler
 * must not move the fma over the rounding mode. */
__attribute__((noinline)) float odd_fma(float a, float b, float c) {
  fesetround(FE_TOWARDZERO);
  feclearexcept(FE_ALL_EXCEPT);
  volatile float x = a, y = b, z = c, r = fmaf(x, y, z);
  const bool lost = fetestexcept(FE_INEXACT) != 0;
  fesetround(FE_TONEAREST);
  return isfinite(r) && lost ? float_of(bits_of(r) | 1) : r;
}

/* The smallest normal codes: 2^-126 and 2^-14. */
unsigned flushed(bool bf, unsigned h) {
  return (h & 0x7fff) < (bf ? 0x80u : 0x400u) ? h & 0x8000 : h;
}

/* 1 is 0x3f80 and 0x3c00. */
unsigned saturated(bool bf, unsigned h) {
  const float x = widen(bf, h);
  if (x >= 1) return bf ? 0x3f80 : 0x3c00;
  return x > 0 ? h : 0;
}

/* ---- operands ---- */

/* Codes at the ends of binades, subnormal ones, infinities, NaNs, and any. */
unsigned pick_half(bool bf, uint64_t *seed) {
  static const uint16_t f16[] = {0,      1,      2,      0x3ff,  0x400,  0x401,  0x7bff, 0x7bfe,
                                 0x7c00, 0x7c01, 0x7fff, 0x3c00, 0x3bff, 0x3c01, 0x1400, 0x6400};
  static const uint16_t bf16[] = {0,      1,      2,      0x7f,   0x80,   0x81,   0x7f7f, 0x7f7e,
                                  0x7f80, 0x7f81, 0x7fff, 0x3f80, 0x3f7f, 0x3f81, 0x2000, 0x5f80};
  const uint64_t r = test_random(seed);
  const unsigned sign = r & 1 ? 0x8000 : 0;
  if ((r >> 1 & 3) == 0) return sign | (bf ? bf16 : f16)[r >> 8 & 15];
  /* about 1, where sums cancel */
  if ((r >> 1 & 3) == 1) return sign | (((bf ? 0x3f80 : 0x3c00) + (unsigned)(r >> 8 & 0x7ff) - 0x400) & 0x7fff);
  return r >> 16 & 0xffff;
}
