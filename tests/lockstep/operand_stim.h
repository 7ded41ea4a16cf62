/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of 32 bits, numbers of binary32 or integers, that are hard for arithmetic units.
 */
#ifndef OPERAND_STIM_H
#define OPERAND_STIM_H

#include <stdint.h>
#include <string.h>

#include "rng.h"

/* Operands where arithmetic goes wrong: zeros, subnormals, ends of ranges,
 * halfway cases, neighbours of powers of two, infinities, NaNs. */
static inline uint32_t stim_operand(rng_t *rng) {
  static const uint32_t special[] = {
      0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001,
      0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x34000000, 0x33800000, 0x33800001, 0x33000000, 0x3f000000,
      0xbf000000, 0x3effffff, 0x3f000001, 0x3fc00000, 0xbfc00000, 0x40200000, 0x4b000000, 0x4b7fffff, 0x4b800000,
      0x4f000000, 0xcf000000, 0x4effffff, 0x4f7fffff, 0x4f800000, 0xcf000001, 0x7f7fffff, 0xff7fffff, 0x7f000000,
      0x7f800000, 0xff800000, 0x7fffffff, 0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x1f800000, 0x20000000,
      0x0d000000, 0x19800000, 0x7fffff80, 0x00000020, 0x0000001f, 0x000000ff, 0x0000007f, 0xffffff80, 0xffff8000,
      0x00007fff, 0x0000ffff, 0x00010000, 0xffffffff, 0x01000001, 0x01000003};
  switch (rng_below(rng, 8)) {
  case 0:
  case 1: return special[rng_below(rng, sizeof special / sizeof *special)];
  /* subnormal */
  case 2: return (uint32_t)rng_bits(rng, 23) | (uint32_t)rng_bits(rng, 1) << 31;
  /* near 1 */
  case 3: return (uint32_t)(rng_range(rng, 120, 134) << 23 | rng_bits(rng, 23) | rng_bits(rng, 1) << 31);
  /* short */
  case 4: return (uint32_t)(rng_bits(rng, 8) << 23 | rng_bits(rng, 3) << 20 | rng_bits(rng, 1) << 31);
  /* long ones */
  case 5: return (uint32_t)(rng_bits(rng, 8) << 23 | (0x7fffff & ~rng_bits(rng, 3)) | rng_bits(rng, 1) << 31);
  /* small integer */
  case 6: return (uint32_t)(rng_next(rng) >> rng_range(rng, 32, 63));
  default: return (uint32_t)rng_next(rng);
  }
}

/* Finite numbers within a few powers of two of each
 * other: sums round, cancel and are halfway cases. */
static inline uint32_t stim_near_one(rng_t *rng) {
  uint32_t fraction = (uint32_t)rng_bits(rng, 23);
  if (rng_bits(rng, 1)) fraction &= 0x7fffffu << rng_below(rng, 24);
  return (uint32_t)rng_bits(rng, 1) << 31 | (uint32_t)rng_range(rng, 125, 129) << 23 | (fraction & 0x7fffff);
}

/* A number of this biased exponent whose fraction has one, two or
 * three ones (or zeros): what is lost in rounding is a single bit. */
static inline uint32_t stim_sparse(rng_t *rng, uint32_t exponent) {
  uint32_t fraction =
      (1u << rng_below(rng, 24) | (rng_bits(rng, 1) ? 1u << rng_below(rng, 24) : 0) | (uint32_t)rng_bits(rng, 1)) &
      0x7fffff;
  if (rng_below(rng, 4) == 0) fraction ^= 0x7fffff;
  return (uint32_t)rng_bits(rng, 1) << 31 | exponent % 255 << 23 | fraction;
}

/* Three operands that are related in the ways that fma finds hard: c
 * about -a*b, products at the subnormal end, equal or opposite ones. */
static inline void stim_operands(rng_t *rng, uint32_t *a, uint32_t *b, uint32_t *c) {
  *a = stim_operand(rng);
  *b = stim_operand(rng);
  *c = stim_operand(rng);
  uint32_t ea = *a >> 23 & 255, eb = *b >> 23 & 255;
  uint32_t ep = ea + eb > 127 ? ea + eb - 127 : 0; /* the product's exponent, biased */
  if (ep > 254) ep = 254;
  uint32_t sp = (*a ^ *b) & 0x80000000;
  switch (rng_below(rng, 16)) {
  case 0: *b = *a; break;
  case 1: *b = *a ^ 0x80000000; break;
  case 2: *b = *a ^ (uint32_t)rng_bits(rng, 3); break;
  case 3: *c = (sp ^ 0x80000000) | ep << 23 | (uint32_t)rng_bits(rng, 23); break; /* cancels with the product */
  case 4:
    *c = (uint32_t)rng_bits(rng, 1) << 31 | (uint32_t)((ep + rng_below(rng, 60)) % 255) << 23 |
         (uint32_t)rng_bits(rng, 23);
    break;
  case 5: { /* a * b + c where c is the rounded product with the sign turned: the low half remains */
    float x, y, z;
    memcpy(&x, a, 4);
    memcpy(&y, b, 4);
    z = -(x * y);
    memcpy(c, &z, 4);
    *c ^= (uint32_t)(rng_below(rng, 3) == 0);
    break;
  }
  case 6: /* the product near the smallest numbers */
    *a = (*a & 0x807fffff) | (uint32_t)rng_range(rng, 1, 127) << 23;
    *b = (*b & 0x807fffff) | (uint32_t)(126 - (*a >> 23 & 255) + rng_below(rng, 30)) % 255 << 23;
    break;
  case 7: /* a sum with operands one, two or 23 to 26 places apart */
    *b = (*b & 0x807fffff) |
         ((*a >> 23 & 255) + (uint32_t)(rng_below(rng, 2) ? rng_below(rng, 3) : rng_range(rng, 22, 27))) % 255 << 23;
    break;
  case 8: /* sums whose rounding hangs on the last bits of the smaller operand */
    *a = stim_sparse(rng, ea = (uint32_t)rng_range(rng, 60, 250));
    *b = stim_sparse(rng, ea - (uint32_t)rng_range(rng, 0, 50));
    break;
  /* a product that is a tie, (1 + 2^-k) (1 + 2^-(24-k)), and
   * an addend far below that decides it, often one bit */
  case 10: {
    unsigned k = (unsigned)rng_range(rng, 1, 23);
    ep = (uint32_t)rng_range(rng, 100, 200);
    *a = (uint32_t)rng_bits(rng, 1) << 31 | ep << 23 | 1u << (23 - k);
    *b = (uint32_t)rng_bits(rng, 1) << 31 | 127u << 23 | 1u << (k - 1);
    *c = stim_sparse(rng, ep - (uint32_t)rng_range(rng, 20, 90));
    if (rng_bits(rng, 1)) *c &= 0xff800000;
    break;
  }
  case 9: /* the same with a product */
    ep = (uint32_t)rng_range(rng, 100, 150);
    *a = stim_sparse(rng, ep);
    *b = stim_sparse(rng, 127);
    *c = stim_sparse(rng, ep + (uint32_t)rng_below(rng, 100) - 50);
    break;
  case 11: *b = *a ^ 1u << rng_below(rng, 32); break;
  case 12: /* a NaN of one bit, or infinity */
    *a = (uint32_t)rng_bits(rng, 1) << 31 | 0x7f800000 | (rng_below(rng, 8) ? 1u << rng_below(rng, 23) : 0);
    if (rng_below(rng, 3) == 0) *b = *a;
    if (rng_below(rng, 3) == 0) *c = *a, *a = *b, *b = *c;
    break;
  case 13: /* zero and a number of one bit */
    *a = (uint32_t)rng_bits(rng, 1) << 31;
    *b = (uint32_t)rng_bits(rng, 1) << 31 | 1u << rng_below(rng, 31);
    if (rng_bits(rng, 1)) *c = *a, *a = *b, *b = *c;
    break;
  default: break;
  }
}

#endif
