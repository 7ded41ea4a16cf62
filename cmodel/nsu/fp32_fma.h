/* SPDX-License-Identifier: Apache-2.0
 *
 * fp32_fma -- golden model of the fused multiply-add unit; contract: rtl/nsu/fp32_fma.ports.
 */
#ifndef FP32_FMA_H
#define FP32_FMA_H

#include <stdbool.h>

#include "nsu_alu.h"
#include "fp32_fma_ports.h"

enum { FP32_FMA_LATENCY = 4 };

typedef struct {
  struct {
    bool valid;
    uint32_t y;
  } stage[FP32_FMA_LATENCY]; /* stage[0] is on the output */
} fp32_fma_t;

void fp32_fma_reset(fp32_fma_t *s);
void fp32_fma_eval(const fp32_fma_t *s, const fp32_fma_in_t *in, fp32_fma_out_t *out);
void fp32_fma_step(fp32_fma_t *s, const fp32_fma_in_t *in);

#endif
