/* SPDX-License-Identifier: Apache-2.0
 *
 * Credits pass through a register (cr_seen) before they are counted. A flit from the switch joins
 * the waiting ones. The oldest starts in a cycle in which the link is free. It stays in the link's
 * register as long as its width takes. Numbers in brackets are rules of the port file.
 */
#include "router_output.h"

#include <assert.h>

enum { ERR_CREDIT = 1, ERR_CREDIT_VC = 2 }; /* bits of err */

void router_output_reset(router_output_t *s) {
  memset(s, 0, sizeof *s);
  for (unsigned v = 0; v < VCS; v++) s->credits[v] = (uint8_t)vc_depth(v);
}

/* The link can take a flit [9, 12]. */
static bool is_free(const router_output_t *s, const router_output_in_t *in) {
  return OutDepth == 0 || (s->left == 0 && !in->off);
}

void router_output_eval(const router_output_t *s, const router_output_in_t *in, router_output_out_t *out) {
  memset(out, 0, sizeof *out);
  out->taken = s->taken;
  for (unsigned v = 0; v < VCS; v++)
    if (s->credits[v]) out->space |= vc_bit(v);
  out->out_valid = s->sending && s->left == 0;
  if (out->out_valid) flit_write(out->out_flit, 0, &s->flit);
  const unsigned there = s->queued + (unsigned)in->st_valid;
  const bool starts = there && is_free(s, in);
  out->busy = OutDepth && there - starts == OutDepth;
  out->waits = there && !starts;
  out->trk_sent = starts && in->trk_req;
  out->cr_seen = s->cr_seen;
  out->err = s->err;
}

bool router_output_idle(const router_output_t *s) {
  return !s->sending && !s->queued && !s->cr_seen && !s->err;
}

/* Rule 5: a credit beyond the VC's depth is an error and not counted. */
static void count_credit(router_output_t *s) {
  s->err = 0;
  if (!s->cr_seen) return;
  if (s->cr_vc >= VCS) s->err = ERR_CREDIT_VC;
  else if (s->credits[s->cr_vc] == vc_depth(s->cr_vc)) s->err = ERR_CREDIT;
  else s->credits[s->cr_vc]++;
}

/* The oldest flit starts, and takes the tracker that waits [13]. Its width counts from here [8]. */
static void start_link(router_output_t *s, const router_output_in_t *in) {
  s->flit = s->queue[0];
  s->flit.word[0] = FLIT_PUT(s->flit.word[0], trk, in->trk_req);
  s->queued--;
  memmove(s->queue, s->queue + 1, s->queued * sizeof *s->queue);
  s->left = OutDepth ? (uint8_t)((1u << in->width) - 1) : 0;
}

/* One cycle of the link. A flit that comes in this cycle can start at once [7]. */
static void move_link(router_output_t *s, const router_output_in_t *in) {
  const bool takes_one = is_free(s, in);
  if (in->st_valid) s->queue[s->queued++] = flit_read(in->st_flit, 0);
  if (s->left) {
    s->left--;
  } else {
    s->sending = takes_one && s->queued;
    if (s->sending) start_link(s, in);
  }
  assert(s->queued <= OutDepth);
}

/* A VC given away and back in one cycle ends free [1]. */
void router_output_step(router_output_t *s, const router_output_in_t *in) {
  move_link(s, in);
  count_credit(s);
  s->cr_seen = in->cr_valid;
  s->cr_vc = (uint8_t)in->cr_vc;
  s->taken |= in->va_take;
  if (!in->sa_valid) return;
  assert(in->sa_vc < VCS && s->credits[in->sa_vc]);
  s->credits[in->sa_vc]--;
  if (in->sa_tail) s->taken &= ~vc_bit((unsigned)in->sa_vc);
}
