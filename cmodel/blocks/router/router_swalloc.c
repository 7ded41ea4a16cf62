/* SPDX-License-Identifier: Apache-2.0
 *
 * Every pair of ports is offered one VC, then iSLIP matches ports.
 */
#include "router_swalloc.h"

#include <string.h>

#include "bits.h"
#include "islip.h"
#include "router_depth.h"
#include "router_level_bits.h"

/* The level's bit of a priority buffer is for its
 * port alone: a pair's level has another below it. */
static const islip_size_t size = {
    .ins = Ports, .outs = Ports, .iters = Iters, .unseen = PrioAcross ? 0 : 2u << LEVEL_PRIO_BIT};

typedef struct {
  set_t wants[Ports];                /* of an input port: outputs it has an offer for */
  uint8_t vc[(Ports) * (Ports)];     /* the VC offered, where there is one */
  uint16_t level[(Ports) * (Ports)]; /* of the pair, for iSLIP */
} offers_t;

/* Among the VCs of an input port: what is not speculative goes first at the same level. */
static unsigned rank(const router_swalloc_in_t *in, unsigned i) {
  return (unsigned)bits_get(in->level, 12 * i, 12) << 1 | !(in->spec >> i & 1);
}

/* Among ports that counts with SpecYield only. */
static uint16_t pair_level(unsigned vc_rank) {
  return (uint16_t)(SpecYield ? vc_rank : vc_rank & ~1u);
}

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
