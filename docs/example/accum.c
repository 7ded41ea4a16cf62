/* SPDX-License-Identifier: Apache-2.0 */
#include "accum.h"
void accum_reset(accum_t *a) {
  a->sum = 0;
}
void accum_eval(const accum_t *a, const accum_in_t *in, accum_out_t *out) {
  (void)in;
  out->sum = a->sum;
}
void accum_step(accum_t *a, const accum_in_t *in) {
  if (in->add) a->sum = (a->sum + in->value) & (~0ull >> (64 - Bits));
}
