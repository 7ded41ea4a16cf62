/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions to and from f16 and bf16 against half_reference.h: from f32, f64 and whole
 * numbers in all roundings and with all modifiers; back to whole numbers, to themselves
 * and to wider formats.
 */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "half_unit.h"
#include "unit_test.h"

static const char *const rounds[] = {"rn", "rz", "rm", "rp"};

/* A binary64 between two codes, at one, or far away, as an odd binary32: its digits cut. */
static float odd_of_double(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  if (isnan(x) || isinf(x)) return (float)x;
  if (fabs(x) >= 0x1p128) return copysignf(0x1.fffffep127f, (float)(x < 0 ? -1 : 1));
  fesetround(FE_TOWARDZERO);
  volatile double y = x;
  volatile float cut = (float)y;
  fesetround(FE_TONEAREST);
  return (double)cut == x ? cut : float_of(bits_of(cut) | 1);
}

/* Values at a code, between two codes, just beside a code, products of two, and far away. */
static double pick_double(bool bf, uint64_t *seed) {
  const double at = widen(bf, pick_half(bf, seed)), next = widen(bf, pick_half(bf, seed));
  const uint64_t r = test_random(seed);
  switch (r & 7) {
  case 0: return at;
  case 1: return at + (widen(bf, (unsigned)(r >> 8 & 0x7bff)) - at) / 2;
  case 2: return at * (1 + 0x1p-11);
  case 3: return at * (1 + 0x1p-8 + 0x1p-40);
  case 4: return nextafter(at, INFINITY);
  case 5: return at * next;
  case 6: return at + next * 0x1p-12;
  default: return ldexp(at, (int)(r >> 8 & 63) - 32);
  }
}

/* Register 1 of a type: f32, f64, u64, s64 or s32. */
static const char *source_register(const char *type) {
  if (type[1] == '6') return type[0] == 'f' ? "%fd1" : "%rd1";
  return type[0] == 'f' ? "%f1" : "%r1";
}

/* `fill` draws a source and gives its value as an odd binary32, which
 * narrow() rounds. .relu and .satfinite exist with rn and rz alone. */
static void check_to_half(const char *form, bool bf, const char *from,
                          void (*fill)(bool bf, uint64_t *seed, uint64_t *v, float *odd), bool relu, bool finite,
                          bool sat) {
  for (unsigned round = 0; round < 4; round++) {
    char text[120];
    if ((relu || finite) && round > 1) continue;
    snprintf(text, sizeof text, form, rounds[round]);
    snprintf(text + strlen(text), sizeof text - strlen(text), ".%s.%s %%rs0, %s;", bf ? "bf16" : "f16", from,
             source_register(from));
    unit_t u = executed_unit(text);
    uint64_t seed = round + 5;
    for (unsigned n = 0; n < 1500; n++) {
      uint64_t v[32][4] = {{0}};
      float odd[32];
      for (unsigned i = 0; i < 32; i++) fill(bf, &seed, &v[i][0], &odd[i]);
      run_unit(&u, v);
      for (unsigned i = 0; i < 32; i++) {
        unsigned want = narrow(bf, odd[i], round);
        if (finite && (want & 0x7fff) == (bf ? 0x7f80 : 0x7c00)) want--;
        if (relu && !no_number(bf, want) && want & 0x8000) want = 0;
        if (sat) want = no_number(bf, want) ? 0 : saturated(bf, want);
        const unsigned got = (unsigned)get_lane(&u, result_of(&u), i);
        if (got != want)
          fail_msg("%s of %a (0x%llx): 0x%04x, not 0x%04x", text, (double)odd[i], (unsigned long long)v[i][0], got,
                   want);
      }
    }
    unit_free(&u);
  }
}

/* Fill functions: an operand of a type into v, and its value as an odd binary32 into odd. */
static void fill_f64(bool bf, uint64_t *seed, uint64_t *v, float *odd) {
  const double x = pick_double(bf, seed);
  memcpy(v, &x, 8);
  *odd = odd_of_double(x);
}
static void fill_f32(bool bf, uint64_t *seed, uint64_t *v, float *odd) {
  *odd = (float)pick_double(bf, seed);
  *v = bits_of(*odd);
}
/* A whole number's upper 24 digits, the last one set if others are lost. */
static float odd_of_whole(bool negative, uint64_t magnitude) {
  int shift = 0;
  bool lost = false;
  for (; magnitude >> 24; shift++) lost |= magnitude & 1, magnitude >>= 1;
  const float x = ldexpf((float)(magnitude | lost), shift);
  return negative ? -x : x;
}
/* Whole numbers of any length, half of them one beside a number with few digits. */
static uint64_t pick_whole(uint64_t *seed) {
  const uint64_t r = test_random(seed), x = test_random(seed) >> (r & 63), last = r >> 8 & 1;
  /* beside numbers with few digits */
  return r & 512 ? x : (x & ~0ull << (r >> 16 & 63)) + (r & 1024 ? last : 0 - last);
}
static void fill_u64(bool bf, uint64_t *seed, uint64_t *v, float *odd) {
  (void)bf;
  *v = pick_whole(seed);
  *odd = odd_of_whole(false, *v);
}
static void fill_s64(bool bf, uint64_t *seed, uint64_t *v, float *odd) {
  (void)bf;
  *v = pick_whole(seed) * (test_random(seed) & 1 ? 1 : ~0ull);
  *odd = odd_of_whole((int64_t)*v < 0, (int64_t)*v < 0 ? 0 - *v : *v);
}
static void fill_s32(bool bf, uint64_t *seed, uint64_t *v, float *odd) {
  (void)bf;
  *v = (uint32_t)pick_whole(seed);
  const int64_t x = (int32_t)*v;
  *odd = odd_of_whole(x < 0, (uint64_t)(x < 0 ? -x : x));
}

/* From each type; .relu, .satfinite and .sat are for f32. */
static void test_to_half(void **state) {
  (void)state;
  for (unsigned bf = 0; bf < 2; bf++) {
    check_to_half("cvt.%s", bf, "f32", fill_f32, false, false, false);
    check_to_half("cvt.%s.relu", bf, "f32", fill_f32, true, false, false);
    check_to_half("cvt.%s.satfinite", bf, "f32", fill_f32, false, true, false);
    check_to_half("cvt.%s.relu.satfinite", bf, "f32", fill_f32, true, true, false);
    check_to_half("cvt.%s.sat", bf, "f32", fill_f32, false, false, true);
    check_to_half("cvt.%s", bf, "f64", fill_f64, false, false, false);
    check_to_half("cvt.%s", bf, "u64", fill_u64, false, false, false);
    check_to_half("cvt.%s", bf, "s64", fill_s64, false, false, false);
    check_to_half("cvt.%s", bf, "s32", fill_s32, false, false, false);
  }
}

/* cvt of two f32 to a pair: the first operand is the upper half. */
static void check_pair(const char *text, bool bf, unsigned round) {
  unit_t u = executed_unit(text);
  uint64_t seed = 9;
  for (unsigned n = 0; n < 500; n++) {
    uint64_t v[32][4] = {{0}};
    float odd[32][2];
    for (unsigned i = 0; i < 32; i++)
      for (unsigned k = 0; k < 2; k++) fill_f32(bf, &seed, &v[i][k], &odd[i][k]);
    run_unit(&u, v);
    for (unsigned i = 0; i < 32; i++)
      expect_lane(&u, i, narrow(bf, odd[i][0], round) << 16 | narrow(bf, odd[i][1], round));
  }
  unit_free(&u);
}

/* A whole number in a rounding of rounds[]. */
static double integral_of(double x, unsigned round) {
  switch (round) {
  case 0: return rint(x);
  case 1: return trunc(x);
  case 2: return floor(x);
  default: return ceil(x);
  }
}

/* A whole number of a type by its rule: to the nearest,
 * or towards, then the nearest that the type has. */
static uint64_t whole_of(float x, unsigned round, double least, double most) {
  if (isnan(x)) return 0;
  const double r = integral_of(x, round);
  if (r >= most) return (uint64_t)most;
  return r <= least ? (uint64_t)(int64_t)least : (uint64_t)(int64_t)r;
}

/* All codes to s32, u16 and to whole numbers of their own format, in all roundings. */
static void check_from_half(bool bf) {
  static const char *const to_whole[] = {"rni", "rzi", "rmi", "rpi"};
  for (unsigned round = 0; round < 4; round++) {
    char text[80];
    snprintf(text, sizeof text, "cvt.%s.s32.%s %%r0, %%rs1;", to_whole[round], bf ? "bf16" : "f16");
    unit_t s32 = executed_unit(text);
    snprintf(text, sizeof text, "cvt.%s.u16.%s %%rs0, %%rs1;", to_whole[round], bf ? "bf16" : "f16");
    unit_t u16 = executed_unit(text);
    snprintf(text, sizeof text, "cvt.%s.%s.%s %%rs0, %%rs1;", to_whole[round], bf ? "bf16" : "f16",
             bf ? "bf16" : "f16");
    unit_t same = executed_unit(text);
    for (unsigned code = 0; code < 65536; code += 32) {
      uint64_t v[32][4] = {{0}};
      for (unsigned i = 0; i < 32; i++) v[i][0] = code + i;
      run_unit(&s32, v), run_unit(&u16, v), run_unit(&same, v);
      for (unsigned i = 0; i < 32; i++) {
        const float x = widen(bf, code + i);
        expect_lane(&s32, i, (uint32_t)whole_of(x, round, -0x1p31, 0x1p31 - 1));
        expect_lane(&u16, i, (uint16_t)whole_of(x, round, 0, 65535));
        expect_lane(&same, i, isnan(x) ? 0x7fff : narrow(bf, (float)integral_of(x, round), 0));
      }
    }
    unit_free(&s32), unit_free(&u16), unit_free(&same);
  }
}

/* All codes to f32 and f64, which is exact, and to the other format of 16 bits. */
static void check_wider(bool bf) {
  char text[80];
  snprintf(text, sizeof text, "cvt.f32.%s %%f0, %%rs1;", bf ? "bf16" : "f16");
  unit_t f32 = executed_unit(text);
  snprintf(text, sizeof text, "cvt.f64.%s %%fd0, %%rs1;", bf ? "bf16" : "f16");
  unit_t f64 = executed_unit(text);
  snprintf(text, sizeof text, "cvt.rn.%s.%s %%rs0, %%rs1;", bf ? "f16" : "bf16", bf ? "bf16" : "f16");
  unit_t other = executed_unit(text);
  for (unsigned code = 0; code < 65536; code += 32) {
    uint64_t v[32][4] = {{0}};
    for (unsigned i = 0; i < 32; i++) v[i][0] = code + i;
    run_unit(&f32, v), run_unit(&f64, v), run_unit(&other, v);
    for (unsigned i = 0; i < 32; i++) {
      const float x = widen(bf, code + i);
      const double wide = x;
      uint64_t bits;
      memcpy(&bits, &wide, 8);
      expect_lane(&f32, i, isnan(x) ? 0x7fffffff : bits_of(x));
      if (!isnan(x)) expect_lane(&f64, i, bits);
      expect_lane(&other, i, narrow(!bf, x, 0));
    }
  }
  unit_free(&f32), unit_free(&f64), unit_free(&other);
}

/* To wider types, between the two halves, and pairs. */
static void test_from_half(void **state) {
  (void)state;
  for (unsigned bf = 0; bf < 2; bf++) check_from_half(bf), check_wider(bf);
  check_pair("cvt.rn.f16x2.f32 %r0, %f1, %f2;", false, 0);
  check_pair("cvt.rz.f16x2.f32 %r0, %f1, %f2;", false, 1);
  check_pair("cvt.rn.bf16x2.f32 %r0, %f1, %f2;", true, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_to_half), cmocka_unit_test(test_from_half)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
