/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums, products and fused multiply-adds of any binary format of IEEE 754, without the host's
 * floating point.
 *
 * The operands become exact integers in units of the least product. Their sum is exact, and one
 * rounding to nearest, ties to even, gives the result. So the models of fp_fma do not trust the
 * host's arithmetic. Contract: rtl/nsu/fp_fma.ports, rules 2 to 5.
 */
#ifndef FP_EXACT_H
#define FP_EXACT_H

#include <stdint.h>

typedef struct {
  unsigned exp_bits, frac_bits; /* 3 .. 11 and 2 .. 52 bits; frac_bits + 1 < 2^(exp_bits - 1) */
} fp_format_t;

typedef enum { FP_ADD, FP_SUB, FP_MUL, FP_FMA } fp_mode_t; /* a + b, a - b, a * b, a * b + c */

/* Operands and result are bit patterns of the format; c is used by FP_FMA only.
 * Subnormal numbers count and stay. Any invalid operation and any NaN operand give
 * the NaN of all ones but the sign. */
uint64_t fp_exact(fp_format_t format, fp_mode_t mode, uint64_t a, uint64_t b, uint64_t c);

/* A subnormal number gives the zero of its sign; any other number is unchanged. */
/* A subnormal number gives the zero of its sign; any other number is unchanged. */
uint64_t fp_flushed(fp_format_t format, uint64_t number);

#endif
