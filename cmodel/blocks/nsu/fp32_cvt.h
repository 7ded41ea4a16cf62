/* SPDX-License-Identifier: Apache-2.0
 *
 * fp32_cvt -- golden model of conversions from and to binary32; contract: rtl/nsu/fp32_cvt.ports.
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
