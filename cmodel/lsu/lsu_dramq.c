/* SPDX-License-Identifier: Apache-2.0 */
#include "lsu_dramq.h"

#include <string.h>

void lsu_dramq_reset(lsu_dramq_t *s) {
  s->count = 0;
  s->credits = McCredits;
  s->err = false;
}

static bool sends(const lsu_dramq_t *s) { return s->count && s->credits; }

void lsu_dramq_eval(const lsu_dramq_t *s, const lsu_dramq_in_t *in, lsu_dramq_out_t *out) {
  (void)in;
  const lsu_request_t *oldest = &s->queue[0];
  out->ready = s->count < QueueDepth;
  out->mc_valid = sends(s);
  out->mc_write = oldest->write;
  out->mc_addr = oldest->addr;
  out->mc_tag = oldest->tag;
  out->mc_wmask = oldest->wmask;
  memcpy(out->mc_wdata, oldest->wdata, sizeof oldest->wdata);
  out->err = s->err;
}

void lsu_dramq_step(lsu_dramq_t *s, const lsu_dramq_in_t *in) {
  bool send = sends(s);
  if (in->push && s->count < QueueDepth) {
    lsu_request_t *r = &s->queue[s->count++];
    *r = (lsu_request_t){.write = in->write, .addr = in->addr, .tag = in->tag, .wmask = in->wmask};
    memcpy(r->wdata, in->wdata, sizeof r->wdata);
  }
  s->err = in->mc_credit && s->credits == McCredits;
  if (in->mc_credit && !s->err) s->credits++;
  if (!send) return;
  s->credits--;
  memmove(s->queue, s->queue + 1, --s->count * sizeof *s->queue);
}
