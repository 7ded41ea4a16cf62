/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact arithmetic of formats against the host's: binary64 and binary32 by fma and fmaf on hard
 * operands, and binary16 and smaller formats, all of whose numbers binary64 has and whose fused
 * sums it has exactly, rounded to the format by counting.
 */
#include <math.h>
#include <string.h>

#include "fp_exact.h"
#include "unit_test.h"

static const fp_format_t binary64 = {11, 52}, binary32 = {8, 23};

static double as_double(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

static uint64_t double_bits(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return isnan(d) ? UINT64_MAX >> 1 : bits;
}

static float as_float(uint64_t bits) {
  const uint32_t low = (uint32_t)bits;
  float f;
  memcpy(&f, &low, sizeof f);
  return f;
}

static uint64_t float_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return isnan(f) ? 0x7fffffff : bits;
}

static uint64_t host64(fp_mode_t mode, uint64_t a, uint64_t b, uint64_t c) {
  const double x = as_double(a), y = as_double(b);
  return double_bits(mode == FP_ADD   ? x + y
                     : mode == FP_SUB ? x - y
                     : mode == FP_MUL ? x * y
                                      : fma(x, y, as_double(c)));
}

static uint64_t host32(fp_mode_t mode, uint64_t a, uint64_t b, uint64_t c) {
  const float x = as_float(a), y = as_float(b);
  return float_bits(mode == FP_ADD ? x + y : mode == FP_SUB ? x - y : mode == FP_MUL ? x * y : fmaf(x, y, as_float(c)));
}

/* Fractions of few ones or few zeros, exponents at both ends, in the middle, and near another's. */
static uint64_t hard(fp_format_t f, uint64_t *seed, uint64_t near) {
  const uint64_t r = test_random(seed), exponents = UINT64_C(1) << f.exp_bits;
  uint64_t fraction = test_random(seed) & ((UINT64_C(1) << f.frac_bits) - 1), exponent;
  switch (r & 7) {
  case 0: fraction = 0; break;
  case 1: fraction = (UINT64_C(1) << f.frac_bits) - 1; break;
  case 2: fraction = UINT64_C(1) << (r >> 8) % f.frac_bits; break;
  case 3: fraction = ((UINT64_C(1) << f.frac_bits) - 1) ^ UINT64_C(1) << (r >> 8) % f.frac_bits; break;
  case 4: fraction = (UINT64_C(1) << (r >> 8) % f.frac_bits) - 1; break;
  default: break;
  }
  switch (r >> 3 & 7) {
  case 0: exponent = (r >> 16) % 3; break;
  case 1: exponent = exponents - 1 - (r >> 16) % 3; break;
  case 2:
  case 3: exponent = (near >> f.frac_bits) + (r >> 16) % 5 - 2; break;
  case 4: exponent = (near >> f.frac_bits) + (r >> 16) % (2 * f.frac_bits + 8) - f.frac_bits - 4; break;
  case 5: exponent = exponents / 2 - 1 + (r >> 16) % 5 - 2; break;
  default: exponent = r >> 16; break;
  }
  return (r >> 6 & 1) << (f.exp_bits + f.frac_bits) | (exponent & (exponents - 1)) << f.frac_bits | fraction;
}

/* The addend near the product, so that they cancel or tie. */
static uint64_t near_product(fp_format_t f, uint64_t a, uint64_t b) {
  const uint64_t ones = (UINT64_C(1) << f.exp_bits) - 1;
  return ((a >> f.frac_bits & ones) + (b >> f.frac_bits & ones) - ones / 2) << f.frac_bits;
}

static void compare(fp_format_t f, uint64_t (*host)(fp_mode_t, uint64_t, uint64_t, uint64_t)) {
  uint64_t seed = 17;
  for (unsigned n = 0; n < 2000000; n++) {
    const fp_mode_t mode = (fp_mode_t)(test_random(&seed) & 3);
    const uint64_t a = hard(f, &seed, 0), b = hard(f, &seed, a), c = hard(f, &seed, near_product(f, a, b));
    const uint64_t want = host(mode, a, b, c), got = fp_exact(f, mode, a, b, c);
    if (got != want)
      fail_msg("mode %u: %#llx %#llx %#llx gives %#llx, the host %#llx", mode, (unsigned long long)a,
               (unsigned long long)b, (unsigned long long)c, (unsigned long long)got, (unsigned long long)want);
  }
}

static void test_binary64(void **state) {
  (void)state;
  compare(binary64, host64);
}

static void test_binary32(void **state) {
  (void)state;
  compare(binary32, host32);
}

/* ---- Small formats --------------------------------------------------------------------------- */

static double small_value(fp_format_t f, uint64_t bits) {
  const int bias = (1 << (f.exp_bits - 1)) - 1, exponent = (int)(bits >> f.frac_bits & ((1u << f.exp_bits) - 1));
  const double fraction = (double)(bits & ((1u << f.frac_bits) - 1));
  const double magnitude = exponent == (1 << f.exp_bits) - 1 ? (fraction != 0 ? NAN : INFINITY)
                           : exponent ? ldexp(fraction + ldexp(1, (int)f.frac_bits), exponent - bias - (int)f.frac_bits)
                                      : ldexp(fraction, 1 - bias - (int)f.frac_bits);
  return bits >> (f.exp_bits + f.frac_bits) & 1 ? -magnitude : magnitude;
}

/* By counting up through all magnitudes: the last one not above,
 * or the next, whichever is nearer; the even one of two. */
static uint64_t small_bits(fp_format_t f, double exact) {
  const uint64_t sign = UINT64_C(1) << (f.exp_bits + f.frac_bits), infinite = ((UINT64_C(1) << f.exp_bits) - 1)
                                                                              << f.frac_bits;
  const double magnitude = fabs(exact);
  uint64_t low = 0;
  if (isnan(exact)) return sign - 1;
  while (low + 1 < infinite && small_value(f, low + 1) <= magnitude) low++;
  const double below = small_value(f, low), step = below - (low ? small_value(f, low - 1) : 0);
  /* what comes after the greatest number rounds to infinity */
  const double above = low + 1 < infinite ? small_value(f, low + 1) : below + step;
  const double down = magnitude - below, up = above - magnitude;
  uint64_t bits = isinf(exact) ? infinite : low;
  if (!isinf(exact) && down > 0 && (up < down || (up == down && low & 1))) bits = low + 1;
  return (signbit(exact) ? sign : 0) | bits;
}

static void all_of(fp_format_t f, unsigned step) {
  const uint64_t numbers = UINT64_C(2) << (f.exp_bits + f.frac_bits);
  for (unsigned mode = 0; mode < 4; mode++)
    for (uint64_t a = 0; a < numbers; a += step)
      for (uint64_t b = 0; b < numbers; b++)
        for (uint64_t c = mode == FP_FMA ? 0 : numbers - 1; c < numbers; c += step) {
          const double x = small_value(f, a), y = small_value(f, b), z = small_value(f, c);
          const double exact = mode == FP_ADD ? x + y : mode == FP_SUB ? x - y : mode == FP_MUL ? x * y : fma(x, y, z);
          const uint64_t want = small_bits(f, exact), got = fp_exact(f, (fp_mode_t)mode, a, b, c);
          if (got != want)
            fail_msg("mode %u: %#x %#x %#x gives %#x, not %#x", mode, (unsigned)a, (unsigned)b, (unsigned)c,
                     (unsigned)got, (unsigned)want);
        }
}

/* All operands of 3 and 2 bits, and of 4 and 3 every 7th of two of them. */
static void test_small(void **state) {
  (void)state;
  all_of((fp_format_t){3, 2}, 1);
  all_of((fp_format_t){4, 3}, 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_binary64), cmocka_unit_test(test_binary32),
                                     cmocka_unit_test(test_small)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
