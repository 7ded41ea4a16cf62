/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue of the requesters, oldest first; the winner goes to its end.
 */
#include "arb_matrix.h"

#include <string.h>

#include "request_set.h"

/* The place of the oldest requester that asks; NumReq without a request. */
static unsigned oldest(const arb_matrix_t *s, set_t req) {
  for (unsigned place = 0; req && place < NumReq; place++)
    if (req & set_of(s->order[place])) return place;
  return NumReq;
}

void arb_matrix_reset(arb_matrix_t *s) {
  for (unsigned i = 0; i < NumReq; i++) s->order[i] = (uint8_t)i;
}

void arb_matrix_eval(const arb_matrix_t *s, const arb_matrix_in_t *in, arb_matrix_out_t *out) {
  unsigned place = oldest(s, in->req);
  out->gnt = place < NumReq ? set_of(s->order[place]) : 0;
  out->probe_youngest = set_of(s->order[NumReq - 1]);
}

void arb_matrix_step(arb_matrix_t *s, const arb_matrix_in_t *in) {
  unsigned place = oldest(s, in->req);
  if (!in->update || place == NumReq) return;
  uint8_t winner = s->order[place];
  memmove(&s->order[place], &s->order[place + 1], NumReq - 1 - place);
  s->order[NumReq - 1] = winner;
}
