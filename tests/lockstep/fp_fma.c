/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of fp_fma. Formats may be small, so every constant comes from ExpBits and FracBits.
 * Vectors: "mode a b c result", hexadecimal; bit 2 of the mode sets ftz.
 */
#include "fp_fma.h"

#include "block_stim.h"

/* P: bits of a significand. LEAST: exponent of the least subnormal number. */
enum { P = FracBits + 1, BIAS = (1 << (ExpBits - 1)) - 1, EXPONENTS = 1 << ExpBits, LEAST = 1 - BIAS - FracBits };
#define ONES(bits) (~0ull >> (64 - (bits)))

enum { HARD, RANDOM, ONE_MODE, SPARSE, TIES };

/* Random operands are far apart: the larger one decides, and rounding sees random bits.
 *  hard: exponents near each other, cancellation, subnormal and special numbers.
 *  one-mode: results of one operation follow each other in the pipeline.
 *  sparse: bubbles pass between results.
 *  ties: sums that are halfway between two numbers, or beside it by one bit at any distance. */
static const stim_profile_t profiles[] = {
    [HARD] = {"hard", "operands at the corners: subnormals, halfway, cancellation, NaN"},
    [RANDOM] = {"random", "all bits random"},
    [ONE_MODE] = {"one-mode", "the same operation for a while"},
    [SPARSE] = {"sparse", "rarely valid"},
    [TIES] = {"ties", "halfway between two numbers but for one bit, near or far, of product or addend"}};

typedef struct {
  rng_t rng;
  unsigned profile, mode;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  s->mode = 0;
}

static uint64_t bits_of(bool sign, uint64_t exponent, uint64_t fraction) {
  return (uint64_t)sign << (ExpBits + FracBits) | (exponent & ONES(ExpBits)) << FracBits | (fraction & ONES(FracBits));
}

static bool sign(state_t *s) {
  return rng_bits(&s->rng, 1);
}

/* ---- Hard operands --------------------------------------------------------------------------- */

/* Fraction of no bits, all, one, all but one, a run from either end, two or three, or any. */
static uint64_t fraction(state_t *s) {
  const unsigned at = (unsigned)rng_below(&s->rng, FracBits);
  switch (rng_below(&s->rng, 8)) {
  case 0: return 0;
  case 1: return ONES(FracBits);
  case 2: return 1ull << at;
  case 3: return ONES(FracBits) ^ 1ull << at;
  case 4: return (1ull << at) - 1;
  case 5: return ONES(FracBits) << at;
  case 6: return 1ull << at | 1ull << rng_below(&s->rng, FracBits) | rng_bits(&s->rng, 1);
  default: return rng_bits(&s->rng, FracBits);
  }
}

/* Exponent at an end of the range, among the least normal numbers, near 1.0, or any. The rest
 * are beside `near`, or at most `reach` away, as far as significands overlap. */
static uint64_t exponent(state_t *s, int near) {
  const int reach = 2 * P + 4;
  switch (rng_below(&s->rng, 8)) {
  case 0: return 0;
  case 1: return EXPONENTS - 1 - rng_below(&s->rng, 3);
  case 2: return rng_below(&s->rng, 4);
  case 3: return BIAS + rng_below(&s->rng, 5) - 2;
  case 4: return rng_bits(&s->rng, ExpBits);
  case 5: return (uint64_t)(near + (int)rng_below(&s->rng, 2 * (unsigned)reach + 1) - reach) % EXPONENTS;
  default: return (uint64_t)(near + (int)rng_below(&s->rng, 5) - 2) % EXPONENTS;
  }
}

/* Exponent field of a number. */
static int field(uint64_t number) {
  return (int)(number >> FracBits & ONES(ExpBits));
}

/* The addend is the rounded product with the other sign, or the next number.
 * The sum is what rounding lost. */
static void lost_by_rounding(state_t *s, fp_fma_in_t *in) {
  const fp_format_t format = {ExpBits, FracBits};
  in->c = fp_exact(format, FP_MUL, in->a, in->b, 0) ^ bits_of(1, 0, rng_below(&s->rng, 3) == 0);
}

/* The product, often with a subnormal factor, is near the least numbers. Or the sum is
 * what rounding loses of that product. */
static void least_product(state_t *s, fp_fma_in_t *in) {
  const uint64_t e = rng_below(&s->rng, 4) ? rng_range(&s->rng, 1, BIAS) : 0;
  in->a = bits_of(sign(s), e, fraction(s));
  in->b = bits_of(sign(s), BIAS - e + rng_below(&s->rng, 2 * P), fraction(s));
  if (rng_bits(&s->rng, 1)) lost_by_rounding(s, in);
}

/* Operands whose exponents let product and addend overlap; one in two has a special relation. */
static void hard(state_t *s, fp_fma_in_t *in) {
  in->a = bits_of(sign(s), exponent(s, BIAS), fraction(s));
  in->b = bits_of(sign(s), exponent(s, rng_bits(&s->rng, 1) ? field(in->a) : BIAS + BIAS - field(in->a)), fraction(s));
  in->c = bits_of(sign(s), exponent(s, field(in->a) + field(in->b) - BIAS), fraction(s));
  switch (rng_below(&s->rng, 16)) {
  case 0: in->b = in->a ^ (uint64_t)sign(s) << (ExpBits + FracBits); break; /* x - x, x * x */
  case 1: in->c = in->a ^ (uint64_t)sign(s) << (ExpBits + FracBits); break;
  case 2: in->a = bits_of(sign(s), EXPONENTS - 1, 0), in->b = bits_of(sign(s), 0, 0); break; /* infinity times zero */
  case 3: in->b = bits_of(sign(s), BIAS, 0); break;
  case 4: in->b = in->a ^ 1ull << rng_below(&s->rng, 1 + ExpBits + FracBits); break;
  case 5: lost_by_rounding(s, in); break;
  case 6: least_product(s, in); break;
  default: break;
  }
}

/* One operand is a zero of either sign. The others keep their value, or become a
 * power of two or a zero with one bit. */
static void zero_operand(state_t *s, fp_fma_in_t *in) {
  uint64_t *const operand[] = {&in->a, &in->b, &in->c};
  const unsigned zero = (unsigned)rng_below(&s->rng, 3);
  for (unsigned i = 0; i < 3; i++)
    if (i != zero && sign(s)) *operand[i] = bits_of(sign(s), 0, 0) | 1ull << rng_below(&s->rng, ExpBits + FracBits);
  *operand[zero] = bits_of(sign(s), 0, 0);
}

/* ---- Ties ------------------------------------------------------------------------------------ */

/* number x 2^scale of either sign. Bits below the least subnormal are cut off; a number
 * beyond the range becomes infinity. */
static uint64_t scaled(state_t *s, uint64_t number, int scale) {
  if (!number) return bits_of(sign(s), 0, 0);
  const int highest = 63 - __builtin_clzll(number), e = highest + scale + BIAS;
  if (e >= EXPONENTS - 1) return bits_of(sign(s), EXPONENTS - 1, 0);
  if (e >= 1)
    return bits_of(sign(s), (uint64_t)e,
                   highest <= FracBits ? number << (FracBits - highest) : number >> (highest - FracBits));
  const int left = scale - LEAST;
  return bits_of(sign(s), 0, left >= 0 ? number << left : left > -64 ? number >> -left : 0);
}

/* Longest gap of a product, limited by its width and by an inverse of 64 bits. Gaps above GAP
 * have few pairs of factors: they are rare and take many tries. */
enum { GAP = P + 10, WIDEST = 2 * P - 1 < 63 ? 2 * P - 1 : 63 };

static unsigned any_gap(state_t *s) {
  if (WIDEST > GAP && rng_chance(&s->rng, 1, 16)) return (unsigned)rng_range(&s->rng, GAP + 1, WIDEST);
  return (unsigned)rng_range(&s->rng, 1, WIDEST < GAP ? WIDEST : GAP);
}

/* Two significands whose product ends in 1, `gap` - 1 zeros and 1. The second is the inverse of
 * the first modulo a power of two. A small format may have no such pair: then any two. */
static void sparse_product(state_t *s, unsigned gap, uint64_t *a, uint64_t *b) {
  for (unsigned tries = gap > GAP ? 100000 : 10000; tries > 0; tries--) {
    *a = rng_bits(&s->rng, P) | 1;
    uint64_t inverse = *a;
    for (unsigned correct = 3; correct < 64; correct *= 2) inverse *= 2 - *a * inverse;
    *b = (inverse + (inverse << gap)) & ONES(gap + 1);
    if (!(*b >> P)) return;
  }
  *b = rng_bits(&s->rng, P);
}

/* a x b + c has P bits, the halfway bit behind them, and at most one bit below. The sum is
 * chosen first; a divides it, b is the quotient and c the remainder. */
static void wanted_sum(state_t *s, uint64_t *a, uint64_t *b, uint64_t *c) {
  const unsigned gap = (unsigned)rng_below(&s->rng, P - 1);
  unsigned __int128 sum = ((unsigned __int128)(rng_bits(&s->rng, P) | 1ull << FracBits) << 1 | 1) << gap;
  if (gap && sign(s)) sum |= 1ull << rng_below(&s->rng, gap);
  *a = rng_bits(&s->rng, P) | 1ull << FracBits;
  *b = (uint64_t)(sum / *a);
  *c = (uint64_t)(sum % *a);
}

/* Two factors whose product has ones alone, as 111 x 1001001 =
 * 111111111. Returns the number of ones. */
static unsigned ones_product(state_t *s, uint64_t *a, uint64_t *b) {
  const unsigned each = (unsigned)rng_range(&s->rng, 1, P),
                 times = (unsigned)rng_range(&s->rng, 1, 1 + FracBits / each);
  *a = ONES(each);
  *b = 0;
  for (unsigned i = 0; i < times; i++) *b |= 1ull << i * each;
  return each * times;
}

/* a x b + c where the bit behind the last of the sum is 1, or just fails to be
 * 1. At most one bit is below it. */
static void tie(state_t *s, fp_fma_in_t *in) {
  const unsigned reach = BIAS / 8 < 20 ? BIAS / 8 : 20;
  int x = (int)rng_below(&s->rng, 2 * reach + 1) - (int)reach, y = (int)rng_below(&s->rng, 2 * reach + 1) - (int)reach;
  uint64_t a, b;
  in->mode = 3;
  switch (rng_below(&s->rng, 6)) {
  case 0: { /* the addend in front, the product gives the halfway bit and one far below */
    const unsigned gap = any_gap(s);
    sparse_product(s, gap, &a, &b);
    in->c = scaled(s, rng_bits(&s->rng, P), x + y + (int)gap + 1);
    break;
  }
  case 1: { /* the addend takes the product's last bit away, and one more below it */
    sparse_product(s, (unsigned)rng_range(&s->rng, 1, P - 1), &a, &b);
    const unsigned below = (unsigned)rng_range(&s->rng, 0, P - 1);
    in->c = scaled(s, below ? (1ull << below) + 1 : rng_bits(&s->rng, 1), x + y - (int)below);
    break;
  }
  case 2: /* the product takes the addend's last bit away exactly: one bit is left, anywhere above it */
    a = b = 1;
    in->c = scaled(s, (1ull << rng_range(&s->rng, 1, P - 1)) + 1, x + y);
    break;
  case 3: {
    uint64_t c;
    wanted_sum(s, &a, &b, &c);
    in->c = scaled(s, c, x + y);
    break;
  }
  /* The product is a bit less than half of the addend's last bit. Subtracted, it leaves a half and
   * a bit far below. */
  case 4: {
    const unsigned ones = ones_product(s, &a, &b);
    in->c = scaled(s, rng_bits(&s->rng, P), x + y + (int)ones + (int)rng_below(&s->rng, 3));
    break;
  }
  default: { /* a product of a bit too many, and an addend of one bit, subnormal or not */
    const unsigned width = (unsigned)rng_range(&s->rng, 1, P - 1);
    a = rng_bits(&s->rng, width) | 1 | 1ull << width;
    b = rng_bits(&s->rng, P - width) | 1 | 1ull << (P - width);
    const bool subnormal = rng_bits(&s->rng, 1), far = subnormal && rng_bits(&s->rng, 1);
    if (far) { /* the product as far above it as still counts, or a bit farther or nearer */
      x = -(int)rng_range(&s->rng, 0, BIAS / 2);
      y = LEAST + 2 * P - 3 + (int)rng_below(&s->rng, 9) - x;
    }
    in->c = scaled(s, 1,
                   subnormal ? LEAST + (int)rng_below(&s->rng, far ? 2 : P)
                             : x + y - (int)rng_range(&s->rng, 1, rng_bits(&s->rng, 1) ? 8 : 4 * P));
    break;
  }
  }
  in->a = scaled(s, a, x);
  in->b = scaled(s, b, y);
}

/* ---- */

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  fp_fma_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->valid = s->profile == SPARSE ? chance8(&s->rng, 1) : !rng_chance(&s->rng, 1, 16);
  if (!in->valid) return;
  in->ftz = rng_below(&s->rng, 3) == 0;
  if (s->profile == TIES) {
    tie(s, in);
    return;
  }
  if (s->profile != ONE_MODE || rng_chance(&s->rng, 1, 64)) s->mode = (unsigned)rng_bits(&s->rng, 2);
  in->mode = s->mode;
  hard(s, in);
  if (s->profile == RANDOM)
    in->a = rng_bits(&s->rng, 1 + ExpBits + FracBits), in->b = rng_bits(&s->rng, 1 + ExpBits + FracBits),
    in->c = rng_bits(&s->rng, 1 + ExpBits + FracBits);
  if (rng_chance(&s->rng, 1, 8)) zero_operand(s, in);
}

static void drive(const uint64_t *operands, void *in_bytes) {
  fp_fma_in_t *in = in_bytes;
  in->valid = 1;
  in->mode = operands[0] & 3;
  in->ftz = operands[0] >> 2 & 1;
  in->a = operands[1];
  in->b = operands[2];
  in->c = operands[3];
}

static bool result(const void *out_bytes, uint64_t *value) {
  const fp_fma_out_t *out = out_bytes;
  *value = out->y;
  return out->valid;
}

STIM_RESET

STIM_DEFINE(fp_fma, .reset = reset, .vector_operands = 4, .vector_latency = FP_FMA_LATENCY,
            .vector_text = "mode a b c result", .vector_drive = drive, .vector_result = result)
