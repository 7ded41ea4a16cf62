/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact arithmetic of floating-point formats against the host's. binary64 and binary32 are compared
 * with fma and fmaf on hard operands. Small formats are compared for all operands: binary64 holds
 * their numbers and fused sums exactly, and small_bits() rounds by counting, a method of its own.
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

/* The bits of a result; each NaN is the canonical one of fp_exact(). */
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

/* The host's result of one operation; z counts for the fused one alone. */
static double host_double(fp_mode_t mode, double x, double y, double z) {
  switch (mode) {
  case FP_ADD: return x + y;
  case FP_SUB: return x - y;
  case FP_MUL: return x * y;
  default: return fma(x, y, z);
  }
}

static float host_float(fp_mode_t mode, float x, float y, float z) {
  switch (mode) {
  case FP_ADD: return x + y;
  case FP_SUB: return x - y;
  case FP_MUL: return x * y;
  default: return fmaf(x, y, z);
  }
}

static uint64_t host64(fp_mode_t mode, uint64_t a, uint64_t b, uint64_t c) {
  return double_bits(host_double(mode, as_double(a), as_double(b), as_double(c)));
}

static uint64_t host32(fp_mode_t mode, uint64_t a, uint64_t b, uint64_t c) {
  return float_bits(host_float(mode, as_float(a), as_float(b), as_float(c)));
}

/* An operand that is likely to round in an unusual way: a fraction of few ones or few zeros, an
 * exponent at an end, in the middle, or so near that of `near` that the two overlap. */
static uint64_t hard_operand(fp_format_t f, uint64_t *seed, uint64_t near) {
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

/* A number with the exponent of a * b: as the addend it cancels the product or makes a tie. */
static uint64_t near_product(fp_format_t f, uint64_t a, uint64_t b) {
  const uint64_t ones = (UINT64_C(1) << f.exp_bits) - 1;
  return ((a >> f.frac_bits & ones) + (b >> f.frac_bits & ones) - ones / 2) << f.frac_bits;
}

/* Two million random operations of all four modes. */
static void compare_with_host(fp_format_t f, uint64_t (*host)(fp_mode_t, uint64_t, uint64_t, uint64_t)) {
  uint64_t seed = 17;
  for (unsigned n = 0; n < 2000000; n++) {
    const fp_mode_t mode = (fp_mode_t)(test_random(&seed) & 3);
    const uint64_t a = hard_operand(f, &seed, 0), b = hard_operand(f, &seed, a),
                   c = hard_operand(f, &seed, near_product(f, a, b));
    const uint64_t want = host(mode, a, b, c), got = fp_exact(f, mode, a, b, c);
    if (got != want)
      fail_msg("mode %u: %#llx %#llx %#llx gives %#llx, the host %#llx", mode, (unsigned long long)a,
               (unsigned long long)b, (unsigned long long)c, (unsigned long long)got, (unsigned long long)want);
  }
}

static void test_binary64(void **state) {
  (void)state;
  compare_with_host(binary64, host64);
}

static void test_binary32(void **state) {
  (void)state;
  compare_with_host(binary32, host32);
}

/* ---- Small formats --------------------------------------------------------------------------- */

/* The number that these bits of the format mean, which binary64 has exactly. */
static double small_value(fp_format_t f, uint64_t bits) {
  const int bias = (1 << (f.exp_bits - 1)) - 1, exponent = (int)(bits >> f.frac_bits & ((1u << f.exp_bits) - 1));
  const double fraction = (double)(bits & ((1u << f.frac_bits) - 1));
  double magnitude;
  if (exponent == (1 << f.exp_bits) - 1) magnitude = fraction != 0 ? NAN : INFINITY;
  else if (exponent) magnitude = ldexp(fraction + ldexp(1, (int)f.frac_bits), exponent - bias - (int)f.frac_bits);
  else magnitude = ldexp(fraction, 1 - bias - (int)f.frac_bits);
  return bits >> (f.exp_bits + f.frac_bits) & 1 ? -magnitude : magnitude;
}

/* Rounds to the format by counting up through its magnitudes: the last one not above `exact` or
 * the next one, whichever is nearer; the even one of a tie. */
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

/* All four modes over all b, and every `step`th a and c. Only the fused mode has a c. */
static void check_all_of(fp_format_t f, unsigned step) {
  const uint64_t numbers = UINT64_C(2) << (f.exp_bits + f.frac_bits);
  for (unsigned mode = 0; mode < 4; mode++)
    for (uint64_t a = 0; a < numbers; a += step)
      for (uint64_t b = 0; b < numbers; b++)
        for (uint64_t c = mode == FP_FMA ? 0 : numbers - 1; c < numbers; c += step) {
          const double x = small_value(f, a), y = small_value(f, b), z = small_value(f, c);
          const double exact = host_double((fp_mode_t)mode, x, y, z);
          const uint64_t want = small_bits(f, exact), got = fp_exact(f, (fp_mode_t)mode, a, b, c);
          if (got != want)
            fail_msg("mode %u: %#x %#x %#x gives %#x, not %#x", mode, (unsigned)a, (unsigned)b, (unsigned)c,
                     (unsigned)got, (unsigned)want);
        }
}

/* All operands of the format with 3 exponent and 2 fraction bits; of 4 and 3 bits, each 7th a
 * and c. */
static void test_small(void **state) {
  (void)state;
  check_all_of((fp_format_t){3, 2}, 1);
  check_all_of((fp_format_t){4, 3}, 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_binary64), cmocka_unit_test(test_binary32),
                                     cmocka_unit_test(test_small)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
