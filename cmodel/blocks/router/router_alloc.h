/* SPDX-License-Identifier: Apache-2.0
 *
 * What a router decides in a cycle: levels, VC allocation, switch allocation. This is a part of
 * router.c in a file of its own; numbers R.. are rules of rtl/router/README.md.
 *
 * Every decision uses the state at the beginning of the cycle [R12]. Functions here change only
 * what no later decision of the cycle reads: pointers, and with VC allocation the holders of output
 * VCs. Sets are masks and loops visit their members, so a cycle costs only what happens in it.
 */
#ifndef ROUTER_ALLOC_H
#define ROUTER_ALLOC_H

#include "router.h"
#include "router_level_bits.h"

/* What can give one request a higher level than another: for packets, for
 * offers of a VC, for pairs of ports. */
enum { LEVELS = Crit || Tr || Dist, OFFER_LEVELS = LEVELS || Spec, PAIR_LEVELS = LEVELS || SpecYield };

/* PRIO: the packet is in a priority buffer. INSIDE: this counts inside its own port only [R57]. */
enum { PRIO = 1 << LEVEL_PRIO_BIT, INSIDE = Tr && !PrioAcross };

typedef struct {
  /* Masks of input VCs. */
  uint64_t eligible;     /* allocating, and some VC it asks for is free and has a credit */
  uint64_t va, va_space; /* gets an output VC; gets one with a credit */
  uint64_t request;      /* active, and asks for the switch */
  uint64_t sa;           /* its flit leaves */
  /* Masks of outputs. */
  uint16_t starts;      /* a flit goes onto the link */
  uint16_t waits, busy; /* a flit waits for the link; the FIFO will be full */
  uint16_t stall;       /* a flit waits for the link or for a credit */
  uint16_t level[IVCS]; /* of input VCs that are allocating, or active with a flit */
} decisions_t;

/* An input or output VC has number port * VCS + VC [R2]. */
static inline unsigned port_of(unsigned i) {
  return i / VCS;
}
static inline unsigned vc_of(unsigned i) {
  return i % VCS;
}
/* The lowest member; the set must not be empty. */
static inline unsigned lowest(uint64_t set) {
  return (unsigned)__builtin_ctzll(set);
}
/* The next of n, cyclically. */
static inline unsigned after(unsigned i, unsigned n) {
  return i + 1 == n ? 0 : i + 1;
}

/* The output VC that the packet holds. */
static inline unsigned out_vc_of(const router_in_vc_t *in) {
  return in->out_port * VCS + in->out_vc;
}

/* The first member at or above `from`, cyclically; the set must not be empty. */
static inline unsigned first_from(uint64_t set, unsigned from) {
  uint64_t above = set >> from << from;
  return lowest(above ? above : set);
}

/* Members with the highest level, compared without the bits of `unseen`. */
static inline uint64_t highest_of(uint64_t set, const uint16_t *level, unsigned unseen) {
  uint64_t best = 0;
  unsigned highest = 0;
  if (!(set & (set - 1))) return set;
  for (uint64_t left = set; left; left &= left - 1) {
    const unsigned i = lowest(left), its = level[i] & ~unseen;
    if (its > highest) highest = its, best = 0;
    if (its == highest) best |= vc_bit(i);
  }
  return best;
}

/* --- Levels */

/* The level without the bound [R24]: rank from bit 5 on, priority buffer in bit 4, hops below. */
static inline unsigned raw_level(const router_t *r, unsigned i) {
  unsigned level = 0;
#if Crit
  if (r->in_vc[i].out_port < Ports) level = router_crit_rank(&r->crit, port_of(i), r->in_vc[i].out_port) << 5;
#endif
  if (vc_of(i) >= NumVCs) level |= PRIO;
  if (Dist) level |= r->in_vc[i].hops;
  return level;
}

/* Levels of all packets that can ask for anything in this cycle. */
static inline void set_levels(const router_t *r, decisions_t *d) {
  for (uint64_t left = r->allocating | (r->active & r->ready); left; left &= left - 1) {
    unsigned i = lowest(left);
    d->level[i] = (uint16_t)raw_level(r, i);
  }
}

#if Bound
/* At a fair output the packet of level 0 that has its turn goes before all others there [R42]. */
static inline void give_turn(const router_t *r, decisions_t *d, unsigned o) {
  uint64_t waiting = 0;
  for (uint64_t left = r->allocating | d->request; left; left &= left - 1) {
    unsigned i = lowest(left);
    if (r->in_vc[i].out_port != o) continue;
    if (d->level[i] == 0) waiting |= vc_bit(i);
    d->level[i] = 0;
  }
  if (waiting) d->level[first_from(waiting, r->turn[o])] = 1;
}

static inline void give_turns(const router_t *r, decisions_t *d) {
  for (unsigned left = r->fair; left; left &= left - 1) give_turn(r, d, lowest(left));
}

/* Outputs that a packet of level 0 asks for. At a fair output all but one have
 * level 0, so nothing follows there. */
static inline uint16_t overtaken(const router_t *r, const decisions_t *d) {
  uint16_t ports = 0;
  for (uint64_t left = r->allocating | d->request; left; left &= left - 1) {
    unsigned i = lowest(left);
    if (r->in_vc[i].out_port < Ports && d->level[i] == 0) ports |= (uint16_t)(1u << r->in_vc[i].out_port);
  }
  return ports;
}

/* A flit of i leaves by the fair output o: the turn is over if it was i's. */
static inline void end_turn(router_t *r, const decisions_t *d, unsigned i, unsigned o) {
  if (d->level[i] == 0) return;
  r->fair &= (uint16_t) ~(1u << o);
  r->streak[o] = 0;
  r->turn[o] = (uint8_t)after(i, IVCS);
}

/* The streak of an output grows when a prioritised flit leaves while a packet
 * of level 0 waits for it [R42]. */
static inline void count_streaks(router_t *r, const decisions_t *d) {
  uint16_t waiting = d->sa ? overtaken(r, d) : 0;
  for (uint64_t left = d->sa; left; left &= left - 1) {
    unsigned i = lowest(left), o = r->in_vc[i].out_port;
    if (r->fair >> o & 1) end_turn(r, d, i, o);
    else if (d->level[i] == 0 || !(waiting >> o & 1)) r->streak[o] = 0;
    else if (++r->streak[o] == Bound) r->fair |= (uint16_t)(1u << o);
  }
}
#endif

/* --- VC allocation */

/* Output VCs that a packet asks for: free ones of its class [R16].
 * KeepVC and Tr narrow that [R17]. */
static inline uint64_t candidates(const router_t *r, unsigned i) {
  unsigned op = r->in_vc[i].out_port, base = op * VCS, cls = vc_class(vc_of(i));
  if (op >= Ports) return 0;
  if (KeepVC) return vc_bit(base + vc_of(i)) & ~r->taken;
  if (Tr && r->convergent & vc_bit(i)) {
    uint64_t priority = vc_bit(base + NumVCs + cls) & ~r->taken & r->space;
    if (priority) return priority;
  }
  return (vc_bit(CLASS_VCS) - 1) << (base + cls * CLASS_VCS) & ~r->taken;
}

/* Input VC i gets output VC ov; iSLIP's pointers move. */
static inline void accept_vc(router_t *r, decisions_t *d, unsigned i, unsigned ov) {
  r->in_vc[i].va_next = (uint8_t)after(ov, IVCS);
  r->out_vc[ov].va_next = (uint8_t)after(i, IVCS);
  d->va |= vc_bit(i);
  if (r->space & vc_bit(ov)) d->va_space |= vc_bit(i);
  r->in_vc[i].out_vc = (uint8_t)vc_of(ov);
  r->taken |= vc_bit(ov);
}

/* What each packet asks for. Returns the output VCs that more than one packet asks for. */
static inline uint64_t gather_wishes(const router_t *r, decisions_t *d, uint64_t *wish) {
  uint64_t wanted = 0, contested = 0;
  for (uint64_t left = r->allocating; left; left &= left - 1) {
    unsigned i = lowest(left);
    wish[i] = candidates(r, i);
    if (Spec && wish[i] & r->space) d->eligible |= vc_bit(i);
    contested |= wanted & wish[i];
    wanted |= wish[i];
  }
  return contested;
}

/* The input VC that an output VC grants [R18]: by levels between ports, then a port's priority
 * buffer before its other VCs, then by turns. */
static inline unsigned granted_vc(const router_t *r, const decisions_t *d, uint64_t asking, unsigned ov) {
  if (LEVELS) asking = highest_of(asking, d->level, INSIDE ? PRIO : 0);
  if (INSIDE)
    for (uint64_t left = asking; left; left &= left - 1) {
      const unsigned i = lowest(left);
      if (d->level[i] & PRIO) asking &= ~((vc_bit(NumVCs) - 1) << port_of(i) * VCS);
    }
  return first_from(asking, r->out_vc[ov].va_next);
}

/* Every contested output VC grants one packet. The wishes of the others lose that VC. */
static inline void grant_vcs(const router_t *r, const decisions_t *d, uint64_t *wish, uint64_t contested) {
  for (; contested; contested &= contested - 1) {
    unsigned ov = lowest(contested);
    uint64_t asking = 0;
    for (uint64_t left = r->allocating; left; left &= left - 1)
      asking |= (wish[lowest(left)] >> ov & 1) << lowest(left);
    asking &= ~vc_bit(granted_vc(r, d, asking, ov));
    for (; asking; asking &= asking - 1) wish[lowest(asking)] &= ~vc_bit(ov);
  }
}

/* iSLIP with one iteration: output VCs grant, packets accept. Outputs that only one
 * packet asks for need no decision. */
static inline void allocate_vcs(router_t *r, decisions_t *d) {
  uint64_t wish[IVCS], contested = gather_wishes(r, d, wish);
  if (contested) grant_vcs(r, d, wish, contested);
  for (uint64_t left = r->allocating; left; left &= left - 1) {
    unsigned i = lowest(left);
    if (wish[i]) accept_vc(r, d, i, first_from(wish[i], r->in_vc[i].va_next));
  }
}

/* --- Switch allocation */

/* The offers of a cycle: for each pair of ports at most one VC of the input. Elements are valid
 * only where `wanted` and `inputs` say so. */
typedef struct {
  uint16_t wanted;              /* outputs with an offer */
  uint16_t inputs[Ports];       /* by output: inputs with an offer for it */
  uint16_t level[Ports][Ports]; /* [out][in]: of the pair, for iSLIP */
  uint8_t vc[Ports][Ports];     /* [out][in]: the VC offered */
  uint16_t key[Ports][Ports];   /* [out][in]: the offer's level, then a bit for "not speculative" */
} offers_t;

/* Requests and stalls of the active input VCs with a flit: a credit makes a request, no credit
 * a stall [R20, R27]. Stalls of links are there already. */
static inline void request_switch(const router_t *r, decisions_t *d) {
  for (uint64_t left = r->active & r->ready; left; left &= left - 1) {
    unsigned i = lowest(left);
    const router_in_vc_t *in = &r->in_vc[i];
    if (r->space & vc_bit(out_vc_of(in))) d->request |= vc_bit(i);
    else d->stall |= (uint16_t)(1u << in->out_port);
  }
}

/* Steps from VC `from` up to VC `to`, cyclically. */
static inline unsigned steps_up(unsigned from, unsigned to) {
  return to >= from ? to - from : to + VCS - from;
}

/* True if the VC is a better offer for the pair than the one it has: a higher
 * key, or the turn among equals. */
static inline bool better(const router_t *r, const offers_t *o, unsigned op, unsigned ip, unsigned vc, unsigned key) {
  if (!(o->inputs[op] >> ip & 1)) return true;
  if (OFFER_LEVELS && key != o->key[op][ip]) return key > o->key[op][ip];
  return steps_up(r->port[ip].vc_next, vc) < steps_up(r->port[ip].vc_next, o->vc[op][ip]);
}

/* For each pair of ports the best VC [R21]: the highest level, then sure
 * before speculative, then round-robin. */
static inline void make_offers(const router_t *r, const decisions_t *d, offers_t *o) {
  o->wanted = 0;
  for (uint64_t left = d->request | d->eligible; left; left &= left - 1) {
    unsigned i = lowest(left), op = r->in_vc[i].out_port, ip = port_of(i);
    unsigned level = LEVELS ? d->level[i] : 0, sure = !(d->eligible >> i & 1), key = level << 1 | sure;
    if (d->busy >> op & 1) continue;
    if (!(o->wanted >> op & 1)) o->inputs[op] = 0;
    o->wanted |= (uint16_t)(1u << op);
    if (!better(r, o, op, ip, vc_of(i), key)) continue;
    o->inputs[op] |= (uint16_t)(1u << ip);
    o->vc[op][ip] = (uint8_t)vc_of(i);
    if (OFFER_LEVELS) o->key[op][ip] = (uint16_t)key;
    if (PAIR_LEVELS) o->level[op][ip] = (uint16_t)(level << 1 | (SpecYield && sure));
  }
}

/* The offer has won. A speculative one counts only if VC allocation gave its
 * packet a VC with a credit [R22]. */
static inline void accept_offer(router_t *r, decisions_t *d, unsigned ip, unsigned vc) {
  unsigned i = ip * VCS + vc;
  r->port[ip].vc_next = (uint8_t)after(vc, VCS);
  if (r->active & vc_bit(i) || d->va_space & vc_bit(i)) d->sa |= vc_bit(i);
}

/* A pair's level has one bit below the packet's level, so PRIO is one bit higher. */
static inline unsigned granted_input(const router_t *r, const offers_t *o, unsigned op, uint16_t set) {
  return first_from(PAIR_LEVELS ? highest_of(set, o->level[op], INSIDE ? PRIO << 1 : 0) : set, r->port[op].in_next);
}

/* The output that an input accepts: all bits of the level count. */
static inline unsigned accept_output(const router_t *r, const offers_t *o, unsigned ip, uint16_t set) {
  uint16_t level[Ports];
  if (PAIR_LEVELS)
    for (unsigned left = set; left; left &= left - 1) level[lowest(left)] = o->level[lowest(left)][ip];
  return first_from(PAIR_LEVELS ? highest_of(set, level, 0) : set, r->port[ip].out_next);
}

/* iSLIP between ports. Pointers move for pairs of the first iteration only. */
static inline void match_ports(router_t *r, decisions_t *d, const offers_t *o) {
  unsigned outputs = o->wanted, inputs = (1u << Ports) - 1;
  for (unsigned iteration = 0; iteration < Iters; iteration++) {
    uint16_t grants[Ports];
    unsigned granted = 0;
    for (unsigned left = outputs; left; left &= left - 1) {
      unsigned op = lowest(left), set = o->inputs[op] & inputs;
      if (!set) continue;
      unsigned ip = granted_input(r, o, op, (uint16_t)set);
      grants[ip] = (uint16_t)((granted >> ip & 1 ? grants[ip] : 0) | 1u << op);
      granted |= 1u << ip;
    }
    if (!granted) return;
    for (; granted; granted &= granted - 1) {
      unsigned ip = lowest(granted), op = accept_output(r, o, ip, grants[ip]);
      inputs &= ~(1u << ip);
      outputs &= ~(1u << op);
      accept_offer(r, d, ip, o->vc[op][ip]);
      if (iteration) continue;
      r->port[op].in_next = (uint8_t)after(ip, Ports);
      r->port[ip].out_next = (uint8_t)after(op, Ports);
    }
  }
}

/* True if no two requests share a port. Then all of them win, those for busy outputs apart. */
static inline bool apart(const router_t *r, uint64_t requests) {
  unsigned inputs = 0, outputs = 0;
  for (; requests; requests &= requests - 1) {
    unsigned i = lowest(requests), in = 1u << port_of(i), out = 1u << r->in_vc[i].out_port;
    if ((inputs & in) | (outputs & out)) return false;
    inputs |= in;
    outputs |= out;
  }
  return true;
}

/* As match_ports when no two requests meet, which is the usual case. */
static inline void accept_all(router_t *r, decisions_t *d, uint64_t requests) {
  for (; requests; requests &= requests - 1) {
    unsigned i = lowest(requests), op = r->in_vc[i].out_port, ip = port_of(i);
    if (d->busy >> op & 1) continue;
    r->port[op].in_next = (uint8_t)after(ip, Ports);
    r->port[ip].out_next = (uint8_t)after(op, Ports);
    accept_offer(r, d, ip, vc_of(i));
  }
}

static inline void allocate_switch(router_t *r, decisions_t *d) {
  uint64_t requests = d->request | d->eligible;
  if (apart(r, requests)) {
    accept_all(r, d, requests);
  } else {
    offers_t offers;
    make_offers(r, d, &offers);
    match_ports(r, d, &offers);
  }
}

#endif
