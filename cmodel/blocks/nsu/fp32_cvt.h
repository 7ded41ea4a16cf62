/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of fp32_cvt: conversions between binary32 and integers, and to integral values, for
 * a lane of the NSU (rtl/nsu/fp32_cvt.ports).
 *
 * fp32_cvt_eval gives y for op and b of the same cycle; step and reset do nothing. y is 0 for an op
 * of another unit. The rule is nsu_alu_cvt (nsu_alu.h).
 */
#ifndef FP32_CVT_H
#define FP32_CVT_H

#include <stdbool.h>

#include "nsu_alu.h"
#include "fp32_cvt_ports.h"

typedef struct {
  char none; /* combinational: no state */
} fp32_cvt_t;

void fp32_cvt_reset(fp32_cvt_t *s);
void fp32_cvt_eval(const fp32_cvt_t *s, const fp32_cvt_in_t *in, fp32_cvt_out_t *out);
void fp32_cvt_step(fp32_cvt_t *s, const fp32_cvt_in_t *in);

#endif
