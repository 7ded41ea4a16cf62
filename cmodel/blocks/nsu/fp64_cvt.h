/* SPDX-License-Identifier: Apache-2.0
 *
 * fp64_cvt -- golden model of conversions between binary32 and binary64; contract:
 * rtl/nsu/fp64_cvt.ports.
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
