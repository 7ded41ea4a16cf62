/* SPDX-License-Identifier: Apache-2.0
 *
 * The products of matrix_reference.h. f64 and floats sum in the order of k with one
 * rounding for each fma; whole numbers sum exactly and are cut, or saturated, at the end.
 */
#include "matrix_reference.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "half_reference.h"
#include "unit_test.h"

static const struct {
  const char *name;
  unsigned bits;
} numbers[NUMBERS] = {[N_F16] = {"f16", 16}, [N_BF16] = {"bf16", 16}, [N_TF32] = {"tf32", 32}, [N_F32] = {"f32", 32},
                      [N_F64] = {"f64", 64}, [N_S8] = {"s8", 8},      [N_U8] = {"u8", 8},      [N_S4] = {"s4", 4},
                      [N_U4] = {"u4", 4},    [N_B1] = {"b1", 1},      [N_S32] = {"s32", 32}};

const char *number_name(number_t n) {
  return numbers[n].name;
}

unsigned number_bits(number_t n) {
  return numbers[n].bits;
}

/* A double's bits, and the double of bits. */
static uint64_t code_of(double x) {
  uint64_t code;
  memcpy(&code, &x, 8);
  return code;
}

static double double_of(uint64_t code) {
  double x;
  memcpy(&x, &code, 8);
  return x;
}

/* Most of them are near 1, so that sums round at all
 * places. Some are of any size, and some are no numbers. */
uint64_t number_pick(number_t n, uint64_t *seed) {
  const uint64_t random = test_random(seed), bits = test_random(seed);
  const bool any = random % 97 == 0, tiny = random % 13 == 0;
  switch (n) {
  case N_F16:
  case N_BF16:
    if (any) return pick_half(n == N_BF16, seed);
    return n == N_F16 ? (bits & 0x83ff) | (tiny ? 0 : 0x3000 + (random >> 8) % 4 * 0x400)
                      : (bits & 0x807f) | (0x3e00 + (random >> 8) % 4 * 0x80);
  case N_TF32:
  case N_F32: return any ? bits & 0xffffffff : (bits & 0x807fffff) | (0x3e000000 + (random >> 8) % 8 * 0x800000);
  case N_F64: return code_of(((double)(int64_t)bits) * (tiny ? 0x1p-90 : 0x1p-63));
  default: return bits & (UINT64_MAX >> (64 - numbers[n].bits));
  }
}

/* Bit by bit, so that 4-bit and 1-bit elements need no case of their own. */
uint64_t number_at(const uint8_t *bytes, number_t n, unsigned i) {
  uint64_t code = 0;
  for (unsigned b = 0; b < numbers[n].bits; b++) {
    const unsigned at = i * numbers[n].bits + b;
    code |= (uint64_t)(bytes[at / 8] >> at % 8 & 1) << b;
  }
  return code;
}

/* The other bits of the bytes stay. */
void number_put(uint8_t *bytes, number_t n, unsigned i, uint64_t code) {
  for (unsigned b = 0; b < numbers[n].bits; b++) {
    const unsigned at = i * numbers[n].bits + b;
    bytes[at / 8] = (uint8_t)((bytes[at / 8] & ~(1u << at % 8)) | (unsigned)(code >> b & 1) << at % 8);
  }
}

/* The value of a code: two's complement for signed types. */
static int64_t whole_number(number_t n, uint64_t code) {
  const unsigned bits = numbers[n].bits;
  const bool is_signed = n == N_S8 || n == N_S4 || n == N_S32;
  return is_signed && code >> (bits - 1) ? (int64_t)code - (INT64_C(1) << bits) : (int64_t)code;
}

/* The value as a binary32. TF32 has the upper 19 bits of one. */
static float single_number(number_t n, uint64_t code) {
  if (n == N_F16 || n == N_BF16) return widen(n == N_BF16, (unsigned)code);
  return float_of(n == N_TF32 ? (uint32_t)code >> 13 << 13 : (uint32_t)code);
}

/* What two elements add to a sum of whole numbers. */
static int64_t pair_of(const product_t *p, uint64_t x, uint64_t y) {
  if (p->pairs == PAIRS_AND) return (x & y) != 0;
  if (p->pairs == PAIRS_XOR) return x != y;
  return whole_number(p->a, x) * whole_number(p->b, y);
}

/* One element of d: row a, column b (n elements apart) and c. */
static uint64_t dot_product(const product_t *p, const uint64_t *a, const uint64_t *b, uint64_t c) {
  int64_t exact = whole_number(N_S32, c);
  double wide = double_of(c);
  float narrow_sum = p->d == N_S32 || p->d == N_F64 ? 0 : single_number(p->c, c);
  for (unsigned k = 0; k < p->k; k++) {
    const uint64_t x = a[k], y = b[k * p->n];
    if (p->d == N_F64) wide = fma(double_of(x), double_of(y), wide);
    else if (p->d != N_S32) narrow_sum = fmaf(single_number(p->a, x), single_number(p->b, y), narrow_sum);
    else exact += pair_of(p, x, y);
  }
  if (p->d == N_F64) return code_of(wide);
  if (p->d == N_S32) {
    if (p->saturates && exact > INT32_MAX) return (uint32_t)INT32_MAX;
    if (p->saturates && exact < INT32_MIN) return (uint32_t)INT32_MIN;
    return (uint32_t)exact;
  }
  if (narrow_sum != narrow_sum) return p->d == N_F16 ? 0x7fff : 0x7fffffff;
  return p->d == N_F16 ? narrow(false, narrow_sum, 0) : bits_of(narrow_sum);
}

/* The host's rounding mode is the product's as long as it computes. */
void product_of(const product_t *p, const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *d) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  fesetround(modes[p->round]);
  for (unsigned i = 0; i < p->m * p->n; i++) d[i] = dot_product(p, a + i / p->n * p->k, b + i % p->n, c[i]);
  fesetround(FE_TONEAREST);
}
