/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of fp32_cmp: compares, minimum, maximum, absolute value and negation of binary32
 * numbers for a lane of the NSU (rtl/nsu/fp32_cmp.ports).
 *
 * fp32_cmp_eval gives y for op, a and b of the same cycle; step and reset do nothing. y is 0 for an
 * op of another unit. The rule is nsu_alu_cmp (nsu_alu.h).
 */
#ifndef FP32_CMP_H
#define FP32_CMP_H

#include <stdbool.h>

#include "nsu_alu.h"
#include "fp32_cmp_ports.h"

typedef struct {
  char none; /* combinational: no state */
} fp32_cmp_t;

void fp32_cmp_reset(fp32_cmp_t *s);
void fp32_cmp_eval(const fp32_cmp_t *s, const fp32_cmp_in_t *in, fp32_cmp_out_t *out);
void fp32_cmp_step(fp32_cmp_t *s, const fp32_cmp_in_t *in);

#endif
