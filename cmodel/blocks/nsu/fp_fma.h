/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of fp_fma: add, subtract, multiply and fused multiply-add in any binary format, one
 * operation a cycle (rtl/nsu/fp_fma.ports).
 *
 * Call fp_fma_eval for the outputs of a cycle, then fp_fma_step with the same inputs for its clock
 * edge. The result shows FP_FMA_LATENCY cycles after its operands. All outputs are registers
 * (Moore). The arithmetic is fp_exact.h.
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
    bool valid;            /* an operation is in this stage */
    uint64_t y;            /* its result, known from the first stage on */
  } stage[FP_FMA_LATENCY]; /* stage[0] is on the output */
} fp_fma_t;

void fp_fma_reset(fp_fma_t *s);
void fp_fma_eval(const fp_fma_t *s, const fp_fma_in_t *in, fp_fma_out_t *out);
void fp_fma_step(fp_fma_t *s, const fp_fma_in_t *in);

#endif
