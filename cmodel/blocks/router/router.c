/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole router. Numbers R.. are rules of rtl/router/README.md.
 *
 * A cycle first decides everything from the state at its beginning (router_alloc.h). Then flits
 * move, from the far end of the pipeline to its near end, so that each passes one stage: outputs,
 * traversal, buffers, arrivals. The phases of packets come last, as they see all of that.
 */
#include "router.h"

#include "router_alloc.h"

static const uint64_t all_vcs = ~UINT64_C(0) >> (IVCS < 64 ? 64 - IVCS : 0);

enum {
  ERR_OVERFLOW = 1,
  ERR_VC = 2,
  ERR_ORDER = 4,
  ERR_PORT = 8,
  ERR_CREDIT = 16,
  ERR_CREDIT_VC = 32
}; /* bits of err */

/* The route table is all 0 after reset, and every VC has its credits [R13, R6]. */
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

/* Every event of the last cycle shows in one of these masks. */
bool router_idle(const router_t *r) {
  const router_outputs_t *out = &r->out;
  uint64_t busy = r->ready | r->crossing | r->cr_seen | out->cr_valid | out->out_valid | out->err | out->probe_va |
                  out->probe_sa | out->probe_stall;
#if Crit
  busy |= r->trk_seen | (uint64_t)!router_crit_quiet(&r->crit);
#endif
#if Width
  busy |= r->sending | r->queued | r->width.off;
#endif
  return !busy;
}

/* --- Outputs, traversal */

#if Width
/* Links that can take a flit: not shut, and the flit before is across. */
static uint16_t free_links(const router_t *r) {
  uint16_t busy = (uint16_t)r->width.off;
  for (unsigned left = r->sending; left; left &= left - 1)
    busy |= (uint16_t)((r->left[lowest(left)] > 0) << lowest(left));
  return (uint16_t)~busy;
}

/* The FIFO must have a place. */
static void push(router_queue_t *q, router_flit_t flit) {
  const unsigned last = q->first + q->count++;
  q->flit[last < OutDepth ? last : last - OutDepth] = flit;
}

/* The FIFO must have a flit. */
static router_flit_t pop(router_queue_t *q) {
  router_flit_t flit = q->flit[q->first];
  q->first = (uint8_t)after(q->first, OutDepth);
  q->count--;
  return flit;
}
#endif

/* What the outputs do in this cycle. Without Width each flit in
 * traversal goes onto its link at once. */
static void decide_outputs(const router_t *r, decisions_t *d) {
  d->starts = r->crossing;
  d->waits = d->busy = 0;
#if Width
  const uint16_t there = r->crossing | r->queued;
  d->starts = there & free_links(r);
  d->waits = there & (uint16_t)~d->starts;
  /* An output that starts a flit keeps no more flits than before. Only a waiting one fills up. */
  for (unsigned left = d->waits; left; left &= left - 1) {
    const unsigned o = lowest(left);
    if (r->queue[o].count + (r->crossing >> o & 1) == OutDepth) d->busy |= (uint16_t)(1u << o);
  }
#endif
}

/* Outputs with a tracker that goes along in this cycle: a flit starts
 * there while a tracker waits [R28]. */
static uint16_t taken_trackers(const router_t *r, uint16_t starts) {
#if Crit
  return (uint16_t)(starts & r->crit.trk_req);
#else
  (void)r, (void)starts;
  return 0;
#endif
}

/* Flits go onto their links. At width W/n a flit is on the wire in the last of its n cycles
 * [R35]. A vector's element is zero for a port without a flit [R4]. */
static void traverse(router_t *r, uint16_t starts, uint16_t trackers) {
#if Width
  memset(r->out.flit, 0, sizeof r->out.flit);
  r->out.out_valid = 0;
  for (unsigned left = r->sending; left; left &= left - 1) {
    const unsigned o = lowest(left);
    if (r->left[o]) r->left[o]--;
    else r->sending &= (uint16_t) ~(1u << o);
  }
  for (unsigned left = r->crossing; left; left &= left - 1) push(&r->queue[lowest(left)], r->cross[lowest(left)]);
  r->queued |= r->crossing;
  for (unsigned left = starts; left; left &= left - 1) {
    const unsigned o = lowest(left);
    r->slow[o] = pop(&r->queue[o]);
    if (r->queue[o].count == 0) r->queued &= (uint16_t) ~(1u << o);
    r->slow[o].word[0] |= (uint32_t)(trackers >> o & 1) << FLIT_trk_LSB;
    r->left[o] = (uint8_t)((1u << r->width.width[o]) - 1);
  }
  r->sending |= starts;
  for (unsigned left = r->sending; left; left &= left - 1) {
    const unsigned o = lowest(left);
    if (r->left[o]) continue;
    r->out.out_valid |= (uint16_t)(1u << o);
    r->out.flit[o] = r->slow[o];
  }
#else
  for (unsigned left = trackers; left; left &= left - 1) r->cross[lowest(left)].word[0] |= UINT32_C(1) << FLIT_trk_LSB;
  r->out.out_valid = starts;
  memcpy(r->out.flit, r->cross, sizeof r->cross);
  memset(r->cross, 0, sizeof r->cross);
#endif
  r->crossing = 0;
}

/* --- Credits */

/* Credits that came in the last cycle are counted; those of this cycle
 * are kept for the next [R10]. */
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

/* Place n of input VC i's buffer, from its oldest flit on. */
static router_flit_t *place(router_t *r, unsigned i, unsigned n) {
  unsigned at = r->in_vc[i].first + n, depth = vc_depth(vc_of(i));
  return &r->buffer[at < depth ? at : at - depth][i];
}

/* The table's port; 0 for a destination out of range. */
static unsigned look_up(const router_t *r, unsigned dest) {
  return dest < NumDest ? r->table[dest / 2] >> dest % 2 * 4 & 15 : 0;
}

/* Stores a flit that comes. The table's entry is kept for heads, and for a flit that starts a
 * packet without being a head; no other flit needs it. */
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

/* Returns the inputs at which a flit with a tracker came, dropped flits included. */
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

/* The front flit of input VC i has won the switch: it goes into traversal and its credit goes
 * back. A tail frees the output VC [R19]. */
static void leave(router_t *r, unsigned i) {
  router_in_vc_t *in = &r->in_vc[i];
  const router_flit_t *front = place(r, i, 0);
  uint32_t header = front->word[0];
  unsigned ov = out_vc_of(in);
  r->cross[in->out_port] = *front;
  r->cross[in->out_port].word[0] = flit_departing(header, in->out_vc);
  if (Lookahead && FLIT_GET(header, head))
    r->cross[in->out_port].word[0] = FLIT_PUT(r->cross[in->out_port].word[0], route, FLIT_GET(header, vc));
  r->crossing |= (uint16_t)(1u << in->out_port);
  const bool more = --in->count > 0;
  in->first = (uint8_t)(more * after(in->first, vc_depth(vc_of(i)))); /* empty: 0; no branch to mispredict */
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

/* A VC without a packet starts the packet at the front of its buffer [R11]. Without
 * Lookahead the route stage takes one cycle. */
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

/* Congestion management. Its models are stepped only when something can change. */
static void manage(router_t *r, const router_in_t *in, uint16_t stall, uint16_t trackers, uint16_t taken,
                   uint16_t cr_seen) {
#if Width
  if (in->epoch || r->crit.start || cr_seen || r->width.off)
    router_width_cycle(&r->width, in->epoch, r->crit.start, in->link, cr_seen, r->crit.crit_port, r->crit.latched);
#endif
#if Crit
  if (in->epoch || stall || r->trk_seen || taken || !router_crit_quiet(&r->crit))
    router_crit_step(&r->crit,
                     &(router_crit_in_t){.epoch = in->epoch, .stall = stall, .trk_in = r->trk_seen, .trk_sent = taken});
  r->trk_seen = trackers;
#endif
  (void)r, (void)in, (void)stall, (void)trackers, (void)taken, (void)cr_seen;
}

/* All decisions of the cycle. Stalls of links come first, levels before
 * both allocations, streaks last. */
static void decide(router_t *r, decisions_t *d) {
  d->eligible = d->va = d->va_space = d->request = d->sa = 0;
  decide_outputs(r, d);
  d->stall = d->waits;
  request_switch(r, d);
  if (LEVELS) set_levels(r, d);
#if Bound
  if (LEVELS) give_turns(r, d);
#endif
  allocate_vcs(r, d);
  allocate_switch(r, d);
#if Bound
  if (LEVELS) count_streaks(r, d);
#endif
}

/* Decide, then move: far end of the pipeline first. The table is written last, so a
 * write counts from the next cycle on. */
void router_step(router_t *r, const router_in_t *in) {
  decisions_t d;
  decide(r, &d);
  uint16_t cr_seen = r->cr_seen, taken = taken_trackers(r, d.starts);
  r->out.cr_valid = r->out.err = 0;
  memset(r->out.cr_vc, 0, sizeof r->out.cr_vc);
  traverse(r, d.starts, taken);
  count_credits(r, in);
  uint16_t trackers = arrive(r, in);
  r->allocating &= ~d.va;
  r->active |= d.va;
  for (uint64_t left = d.sa; left; left &= left - 1) leave(r, lowest(left));
  start_packets(r);
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
