/* SPDX-License-Identifier: Apache-2.0 */
#include "typed_reg.h"

#include <string.h>

void typed_reg_reset(typed_reg_t *state) {
  memset(state, 0, sizeof *state);
}

void typed_reg_eval(const typed_reg_t *state, const typed_reg_in_t *in, typed_reg_out_t *out) {
  (void)in;
  for (unsigned i = 0; i < Stages; i++) {
    out->all |= (state->kept[i].value << 1 | state->kept[i].odd) << 8 * i;
    out->sum |= (uint64_t)((state->steps ^ i) & 3) << 2 * i;
  }
  out->last = state->kept[Stages - 1];
}

void typed_reg_step(typed_reg_t *state, const typed_reg_in_t *in) {
  if (in->mode == mode_e_LOAD) state->kept[0] = in->data;
  if (in->mode != mode_e_SHIFT) return;
  memmove(state->kept + 1, state->kept, (Stages - 1) * sizeof *state->kept);
  state->kept[0] = in->data;
  state->steps += (unsigned)(Step);
}
