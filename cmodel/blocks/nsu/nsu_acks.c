/* SPDX-License-Identifier: Apache-2.0
 *
 * One counter a slot, and a mask of the counters that are 0.
 */
#include "nsu_acks.h"

#include <assert.h>

#include "bits.h"

void nsu_acks_reset(nsu_acks_t *s) {
  *s = (nsu_acks_t){.zero = bits_ones(NumWarps)};
}

void nsu_acks_eval(const nsu_acks_t *s, const nsu_acks_in_t *in, nsu_acks_out_t *out) {
  (void)in;
  out->zero = s->zero;
  out->err_noreq = s->err_noreq;
}

/* Adds n, which is 1 or -1, and keeps `zero` in step. */
static void nsu_acks_add(nsu_acks_t *s, uint64_t slot, int n) {
  uint64_t bit = UINT64_C(1) << slot;
  s->count[slot] += (unsigned)n;
  s->zero = s->count[slot] ? s->zero & ~bit : s->zero | bit;
}

/* Rule 5 judges an acknowledgement by the count at the beginning of the cycle. A write
 * of the same cycle does not save it. */
void nsu_acks_step(nsu_acks_t *s, const nsu_acks_in_t *in) {
  s->err_noreq = in->dec && (in->dec_slot >= NumWarps || s->count[in->dec_slot] == 0);
  if (in->dec && !s->err_noreq) nsu_acks_add(s, in->dec_slot, -1);
  if (!in->inc) return;
  assert(in->inc_slot < NumWarps);
  nsu_acks_add(s, in->inc_slot, 1);
}

bool nsu_acks_idle(const nsu_acks_t *s) {
  return !s->err_noreq;
}
