/* SPDX-License-Identifier: Apache-2.0
 *
 * A cycle in the order of the port file: a flit arrives, VCs with a grant move on, VCs without a
 * packet start the next one. A buffer is full by its flits at the beginning of the cycle. Numbers
 * in brackets are rules of the port file.
 */
#include "router_input.h"

#include <assert.h>

enum { ERR_OVERFLOW = 1, ERR_VC = 2, ERR_ORDER = 4, ERR_PORT = 8 }; /* bits of err */

void router_input_reset(router_input_t *s) {
  memset(s, 0, sizeof *s);
  for (unsigned v = 0; v < VCS; v++) s->vc[v].ended = true;
}

/* The oldest flit; the buffer must not be empty. */
static const router_flit_t *front(const router_input_vc_t *q) {
  return &q->flit[q->first];
}

void router_input_eval(const router_input_t *s, const router_input_in_t *in, router_input_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  for (unsigned v = 0; v < VCS; v++) {
    const router_input_vc_t *q = &s->vc[v];
    if (q->count) out->ready |= vc_bit(v);
    if (q->phase == ROUTING) out->routing |= vc_bit(v);
    if (q->phase == ALLOCATING) out->allocating |= vc_bit(v);
    if (q->phase == ACTIVE) out->active |= vc_bit(v);
    if (q->count && FLIT_GET(front(q)->word[0], tail)) out->tail |= vc_bit(v);
    if (q->div) out->div |= vc_bit(v);
    nibble_add(out->out_port, v, q->out_port);
    nibble_add(out->out_vc, v, q->out_vc);
    nibble_add(out->hops, v, q->hops);
  }
  out->st_valid = s->st_valid;
  out->st_port = s->st_valid ? s->st_port : 0;
  if (s->st_valid) flit_write(out->st_flit, 0, &s->st_flit);
  out->cr_valid = s->cr_valid;
  out->cr_vc = s->cr_valid ? s->cr_vc : 0;
  out->trk = s->trk;
  out->err = s->err;
}

bool router_input_idle(const router_input_t *s) {
  for (unsigned v = 0; v < VCS; v++)
    if (s->vc[v].phase == ROUTING) return false;
  return !s->st_valid && !s->cr_valid && !s->trk && !s->err;
}

/* A flit is stored, or dropped with an error [2]. One out of order is stored all the same. */
static void receive(router_input_t *s, const router_flit_t *flit, unsigned entry) {
  uint32_t header = flit->word[0];
  unsigned v = FLIT_GET(header, vc);
  router_input_vc_t *q = &s->vc[v < VCS ? v : 0];
  s->trk = FLIT_GET(header, trk);
  if (v >= VCS) s->err |= ERR_VC;
  else if (q->count == vc_depth(v)) s->err |= ERR_OVERFLOW;
  else {
    if (q->ended != FLIT_GET(header, head)) s->err |= ERR_ORDER;
    q->ended = FLIT_GET(header, tail);
    unsigned last = (q->first + q->count++) % vc_depth(v);
    q->flit[last] = *flit;
    q->entry[last] = (uint8_t)entry;
  }
}

/* The front flit leaves for the switch, on output VC q->out_vc [9, 10]. */
static void send(router_input_t *s, unsigned v) {
  router_input_vc_t *q = &s->vc[v];
  assert(q->count && q->phase == ACTIVE);
  uint32_t header = front(q)->word[0], leaves = flit_departing(header, q->out_vc);
  if (Lookahead && FLIT_GET(header, head)) leaves = FLIT_PUT(leaves, route, q->entry[q->first]);
  s->st_valid = s->cr_valid = true;
  s->st_port = q->out_port;
  s->st_flit = *front(q);
  s->st_flit.word[0] = leaves;
  s->cr_vc = (uint8_t)v;
  q->first = (q->first + 1) % vc_depth(v);
  q->count--;
  if (FLIT_GET(header, tail)) q->phase = NO_PACKET;
}

/* The packet's fields come from the flit at the front, head or not [5, 7]. */
static void start_packet(router_input_t *s, router_input_vc_t *q) {
  uint32_t header = front(q)->word[0];
  q->phase = Lookahead ? ALLOCATING : ROUTING;
  q->out_port = (uint8_t)(Lookahead ? FLIT_GET(header, route) : q->entry[q->first]);
  q->hops = (uint8_t)FLIT_GET(header, hops);
  q->div = FLIT_GET(header, div);
  if (q->out_port >= Ports) s->err |= ERR_PORT;
}

/* The flit that arrives in this cycle can start its packet at once [5]. */
void router_input_step(router_input_t *s, const router_input_in_t *in) {
  s->st_valid = s->cr_valid = s->trk = false;
  s->err = 0;
  if (in->in_valid) {
    router_flit_t flit = flit_read(in->in_flit, 0);
    receive(s, &flit, (unsigned)in->table);
  }
  for (unsigned v = 0; v < VCS; v++) {
    router_input_vc_t *q = &s->vc[v];
    if (q->phase == ROUTING) q->phase = ALLOCATING;
    else if (in->va_gnt & vc_bit(v)) {
      assert(q->phase == ALLOCATING);
      q->phase = ACTIVE;
      q->out_vc = (uint8_t)nibble(in->va_vc, v);
    }
    if (in->sa_gnt & vc_bit(v)) send(s, v);
    if (q->phase == NO_PACKET && q->count) start_packet(s, q);
  }
}
