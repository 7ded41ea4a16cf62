/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of 32 bits as bytes and bits, against the PTX document's tables and pseudocode.
 * Each instruction runs on 400 rounds of random operands in all lanes.
 */
#include <stdio.h>
#include <string.h>

#include "simt_unit.h"
#include "unit_test.h"

enum { ROUNDS = 400 };

typedef uint64_t wanted_t(const uint64_t v[4]);

/* Each lane against what is wanted of its operands 1 to 4. */
static void check_instruction(const char *text, wanted_t *wanted, void (*fill)(uint64_t *seed, uint64_t v[4])) {
  unit_t u = executed_unit(text);
  uint64_t seed = 7;
  for (unsigned round = 0; round < ROUNDS; round++) {
    uint64_t v[32][4] = {{0}};
    for (unsigned i = 0; i < 32; i++) fill(&seed, v[i]), set_operands(&u, i, v[i]);
    u.kernel->ops[0].fn(&u.kernel->ops[0], &u.warp, ~0u);
    for (unsigned i = 0; i < 32; i++) {
      const uint64_t got = get_lane(&u, result_of(&u), i), want = wanted(v[i]);
      if (got != want)
        fail_msg("%s of 0x%llx, 0x%llx, 0x%llx: 0x%llx, not 0x%llx", text, (unsigned long long)v[i][0],
                 (unsigned long long)v[i][1], (unsigned long long)v[i][2], (unsigned long long)got,
                 (unsigned long long)want);
    }
  }
  unit_free(&u);
}

/* Any words of 32 bits. */
static void any_words(uint64_t *seed, uint64_t v[4]) {
  for (unsigned k = 0; k < 4; k++) v[k] = (uint32_t)test_random(seed);
}

/* ---- prmt: bytes of the result, highest first, by the selector's two bits ---- */

/* The PTX document's table of modes: a row for each value of the selector's two bits. */
static const char *const f4e[] = {"3210", "4321", "5432", "6543"}, *const b4e[] = {"5670", "6701", "7012", "0123"};
static const char *const rc8[] = {"0000", "1111", "2222", "3333"}, *const ecl[] = {"3210", "3211", "3222", "3333"};
static const char *const ecr[] = {"0000", "1110", "2210", "3210"}, *const rc16[] = {"1010", "3232", "1010", "3232"};

/* The bytes that the mode's row names: 0 to 3 of a, 4 to 7 of b. */
static uint64_t by_row(const char *const *table, const uint64_t v[4]) {
  const char *row = table[v[2] & 3];
  uint32_t r = 0;
  for (unsigned k = 0; k < 4; k++) {
    const unsigned from = (unsigned)(row[k] - '0');
    r = r << 8 | ((uint32_t)(v[from / 4] >> 8 * (from % 4)) & 255);
  }
  return r;
}
/* The modes' results, one function each. */
static uint64_t want_f4e(const uint64_t v[4]) {
  return by_row(f4e, v);
}
static uint64_t want_b4e(const uint64_t v[4]) {
  return by_row(b4e, v);
}
static uint64_t want_rc8(const uint64_t v[4]) {
  return by_row(rc8, v);
}
static uint64_t want_ecl(const uint64_t v[4]) {
  return by_row(ecl, v);
}
static uint64_t want_ecr(const uint64_t v[4]) {
  return by_row(ecr, v);
}
static uint64_t want_rc16(const uint64_t v[4]) {
  return by_row(rc16, v);
}
/* Without a mode: four selectors of four bits, the highest for the sign of the byte. */
static uint64_t want_prmt(const uint64_t v[4]) {
  uint32_t r = 0;
  for (unsigned k = 0; k < 4; k++) {
    const unsigned s = v[2] >> 4 * k & 15, byte = v[(s & 7) / 4] >> 8 * (s & 3) & 255;
    r |= (s & 8 ? (byte & 0x80 ? 0xffu : 0) : byte) << 8 * k;
  }
  return r;
}

/* All modes on any words. */
static void test_prmt(void **state) {
  (void)state;
  check_instruction("prmt.b32 %r0, %r1, %r2, %r3;", want_prmt, any_words);
  check_instruction("prmt.b32.f4e %r0, %r1, %r2, %r3;", want_f4e, any_words);
  check_instruction("prmt.b32.b4e %r0, %r1, %r2, %r3;", want_b4e, any_words);
  check_instruction("prmt.b32.rc8 %r0, %r1, %r2, %r3;", want_rc8, any_words);
  check_instruction("prmt.b32.ecl %r0, %r1, %r2, %r3;", want_ecl, any_words);
  check_instruction("prmt.b32.ecr %r0, %r1, %r2, %r3;", want_ecr, any_words);
  check_instruction("prmt.b32.rc16 %r0, %r1, %r2, %r3;", want_rc16, any_words);
}

/* ---- lop3 with a predicate: F = a & b & c, so that the result is 0 as often as not ---- */

/* a has one bit or none, b has it too, c has all. */
static void few_ones(uint64_t *seed, uint64_t v[4]) {
  const uint64_t r = test_random(seed);
  v[0] = r & 1 ? 1u << (r >> 1 & 31) : 0, v[1] = v[0] | (uint32_t)(r >> 20), v[2] = ~0u, v[3] = r >> 60 & 1;
}
/* What the predicate is: any bit of F set, and c; or c; or not c. */
static uint64_t want_any_and(const uint64_t v[4]) {
  return ((uint32_t)(v[0] & v[1] & v[2]) != 0) && v[3];
}
static uint64_t want_any_or(const uint64_t v[4]) {
  return ((uint32_t)(v[0] & v[1] & v[2]) != 0) || v[3];
}
static uint64_t want_any_or_not(const uint64_t v[4]) {
  return ((uint32_t)(v[0] & v[1] & v[2]) != 0) || !v[3];
}
static uint64_t want_word(const uint64_t v[4]) {
  return (uint32_t)((v[0] & v[1]) | (~v[0] & v[2])); /* 0xca: a ? b : c */
}

/* 0xca and 0x80 are tables of three operands: a ? b : c, and a & b & c. */
static void test_lop3(void **state) {
  (void)state;
  check_instruction("lop3.b32 %r0, %r1, %r2, %r3, 0xca;", want_word, any_words);
  check_instruction("lop3.and.b32 %r5|%p0, %r1, %r2, %r3, 0x80, %p4;", want_any_and, few_ones);
  check_instruction("lop3.or.b32 _|%p0, %r1, %r2, %r3, 0x80, %p4;", want_any_or, few_ones);
  check_instruction("lop3.or.b32 _|%p0, %r1, %r2, %r3, 0x80, !%p4;", want_any_or_not, few_ones);
}

/* ---- szext, fns ---- */

/* Most counts are below 64, so that both sides of 32 are met. */
static void small_second(uint64_t *seed, uint64_t v[4]) {
  any_words(seed, v);
  if (test_random(seed) & 7) v[1] &= 63;
}

/* The document's pseudocode: b's low bits are kept, the rest is the sign or zero. */
static uint32_t szext_wanted(const uint64_t v[4], bool clamp, bool is_signed) {
  const uint32_t a = (uint32_t)v[0], b = (uint32_t)v[1], b1 = b & 31;
  const bool too_large = b >= 32 && clamp;
  const uint32_t mask = too_large ? 0 : ~0u << b1, sign_pos = (b1 - 1) & 31;
  const bool sign_bit = b1 == 0 || too_large || !is_signed ? false : a >> sign_pos & 1;
  return (a & ~mask) | (sign_bit ? mask : 0);
}
/* Clamped counts of 32 and more keep all bits, wrapped ones count modulo 32. */
static uint64_t want_clamp_s(const uint64_t v[4]) {
  return szext_wanted(v, true, true);
}
static uint64_t want_clamp_u(const uint64_t v[4]) {
  return szext_wanted(v, true, false);
}
static uint64_t want_wrap_s(const uint64_t v[4]) {
  return szext_wanted(v, false, true);
}

/* Masks with many and few bits, a base that may be beyond 31, offsets from -32 to 31. */
static void for_fns(uint64_t *seed, uint64_t v[4]) {
  any_words(seed, v);
  const uint64_t r = test_random(seed);
  if (r & 1) v[0] &= (uint32_t)test_random(seed) & (uint32_t)test_random(seed);
  v[1] = r & 14 ? r >> 8 & 31 : r >> 8 & 127;
  v[2] = (uint32_t)((int)(r >> 32 & 63) - 32);
}
/* The document's loop: the n-th set bit from base on,
 * upwards or downwards; all ones if there is none. */
static uint64_t want_fns(const uint64_t v[4]) {
  const uint32_t mask = (uint32_t)v[0], base = (uint32_t)v[1];
  const int32_t offset = (int32_t)v[2];
  uint32_t d = ~0u;
  if (offset == 0) return base < 32 && mask >> base & 1 ? base : d;
  int32_t pos = (int32_t)base, count = (offset < 0 ? -offset : offset) - 1;
  const int32_t inc = offset > 0 ? 1 : -1;
  while (pos >= 0 && pos < 32) {
    if (mask >> pos & 1) {
      if (count == 0) {
        d = (uint32_t)pos;
        break;
      }
      count--;
    }
    pos += inc;
  }
  return d;
}

/* Forms of szext: counts beyond 31 are clamped, or taken modulo 32. */
static void test_szext_fns(void **state) {
  (void)state;
  check_instruction("szext.clamp.s32 %r0, %r1, %r2;", want_clamp_s, small_second);
  check_instruction("szext.clamp.u32 %r0, %r1, %r2;", want_clamp_u, small_second);
  check_instruction("szext.wrap.s32 %r0, %r1, %r2;", want_wrap_s, small_second);
  check_instruction("fns.b32 %r0, %r1, %r2, %r3;", want_fns, for_fns);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_prmt), cmocka_unit_test(test_lop3),
                                     cmocka_unit_test(test_szext_fns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
