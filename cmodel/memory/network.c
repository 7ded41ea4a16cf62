/* SPDX-License-Identifier: Apache-2.0
 *
 * Every router is a set of bit masks over its input VCs (port * vcs + vc): which wait for a route, for an output VC,
 * for the switch. Wires are rings indexed by arrival tick, so the order in which routers are stepped does not matter:
 * nothing arrives in the tick it was sent. A router without flits, credits or arrivals costs nothing.
 *
 * Ticks of one hop, flit received at t: route t, VC t+1, switch t+2, traversal t+3, next router t + 4 + link_latency.
 */
#include "network.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "stack_map.h"

enum { PORTS = 8, VCS = 8, IVCS = PORTS * VCS, RING = 64, MAX_DEPTH = 64, LOCAL_LATENCY = 1 };

typedef uintptr_t flit_t; /* address of its packet, with two marks in the low bits */
enum { HEAD = 1, TAIL = 2, MARKS = 3 };

typedef struct input_vc {
  uint8_t first, count;
  uint8_t out_port, out_vc; /* of the packet at the front; out_vc: within the port */
  uint8_t ask, asks;        /* first and number of the output VCs that it may take */
  flit_t flit[MAX_DEPTH];
} input_vc_t;

typedef struct router {
  unsigned work;                       /* flits inside or arriving, credits on their way here */
  uint64_t routing, allocating, active; /* input VCs by stage of the packet at their front */
  uint64_t taken;                      /* output VCs that a packet holds */
  uint8_t credits[IVCS];               /* by output VC */
  uint8_t grant_va[IVCS], accept_va[IVCS]; /* iSLIP pointers: by output VC over input VCs and the other way round */
  uint8_t grant_sa[PORTS], accept_sa[PORTS], vc_sa[PORTS];
  struct {
    flit_t flit;
    uint8_t vc;
  } arriving[RING][PORTS];
  uint8_t arrivals[RING];              /* ports with an arriving flit, one bit each */
  uint8_t credit[RING][PORTS][VCS];    /* credits coming back, by output port and VC */
  uint8_t credit_ports[RING];
  input_vc_t in[IVCS];
} router_t;

typedef struct source { /* one class */
  packet_t *head, *tail;
  unsigned waiting;
  unsigned sent, flits; /* of the packet at the head; flits 0: not begun */
  uint8_t vc, last_vc;  /* within the port */
} source_t;

typedef struct delivered {
  packet_t *packet;
  uint8_t vc, flits;
} delivered_t;

typedef struct sink { /* one class: packets whose tail has come, in order */
  delivered_t *ring;
  unsigned first, count;
} sink_t;

typedef struct terminal {
  unsigned work; /* packets to send, flits on their way here, credits on their way back */
  unsigned turn; /* class that sends first */
  source_t source[2];
  sink_t sink[2];
  uint8_t credits[VCS]; /* room in the router's input VCs */
  uint8_t flits[VCS];   /* of the packet that is arriving */
  struct {
    flit_t flit;
    uint8_t vc;
  } arriving[RING];
  uint8_t credit[RING]; /* VC + 1 */
} terminal_t;

struct network {
  network_config_t config;
  network_stats_t stats;
  uint64_t now, held, on_way; /* held: packets inside; on_way: work of all routers and terminals */
  unsigned nodes, ports, vcs; /* ports of a router; VCs of a port, all classes */
  unsigned ring_mask;         /* of the part of the rings that the longest wire needs: little memory is fast */
  uint8_t port_of[IVCS], vc_of[IVCS]; /* of an input or output VC */
  router_t *router;
  terminal_t *terminal; /* [nodes][local_ports] */
  delivered_t *rings;
  uint8_t ready[NETWORK_MAX_NODES]; /* by node: sinks with packets, bit 2 * port + class */
};

/* ---- making one ---- */

network_config_t network_default_config(void) {
  return (network_config_t){.dims = 3, .classes = 2, .vcs = 2, .depth = 16, .link_latency = 4, .local_ports = 4,
                            .source_packets = 4, .sink_flits = 32, .ordered = true};
}

const char *network_check_config(const network_config_t *c) {
  if (c->dims < 1 || c->dims > NETWORK_MAX_DIMS) return "dims must be 1 to 4";
  if (c->classes < 1 || c->classes > 2) return "classes must be 1 or 2";
  if (c->vcs < 1 || c->vcs > VCS / 2) return "vcs must be 1 to 4 a class";
  if (c->depth < 1 || c->depth > MAX_DEPTH) return "depth must be 1 to 64 flits";
  if (c->link_latency < 1 || c->link_latency > 60) return "link_latency must be 1 to 60 ticks";
  if (c->local_ports != 1 && c->local_ports != 2 && c->local_ports != 4) return "local_ports must be 1, 2 or 4";
  if (c->source_packets < 1) return "source_packets must be at least 1";
  if (c->sink_flits < 1 || c->sink_flits > 128) return "sink_flits must be 1 to 128";
  return NULL;
}

static terminal_t *terminal_of(const network_t *n, unsigned node, unsigned port) {
  return &n->terminal[node * n->config.local_ports + port];
}

static void set_credits(network_t *n) {
  const network_config_t *c = &n->config;
  for (unsigned r = 0; r < n->nodes; r++)
    for (unsigned p = 0; p < n->ports; p++)
      memset(&n->router[r].credits[p * n->vcs], (int)(p < c->local_ports ? c->sink_flits : c->depth), n->vcs);
  for (unsigned t = 0; t < n->nodes * c->local_ports; t++) {
    memset(n->terminal[t].credits, (int)c->depth, n->vcs);
    for (unsigned cls = 0; cls < 2; cls++) {
      n->terminal[t].source[cls].last_vc = (uint8_t)(cls % c->classes * c->vcs + c->vcs - 1);
      n->terminal[t].sink[cls].ring = &n->rings[(2 * t + cls) * c->vcs * c->sink_flits];
    }
  }
}

network_t *network_new(const network_config_t *c) {
  assert(!network_check_config(c));
  network_t *n = calloc(1, sizeof *n);
  if (!n) return NULL;
  n->config = *c;
  n->nodes = 1U << c->dims;
  n->ports = c->local_ports + c->dims;
  n->vcs = c->classes * c->vcs;
  n->ring_mask = 7;
  while (n->ring_mask < c->link_latency + 3) n->ring_mask = 2 * n->ring_mask + 1;
  for (unsigned i = 0; i < n->ports * n->vcs; i++) {
    n->port_of[i] = (uint8_t)(i / n->vcs);
    n->vc_of[i] = (uint8_t)(i % n->vcs);
  }
  n->router = calloc(n->nodes, sizeof *n->router);
  n->terminal = calloc(n->nodes * c->local_ports, sizeof *n->terminal);
  n->rings = calloc(n->nodes * c->local_ports * 2, c->vcs * c->sink_flits * sizeof *n->rings);
  if (!n->router || !n->terminal || !n->rings) {
    network_free(n);
    return NULL;
  }
  set_credits(n);
  return n;
}

void network_free(network_t *n) {
  if (!n) return;
  free(n->router);
  free(n->terminal);
  free(n->rings);
  free(n);
}

/* ---- helpers ---- */

static packet_t *packet_of(flit_t f) {
  return (packet_t *)(f & ~(flit_t)MARKS);
}

static unsigned class_of(const network_t *n, const packet_t *p) {
  int cls = pkt_type_class((unsigned)p->hdr.type);
  assert(cls >= 0);
  return n->config.classes == 1 ? 0 : (unsigned)cls;
}

static unsigned slot_of(const network_t *n, uint64_t tick) {
  return (unsigned)tick & n->ring_mask;
}

/* The lowest set bit at or above `from`, else the lowest of all. */
static unsigned pick(uint64_t set, unsigned from) {
  uint64_t above = set >> from << from;
  return (unsigned)__builtin_ctzll(above ? above : set);
}

/* Steps from one round-robin position up to another, in a circle of VCS places or fewer. */
static unsigned distance(unsigned from, unsigned to) {
  return to >= from ? to - from : to + VCS - from;
}

static uint64_t bit(unsigned i) {
  return UINT64_C(1) << i;
}

static unsigned wrap(unsigned i, unsigned n) {
  return i < n ? i : 0;
}

/* Requests leave at the port of their vault's quadrant, all else at the NSU's: see stack_map.h for the address bits. */
static unsigned exit_port(const network_t *n, const packet_t *p) {
  if (n->config.local_ports == 1 || pkt_type_class((unsigned)p->hdr.type) != 0) return 0;
  return stack_quadrant_of(p->hdr.addr) % n->config.local_ports;
}

/* First and number of VCs that a packet may use. */
static unsigned vc_range(const network_t *n, const packet_t *p, unsigned *count) {
  unsigned first = class_of(n, p) * n->config.vcs;
  *count = n->config.ordered ? 1 : n->config.vcs;
  return n->config.ordered ? first + (unsigned)(p->hdr.src + p->hdr.dst) % n->config.vcs : first;
}

/* ---- wires ---- */

static void give_router(network_t *n, unsigned node, unsigned port, unsigned vc, flit_t flit, uint64_t at) {
  router_t *r = &n->router[node];
  unsigned s = slot_of(n, at);
  assert(!(r->arrivals[s] >> port & 1));
  r->arriving[s][port].flit = flit;
  r->arriving[s][port].vc = (uint8_t)vc;
  r->arrivals[s] |= (uint8_t)(1U << port);
  r->work++;
  n->on_way++;
}

static void give_router_credits(network_t *n, unsigned node, unsigned port, unsigned vc, unsigned count, uint64_t at) {
  router_t *r = &n->router[node];
  unsigned s = slot_of(n, at);
  r->credit[s][port][vc] = (uint8_t)(r->credit[s][port][vc] + count);
  r->credit_ports[s] |= (uint8_t)(1U << port);
  r->work += count;
  n->on_way += count;
}

static void give_terminal(network_t *n, terminal_t *t, unsigned vc, flit_t flit, uint64_t at) {
  unsigned s = slot_of(n, at);
  t->arriving[s].flit = flit;
  t->arriving[s].vc = (uint8_t)vc;
  t->work++;
  n->on_way++;
}

static void give_terminal_credit(network_t *n, terminal_t *t, unsigned vc, uint64_t at) {
  t->credit[slot_of(n, at)] = (uint8_t)(vc + 1);
  t->work++;
  n->on_way++;
}

static unsigned neighbour(const network_t *n, unsigned node, unsigned port) {
  return node ^ 1U << (port - n->config.local_ports);
}

/* ---- terminals: source queues and sinks ---- */

static void terminal_receive(network_t *n, unsigned node, unsigned port, terminal_t *t) {
  unsigned s = slot_of(n, n->now);
  if (t->credit[s]) {
    t->credits[t->credit[s] - 1]++;
    t->credit[s] = 0;
    t->work--;
    n->on_way--;
  }
  flit_t flit = t->arriving[s].flit;
  if (!flit) return;
  unsigned vc = t->arriving[s].vc;
  t->arriving[s].flit = 0;
  t->work--;
  n->on_way--;
  t->flits[vc]++;
  if (!(flit & TAIL)) return;
  sink_t *k = &t->sink[vc / n->config.vcs];
  k->ring[(k->first + k->count++) % (n->config.vcs * n->config.sink_flits)] =
      (delivered_t){packet_of(flit), (uint8_t)vc, t->flits[vc]};
  t->flits[vc] = 0;
  n->ready[node] |= (uint8_t)(1U << (2 * port + vc / n->config.vcs));
}

/* A packet that has not begun takes the next VC of its range that has room. */
static bool begin(const network_t *n, const terminal_t *t, source_t *s) {
  unsigned count, first = vc_range(n, s->head, &count);
  for (unsigned i = 1; i <= count; i++) {
    unsigned vc = first + (s->last_vc - first + i) % count;
    if (!t->credits[vc]) continue;
    s->vc = s->last_vc = (uint8_t)vc;
    s->sent = 0;
    s->flits = packet_flits(s->head);
    assert(s->flits <= n->config.sink_flits);
    return true;
  }
  return false;
}

static bool source_send(network_t *n, unsigned node, unsigned port, terminal_t *t, source_t *s) {
  if (!s->head || (!s->flits && !begin(n, t, s)) || !t->credits[s->vc]) return false;
  packet_t *p = s->head;
  bool tail = s->sent + 1 == s->flits;
  flit_t flit = (flit_t)p | (s->sent == 0 ? HEAD : 0U) | (tail ? TAIL : 0U);
  s->sent++;
  t->credits[s->vc]--;
  give_router(n, node, port, s->vc, flit, n->now + 1 + LOCAL_LATENCY);
  if (!tail) return true;
  s->head = p->next;
  if (!s->head) s->tail = NULL;
  p->next = NULL;
  s->waiting--;
  s->flits = 0;
  t->work--;
  n->on_way--;
  return true;
}

static void terminal_tick(network_t *n, unsigned node, unsigned port) {
  terminal_t *t = terminal_of(n, node, port);
  if (!t->work) return;
  terminal_receive(n, node, port, t);
  for (unsigned i = 0; i < n->config.classes; i++) {
    unsigned c = (t->turn + i) % n->config.classes;
    if (!source_send(n, node, port, t, &t->source[c])) continue;
    t->turn = (c + 1) % n->config.classes;
    return;
  }
}

bool network_can_push(const network_t *n, unsigned node, unsigned port, unsigned cls) {
  return terminal_of(n, node, port)->source[n->config.classes == 1 ? 0 : cls].waiting < n->config.source_packets;
}

void network_push(network_t *n, unsigned node, unsigned port, packet_t *p) {
  terminal_t *t = terminal_of(n, node, port);
  source_t *s = &t->source[class_of(n, p)];
  assert(s->waiting < n->config.source_packets && p->hdr.dst < n->nodes);
  p->next = NULL;
  if (s->tail) s->tail->next = p;
  else s->head = p;
  s->tail = p;
  s->waiting++;
  t->work++;
  n->on_way++;
  n->held++;
  n->stats.packets[p->hdr.type]++;
  n->stats.bytes[p->hdr.type] += packet_bytes(p);
}

packet_t *network_peek(const network_t *n, unsigned node, unsigned port, unsigned cls) {
  const sink_t *k = &terminal_of(n, node, port)->sink[cls];
  return k->count ? k->ring[k->first].packet : NULL;
}

unsigned network_ready(const network_t *n, unsigned node) {
  return n->ready[node];
}

packet_t *network_pop(network_t *n, unsigned node, unsigned port, unsigned cls) {
  sink_t *k = &terminal_of(n, node, port)->sink[cls];
  if (!k->count) return NULL;
  delivered_t d = k->ring[k->first];
  k->first = wrap(k->first + 1, n->config.vcs * n->config.sink_flits);
  if (!--k->count) n->ready[node] &= (uint8_t)~(1U << (2 * port + cls));
  n->held--;
  n->stats.delivered++;
  give_router_credits(n, node, port, d.vc, d.flits, n->now + 2 + LOCAL_LATENCY);
  return d.packet;
}

/* ---- router stages ---- */

static void router_receive(network_t *n, router_t *r) {
  unsigned s = slot_of(n, n->now);
  for (unsigned ports = r->credit_ports[s]; ports; ports &= ports - 1) {
    unsigned p = (unsigned)__builtin_ctz(ports);
    for (unsigned vc = 0; vc < n->vcs; vc++) {
      unsigned count = r->credit[s][p][vc];
      r->credits[p * n->vcs + vc] = (uint8_t)(r->credits[p * n->vcs + vc] + count);
      r->work -= count;
      n->on_way -= count;
    }
    memset(r->credit[s][p], 0, sizeof r->credit[s][p]);
  }
  r->credit_ports[s] = 0;
  for (unsigned ports = r->arrivals[s]; ports; ports &= ports - 1) {
    unsigned p = (unsigned)__builtin_ctz(ports), iv = p * n->vcs + r->arriving[s][p].vc;
    input_vc_t *in = &r->in[iv];
    assert(in->count < n->config.depth);
    in->flit[(in->first + in->count++) % MAX_DEPTH] = r->arriving[s][p].flit;
    if (!((r->allocating | r->active) & bit(iv))) r->routing |= bit(iv);
  }
  r->arrivals[s] = 0;
}

/* e-cube: the lowest dimension in which the packet is not there yet. */
static void route(const network_t *n, router_t *r, unsigned node, uint64_t set) {
  for (; set; set &= set - 1) {
    input_vc_t *in = &r->in[__builtin_ctzll(set)];
    const packet_t *p = packet_of(in->flit[in->first]);
    assert(in->flit[in->first] & HEAD);
    unsigned differ = node ^ (unsigned)p->hdr.dst;
    in->out_port = (uint8_t)(differ ? n->config.local_ports + (unsigned)__builtin_ctz(differ) : exit_port(n, p));
    unsigned asks, first = vc_range(n, p, &asks);
    in->ask = (uint8_t)(in->out_port * n->vcs + first);
    in->asks = (uint8_t)asks;
  }
}

static void allocate_vcs(const network_t *n, router_t *r, uint64_t set) {
  uint64_t request[IVCS], grant[IVCS], wanted = 0, granted = 0;
  for (uint64_t left = set; left; left &= left - 1) {
    unsigned iv = (unsigned)__builtin_ctzll(left);
    const input_vc_t *in = &r->in[iv];
    for (unsigned ov = in->ask; ov < in->ask + in->asks; ov++) {
      if (r->taken & bit(ov)) continue;
      if (!(wanted & bit(ov))) request[ov] = 0;
      wanted |= bit(ov);
      request[ov] |= bit(iv);
    }
  }
  for (uint64_t left = wanted; left; left &= left - 1) {
    unsigned ov = (unsigned)__builtin_ctzll(left), iv = pick(request[ov], r->grant_va[ov]);
    if (!(granted & bit(iv))) grant[iv] = 0;
    granted |= bit(iv);
    grant[iv] |= bit(ov);
  }
  for (uint64_t left = granted; left; left &= left - 1) {
    unsigned iv = (unsigned)__builtin_ctzll(left), ov = pick(grant[iv], r->accept_va[iv]), all = n->ports * n->vcs;
    r->grant_va[ov] = (uint8_t)wrap(iv + 1, all);
    r->accept_va[iv] = (uint8_t)wrap(ov + 1, all);
    r->in[iv].out_vc = n->vc_of[ov];
    r->taken |= bit(ov);
    r->allocating &= ~bit(iv);
    r->active |= bit(iv);
  }
}

static void forward(network_t *n, unsigned node, unsigned port, unsigned vc, flit_t flit) {
  if (port < n->config.local_ports) {
    give_terminal(n, terminal_of(n, node, port), vc, flit, n->now + 2 + LOCAL_LATENCY);
    return;
  }
  give_router(n, neighbour(n, node, port), port, vc, flit, n->now + 2 + n->config.link_latency);
  n->stats.link_flits++;
  if (flit & HEAD) n->stats.link_bytes[packet_of(flit)->hdr.type] += packet_bytes(packet_of(flit));
}

/* A flit has won the switch: it leaves, its buffer's credit goes back, the packet behind it starts at stage one. */
static void traverse(network_t *n, router_t *r, unsigned node, unsigned iv) {
  input_vc_t *in = &r->in[iv];
  unsigned ip = n->port_of[iv], vc = n->vc_of[iv];
  flit_t flit = in->flit[in->first];
  in->first = (uint8_t)(--in->count ? (in->first + 1) % MAX_DEPTH : 0);
  r->work--;
  n->on_way--;
  unsigned ov = in->out_port * n->vcs + in->out_vc;
  r->credits[ov]--;
  if (flit & TAIL) {
    r->taken &= ~bit(ov);
    r->active &= ~bit(iv);
    if (in->count) r->routing |= bit(iv);
  }
  forward(n, node, in->out_port, in->out_vc, flit);
  if (ip < n->config.local_ports) give_terminal_credit(n, terminal_of(n, node, ip), vc, n->now + 1 + LOCAL_LATENCY);
  else give_router_credits(n, neighbour(n, node, ip), ip, vc, 1, n->now + 2 + n->config.link_latency);
}

/* The VC that a port offers to each output: the first from its pointer on. request[op]: input ports that want it. */
static unsigned switch_requests(const network_t *n, const router_t *r, uint64_t set, uint8_t offer[][PORTS],
                                uint8_t *request) {
  unsigned wanted = 0;
  for (uint64_t left = set; left; left &= left - 1) {
    unsigned iv = (unsigned)__builtin_ctzll(left), ip = n->port_of[iv], vc = n->vc_of[iv];
    const input_vc_t *in = &r->in[iv];
    unsigned op = in->out_port;
    if (!in->count || !r->credits[op * n->vcs + in->out_vc]) continue;
    if (!(wanted >> op & 1)) request[op] = 0;
    wanted |= 1U << op;
    bool first = !(request[op] >> ip & 1);
    unsigned from = r->vc_sa[ip];
    if (first || distance(from, vc) < distance(from, offer[ip][op])) offer[ip][op] = (uint8_t)vc;
    request[op] |= (uint8_t)(1U << ip);
  }
  return wanted;
}

static void allocate_switch(network_t *n, router_t *r, unsigned node, uint64_t set) {
  uint8_t offer[PORTS][PORTS], request[PORTS], grant[PORTS];
  unsigned granted = 0;
  for (unsigned left = switch_requests(n, r, set, offer, request); left; left &= left - 1) {
    unsigned op = (unsigned)__builtin_ctz(left), ip = pick(request[op], r->grant_sa[op]);
    if (!(granted >> ip & 1)) grant[ip] = 0;
    granted |= 1U << ip;
    grant[ip] |= (uint8_t)(1U << op);
  }
  for (; granted; granted &= granted - 1) {
    unsigned ip = (unsigned)__builtin_ctz(granted), op = pick(grant[ip], r->accept_sa[ip]);
    r->grant_sa[op] = (uint8_t)wrap(ip + 1, n->ports);
    r->accept_sa[ip] = (uint8_t)wrap(op + 1, n->ports);
    r->vc_sa[ip] = (uint8_t)wrap(offer[ip][op] + 1U, n->vcs);
    traverse(n, r, node, ip * n->vcs + offer[ip][op]);
  }
}

/* All stages look at the state the tick began with, so a packet passes one a tick. */
static void router_tick(network_t *n, unsigned node) {
  router_t *r = &n->router[node];
  if (!r->work) return;
  router_receive(n, r);
  uint64_t routing = r->routing, allocating = r->allocating, active = r->active;
  if (routing) route(n, r, node, routing);
  if (allocating) allocate_vcs(n, r, allocating);
  r->routing &= ~routing;
  r->allocating |= routing;
  if (active) allocate_switch(n, r, node, active);
}

void network_tick(network_t *n, uint64_t now) {
  n->now = now;
  if (!n->on_way) return;
  for (unsigned node = 0; node < n->nodes; node++)
    for (unsigned port = 0; port < n->config.local_ports; port++) terminal_tick(n, node, port);
  for (unsigned node = 0; node < n->nodes; node++) router_tick(n, node);
}

/* ---- looking at it ---- */

unsigned network_nodes(const network_t *n) {
  return n->nodes;
}

unsigned network_local_ports(const network_t *n) {
  return n->config.local_ports;
}

bool network_idle(const network_t *n) {
  return n->held == 0 && n->on_way == 0;
}

uint64_t network_held(const network_t *n) {
  return n->held;
}

const network_stats_t *network_stats(const network_t *n) {
  return &n->stats;
}

static void describe_router(const network_t *n, unsigned node, char *text, size_t size, size_t *used) {
  const router_t *r = &n->router[node];
  for (unsigned iv = 0; iv < n->ports * n->vcs; iv++) {
    const input_vc_t *in = &r->in[iv];
    if (!in->count) continue;
    const pkt_hdr_t *h = &packet_of(in->flit[in->first])->hdr;
    const char *what = r->routing & bit(iv) ? "a route" : r->allocating & bit(iv) ? "a VC" : "the switch";
    if (r->active & bit(iv) && !r->credits[in->out_port * n->vcs + in->out_vc]) what = "credits";
    describe_add(text, size, used, "router %u port %u vc %u: %u flits, first of %s %u->%u, wait for %s of port %u\n",
                 node, iv / n->vcs, iv % n->vcs, in->count, pkt_type_name((unsigned)h->type), (unsigned)h->src,
                 (unsigned)h->dst, what, in->out_port);
  }
}

size_t network_describe_waits(const network_t *n, char *text, size_t size) {
  size_t used = 0;
  if (size) *text = 0;
  for (unsigned node = 0; node < n->nodes; node++) {
    for (unsigned port = 0; port < n->config.local_ports; port++) {
      const terminal_t *t = terminal_of(n, node, port);
      for (unsigned c = 0; c < n->config.classes; c++) {
        const packet_t *p = network_peek(n, node, port, c);
        if (t->source[c].head)
          describe_add(text, size, &used, "network source %u.%u class %u: %u packets, first %s to %u\n", node, port, c,
                       t->source[c].waiting, pkt_type_name((unsigned)t->source[c].head->hdr.type),
                       (unsigned)t->source[c].head->hdr.dst);
        if (p)
          describe_add(text, size, &used, "network sink %u.%u class %u: %u packets, %s waits to be taken\n", node, port,
                       c, t->sink[c].count, pkt_type_name((unsigned)p->hdr.type));
      }
    }
    describe_router(n, node, text, size, &used);
  }
  return used;
}
