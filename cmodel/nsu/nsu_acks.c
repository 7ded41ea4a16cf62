/* SPDX-License-Identifier: Apache-2.0 */
#include "nsu_acks.h"

#include <assert.h>

void nsu_acks_reset(nsu_acks_t *s) { *s = (nsu_acks_t){0}; }

void nsu_acks_eval(const nsu_acks_t *s, const nsu_acks_in_t *in, nsu_acks_out_t *out) {
  (void)in;
  out->zero = 0;
  for (unsigned i = 0; i < NumWarps; i++) out->zero |= (uint64_t)(s->count[i] == 0) << i;
  out->err_noreq = s->err_noreq;
}

void nsu_acks_step(nsu_acks_t *s, const nsu_acks_in_t *in) {
  s->err_noreq = in->dec && (in->dec_slot >= NumWarps || s->count[in->dec_slot] == 0);
  if (in->dec && !s->err_noreq) s->count[in->dec_slot]--;
  if (!in->inc) return;
  assert(in->inc_slot < NumWarps);
  s->count[in->inc_slot]++;
}

bool nsu_acks_idle(const nsu_acks_t *s) { return !s->err_noreq; }
