/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums, products and fused sums of any binary format of IEEE 754, by exact integers: the operands
 * in units of the least product, their sum without any loss, and the number that is nearest to it.
 * No floating point of the host. Contract: rtl/nsu/fp_fma.ports.
 */
#ifndef FP_EXACT_H
#define FP_EXACT_H

#include <stdint.h>

typedef struct {
  unsigned exp_bits, frac_bits; /* 3 .. 11, 2 .. 52 */
} fp_format_t;

typedef enum { FP_ADD, FP_SUB, FP_MUL, FP_FMA } fp_mode_t; /* a + b, a - b, a * b, a * b + c */

/* operands and result: the format's bits */
uint64_t fp_exact(fp_format_t format, fp_mode_t mode, uint64_t a, uint64_t b, uint64_t c);

uint64_t fp_flushed(fp_format_t format, uint64_t number); /* a subnormal number: zero of its sign; others as they are */

#endif
