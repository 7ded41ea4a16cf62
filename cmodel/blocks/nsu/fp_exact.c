/* SPDX-License-Identifier: Apache-2.0
 *
 * An operation in three parts: the operands become exact integers, the integers are added, and one
 * rounding makes the nearest number.
 *
 * All four operations are one fused multiply-add: a + b is a * 1 + b, and a * b adds a zero of the
 * product's sign.
 */
#include "fp_exact.h"

#include <stdbool.h>
#include <string.h>

/* ---- Exact integers -------------------------------------------------------------------------- */

/* The greatest product has 2^(exp_bits + 1) + 2 frac_bits bits, at
 * most 4200; a sum has one more. */
enum { WORDS = 4224 / 64 };

typedef struct {
  uint64_t word[WORDS]; /* lowest first */
} wide_t;

/* value * 2^shift; the result must fit. */
static wide_t wide_of(unsigned __int128 value, unsigned shift) {
  wide_t w = {{0}};
  const uint64_t low = (uint64_t)value, high = (uint64_t)(value >> 64);
  const unsigned at = shift / 64, bits = shift % 64;
  w.word[at] = low << bits;
  if (at + 1 < WORDS) w.word[at + 1] = high << bits | (bits ? low >> (64 - bits) : 0);
  if (at + 2 < WORDS) w.word[at + 2] = bits ? high >> (64 - bits) : 0;
  return w;
}

/* a += b */
static void wide_add(wide_t *a, const wide_t *b) {
  unsigned __int128 carry = 0;
  for (unsigned i = 0; i < WORDS; i++) {
    carry += (unsigned __int128)a->word[i] + b->word[i];
    a->word[i] = (uint64_t)carry;
    carry >>= 64;
  }
}

/* a -= b; a must not be less than b. */
static void wide_subtract(wide_t *a, const wide_t *b) {
  bool borrow = false;
  for (unsigned i = 0; i < WORDS; i++) {
    const unsigned __int128 less = (unsigned __int128)b->word[i] + borrow;
    borrow = a->word[i] < less;
    a->word[i] -= (uint64_t)less;
  }
}

/* Negative, 0 or positive, as a is less than, equal to or greater than b. */
static int wide_compare(const wide_t *a, const wide_t *b) {
  for (unsigned i = WORDS; i-- > 0;)
    if (a->word[i] != b->word[i]) return a->word[i] < b->word[i] ? -1 : 1;
  return 0;
}

static bool wide_bit(const wide_t *a, unsigned i) {
  return a->word[i / 64] >> (i % 64) & 1;
}

/* The number of the highest bit that is 1; -1 for zero. */
static int wide_highest(const wide_t *a) {
  for (unsigned i = WORDS; i-- > 0;)
    if (a->word[i]) return (int)(64 * i) + 63 - __builtin_clzll(a->word[i]);
  return -1;
}

/* True if any bit below bit i is 1: the sticky bit of a rounding at bit i. */
static bool wide_any_below(const wide_t *a, unsigned i) {
  for (unsigned k = 0; k < i / 64; k++)
    if (a->word[k]) return true;
  return (a->word[i / 64] & ((UINT64_C(1) << (i % 64)) - 1)) != 0;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

typedef struct {
  bool sign, nan, infinite, zero;
  unsigned exponent;    /* the field; 1 also for subnormal numbers, which have no leading one */
  uint64_t significand; /* in units of the last place */
} number_t;

/* Fewer than 64 bits. */
static uint64_t ones(unsigned bits) {
  return (UINT64_C(1) << bits) - 1;
}

static number_t number_of(fp_format_t f, uint64_t bits) {
  const uint64_t exponent = bits >> f.frac_bits & ones(f.exp_bits), fraction = bits & ones(f.frac_bits);
  const bool special = exponent == ones(f.exp_bits);
  return (number_t){.sign = bits >> (f.exp_bits + f.frac_bits) & 1,
                    .nan = special && fraction,
                    .infinite = special && !fraction,
                    .zero = !exponent && !fraction,
                    .exponent = exponent ? (unsigned)exponent : 1,
                    .significand = exponent ? fraction | UINT64_C(1) << f.frac_bits : fraction};
}

static uint64_t bits_of(fp_format_t f, bool sign, uint64_t exponent, uint64_t fraction) {
  return (uint64_t)sign << (f.exp_bits + f.frac_bits) | exponent << f.frac_bits | fraction;
}

/* In units of the least product, the last place of a number with exponent field e is bit
 * e + last_place. The least product is the square of the least subnormal number, so its exponent is
 * 2 * (1 - bias - frac_bits). */
static unsigned last_place(fp_format_t f) {

  return (1u << (f.exp_bits - 1)) - 1 + f.frac_bits - 2;
}

/* The number nearest to the exact magnitude, ties to even. Overflow gives infinity,
 * and zero keeps the sign it is given. */
static uint64_t nearest(fp_format_t f, bool sign, const wide_t *exact) {
  const int highest = wide_highest(exact);
  if (highest < 0) return bits_of(f, sign, 0, 0);
  /* The exponent with which the highest bit is the leading one; below 1 the result is subnormal. */
  const int normal = highest - (int)f.frac_bits - (int)last_place(f);
  uint64_t exponent = normal < 1 ? 1 : (uint64_t)normal, significand = 0;
  const unsigned last = (unsigned)exponent + last_place(f);
  for (unsigned i = 0; i <= f.frac_bits; i++) significand |= (uint64_t)wide_bit(exact, last + i) << i;
  const bool half = wide_bit(exact, last - 1), more = wide_any_below(exact, last - 1);
  if (half && (more || significand & 1)) significand++;
  if (significand >> (f.frac_bits + 1)) significand >>= 1, exponent++;
  if (exponent >= ones(f.exp_bits)) return bits_of(f, sign, ones(f.exp_bits), 0);
  return bits_of(f, sign, significand >> f.frac_bits ? exponent : 0, significand & ones(f.frac_bits));
}

/* The rounded sum of two exact magnitudes with signs. A zero sum of
 * different signs is +0 (rule 4). */
static uint64_t sum(fp_format_t f, wide_t *p, bool p_sign, wide_t *c, bool c_sign) {
  if (p_sign == c_sign) {
    wide_add(p, c);
    return nearest(f, p_sign, p);
  }
  const int order = wide_compare(p, c);
  if (!order) return bits_of(f, false, 0, 0);
  wide_subtract(order > 0 ? p : c, order > 0 ? c : p);
  return nearest(f, order > 0 ? p_sign : c_sign, order > 0 ? p : c);
}

/* a * b + c with one rounding. The special values come first (rules 3 and 5). */
static uint64_t fused(fp_format_t f, number_t a, number_t b, number_t c) {
  const bool sign = a.sign ^ b.sign, infinite = a.infinite || b.infinite;
  const bool invalid = (a.infinite && b.zero) || (a.zero && b.infinite) || (infinite && c.infinite && sign != c.sign);
  if (a.nan || b.nan || c.nan || invalid) return ones(f.exp_bits + f.frac_bits);
  if (infinite || c.infinite) return bits_of(f, infinite ? sign : c.sign, ones(f.exp_bits), 0);
  wide_t product = wide_of((unsigned __int128)a.significand * b.significand, a.exponent + b.exponent - 2);
  wide_t addend = wide_of(c.significand, c.exponent + last_place(f));
  return sum(f, &product, sign, &addend, c.sign);
}

uint64_t fp_exact(fp_format_t f, fp_mode_t mode, uint64_t a, uint64_t b, uint64_t c) {
  const number_t x = number_of(f, a), y = number_of(f, b);
  number_t one = number_of(f, bits_of(f, false, ones(f.exp_bits - 1), 0)), zero = number_of(f, 0);
  switch (mode) {
  case FP_ADD: return fused(f, x, one, y);
  case FP_SUB: {
    number_t less = y;
    less.sign = !y.sign;
    return fused(f, x, one, less);
  }
  /* Adding a zero of the product's sign changes nothing, not even the sign of a zero product. */
  case FP_MUL: zero.sign = x.sign ^ y.sign; return fused(f, x, y, zero);
  default: return fused(f, x, y, number_of(f, c));
  }
}

uint64_t fp_flushed(fp_format_t f, uint64_t number) {
  const number_t x = number_of(f, number);
  const bool subnormal = !x.zero && !(x.significand >> f.frac_bits); /* no leading one */
  return subnormal ? bits_of(f, x.sign, 0, 0) : number;
}
