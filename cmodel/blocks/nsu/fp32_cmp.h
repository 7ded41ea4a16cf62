/* SPDX-License-Identifier: Apache-2.0
 *
 * fp32_cmp -- golden model of compares, minimum and maximum of binary32 numbers; contract:
 * rtl/nsu/fp32_cmp.ports.
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
