/* SPDX-License-Identifier: Apache-2.0 */
#include "half.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
  int digits; /* of the fraction */
  int least;  /* exponent of the smallest normal number */
} format_t;

static const format_t formats[] = {[HALF_F16] = {10, -14}, [HALF_BF16] = {7, -126}};

double half_value(half_format_t format, uint16_t bits) {
  const format_t *f = &formats[format];
  const unsigned magnitude = bits & 0x7fffu, exponent = magnitude >> f->digits,
                 fraction = magnitude & ((1u << f->digits) - 1);
  const double sign = bits >> 15 ? -1.0 : 1.0;
  if (magnitude > half_infinity(format)) return NAN;
  if (magnitude == half_infinity(format)) return sign * INFINITY;
  if (!exponent) return sign * ldexp(fraction, f->least - f->digits);
  return sign * ldexp(fraction + (1u << f->digits), (int)exponent - 1 + f->least - f->digits);
}

/* Rounds a number of steps, the distance between neighbours in the format. */
static double rounded(double steps, half_round_t round, unsigned negative) {
  if (round == HALF_NEAREST) return nearbyint(steps);
  return round == (negative ? HALF_DOWN : HALF_UP) ? ceil(steps) : floor(steps);
}

uint16_t half_bits(half_format_t format, double value, half_round_t round) {
  const format_t *f = &formats[format];
  const unsigned most = half_infinity(format), negative = signbit(value) != 0;
  const double magnitude = fabs(value);
  int exponent;
  if (isnan(value)) return (uint16_t)(most | 1u << (f->digits - 1));
  frexp(magnitude, &exponent);
  exponent = exponent - 1 < f->least || magnitude == 0 ? f->least : exponent - 1;
  const bool finite = isfinite(value) && exponent - f->least < 1 << (15 - f->digits);
  const double steps = finite ? rounded(ldexp(magnitude, f->digits - exponent), round, negative) : 0;
  /* a carry goes into the exponent */
  unsigned bits = finite ? ((unsigned)(exponent - f->least) << f->digits) + (unsigned)steps : most;
  const bool grows = round == HALF_NEAREST || round == (negative ? HALF_DOWN : HALF_UP) || isinf(value);
  if (bits >= most) bits = grows ? most : most - 1;
  return (uint16_t)(negative << 15 | bits);
}

double half_sum(double a, double b) {
  double sum = a + b;
  const double of_b = sum - a, error = (a - (sum - of_b)) + (b - of_b);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (!isfinite(sum) || error == 0 || bits & 1) return sum;
  bits += (error > 0) == (sum > 0) ? 1 : ~(uint64_t)0;
  memcpy(&sum, &bits, sizeof sum);
  return sum;
}
