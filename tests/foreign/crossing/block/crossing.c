/* SPDX-License-Identifier: Apache-2.0 */
#include "crossing.h"

#include <stdbool.h>

enum { ROWS = 1 << LOG };

void crossing_reset(crossing_t *s) {
  for (int i = 0; i < 3; i++) s->written[i] = s->taken[i] = 0;
}

static bool is_full(const crossing_t *s) {
  return s->written[0] - s->taken[2] == ROWS;
}

static bool has_word(const crossing_t *s) {
  return s->taken[0] != s->written[2];
}

void crossing_eval(const crossing_t *s, const crossing_in_t *in, crossing_out_t *out) {
  (void)in;
  out->full = is_full(s), out->valid = has_word(s);
  out->head = s->rows[s->taken[0] % ROWS];
}

void crossing_step(crossing_t *s, const crossing_in_t *in) {
  const bool put = in->put && !is_full(s), take = in->take && has_word(s);
  if (put) s->rows[s->written[0] % ROWS] = (uint32_t)in->data;
  for (int i = 2; i > 0; i--) s->written[i] = s->written[i - 1], s->taken[i] = s->taken[i - 1];
  s->written[0] += put, s->taken[0] += take;
}
