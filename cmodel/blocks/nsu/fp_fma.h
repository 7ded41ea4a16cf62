/* SPDX-License-Identifier: Apache-2.0
 *
 * fp_fma -- golden model of the fused multiply-add unit of any format; contract:
 * rtl/nsu/fp_fma.ports.
 */
#ifndef FP_FMA_H
#define FP_FMA_H

#include <stdbool.h>
#include <stdint.h>

#include "fp_exact.h"
#include "fp_fma_ports.h"

enum { FP_FMA_LATENCY = 4 };

typedef struct {
  struct {
    bool valid;
    uint64_t y;
  } stage[FP_FMA_LATENCY]; /* stage[0] is on the output */
} fp_fma_t;

void fp_fma_reset(fp_fma_t *s);
void fp_fma_eval(const fp_fma_t *s, const fp_fma_in_t *in, fp_fma_out_t *out);
void fp_fma_step(fp_fma_t *s, const fp_fma_in_t *in);

#endif
