/* SPDX-License-Identifier: Apache-2.0
 *
 * The pipeline as an array of finished results that moves by a stage each cycle.
 */
#include "fp_fma.h"

#include <string.h>

void fp_fma_reset(fp_fma_t *s) {
  memset(s, 0, sizeof *s);
}

void fp_fma_eval(const fp_fma_t *s, const fp_fma_in_t *in, fp_fma_out_t *out) {
  (void)in;
  out->valid = s->stage[0].valid;
  out->y = s->stage[0].valid ? s->stage[0].y : 0;
}

/* Rule 2. With ftz, PTX flushes subnormal inputs and results to a zero of their sign. A result
 * is flushed after rounding, so one that rounds up to a normal number stays. */
static uint64_t result(const fp_fma_in_t *in) {
  const fp_format_t format = {ExpBits, FracBits};
  const fp_mode_t mode = (fp_mode_t)in->mode;
  if (!in->ftz) return fp_exact(format, mode, in->a, in->b, in->c);
  return fp_flushed(
      format, fp_exact(format, mode, fp_flushed(format, in->a), fp_flushed(format, in->b), fp_flushed(format, in->c)));
}

/* An empty stage keeps its old y, which no output shows. */
void fp_fma_step(fp_fma_t *s, const fp_fma_in_t *in) {
  memmove(s->stage, s->stage + 1, sizeof s->stage - sizeof *s->stage);
  s->stage[FP_FMA_LATENCY - 1].valid = in->valid;
  if (in->valid) s->stage[FP_FMA_LATENCY - 1].y = result(in);
}
