/* SPDX-License-Identifier: Apache-2.0
 *
 * The lane's pipeline as an array of finished results that moves by a stage each cycle.
 */
#include "nsu_lane.h"

#include <string.h>

void nsu_lane_reset(nsu_lane_t *s) {
  memset(s, 0, sizeof *s);
}

void nsu_lane_eval(const nsu_lane_t *s, const nsu_lane_in_t *in, nsu_lane_out_t *out) {
  (void)in;
  out->valid = s->stage[0].valid;
  out->y = s->stage[0].valid ? (uint32_t)s->stage[0].y : 0;
  out->yh = s->stage[0].valid ? s->stage[0].y >> 32 : 0;
}

/* Instructions of pairs are those of binary64, all others give a word. */
static uint64_t nsu_lane_result(const nsu_lane_in_t *in) {
  const unsigned op = (unsigned)in->op;
  if (isa_pairs(op)) return nsu_fp64(op, in->ah << 32 | in->a, in->bh << 32 | in->b, in->ch << 32 | in->c);
  return nsu_alu(op, (uint32_t)in->a, (uint32_t)in->b, (uint32_t)in->c);
}

void nsu_lane_step(nsu_lane_t *s, const nsu_lane_in_t *in) {
  memmove(s->stage, s->stage + 1, sizeof s->stage - sizeof *s->stage);
  s->stage[ISA_LANE_LATENCY - 1].valid = in->valid;
  if (in->valid) s->stage[ISA_LANE_LATENCY - 1].y = nsu_lane_result(in);
}
