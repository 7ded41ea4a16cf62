/* SPDX-License-Identifier: Apache-2.0
 *
 * Credits pass through a register (cr_seen) before they are counted; flits stay in the link's register for as many cycles as its width makes them take.
 */
#include "router_output.h"

#include <assert.h>

enum { ERR_CREDIT = 1, ERR_CREDIT_VC = 2 };

void router_output_reset(router_output_t *s) {
  memset(s, 0, sizeof *s);
  for (unsigned v = 0; v < VCS; v++) s->credits[v] = (uint8_t)vc_depth(v);
}

void router_output_eval(const router_output_t *s, const router_output_in_t *in, router_output_out_t *out) {
  memset(out, 0, sizeof *out);
  out->taken = s->taken;
  for (unsigned v = 0; v < VCS; v++)
    if (s->credits[v]) out->space |= vc_bit(v);
  out->busy = s->hold > 0 || in->off;
  out->out_valid = s->sending && s->left == 0;
  if (out->out_valid) flit_write(out->out_flit, 0, &s->flit);
  out->trk_sent = in->st_valid && in->trk_req;
  out->cr_seen = s->cr_seen;
  out->err = s->err;
}

bool router_output_idle(const router_output_t *s) {
  return !s->sending && !s->cr_seen && !s->err && !s->hold;
}

static void count_credit(router_output_t *s) {
  s->err = 0;
  if (!s->cr_seen) return;
  if (s->cr_vc >= VCS) s->err = ERR_CREDIT_VC;
  else if (s->credits[s->cr_vc] == vc_depth(s->cr_vc)) s->err = ERR_CREDIT;
  else s->credits[s->cr_vc]++;
}

/* The flit is on the wire after as many cycles as the link was to be held from now on. */
static void start_link(router_output_t *s, const router_output_in_t *in) {
  assert(!s->sending || s->left == 0);
  s->flit = flit_read(in->st_flit, 0);
  s->flit.word[0] = FLIT_PUT(s->flit.word[0], trk, in->trk_req);
  s->sending = true;
  s->left = s->hold;
}

static void move_link(router_output_t *s, const router_output_in_t *in) {
  if (in->st_valid) start_link(s, in);
  else if (s->left) s->left--;
  else s->sending = false;
}

void router_output_step(router_output_t *s, const router_output_in_t *in) {
  move_link(s, in);
  count_credit(s);
  s->cr_seen = in->cr_valid;
  s->cr_vc = (uint8_t)in->cr_vc;
  s->taken |= in->va_take;
  if (s->hold) s->hold--;
  if (!in->sa_valid) return;
  assert(in->sa_vc < VCS && s->credits[in->sa_vc]);
  s->credits[in->sa_vc]--;
  if (in->sa_tail) s->taken &= ~vc_bit((unsigned)in->sa_vc);
  s->hold = (uint8_t)((1u << in->width) - 1);
}
