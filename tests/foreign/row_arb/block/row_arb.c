/* SPDX-License-Identifier: Apache-2.0
 *
 * Element 0 is that of the least index. Where an array goes to one whose range runs the other way,
 * the leftmost element goes to the leftmost one: element 0 to the last.
 */
#include "row_arb.h"

#include <string.h>

/* The lowest requester; N: none. */
static unsigned winner(const row_arb_in_t *in) {
  unsigned k = 0;
  while (k < N && !(in->req >> k & 1)) k++;
  return k;
}

void row_arb_reset(row_arb_t *s) {
  memset(s, 0, sizeof *s);
}

void row_arb_eval(const row_arb_t *s, const row_arb_in_t *in, row_arb_out_t *out) {
  const unsigned k = winner(in);
  const uint64_t ends[] = {in->data[0], in->data[N - 1]};
  out->valid = k < N;
  out->gnt = k < N && in->ready ? 1u << k : 0;
  out->data = in->data[k < N ? k : N - 1]; /* without a request the last one shows */
  for (unsigned i = 0; i < N; i++) out->last[N - 1 - i] = s->held[i];
  memcpy(out->tag, s->tag, sizeof out->tag);
  out->pair[0][0] = ends[!in->swap];
  out->pair[0][1] = ends[in->swap];
  out->pair[1][0] = out->pair[0][1] & out->data;
  out->pair[1][1] = out->pair[0][0];
}

void row_arb_step(row_arb_t *s, const row_arb_in_t *in) {
  const unsigned k = winner(in);
  if (k == N || !in->ready) return;
  s->held[k].how = s->held[k].how == how_e_NONE ? how_e_FIRST : how_e_AGAIN;
  s->held[k].data = in->data[k];
  memcpy(s->tag[0], in->tag[1], sizeof s->tag[0]);
  memcpy(s->tag[1], in->tag[0], sizeof s->tag[1]);
}
