/* SPDX-License-Identifier: Apache-2.0
 *
 * A ring of requests and a counter of credits.
 */
#include "lsu_dramq.h"

#include <string.h>

#include "lsu_access.h"

void lsu_dramq_reset(lsu_dramq_t *s) {
  s->first = s->count = 0;
  s->credits = McCredits;
  s->err = false;
}

void lsu_dramq_eval(const lsu_dramq_t *s, const lsu_dramq_in_t *in, lsu_dramq_out_t *out) {
  (void)in;
  const lsu_request_t *oldest = lsu_dramq_oldest(s);
  out->ready = lsu_dramq_ready(s);
  out->mc_valid = lsu_dramq_sends(s);
  out->mc_write = oldest->write;
  out->mc_addr = oldest->addr;
  out->mc_tag = oldest->tag;
  out->mc_wmask = oldest->wmask;
  memcpy(out->mc_wdata, oldest->wdata, sizeof oldest->wdata);
  out->err = s->err;
}

/* Rules 1 to 4. A credit that comes while all are there is an error and not counted. That holds
 * even if a request goes out in the same cycle. */
void lsu_dramq_step(lsu_dramq_t *s, const lsu_dramq_in_t *in) {
  const bool send = lsu_dramq_sends(s), push = in->push && lsu_dramq_ready(s);
  if (push) {
    lsu_request_t *r = &s->queue[lsu_ring(s->first, s->count, QueueDepth)];
    r->write = in->write;
    r->addr = in->addr;
    r->tag = in->tag;
    r->wmask = in->wmask;
    memcpy(r->wdata, in->wdata, sizeof r->wdata);
  }
  s->err = in->mc_credit && s->credits == McCredits;
  s->credits = s->credits + (in->mc_credit && !s->err) - send;
  s->count = s->count + push - send;
  if (send) s->first = lsu_ring_next(s->first, s->count, QueueDepth);
}

extern inline bool lsu_dramq_idle(const lsu_dramq_t *s);
