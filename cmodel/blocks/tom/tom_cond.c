/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditions in numbers of 64 bits, so that nothing wraps around (rule 2).
 */
#include "tom_cond.h"

#include <stdbool.h>

void tom_cond_reset(tom_cond_t *s) {
  s->none = 0;
}

/* A register's value as a signed or unsigned number. */
static int64_t number(uint64_t reg, bool is_signed) {
  return is_signed ? (int64_t)(int32_t)(uint32_t)reg : (int64_t)reg;
}

/* Rule 3. A kind that does not exist holds never. */
void tom_cond_eval(const tom_cond_t *s, const tom_cond_in_t *in, tom_cond_out_t *out) {
  const int64_t start = number(in->start, in->is_signed), bound = number(in->bound, in->is_signed),
                step = number(in->step, in->is_signed);
  const int64_t distance = in->up ? bound - start : start - bound, steps = step * (INT64_C(1) << in->shift);
  (void)s;
  switch (in->kind) {
  case KIND_ALWAYS: out->hold = true; break;
  case KIND_DISTANCE: out->hold = distance >= number(in->imm, true); break;
  case KIND_STEPS: out->hold = in->beyond ? distance > steps : distance >= steps; break;
  default: out->hold = false; break;
  }
}

void tom_cond_step(tom_cond_t *s, const tom_cond_in_t *in) {
  (void)s;
  (void)in;
}
