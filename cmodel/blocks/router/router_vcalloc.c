/* SPDX-License-Identifier: Apache-2.0
 *
 * Candidates of each packet, then one iteration of iSLIP over all pairs of VCs. A port's packets in
 * priority buffers may leave others of the port no chance. A packet has the same level at all its
 * candidates, so it accepts by turns alone. Numbers in brackets are rules of the port file.
 */
#include "router_vcalloc.h"

#include <string.h>

#include "bits.h"
#include "islip.h"
#include "router_depth.h"
#include "router_level_bits.h"

/* PRIO: a level's bit for a priority buffer. INSIDE: that bit counts inside its own port only. */
enum { INSIDE = Tr && !PrioAcross, PRIO = 1 << LEVEL_PRIO_BIT };

static const islip_size_t size = {.ins = VCALLOC_SIZE, .outs = VCALLOC_SIZE, .iters = 1, .unseen = INSIDE ? PRIO : 0};

/* VCs of an output port that a packet on VC v asks for [1]. available: those not taken. */
static set_t candidates_at_port(unsigned v, bool div, set_t available, set_t space) {
  unsigned class = vc_class(v);
  set_t priority = set_of(vc_priority(class));
  if (KeepVC) return available & set_of(v);
  if (Tr && !div && (available & space & priority)) return priority;
  return available & bits_ones(CLASS_VCS) << vc_first_of(class);
}

/* Candidates of input VC i as output VCs, numbered op * V + w. */
static set_t candidates(const router_vcalloc_in_t *in, unsigned i) {
  unsigned op = (unsigned)bits_get(in->out_port, FLIT_route_W * i, FLIT_route_W);
  if (!(in->req >> i & 1) || op >= Ports) return 0;
  set_t available = ~in->taken >> op * VCS & bits_ones(VCS);
  return candidates_at_port(i % VCS, in->div >> i & 1, available, in->space >> op * VCS) << op * VCS;
}

static unsigned level_of(const router_vcalloc_in_t *in, unsigned i) {
  return (unsigned)bits_get(in->level, 12 * i, 12);
}

/* What input VC i still has a chance of [3]: a packet in a priority buffer of its port takes
 * all that it wants itself, unless i is above it otherwise. */
static set_t chances(const router_vcalloc_in_t *in, const set_t *wants, unsigned i) {
  const unsigned first = i / VCS * VCS, level = level_of(in, i);
  set_t left = wants[i];
  if (!INSIDE || level & PRIO) return left;
  for (unsigned other = first; other < first + VCS; other++)
    if (level_of(in, other) & PRIO && (level_of(in, other) & ~PRIO) >= level) left &= ~wants[other];
  return left;
}

/* The candidates and the match of this cycle. */
static void allocate(const router_vcalloc_t *s, const router_vcalloc_in_t *in, set_t wants[VCALLOC_SIZE],
                     islip_match_t *m) {
  uint16_t level[VCALLOC_SIZE * VCALLOC_SIZE]; /* written where asked */
  set_t asks[VCALLOC_SIZE];
  for (unsigned i = 0; i < VCALLOC_SIZE; i++) wants[i] = candidates(in, i);
  for (unsigned i = 0; i < VCALLOC_SIZE; i++) {
    asks[i] = chances(in, wants, i);
    for (set_t left = asks[i]; left; left = set_rest(left))
      level[i * VCALLOC_SIZE + set_lowest(left)] = (uint16_t)level_of(in, i);
  }
  islip_match(size, s->in_first, s->out_first, asks, level, m);
}

void router_vcalloc_reset(router_vcalloc_t *s) {
  memset(s, 0, sizeof *s);
}

void router_vcalloc_eval(const router_vcalloc_t *s, const router_vcalloc_in_t *in, router_vcalloc_out_t *out) {
  set_t wants[VCALLOC_SIZE];
  islip_match_t m;
  allocate(s, in, wants, &m);
  memset(out, 0, sizeof *out);
  for (unsigned i = 0; i < VCALLOC_SIZE; i++) {
    unsigned output_vc = m.partner[i];
    if (wants[i] & in->space) out->elig |= set_of(i);
    if (output_vc == ISLIP_NOBODY) continue;
    out->gnt |= set_of(i);
    out->take |= set_of(output_vc);
    if (in->space & set_of(output_vc)) out->gnt_space |= set_of(i);
    bits_put(out->gnt_vc, FLIT_vc_W * i, FLIT_vc_W, output_vc % VCS);
  }
}

void router_vcalloc_step(router_vcalloc_t *s, const router_vcalloc_in_t *in) {
  set_t wants[VCALLOC_SIZE];
  islip_match_t m;
  if (!in->req) return;
  allocate(s, in, wants, &m);
  islip_advance(size, s->in_first, s->out_first, &m);
}
