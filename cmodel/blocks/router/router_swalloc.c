/* SPDX-License-Identifier: Apache-2.0
 *
 * Every pair of ports is offered one VC, then iSLIP matches ports. Numbers in brackets are rules of
 * the port file.
 */
#include "router_swalloc.h"

#include <string.h>

#include "bits.h"
#include "islip.h"
#include "router_depth.h"
#include "router_level_bits.h"

/* A priority buffer's bit of a level counts inside its port only, so outputs ignore it [2]. A
 * pair's level has one more bit below it. */
static const islip_size_t size = {
    .ins = Ports, .outs = Ports, .iters = Iters, .unseen = PrioAcross ? 0 : 2u << LEVEL_PRIO_BIT};

typedef struct {
  set_t wants[Ports];                /* by input port: outputs that it has an offer for */
  uint8_t vc[(Ports) * (Ports)];     /* the VC offered; valid where `wants` says so */
  uint16_t level[(Ports) * (Ports)]; /* of the pair, for iSLIP */
} offers_t;

/* Order of an input port's VCs: the level, then "not speculative" [1]. */
static unsigned rank(const router_swalloc_in_t *in, unsigned i) {
  return (unsigned)bits_get(in->level, 12 * i, 12) << 1 | !(in->spec >> i & 1);
}

/* Order of pairs: "not speculative" counts with SpecYield only [2]. */
static uint16_t pair_level(unsigned vc_rank) {
  return (uint16_t)(SpecYield ? vc_rank : vc_rank & ~1u);
}

/* The offers of input port ip. VCs are tried from the pointer on, so the first of equals stays. */
static void offer(const router_swalloc_t *s, const router_swalloc_in_t *in, unsigned ip, offers_t *offers) {
  unsigned best[Ports];
  set_t *wants = &offers->wants[ip];
  *wants = 0;
  for (unsigned turn = 0; turn < VCs; turn++) {
    unsigned v = (s->vc_first[ip] + turn) % (VCs), i = ip * (VCs) + v;
    unsigned op = (unsigned)bits_get(in->out_port, FLIT_route_W * i, FLIT_route_W);
    if (!(in->req >> i & 1) || op >= Ports || (in->busy >> op & 1)) continue;
    if ((*wants & set_of(op)) && rank(in, i) <= best[op]) continue;
    *wants |= set_of(op);
    best[op] = rank(in, i);
    offers->vc[ip * (Ports) + op] = (uint8_t)v;
    offers->level[ip * (Ports) + op] = pair_level(best[op]);
  }
}

/* The offers and the match of this cycle. */
static void allocate(const router_swalloc_t *s, const router_swalloc_in_t *in, offers_t *offers, islip_match_t *m) {
  for (unsigned ip = 0; ip < Ports; ip++) offer(s, in, ip, offers);
  islip_match(size, s->in_first, s->out_first, offers->wants, offers->level, m);
}

void router_swalloc_reset(router_swalloc_t *s) {
  memset(s, 0, sizeof *s);
}

void router_swalloc_eval(const router_swalloc_t *s, const router_swalloc_in_t *in, router_swalloc_out_t *out) {
  offers_t offers;
  islip_match_t m;
  allocate(s, in, &offers, &m);
  out->gnt = 0;
  for (unsigned ip = 0; ip < Ports; ip++)
    if (m.partner[ip] != ISLIP_NOBODY) out->gnt |= set_of(ip * (VCs) + offers.vc[ip * (Ports) + m.partner[ip]]);
}

void router_swalloc_step(router_swalloc_t *s, const router_swalloc_in_t *in) {
  offers_t offers;
  islip_match_t m;
  if (!in->req) return;
  allocate(s, in, &offers, &m);
  for (unsigned ip = 0; ip < Ports; ip++)
    if (m.partner[ip] != ISLIP_NOBODY)
      s->vc_first[ip] = (uint8_t)set_next(offers.vc[ip * (Ports) + m.partner[ip]], VCs);
  islip_advance(size, s->in_first, s->out_first, &m);
}
