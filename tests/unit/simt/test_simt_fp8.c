/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions to and from e4m3 and e5m2, all codes and all halves, against the formats' values one
 * by one.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "half_unit.h"
#include "unit_test.h"

enum { FINITE_E4M3 = 0x7f, FINITE_E5M2 = 0x7c }; /* how many codes without a sign are finite */

/* Codes without a sign that are finite numbers: 0 to this less one. */
static unsigned finite_codes(bool e5m2) {
  return e5m2 ? FINITE_E5M2 : FINITE_E4M3;
}

/* By the definition: e4m3 has a bias of 7, e5m2 one of 15. */
static double fp8_value(bool e5m2, unsigned code) {
  const unsigned bits = e5m2 ? 2 : 3, exponent = (code & 0x7f) >> bits;
  const double fraction = (double)(code & ((1u << bits) - 1)) / (1 << bits), sign = code & 0x80 ? -1 : 1;
  const int bias = e5m2 ? 15 : 7;
  if ((code & 0x7f) >= finite_codes(e5m2)) return e5m2 && fraction == 0 ? sign * INFINITY : NAN;
  return sign * (exponent ? exp2((int)exponent - bias) * (1 + fraction) : exp2(1 - bias) * fraction);
}

/* The nearest of all finite codes, and the even one of
 * two. Beyond the largest it is the largest (.satfinite). */
static unsigned nearest_code(bool e5m2, double x, bool relu) {
  unsigned best = 0;
  if (isnan(x)) return 0x7f;
  const double magnitude = fabs(x);
  for (unsigned code = 1; code < finite_codes(e5m2); code++) {
    const double here = fabs(magnitude - fp8_value(e5m2, code)), there = fabs(magnitude - fp8_value(e5m2, best));
    if (here < there || (here == there && !(code & 1))) best = code;
  }
  if (magnitude > fp8_value(e5m2, finite_codes(e5m2) - 1)) best = finite_codes(e5m2) - 1;
  if (!signbit(x)) return best;
  return relu ? 0 : best | 0x80;
}

/* The values are what the formats' descriptions say of them. */
static void test_values(void **state) {
  (void)state;
  assert_true(fp8_value(false, 0x7e) == 448 && fp8_value(false, 1) == 0x1p-9 && fp8_value(false, 0x08) == 0x1p-6 &&
              fp8_value(false, 0x38) == 1);
  assert_true(fp8_value(true, 0x7b) == 57344 && fp8_value(true, 1) == 0x1p-16 && fp8_value(true, 0x04) == 0x1p-14 &&
              fp8_value(true, 0x3c) == 1);
  assert_true(isnan(fp8_value(false, 0x7f)) && isinf(fp8_value(true, 0x7c)) && isnan(fp8_value(true, 0x7d)));
}

static uint8_t wanted[2][2][65536]; /* of e5m2, relu, f16 */

/* All halves, packed in pairs, with and without .relu. */
static void test_from_halves(void **state) {
  (void)state;
  for (unsigned form = 0; form < 4; form++) {
    const bool e5m2 = form & 1, relu = form & 2;
    char text[100];
    snprintf(text, sizeof text, "cvt.rn.satfinite%s.%s.f16x2 %%rs0, %%r1;", relu ? ".relu" : "",
             e5m2 ? "e5m2x2" : "e4m3x2");
    unit_t u = executed_unit(text);
    uint8_t *want = wanted[e5m2][relu];
    for (unsigned code = 0; code < 65536; code++)
      want[code] = (uint8_t)nearest_code(e5m2, no_number(false, code) ? NAN : (double)widen(false, code), relu);
    for (unsigned first = 0; first < 65536; first += 32) {
      uint64_t v[32][4] = {{0}};
      /* odd: each is once the upper one */
      for (unsigned i = 0; i < 32; i++) v[i][0] = (first + i) | (((first + i) * 40503u + 77) & 0xffff) << 16;
      run_unit(&u, v);
      for (unsigned i = 0; i < 32; i++) expect_lane(&u, i, (uint64_t)want[v[i][0] >> 16] << 8 | want[v[i][0] & 0xffff]);
    }
    unit_free(&u);
  }
}

/* Bits of a binary32 as a double, and the nearest binary32 of a double. */
static double float_value(uint64_t bits) {
  const uint32_t b = (uint32_t)bits;
  float f;
  memcpy(&f, &b, 4);
  return f;
}
static uint32_t float_code(double x) {
  const float f = (float)x;
  uint32_t b;
  memcpy(&b, &f, 4);
  return b;
}

/* Each number, each middle of two and what is beside them; and others. */
static uint32_t pick_float(bool e5m2, uint64_t *seed) {
  const uint64_t r = test_random(seed);
  const unsigned code = (unsigned)(r >> 8) % finite_codes(e5m2);
  const double at = fp8_value(e5m2, code),
               next = code + 1 < finite_codes(e5m2) ? fp8_value(e5m2, code + 1) : at + (at - fp8_value(e5m2, code - 1));
  const uint32_t sign = (uint32_t)(r >> 40 & 1) << 31;
  switch (r & 7) {
  case 0: return (uint32_t)test_random(seed);
  case 1: return sign | float_code(at);
  case 2: return sign | (float_code(at) + 1);
  case 3: return sign | float_code((at + next) / 2);
  case 4: return sign | (float_code((at + next) / 2) + 1);
  case 5: return sign | (float_code((at + next) / 2) - 1);
  case 6: return sign | (0x7f800000 + (uint32_t)(r >> 20 & 3));
  default: return sign | (uint32_t)(r >> 30 & 3); /* near 0 */
  }
}

/* Pairs in both formats, with .relu and without. The first operand is the upper byte. */
static void test_from_floats(void **state) {
  (void)state;
  for (unsigned form = 0; form < 4; form++) {
    const bool e5m2 = form & 1, relu = form & 2;
    char text[100];
    snprintf(text, sizeof text, "cvt.rn%s.satfinite.%s.f32 %%rs0, %%f1, %%f2;", relu ? ".relu" : "",
             e5m2 ? "e5m2x2" : "e4m3x2");
    unit_t u = executed_unit(text);
    uint64_t seed = form;
    for (unsigned round = 0; round < 2000; round++) {
      uint64_t v[32][4] = {{0}};
      for (unsigned i = 0; i < 32; i++)
        for (unsigned k = 0; k < 2; k++) v[i][k] = pick_float(e5m2, &seed);
      run_unit(&u, v);
      for (unsigned i = 0; i < 32; i++)
        expect_lane(&u, i,
                    nearest_code(e5m2, float_value(v[i][0]), relu) << 8 |
                        nearest_code(e5m2, float_value(v[i][1]), relu));
    }
    unit_free(&u);
  }
}

/* A code's value as a half, the sign of zero included; NaN is the canonical half. */
static void check_half(const char *text, unsigned code, double value, bool relu, unsigned got) {
  if (relu && signbit(value) && !isnan(value)) value = 0;
  const bool right = isnan(value) ? got == 0x7fff
                                  : !no_number(false, got) && (double)widen(false, got) == value &&
                                        !signbit(widen(false, got)) == !signbit(value);
  if (!right) fail_msg("%s of 0x%02x: 0x%04x, not %a", text, code, got, value);
}

/* All pairs of codes. */
static void test_to_halves(void **state) {
  (void)state;
  for (unsigned form = 0; form < 4; form++) {
    const bool e5m2 = form & 1, relu = form & 2;
    char text[100];
    snprintf(text, sizeof text, "cvt.rn%s.f16x2.%s %%r0, %%rs1;", relu ? ".relu" : "", e5m2 ? "e5m2x2" : "e4m3x2");
    unit_t u = executed_unit(text);
    for (unsigned first = 0; first < 65536; first += 32) {
      uint64_t v[32][4] = {{0}};
      for (unsigned i = 0; i < 32; i++) v[i][0] = first + i;
      run_unit(&u, v);
      for (unsigned i = 0; i < 32; i++) {
        const uint32_t got = (uint32_t)get_lane(&u, result_of(&u), i);
        check_half(text, (first + i) & 255, fp8_value(e5m2, (first + i) & 255), relu, got & 0xffff);
        check_half(text, (first + i) >> 8, fp8_value(e5m2, (first + i) >> 8), relu, got >> 16);
      }
    }
    unit_free(&u);
  }
}

/* Forms that PTX does not have, or that need a
 * format of 6 or 4 bits: each is refused by name. */
static void test_fp8_not_executed(void **state) {
  (void)state;
  static const char *const texts[] = {
      "cvt.rn.e4m3x2.f32 %rs0, %f1, %f2;",
      "cvt.satfinite.e4m3x2.f32 %rs0, %f1, %f2;",
      "cvt.rz.satfinite.e4m3x2.f32 %rs0, %f1, %f2;",
      "cvt.rn.satfinite.sat.e4m3x2.f32 %rs0, %f1, %f2;",
      "cvt.rn.satfinite.e4m3x2.f32 %r0, %f1, %f2;",
      "cvt.rn.satfinite.e4m3x2.f32 %rs0, %f1;",
      "cvt.rn.satfinite.e4m3x2.f64 %rs0, %fd1, %fd2;",
      "cvt.rn.satfinite.e4m3x2.f16 %rs0, %rs1;",
      "cvt.rn.satfinite.e4m3x2.f16x2 %rs0, %rs1;",
      "cvt.rn.satfinite.e4m3x2.f16x2 %rs0, %r1, %r2;",
      "cvt.rn.satfinite.e4m3x2.e5m2x2 %rs0, %rs1;",
      "cvt.f16x2.e4m3x2 %r0, %rs1;",
      "cvt.rn.satfinite.f16x2.e4m3x2 %r0, %rs1;",
      "cvt.rn.f16x2.e4m3x2 %r0, %r1;",
      "cvt.rn.f16x2.e4m3x2 %rs0, %rs1;",
      "cvt.rn.f16.e4m3x2 %rs0, %rs1;",
      "cvt.rn.bf16x2.e5m2x2 %r0, %rs1;",
      "cvt.rn.satfinite.e2m3x2.f32 %rs0, %f1, %f2;",
      "cvt.rn.f16x2.e2m1x2 %r0, %rs1;",
  };
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    trouble_t err = {0};
    unit_t u = unit_new(texts[i], &err);
    if (u.kernel) fail_msg("%s is executed", texts[i]);
    assert_int_equal(err.kind, 2);
    if (!strstr(err.text, "is not executed")) fail_msg("%s: %s", texts[i], err.text);
    ptx_free(u.module);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_from_halves),
                                     cmocka_unit_test(test_from_floats), cmocka_unit_test(test_to_halves),
                                     cmocka_unit_test(test_fp8_not_executed)};
  return cmocka_run_group_tests_name("simt_fp8", tests, NULL, NULL);
}
