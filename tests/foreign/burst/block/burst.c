/* SPDX-License-Identifier: Apache-2.0 */
#include "burst.h"

#include <assert.h>
#include <string.h>

void burst_reset(burst_t *state) {
  memset(state, 0, sizeof *state);
}

static unsigned first_one(unsigned bits) {
  return bits ? (unsigned)__builtin_ctz(bits) : 4;
}

static bool takes(const burst_t *s) {
  return s->state != 3 && s->used < Depth;
}

void burst_eval(const burst_t *s, const burst_in_t *in, burst_out_t *out) {
  (void)in;
  const unsigned data = s->words[0] >> 1;
  out->ready = takes(s);
  out->send = s->state == 3 && s->used;
  out->data = data;
  out->first = first_one(data);
  out->turned = (data & 1) << 3 | (data & 2) << 1 | (data & 4) >> 1 | data >> 3;
}

void burst_step(burst_t *s, const burst_in_t *in) {
  const bool push = in->push && takes(s), pop = s->state == 3 && s->used;
  const unsigned used = s->used, last = s->words[0] & 1;
  if (pop)
    for (unsigned i = 0; i + 1 < Depth; i++) s->words[i] = s->words[i + 1];
  if (push) s->words[used - pop] = (uint8_t)(in->data << 1 | in->last);
  s->used = used + push - pop;
  if (s->state == 0 && push) s->state = in->last ? 3 : 2;
  else if (s->state == 2 && push && (in->last || used + 1 == Depth)) s->state = 3;
  else if (s->state == 3 && (used == 1 || last)) s->state = used == 1 ? 0 : 2;
}
