/* SPDX-License-Identifier: Apache-2.0
 *
 * A cycle: decide everything from the state at its beginning (router_alloc.h), then move flits from the far end of the pipeline to its near end, so
 * that each passes one stage: outputs, traversal, buffers, arrivals; last the phases of packets, which see all of that.
 */
#include "router.h"

#include "router_alloc.h"

static const uint64_t all_vcs = ~UINT64_C(0) >> (IVCS < 64 ? 64 - IVCS : 0);

enum { ERR_OVERFLOW = 1, ERR_VC = 2, ERR_ORDER = 4, ERR_PORT = 8, ERR_CREDIT = 16, ERR_CREDIT_VC = 32 };

void router_reset(router_t *r) {
  memset(r, 0, sizeof *r);
  r->ended = r->space = all_vcs;
  for (unsigned i = 0; i < IVCS; i++) r->out_vc[i].credits = (uint8_t)vc_depth(vc_of(i));
#if Crit
  router_crit_reset(&r->crit);
#endif
#if Width
  router_width_reset(&r->width);
#endif
}

void router_eval(const router_t *r, const router_in_t *in, router_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  out->cr_valid = r->out.cr_valid;
  memcpy(out->cr_vc, r->out.cr_vc, sizeof out->cr_vc);
  out->out_valid = r->out.out_valid;
  memcpy(out->out_flit, r->out.flit, sizeof r->out.flit);
  out->err = r->out.err;
  out->probe_va = r->out.probe_va;
  out->probe_sa = r->out.probe_sa;
  out->probe_stall = r->out.probe_stall;
#if Crit
  out->probe_sent = r->crit.sent;
  out->probe_crit_port = r->crit.crit_port;
  out->probe_list_len = r->crit.list_len;
  for (unsigned place = 0; place < r->crit.list_len; place++) {
    nibble_add(out->probe_list, 2 * place, r->crit.list[place].out);
    nibble_add(out->probe_list, 2 * place + 1, r->crit.list[place].in);
  }
#endif
#if Width
  for (unsigned o = 0; o < Ports; o++) out->probe_width[o / 16] |= (uint32_t)r->width.width[o] << o % 16 * 2;
  out->probe_off = r->width.off;
#endif
}

bool router_idle(const router_t *r) {
  const router_outputs_t *out = &r->out;
  uint64_t busy = r->ready | r->crossing | r->cr_seen | out->cr_valid | out->out_valid | out->err | out->probe_va | out->probe_sa | out->probe_stall;
#if Crit
  busy |= r->trk_seen | (uint64_t)!router_crit_quiet(&r->crit);
#endif
#if Width
  busy |= r->sending | r->width.off;
  for (unsigned o = 0; o < Ports; o++) busy |= r->hold[o];
#endif
  return !busy;
}

/* --- Outputs, traversal */

/* On its link a flit may take the tracker that the output waits to send. Returns the outputs whose tracker is taken. */
static uint16_t take_trackers(router_t *r) {
  uint16_t sent = 0;
#if Crit
  sent = (uint16_t)(r->crossing & r->crit.trk_req);
  for (unsigned left = sent; left; left &= left - 1) r->cross[lowest(left)].word[0] |= UINT32_C(1) << FLIT_trk_LSB;
#else
  (void)r;
#endif
  return sent;
}

/* Flits in traversal go onto their links; at W/n the last of n cycles hands one over. Vectors are zero where there is no flit. */
static void traverse(router_t *r) {
#if Width
  memset(r->out.flit, 0, sizeof r->out.flit);
  r->out.out_valid = 0;
  for (unsigned left = r->crossing; left; left &= left - 1) {
    unsigned o = lowest(left);
    r->slow[o] = r->cross[o];
    r->left[o] = r->hold[o];
  }
  r->sending |= r->crossing;
  for (unsigned left = r->sending; left; left &= left - 1) {
    unsigned o = lowest(left);
    if (r->left[o]) {
      r->left[o]--;
      continue;
    }
    r->sending &= (uint16_t) ~(1u << o);
    r->out.out_valid |= (uint16_t)(1u << o);
    r->out.flit[o] = r->slow[o];
  }
#else
  r->out.out_valid = r->crossing;
  memcpy(r->out.flit, r->cross, sizeof r->cross);
  memset(r->cross, 0, sizeof r->cross);
#endif
  r->crossing = 0;
}

/* Outputs that take no flit now. */
static uint16_t busy_links(const router_t *r) {
  uint16_t busy = 0;
#if Width
  busy = (uint16_t)r->width.off;
  for (unsigned o = 0; o < Ports; o++) busy |= (uint16_t)((r->hold[o] > 0) << o);
#else
  (void)r;
#endif
  return busy;
}

/* A flit that is sent now takes its link for 2^width cycles. */
static void hold_links(router_t *r, uint16_t starts) {
#if Width
  for (unsigned o = 0; o < Ports; o++) {
    if (starts >> o & 1) r->hold[o] = (uint8_t)((1u << r->width.width[o]) - 1);
    else if (r->hold[o]) r->hold[o]--;
  }
#else
  (void)r, (void)starts;
#endif
}

/* --- Credits */

/* Credits that came in the last cycle are counted, those of this one noted. */
static void count_credits(router_t *r, const router_in_t *in) {
  for (unsigned left = r->cr_seen; left; left &= left - 1) {
    unsigned o = lowest(left), v = nibble(r->cr_vc, o), i = o * VCS + v;
    if (v >= VCS) {
      r->out.err |= ERR_CREDIT_VC;
    } else if (r->out_vc[i].credits == vc_depth(v)) {
      r->out.err |= ERR_CREDIT;
    } else {
      r->out_vc[i].credits++;
      r->space |= vc_bit(i);
    }
  }
  r->cr_seen = (uint16_t)in->ocr_valid;
  memcpy(r->cr_vc, in->ocr_vc, sizeof r->cr_vc);
}

/* --- Buffers */

static router_flit_t *place(router_t *r, unsigned i, unsigned n) {
  unsigned at = r->in_vc[i].first + n, depth = vc_depth(vc_of(i));
  return &r->buffer[at < depth ? at : at - depth][i];
}

static unsigned look_up(const router_t *r, unsigned dest) {
  return dest < NumDest ? r->table[dest / 2] >> dest % 2 * 4 & 15 : 0;
}

/* A flit that comes is stored in its VC. Only a head and what starts a packet for want of one need the table. */
static void store(router_t *r, unsigned ip, router_flit_t flit) {
  uint32_t header = flit.word[0];
  unsigned v = FLIT_GET(header, vc), i = ip * VCS + v;
  if (v >= VCS) {
    r->out.err |= ERR_VC;
    return;
  }
  if (r->in_vc[i].count == vc_depth(v)) {
    r->out.err |= ERR_OVERFLOW;
    return;
  }
  bool head = FLIT_GET(header, head), ended = r->ended >> i & 1;
  if (head != ended) r->out.err |= ERR_ORDER;
  r->ended = (r->ended & ~vc_bit(i)) | (uint64_t)FLIT_GET(header, tail) << i;
  if (head || ended) flit.word[0] = FLIT_PUT(header, vc, look_up(r, FLIT_GET(header, dest)));
  *place(r, i, r->in_vc[i].count++) = flit;
  r->ready |= vc_bit(i);
}

/* Returns the inputs with a flit whose tracker flag is set. */
static uint16_t arrive(router_t *r, const router_in_t *in) {
  uint16_t trackers = 0;
  for (uint64_t left = in->in_valid; left; left &= left - 1) {
    unsigned ip = lowest(left);
    router_flit_t flit = flit_read(in->in_flit, ip);
    if (FLIT_GET(flit.word[0], trk)) trackers |= (uint16_t)(1u << ip);
    store(r, ip, flit);
  }
  return trackers;
}

/* The flit at the front of input VC i has won the switch: it goes into traversal, its credit goes back. */
static void leave(router_t *r, unsigned i) {
  router_in_vc_t *in = &r->in_vc[i];
  const router_flit_t *front = place(r, i, 0);
  uint32_t header = front->word[0];
  unsigned ov = out_vc_of(in);
  r->cross[in->out_port] = *front;
  r->cross[in->out_port].word[0] = flit_departing(header, in->out_vc);
  if (Lookahead && FLIT_GET(header, head)) r->cross[in->out_port].word[0] = FLIT_PUT(r->cross[in->out_port].word[0], route, FLIT_GET(header, vc));
  r->crossing |= (uint16_t)(1u << in->out_port);
  const bool more = --in->count > 0;
  in->first = (uint8_t)(more * after(in->first, vc_depth(vc_of(i)))); /* empty: place 0. A branch would go either way */
  r->ready ^= (uint64_t)!more << i;
  if (--r->out_vc[ov].credits == 0) r->space &= ~vc_bit(ov);
  if (FLIT_GET(header, tail)) {
    r->active &= ~vc_bit(i);
    r->taken &= ~vc_bit(ov);
  }
  r->out.cr_valid |= (uint16_t)(1u << port_of(i));
  nibble_add(r->out.cr_vc, port_of(i), vc_of(i));
}

/* --- Phases of packets */

/* A VC without a packet starts the one at the front of its buffer. */
static void start_packets(router_t *r) {
  r->allocating |= r->routing;
  r->routing = 0;
  uint64_t starts = r->ready & ~(r->allocating | r->active);
  for (uint64_t left = starts; left; left &= left - 1) {
    unsigned i = lowest(left);
    router_in_vc_t *in = &r->in_vc[i];
    uint32_t header = place(r, i, 0)->word[0];
    in->out_port = (uint8_t)(Lookahead ? FLIT_GET(header, route) : FLIT_GET(header, vc));
    if (Dist) in->hops = (uint8_t)FLIT_GET(header, hops);
    if (Tr) r->convergent = (r->convergent & ~vc_bit(i)) | (uint64_t)!FLIT_GET(header, div) << i;
    if (in->out_port >= Ports) r->out.err |= ERR_PORT;
  }
  if (Lookahead) r->allocating |= starts;
  else r->routing = starts;
}

/* --- Congestion management */

static void manage(router_t *r, const router_in_t *in, uint16_t stall, uint16_t trackers, uint16_t taken, uint16_t cr_seen) {
#if Width
  if (in->epoch || r->crit.start || cr_seen || r->width.off)
    router_width_cycle(&r->width, in->epoch, r->crit.start, in->link, cr_seen, r->crit.crit_port, r->crit.latched);
#endif
#if Crit
  if (in->epoch || stall || r->trk_seen || taken || !router_crit_quiet(&r->crit))
    router_crit_step(&r->crit, &(router_crit_in_t){.epoch = in->epoch, .stall = stall, .trk_in = r->trk_seen, .trk_sent = taken});
  r->trk_seen = trackers;
#endif
  (void)r, (void)in, (void)stall, (void)trackers, (void)taken, (void)cr_seen;
}

static void decide(router_t *r, decisions_t *d) {
  d->eligible = d->va = d->va_space = d->request = d->sa = 0;
  d->stall = 0;
  request_switch(r, d);
  if (LEVELS) set_levels(r, d);
#if Bound
  if (LEVELS) give_turns(r, d);
#endif
  allocate_vcs(r, d);
  allocate_switch(r, d, busy_links(r));
#if Bound
  if (LEVELS) count_streaks(r, d);
#endif
}

void router_step(router_t *r, const router_in_t *in) {
  decisions_t d;
  uint16_t cr_seen = r->cr_seen, taken = take_trackers(r);
  decide(r, &d);
  r->out.cr_valid = r->out.err = 0;
  memset(r->out.cr_vc, 0, sizeof r->out.cr_vc);
  traverse(r);
  count_credits(r, in);
  uint16_t trackers = arrive(r, in);
  r->allocating &= ~d.va;
  r->active |= d.va;
  for (uint64_t left = d.sa; left; left &= left - 1) leave(r, lowest(left));
  start_packets(r);
  hold_links(r, r->crossing);
  manage(r, in, d.stall, trackers, taken, cr_seen);
  if (in->cfg_valid && in->cfg_dest < NumDest) {
    uint8_t *entry = &r->table[in->cfg_dest / 2];
    unsigned shift = in->cfg_dest % 2 * 4;
    *entry = (uint8_t)((*entry & ~(15u << shift)) | in->cfg_port << shift);
  }
  r->out.probe_va = d.va;
  r->out.probe_sa = d.sa;
  r->out.probe_stall = d.stall;
}
