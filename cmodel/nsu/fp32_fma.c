/* SPDX-License-Identifier: Apache-2.0 */
#include "fp32_fma.h"

#include <string.h>

#include "nsu_isa.h"

void fp32_fma_reset(fp32_fma_t *s) {
  memset(s, 0, sizeof *s);
}

void fp32_fma_eval(const fp32_fma_t *s, const fp32_fma_in_t *in, fp32_fma_out_t *out) {
  (void)in;
  out->valid = s->stage[0].valid;
  out->y = s->stage[0].valid ? s->stage[0].y : 0;
}

_Static_assert(OP_FADD % 4 == 0 && OP_FSUB % 4 == 1 && OP_FMUL % 4 == 2 && OP_FFMA % 4 == 3, "mode is the opcode's low bits");

void fp32_fma_step(fp32_fma_t *s, const fp32_fma_in_t *in) {
  memmove(s->stage, s->stage + 1, sizeof s->stage - sizeof *s->stage);
  s->stage[FP32_FMA_LATENCY - 1].valid = in->valid;
  if (in->valid) s->stage[FP32_FMA_LATENCY - 1].y = nsu_alu_fma(OP_FADD + (unsigned)in->mode, (uint32_t)in->a, (uint32_t)in->b, (uint32_t)in->c);
}
