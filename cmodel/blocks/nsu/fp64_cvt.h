/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of fp64_cvt: conversions between binary32 and binary64 for a lane of the NSU
 * (rtl/nsu/fp64_cvt.ports).
 *
 * fp64_cvt_eval gives y for op and b of the same cycle; step and reset do nothing. A binary32
 * number is in the low 32 bits. y is 0 for an op of another unit. The rule is nsu_fp64_cvt
 * (nsu_fp64.h).
 */
#ifndef FP64_CVT_H
#define FP64_CVT_H

#include <stdbool.h>

#include "nsu_fp64.h"
#include "fp64_cvt_ports.h"

typedef struct {
  char none; /* combinational: no state */
} fp64_cvt_t;

void fp64_cvt_reset(fp64_cvt_t *s);
void fp64_cvt_eval(const fp64_cvt_t *s, const fp64_cvt_in_t *in, fp64_cvt_out_t *out);
void fp64_cvt_step(fp64_cvt_t *s, const fp64_cvt_in_t *in);

#endif
