/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic and compares of f16 and bf16 against half_reference.h; what is refused.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "half_unit.h"
#include "unit_test.h"

/* -0 + 0 is 0, -0 + -0 is -0 */
static float odd_sum(float a, float b) {
  return odd_fma(a, 1, b);
}
/* A product of zero has the sign of both factors. */
static float odd_product(float a, float b) {
  const float r = odd_fma(a, b, 0);
  return r == 0 ? copysignf(r, (float)(signbit(a) != signbit(b) ? -1 : 1)) : r;
}

/* One form of an instruction: its name and modifiers. */
typedef struct {
  const char *name;
  bool bf, ftz, sat, relu, nan, xorsign;
} form_t;

/* min or max of two codes: a NaN loses, or wins with
 * .NaN; -0 is below +0; .xorsign gives the sign of a ^ b. */
static unsigned smaller_half(const form_t *f, unsigned a, unsigned b, bool most) {
  const unsigned sign = f->xorsign ? (a ^ b) & 0x8000 : 0;
  if (f->xorsign) a &= 0x7fff, b &= 0x7fff;
  if (no_number(f->bf, a) || no_number(f->bf, b)) {
    if (f->nan || (no_number(f->bf, a) && no_number(f->bf, b))) return 0x7fff;
    return sign | (no_number(f->bf, a) ? b : a);
  }
  /* order of codes as whole numbers with a sign: -0 before +0 */
  const int x = a & 0x8000 ? -1 - (int)(a & 0x7fff) : (int)a, y = b & 0x8000 ? -1 - (int)(b & 0x7fff) : (int)b;
  return sign | ((x < y) != most ? a : b);
}

/* The result of a form, a half at a time, with the modifiers in PTX's
 * order: operands are flushed, .relu, .sat, the result is flushed. */
static unsigned wanted_half(const form_t *f, unsigned a, unsigned b, unsigned c) {
  if (f->ftz) a = flushed(f->bf, a), b = flushed(f->bf, b), c = flushed(f->bf, c);
  const float x = widen(f->bf, a), y = widen(f->bf, b), z = widen(f->bf, c);
  unsigned r = 0;
  if (!strcmp(f->name, "add")) r = narrow(f->bf, odd_sum(x, y), 0);
  if (!strcmp(f->name, "sub")) r = narrow(f->bf, odd_sum(x, -y), 0);
  if (!strcmp(f->name, "mul")) r = narrow(f->bf, odd_product(x, y), 0);
  if (!strcmp(f->name, "fma")) r = narrow(f->bf, odd_fma(x, y, z), 0);
  if (!strcmp(f->name, "min")) r = smaller_half(f, a, b, false);
  if (!strcmp(f->name, "max")) r = smaller_half(f, a, b, true);
  if (!strcmp(f->name, "abs")) r = no_number(f->bf, a) ? 0x7fff : a & 0x7fff;
  if (!strcmp(f->name, "neg")) r = no_number(f->bf, a) ? 0x7fff : a ^ 0x8000;
  if (f->relu && widen(f->bf, r) <= 0) r = 0;
  if (f->sat) r = saturated(f->bf, r);
  return f->ftz ? flushed(f->bf, r) : r;
}

/* ---- arithmetic ---- */

/* The form on one half and on two in a register, each half by itself. */
static void check_form(const form_t *f, unsigned halves) {
  char text[120];
  const bool three = !strcmp(f->name, "fma"), one = !strcmp(f->name, "abs") || !strcmp(f->name, "neg");
  const char *reg = halves == 2 ? "%r" : "%rs";
  snprintf(text, sizeof text, "%s%s%s%s%s%s%s.%s%s %s0, %s1", f->name, three ? ".rn" : "", f->ftz ? ".ftz" : "",
           f->nan ? ".NaN" : "", f->xorsign ? ".xorsign.abs" : "", f->sat ? ".sat" : "", f->relu ? ".relu" : "",
           f->bf ? "bf16" : "f16", halves == 2 ? "x2" : "", reg, reg);
  if (!one) snprintf(text + strlen(text), sizeof text - strlen(text), ", %s2", reg);
  if (three) snprintf(text + strlen(text), sizeof text - strlen(text), ", %s3", reg);
  strcat(text, ";");
  unit_t u = executed_unit(text);
  uint64_t seed = 11;
  for (unsigned round = 0; round < 700; round++) {
    uint64_t v[32][4] = {{0}};
    for (unsigned i = 0; i < 32; i++)
      for (unsigned k = 0; k < 3; k++)
        v[i][k] = pick_half(f->bf, &seed) | (halves == 2 ? pick_half(f->bf, &seed) << 16 : 0);
    run_unit(&u, v);
    for (unsigned i = 0; i < 32; i++) {
      uint32_t want = 0;
      for (unsigned h = 0; h < 16 * halves; h += 16)
        want |= wanted_half(f, v[i][0] >> h & 0xffff, v[i][1] >> h & 0xffff, v[i][2] >> h & 0xffff) << h;
      const uint32_t got = (uint32_t)get_lane(&u, result_of(&u), i);
      if (got != want)
        fail_msg("%s of 0x%08x, 0x%08x, 0x%08x: 0x%08x, not 0x%08x", text, (unsigned)v[i][0], (unsigned)v[i][1],
                 (unsigned)v[i][2], got, want);
    }
  }
  unit_free(&u);
}

/* Forms that PTX has: modifiers alone and together. */
static void test_arithmetic(void **state) {
  (void)state;
  static const form_t forms[] = {
      {.name = "add"},
      {.name = "add", .ftz = true},
      {.name = "add", .sat = true},
      {.name = "add", .bf = true},
      {.name = "sub"},
      {.name = "sub", .ftz = true, .sat = true},
      {.name = "sub", .bf = true},
      {.name = "mul"},
      {.name = "mul", .ftz = true},
      {.name = "mul", .sat = true},
      {.name = "mul", .bf = true},
      {.name = "fma"},
      {.name = "fma", .ftz = true},
      {.name = "fma", .sat = true},
      {.name = "fma", .relu = true},
      {.name = "fma", .ftz = true, .relu = true},
      {.name = "fma", .bf = true},
      {.name = "fma", .bf = true, .relu = true},
      {.name = "min"},
      {.name = "min", .ftz = true},
      {.name = "min", .nan = true},
      {.name = "min", .xorsign = true},
      {.name = "min", .bf = true, .nan = true, .xorsign = true},
      {.name = "max"},
      {.name = "max", .ftz = true, .nan = true, .xorsign = true},
      {.name = "max", .bf = true},
      {.name = "max", .bf = true, .xorsign = true},
      {.name = "abs"},
      {.name = "abs", .ftz = true},
      {.name = "abs", .bf = true},
      {.name = "neg"},
      {.name = "neg", .ftz = true},
      {.name = "neg", .bf = true},
  };
  for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
    for (unsigned halves = 1; halves <= 2; halves++) check_form(&forms[i], halves);
}

/* min and max of f32 in the same forms: the order of codes, again. */
static uint32_t smaller32(uint32_t a, uint32_t b, bool nan, bool xorsign, bool most) {
  const uint32_t sign = xorsign ? (a ^ b) & 0x80000000u : 0;
  if (xorsign) a &= 0x7fffffffu, b &= 0x7fffffffu;
  const bool no_a = isnan(float_of(a)), no_b = isnan(float_of(b));
  if ((no_a && no_b) || (nan && (no_a || no_b))) return 0x7fffffff;
  if (no_a || no_b) return sign | (no_a ? b : a);
  const int64_t x = a >> 31 ? -1 - (int64_t)(a & 0x7fffffffu) : a, y = b >> 31 ? -1 - (int64_t)(b & 0x7fffffffu) : b;
  return sign | ((x < y) != most ? a : b);
}

/* Operands are bfloat16 codes, widened: their ends are those of f32. */
static void test_minimum_of_floats(void **state) {
  (void)state;
  for (unsigned form = 1; form < 8; form++) {
    char text[80];
    const bool nan = form & 1, xorsign = form & 2, most = form & 4;
    if (!nan && !xorsign) continue;
    snprintf(text, sizeof text, "%s%s%s.f32 %%f0, %%f1, %%f2;", most ? "max" : "min", nan ? ".NaN" : "",
             xorsign ? ".xorsign.abs" : "");
    unit_t u = executed_unit(text);
    uint64_t seed = form;
    for (unsigned round = 0; round < 500; round++) {
      uint64_t v[32][4] = {{0}};
      for (unsigned i = 0; i < 32; i++)
        for (unsigned k = 0; k < 2; k++) v[i][k] = bits_of(widen(true, pick_half(true, &seed)));
      run_unit(&u, v);
      for (unsigned i = 0; i < 32; i++) {
        const uint32_t got = (uint32_t)get_lane(&u, result_of(&u), i),
                       want = smaller32((uint32_t)v[i][0], (uint32_t)v[i][1], nan, xorsign, most);
        if (got != want)
          fail_msg("%s of 0x%08x, 0x%08x: 0x%08x, not 0x%08x", text, (unsigned)v[i][0], (unsigned)v[i][1], got, want);
      }
    }
    unit_free(&u);
  }
}

/* Approximations: within one step of the host's binary64 function, for every code. */
static void check_function(const char *text, bool bf, double (*of)(double)) {
  unit_t u = executed_unit(text);
  for (unsigned code = 0; code < 65536; code += 32) {
    uint64_t v[32][4] = {{0}};
    for (unsigned i = 0; i < 32; i++) v[i][0] = code + i;
    run_unit(&u, v);
    for (unsigned i = 0; i < 32; i++) {
      const unsigned got = (unsigned)get_lane(&u, result_of(&u), i),
                     in = strstr(text, "ftz") ? flushed(bf, code + i) : code + i;
      double want = of(widen(bf, in));
      if (strstr(text, "ftz") && fabs(want) < 0x1p-126) want = 0;
      if (isnan(want)) {
        if (got != 0x7fff) fail_msg("%s of 0x%04x: 0x%04x", text, code + i, got);
        continue;
      }
      const double low = widen(bf, got - (got & 0x7fff ? 1 : 0)),
                   high = widen(bf, (got & 0x7fff) < (bf ? 0x7f80 : 0x7c00) ? got + 1 : got);
      if (!(fmin(low, high) <= want && want <= fmax(low, high)) && widen(bf, got) != (float)want &&
          !(isinf(widen(bf, got)) && want > 0x1p15))
        fail_msg("%s of 0x%04x: 0x%04x, which is %a and not %a", text, code + i, got, (double)widen(bf, got), want);
    }
  }
  unit_free(&u);
}

/* tanh and ex2, all codes. */
static void test_functions(void **state) {
  (void)state;
  check_function("tanh.approx.f16 %rs0, %rs1;", false, tanh);
  check_function("tanh.approx.bf16 %rs0, %rs1;", true, tanh);
  check_function("ex2.approx.f16 %rs0, %rs1;", false, exp2);
  check_function("ex2.approx.ftz.bf16 %rs0, %rs1;", true, exp2);
}

/* ---- compares ---- */

/* PTX's compares: the plain ones are false for NaN, those that end in u are true. */
static bool compare_holds(const char *cmp, float a, float b) {
  const bool unordered = isnan(a) || isnan(b);
  if (!strcmp(cmp, "num") || !strcmp(cmp, "nan")) return unordered == !strcmp(cmp, "nan");
  if (unordered) return strlen(cmp) == 3;
  const int order = (a > b) - (a < b);
  if (!strncmp(cmp, "eq", 2)) return order == 0;
  if (!strncmp(cmp, "ne", 2)) return order != 0;
  const bool equal = cmp[1] == 'e' && order == 0;
  return equal || (cmp[0] == 'l' ? order < 0 : order > 0);
}

/* All compares that PTX has for floating point. */
static const char *const compares[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                       "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
enum { COMPARES = sizeof compares / sizeof *compares };

/* Each compare on random pairs of halves, in a third of the
 * rounds with equal upper halves. form: what stands before the
 * operands, with the compare's name; check: looks at one lane. */
static void check_compare(const char *form, const char *operands, bool bf, bool ftz,
                          void (*check)(const unit_t *u, unsigned lane, bool low, bool high, bool c)) {
  for (unsigned k = 0; k < COMPARES; k++) {
    char text[120];
    snprintf(text, sizeof text, form, compares[k]);
    strcat(text, operands);
    unit_t u = executed_unit(text);
    uint64_t seed = k + 1;
    for (unsigned round = 0; round < 60; round++) {
      uint64_t v[32][4] = {{0}};
      for (unsigned i = 0; i < 32; i++) {
        v[i][0] = pick_half(bf, &seed) | pick_half(bf, &seed) << 16,
        v[i][1] = pick_half(bf, &seed) | pick_half(bf, &seed) << 16, v[i][2] = test_random(&seed) & 1;
        if (round % 3 == 0) v[i][1] = (v[i][0] & ~0xffffull) | (v[i][1] & 0xffff);
      }
      run_unit(&u, v);
      for (unsigned i = 0; i < 32; i++) {
        bool t[2];
        for (unsigned h = 0; h < 2; h++) {
          unsigned a = v[i][0] >> 16 * h & 0xffff, b = v[i][1] >> 16 * h & 0xffff;
          if (ftz) a = flushed(bf, a), b = flushed(bf, b);
          t[h] = compare_holds(compares[k], widen(bf, a), widen(bf, b));
        }
        check(&u, i, t[0], t[1], v[i][2]);
      }
    }
    unit_free(&u);
  }
}

/* What each form makes of the two compares, low and high half, and of its operand c. */
static bool pred_of(const unit_t *u, const char *name, unsigned lane) {
  return get_lane(u, reg_of(u, name), lane);
}
/* setp: one predicate, one for each half, with its complement, with c. */
static void expect_one_pred(const unit_t *u, unsigned lane, bool low, bool high, bool c) {
  (void)high, (void)c;
  assert_int_equal(pred_of(u, "%p0", lane), low);
}
static void expect_both_preds(const unit_t *u, unsigned lane, bool low, bool high, bool c) {
  (void)c;
  assert_int_equal(pred_of(u, "%p0", lane), low);
  assert_int_equal(pred_of(u, "%p4", lane), high);
}
static void expect_pred_and_not(const unit_t *u, unsigned lane, bool low, bool high, bool c) {
  (void)high;
  assert_int_equal(pred_of(u, "%p0", lane), low && c);
  assert_int_equal(pred_of(u, "%p4", lane), !low && c);
}
static void expect_both_or(const unit_t *u, unsigned lane, bool low, bool high, bool c) {
  assert_int_equal(pred_of(u, "%p0", lane), low || c);
  assert_int_equal(pred_of(u, "%p4", lane), high || c);
}
/* set: all ones, or 1 as a half (0x3c00, 0x3f80), in one half or both; with c. */
static void expect_word(const unit_t *u, unsigned lane, bool low, bool high, bool c) {
  (void)high, (void)c;
  expect_lane(u, lane, low ? 0xffffffff : 0);
}
static void expect_short(const unit_t *u, unsigned lane, bool low, bool high, bool c) {
  (void)high, (void)c;
  expect_lane(u, lane, low ? 0xffff : 0);
}
static void expect_one_f16(const unit_t *u, unsigned lane, bool low, bool high, bool c) {
  (void)high, (void)c;
  expect_lane(u, lane, low ? 0x3c00 : 0);
}
static void expect_two_f16(const unit_t *u, unsigned lane, bool low, bool high, bool c) {
  (void)c;
  expect_lane(u, lane, (low ? 0x3c00u : 0) | (high ? 0x3c000000u : 0));
}
static void expect_two_masks(const unit_t *u, unsigned lane, bool low, bool high, bool c) {
  (void)c;
  expect_lane(u, lane, (low ? 0xffffu : 0) | (high ? 0xffff0000u : 0));
}
static void expect_two_masks_and_not(const unit_t *u, unsigned lane, bool low, bool high, bool c) {
  expect_lane(u, lane, (low && !c ? 0xffffu : 0) | (high && !c ? 0xffff0000u : 0));
}
static void expect_two_masks_xor(const unit_t *u, unsigned lane, bool low, bool high, bool c) {
  expect_lane(u, lane, (low != c ? 0xffffu : 0) | (high != c ? 0xffff0000u : 0));
}
static void expect_two_bf16_xor(const unit_t *u, unsigned lane, bool low, bool high, bool c) {
  expect_lane(u, lane, (low != c ? 0x3f80u : 0) | (high != c ? 0x3f800000u : 0));
}

/* Each form with all 14 compares. */
static void test_compares(void **state) {
  (void)state;
  check_compare("setp.%s.f16", " %p0, %rs1, %rs2;", false, false, expect_one_pred);
  check_compare("setp.%s.ftz.f16", " %p0, %rs1, %rs2;", false, true, expect_one_pred);
  check_compare("setp.%s.bf16", " %p0, %rs1, %rs2;", true, false, expect_one_pred);
  check_compare("setp.%s.and.f16", " %p0|%p4, %rs1, %rs2, %p3;", false, false, expect_pred_and_not);
  check_compare("setp.%s.f16x2", " %p0|%p4, %r1, %r2;", false, false, expect_both_preds);
  check_compare("setp.%s.ftz.f16x2", " %p0|%p4, %r1, %r2;", false, true, expect_both_preds);
  check_compare("setp.%s.or.bf16x2", " %p0|%p4, %r1, %r2, %p3;", true, false, expect_both_or);
  check_compare("set.%s.u32.f16", " %r0, %rs1, %rs2;", false, false, expect_word);
  check_compare("set.%s.s16.bf16", " %rs0, %rs1, %rs2;", true, false, expect_short);
  check_compare("set.%s.f16.f16", " %rs0, %rs1, %rs2;", false, false, expect_one_f16);
  check_compare("set.%s.f16x2.f16x2", " %r0, %r1, %r2;", false, false, expect_two_f16);
  check_compare("set.%s.u32.f16x2", " %r0, %r1, %r2;", false, false, expect_two_masks);
  check_compare("set.%s.s32.bf16x2", " %r0, %r1, %r2;", true, false, expect_two_masks);
  check_compare("set.%s.ftz.u32.f16x2", " %r0, %r1, %r2;", false, true, expect_two_masks);
  check_compare("set.%s.and.s32.f16x2", " %r0, %r1, %r2, !%p3;", false, false, expect_two_masks_and_not);
  check_compare("set.%s.xor.u32.bf16x2", " %r0, %r1, %r2, %p3;", true, false, expect_two_masks_xor);
  check_compare("set.%s.xor.bf16x2.bf16x2", " %r0, %r1, %r2, %p3;", true, false, expect_two_bf16_xor);
}

/* What PTX does not have, and what is not executed. */
static void test_halves_not_executed(void **state) {
  (void)state;
  static const char *const texts[] = {
      "add.rz.f16 %rs0, %rs1, %rs2;",
      "add.sat.bf16 %rs0, %rs1, %rs2;",
      "mul.ftz.bf16x2 %r0, %r1, %r2;",
      "fma.rn.sat.relu.f16 %rs0, %rs1, %rs2, %rs3;",
      "fma.rn.oob.f16 %rs0, %rs1, %rs2, %rs3;",
      "min.abs.f16 %rs0, %rs1, %rs2;",
      "min.xorsign.f16 %rs0, %rs1, %rs2;",
      "min.abs.f32 %f0, %f1, %f2;",
      "min.f16 %rs0, %rs1, %rs2, %rs3;",
      "min.NaN.f64 %fd0, %fd1, %fd2;",
      "min.relu.s32 %r0, %r1, %r2;",
      "redux.sync.min.NaN.s32 %r0, %r1, 0xffffffff;",
      "tanh.f16 %rs0, %rs1;",
      "ex2.approx.bf16 %rs0, %rs1;",
      "add.f16 %rs0, %rs1, 0f3f800000;",
      "div.f16 %rs0, %rs1, %rs2;",
      "setp.lo.f16 %p0, %rs1, %rs2;",
      "setp.eq.ftz.bf16 %p0, %rs1, %rs2;",
      "set.eq.f16x2.f16 %r0, %rs1, %rs2;",
      "set.eq.u16.f16x2 %rs0, %r1, %r2;",
      "set.eq.b32.f16x2 %r0, %r1, %r2;",
      "set.eq.f32.f16x2 %f0, %r1, %r2;",
      "set.eq.bf16x2.f16x2 %r0, %r1, %r2;",
      "set.eq.f16x2.u32 %r0, %r1, %r2;",
      "cvt.rna.relu.tf32.f32 %r0, %f1;",
      "cvt.rn.relu.f16.f64 %rs0, %fd1;",
      "cvt.rm.satfinite.f16.f32 %rs0, %f1;",
      "cvt.f16x2.f32 %r0, %f1, %f2;",
      "cvt.rn.e4m3x2.f32 %rs0, %f1, %f2;",
      "atom.global.max.noftz.f16x2 %r0, [%rd1], %r2;",
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_minimum_of_floats),
                                     cmocka_unit_test(test_functions), cmocka_unit_test(test_compares),
                                     cmocka_unit_test(test_halves_not_executed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
