/* SPDX-License-Identifier: Apache-2.0
 *
 * What a router decides in a cycle: levels, VC allocation, switch allocation. A part of router.c,
 * in a file of its own.
 *
 * Everything looks at the state that the cycle began with. What moves here is what no later
 * decision of the cycle looks at: pointers, and with the VC allocation who holds output VCs. Sets
 * are masks, and loops go over their members, so that a cycle costs what happens in it.
 */
#ifndef ROUTER_ALLOC_H
#define ROUTER_ALLOC_H

#include "router.h"
#include "router_level_bits.h"

/* What can make one request more than another: packets; offers of a VC; pairs of ports. */
enum { LEVELS = Crit || Tr || Dist, OFFER_LEVELS = LEVELS || Spec, PAIR_LEVELS = LEVELS || SpecYield };

/* Of a level: the packet is in a priority buffer; whether that is for its own port alone. */
enum { PRIO = 1 << LEVEL_PRIO_BIT, INSIDE = Tr && !PrioAcross };

typedef struct {
  uint64_t eligible;     /* allocating, and some VC they ask for is free and has a credit */
  uint64_t va, va_space; /* input VCs that get an output VC; those that get one with a credit */
  uint64_t request;      /* active input VCs that ask for the switch */
  uint64_t sa;           /* input VCs whose flit goes */
  uint16_t starts;       /* outputs where a flit goes onto the link */
  uint16_t waits, busy;  /* where one is there and the link takes none; where the FIFO will be full */
  uint16_t stall;        /* where one waits for the link, or for a credit */
  uint16_t level[IVCS];  /* of those that are allocating, or active with a flit */
} decisions_t;

static inline unsigned port_of(unsigned i) {
  return i / VCS;
}
static inline unsigned vc_of(unsigned i) {
  return i % VCS;
}
static inline unsigned lowest(uint64_t set) {
  return (unsigned)__builtin_ctzll(set);
}
static inline unsigned after(unsigned i, unsigned n) {
  return i + 1 == n ? 0 : i + 1;
}

static inline unsigned out_vc_of(const router_in_vc_t *in) {
  return in->out_port * VCS + in->out_vc;
}

/* The first member at or above `from`, around the end. */
static inline unsigned first_from(uint64_t set, unsigned from) {
  uint64_t above = set >> from << from;
  return lowest(above ? above : set);
}

/* Those with the highest level, of which some bits may not count. */
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

static inline unsigned raw_level(const router_t *r, unsigned i) {
  unsigned level = 0;
#if Crit
  if (r->in_vc[i].out_port < Ports) level = router_crit_rank(&r->crit, port_of(i), r->in_vc[i].out_port) << 5;
#endif
  if (vc_of(i) >= NumVCs) level |= PRIO;
  if (Dist) level |= r->in_vc[i].hops;
  return level;
}

static inline void set_levels(const router_t *r, decisions_t *d) {
  for (uint64_t left = r->allocating | (r->active & r->ready); left; left &= left - 1) {
    unsigned i = lowest(left);
    d->level[i] = (uint16_t)raw_level(r, i);
  }
}

#if Bound
/* Whose turn it is at output o, of those of level 0
 * that ask for it, goes before all others there. */
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

/* Outputs for which one of level 0 asks; of a fair one it does not say. */
static inline uint16_t overtaken(const router_t *r, const decisions_t *d) {
  uint16_t ports = 0;
  for (uint64_t left = r->allocating | d->request; left; left &= left - 1) {
    unsigned i = lowest(left);
    if (r->in_vc[i].out_port < Ports && d->level[i] == 0) ports |= (uint16_t)(1u << r->in_vc[i].out_port);
  }
  return ports;
}

/* A flit of i leaves by a fair output: the turn is over if it was its. */
static inline void end_turn(router_t *r, const decisions_t *d, unsigned i, unsigned o) {
  if (d->level[i] == 0) return;
  r->fair &= (uint16_t) ~(1u << o);
  r->streak[o] = 0;
  r->turn[o] = (uint8_t)after(i, IVCS);
}

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

/* Output VCs that a packet asks for: free ones of its class; KeepVC and Tr narrow that. */
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

static inline void accept_vc(router_t *r, decisions_t *d, unsigned i, unsigned ov) {
  r->in_vc[i].va_next = (uint8_t)after(ov, IVCS);
  r->out_vc[ov].va_next = (uint8_t)after(i, IVCS);
  d->va |= vc_bit(i);
  if (r->space & vc_bit(ov)) d->va_space |= vc_bit(i);
  r->in_vc[i].out_vc = (uint8_t)vc_of(ov);
  r->taken |= vc_bit(ov);
}

/* What each packet asks for. Returns the output VCs that more than one asks for. */
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

/* Whom an output VC grants, of those that ask: by levels between ports,
 * then a port's priority buffer before its other VCs, then by turns. */
static inline unsigned granted_vc(const router_t *r, const decisions_t *d, uint64_t asking, unsigned ov) {
  if (LEVELS) asking = highest_of(asking, d->level, INSIDE ? PRIO : 0);
  if (INSIDE)
    for (uint64_t left = asking; left; left &= left - 1) {
      const unsigned i = lowest(left);
      if (d->level[i] & PRIO) asking &= ~((vc_bit(NumVCs) - 1) << port_of(i) * VCS);
    }
  return first_from(asking, r->out_vc[ov].va_next);
}

/* Every output VC grants one packet: then a packet's wishes are only those that were granted. */
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

/* iSLIP, one iteration: every output VC grants one packet (there is a
 * choice only where it is contested), every packet accepts one VC. */
static inline void allocate_vcs(router_t *r, decisions_t *d) {
  uint64_t wish[IVCS], contested = gather_wishes(r, d, wish);
  if (contested) grant_vcs(r, d, wish, contested);
  for (uint64_t left = r->allocating; left; left &= left - 1) {
    unsigned i = lowest(left);
    if (wish[i]) accept_vc(r, d, i, first_from(wish[i], r->in_vc[i].va_next));
  }
}

/* --- Switch allocation */

typedef struct {                /* pairs of ports with an offer */
  uint16_t wanted;              /* outputs that are in one */
  uint16_t inputs[Ports];       /* by output */
  uint16_t level[Ports][Ports]; /* [out][in] */
  uint8_t vc[Ports][Ports];     /* [out][in]: which VC of the input */
  uint16_t key[Ports][Ports];   /* level of the offer, and whether it is sure */
} offers_t;

/* Requests and stalls of the active input VCs: both have a flit, one
 * with and one without a credit. Stalls of the links are there. */
static inline void request_switch(const router_t *r, decisions_t *d) {
  for (uint64_t left = r->active & r->ready; left; left &= left - 1) {
    unsigned i = lowest(left);
    const router_in_vc_t *in = &r->in_vc[i];
    if (r->space & vc_bit(out_vc_of(in))) d->request |= vc_bit(i);
    else d->stall |= (uint16_t)(1u << in->out_port);
  }
}

static inline unsigned steps_up(unsigned from, unsigned to) {
  return to >= from ? to - from : to + VCS - from;
}

static inline bool better(const router_t *r, const offers_t *o, unsigned op, unsigned ip, unsigned vc, unsigned key) {
  if (!(o->inputs[op] >> ip & 1)) return true;
  if (OFFER_LEVELS && key != o->key[op][ip]) return key > o->key[op][ip];
  return steps_up(r->port[ip].vc_next, vc) < steps_up(r->port[ip].vc_next, o->vc[op][ip]);
}

/* For each pair of ports one VC: the highest level, those
 * that are sure before speculative ones, then round-robin. */
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

/* The offer in [op][ip] has won. It counts unless it
 * was a guess that a VC with a credit would be had. */
static inline void accept_offer(router_t *r, decisions_t *d, unsigned ip, unsigned vc) {
  unsigned i = ip * VCS + vc;
  r->port[ip].vc_next = (uint8_t)after(vc, VCS);
  if (r->active & vc_bit(i) || d->va_space & vc_bit(i)) d->sa |= vc_bit(i);
}

/* A level of a pair has a bit below a packet's. */
static inline unsigned granted_input(const router_t *r, const offers_t *o, unsigned op, uint16_t set) {
  return first_from(PAIR_LEVELS ? highest_of(set, o->level[op], INSIDE ? PRIO << 1 : 0) : set, r->port[op].in_next);
}

static inline unsigned accept_output(const router_t *r, const offers_t *o, unsigned ip, uint16_t set) {
  uint16_t level[Ports];
  if (PAIR_LEVELS)
    for (unsigned left = set; left; left &= left - 1) level[lowest(left)] = o->level[lowest(left)][ip];
  return first_from(PAIR_LEVELS ? highest_of(set, level, 0) : set, r->port[ip].out_next);
}

/* iSLIP: outputs grant, inputs accept; pointers move for what is matched in the first iteration. */
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

/* Do no two requests share a port? Then all win, but those for an output that is busy. */
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
