/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of 16 bits against their definition: every code's value, rounding as a search
 * among all codes, sums to odd as whole numbers of 128 bits.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "half.h"
#include "unit_test.h"

static const half_format_t formats[] = {HALF_F16, HALF_BF16};

static double float_of(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

/* By the fields of a binary32 with the same value. */
static double wanted_value(half_format_t format, uint16_t code) {
  if (format == HALF_BF16) return float_of((uint32_t)code << 16);
  uint32_t sign = (uint32_t)(code & 0x8000) << 16, exponent = code >> 10 & 31, fraction = code & 1023;
  if (exponent == 31) return float_of(sign | 0x7f800000u | fraction << 13);
  if (!exponent && !fraction) return float_of(sign);
  if (exponent) return float_of(sign | (exponent + 112) << 23 | fraction << 13);
  for (exponent = 113; !(fraction & 1024); exponent--) fraction <<= 1;
  return float_of(sign | exponent << 23 | (fraction & 1023) << 13);
}

/* All 65536 codes of both formats. */
static void test_values(void **state) {
  (void)state;
  for (unsigned f = 0; f < 2; f++)
    for (unsigned code = 0; code < 65536; code++) {
      const double got = half_value(formats[f], (uint16_t)code), want = wanted_value(formats[f], (uint16_t)code);
      if (isnan(want) ? !isnan(got) : got != want || signbit(got) != signbit(want))
        fail_msg("format %u, code 0x%04x: %a, not %a", f, code, got, want);
    }
}

/* The code below or at a magnitude, by bisection; infinity's is the last. */
static unsigned code_at_or_below(half_format_t format, double magnitude) {
  unsigned low = 0, high = format == HALF_F16 ? 0x7c00 : 0x7f80;
  if (magnitude >= half_value(format, (uint16_t)(high - 1))) return isinf(magnitude) ? high : high - 1;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (half_value(format, (uint16_t)middle) <= magnitude) low = middle;
    else high = middle;
  }
  return low;
}

/* What lies above the largest number for nearest: where it would be if the exponents went on. */
static double value_above(half_format_t format, unsigned code) {
  const double here = half_value(format, (uint16_t)code), next = half_value(format, (uint16_t)(code + 1));
  return isinf(next) ? here + (here - half_value(format, (uint16_t)(code - 1))) : next;
}

/* The code by definition: exact, else the neighbour
 * that the rounding says; ties go to the even code. */
static unsigned wanted_bits(half_format_t format, double value, half_round_t round) {
  const unsigned sign = signbit(value) ? 0x8000 : 0;
  const double magnitude = fabs(value);
  const unsigned low = code_at_or_below(format, magnitude);
  const double at = half_value(format, (uint16_t)low);
  if (at == magnitude) return sign | low;
  if (round == HALF_ZERO || round == (sign ? HALF_UP : HALF_DOWN)) return sign | low;
  if (round != HALF_NEAREST) return sign | (low + 1);
  const double middle = at + (value_above(format, low) - at) / 2;
  return sign | (magnitude > middle || (magnitude == middle && low & 1) ? low + 1 : low);
}

/* A value in all four roundings. */
static void check_rounding(half_format_t format, double value) {
  for (unsigned r = 0; r < 4; r++) {
    const unsigned got = half_bits(format, value, (half_round_t)r), want = wanted_bits(format, value, (half_round_t)r);
    if (got != want) fail_msg("format %u, %a, rounding %u: 0x%04x, not 0x%04x", format, value, r, got, want);
  }
}

/* A value and the doubles next to it, of both signs. */
static void check_around(half_format_t format, double value) {
  const double near[] = {value, nextafter(value, INFINITY), nextafter(value, -INFINITY)};
  for (unsigned i = 0; i < 3; i++) check_rounding(format, near[i]), check_rounding(format, -near[i]);
}

/* Each code, each middle of two, and the doubles beside
 * them; then values far away. A NaN's sign is lost. */
static void test_rounding(void **state) {
  (void)state;
  for (unsigned f = 0; f < 2; f++) {
    const unsigned infinity = formats[f] == HALF_F16 ? 0x7c00 : 0x7f80;
    for (unsigned code = 0; code < infinity; code++) {
      const double at = half_value(formats[f], (uint16_t)code);
      check_around(formats[f], at);
      check_around(formats[f], at + (value_above(formats[f], code) - at) / 2);
    }
    /* ends of f64, beside f16's largest number 65504
     * and its middle to the next, about bf16's largest */
    const double far[] = {0,     0x1p-1074, 0x1p-1022,  1e300,      INFINITY, 65504,  65519.99,
                          65520, 65536,     0x1.fep127, 0x1.ffp127, 0x1p128,  0x1p129};
    for (unsigned i = 0; i < sizeof far / sizeof *far; i++)
      check_rounding(formats[f], far[i]), check_rounding(formats[f], -far[i]);
  }
  assert_int_equal(half_bits(HALF_F16, NAN, HALF_NEAREST), 0x7e00);
  assert_int_equal(half_bits(HALF_BF16, -NAN, HALF_UP), 0x7fc0);
}

typedef __int128 wide_t;

/* A whole number as a double, to odd. */
static double odd_double(wide_t whole) {
  const bool negative = whole < 0;
  unsigned __int128 magnitude = negative ? (unsigned __int128)-whole : (unsigned __int128)whole;
  int shift = 0;
  bool lost = false;
  for (; magnitude >> 53; shift++) lost |= (bool)(magnitude & 1), magnitude >>= 1;
  const double value = ldexp((double)(uint64_t)(magnitude | lost), shift);
  return negative ? -value : value;
}

/* Two whole numbers up to 69 bits apart: half_sum()
 * is their exact sum rounded to odd, at any scale. */
static void test_sums(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (unsigned round = 0; round < 1000000; round++) {
    const int apart = (int)(test_random(&seed) % 70);
    const int64_t a = (int64_t)(test_random(&seed) >> (11 + test_random(&seed) % 53)),
                  b = (int64_t)(test_random(&seed) >> (11 + test_random(&seed) % 53));
    const wide_t x = (round & 1 ? -(wide_t)a : (wide_t)a) * ((wide_t)1 << apart),
                 y = round & 2 ? -(wide_t)b : (wide_t)b;
    const double scale = round & 4 ? 0x1p-200 : 0x1p100;
    const double of_x = ldexp(round & 1 ? -(double)a : (double)a, apart) * scale,
                 of_y = (round & 2 ? -(double)b : (double)b) * scale;
    const double got = round & 8 ? half_sum(of_x, of_y) : half_sum(of_y, of_x), want = odd_double(x + y) * scale;
    if (got != want) fail_msg("%a + %a: %a, not %a", of_x, of_y, got, want);
  }
  assert_true(isnan(half_sum(INFINITY, -INFINITY)));
  assert_true(half_sum(INFINITY, 1) == INFINITY);
  assert_true(signbit(half_sum(-0.0, -0.0)) && !signbit(half_sum(0.0, -0.0)));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_rounding),
                                     cmocka_unit_test(test_sums)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
