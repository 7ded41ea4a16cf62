/* SPDX-License-Identifier: Apache-2.0
 *
 * With a bound there are two modes. The list decides, until `streak` reaches Bound. Then
 * round-robin alone decides, until an unlisted requester has been served.
 */
#include "arb_list.h"

#include <stdbool.h>

#include "bits.h"
#include "request_set.h"

typedef struct {
  int winner;     /* -1: no request */
  bool by_list;   /* the list chose it */
  set_t unlisted; /* requesters that the list does not name */
} choice_t;

/* Rules 1, 2, 6 and 7. An entry with a number of NumReq or more names no requester. */
static choice_t choose(const arb_list_t *s, const arb_list_in_t *in) {
  choice_t c = {.winner = -1, .unlisted = in->req};
  for (unsigned place = 0; place < ListLen; place++) {
    uint64_t named = bits_get(in->list, place * 6, 6);
    if (!(in->list_valid >> place & 1) || named >= NumReq) continue;
    if (c.winner < 0 && in->req >> named & 1) c.winner = (int)named;
    c.unlisted &= ~set_of((unsigned)named);
  }
  bool ignored = Bound && s->streak == Bound;
  c.by_list = c.winner >= 0 && !ignored;
  if (!c.by_list) c.winner = set_turn(in->req, s->first);
  return c;
}

void arb_list_reset(arb_list_t *s) {
  *s = (arb_list_t){0};
}

void arb_list_eval(const arb_list_t *s, const arb_list_in_t *in, arb_list_out_t *out) {
  choice_t c = choose(s, in);
  out->gnt = c.winner < 0 ? 0 : set_of((unsigned)c.winner);
  out->probe_first = s->first;
  out->probe_streak = s->streak;
}

/* Rules 4 and 8: a win by the list leaves the pointer. The streak counts only
 * while an unlisted requester asks. */
void arb_list_step(arb_list_t *s, const arb_list_in_t *in) {
  choice_t c = choose(s, in);
  if (!in->update || c.winner < 0) return;
  if (!c.by_list) s->first = set_next(c.winner, NumReq);
  if (c.unlisted & set_of((unsigned)c.winner)) s->streak = 0;
  else if (c.by_list) s->streak = c.unlisted && Bound ? s->streak + 1 : 0;
}
