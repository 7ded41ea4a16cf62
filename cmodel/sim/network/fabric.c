/* SPDX-License-Identifier: Apache-2.0
 *
 * Routers and wires. fabric_internal.h says how a cycle is laid out. Where a router's outputs
 * go:
 *
 *    to a router, latency 1            its input wires of the next cycle
 *    latency L, or a narrow link       the wheel, then its input wires
 *    to a terminal                     ejection wire, credit wire
 */
#include <stdlib.h>
#include <string.h>

#include "fabric.h"
#include "fabric_internal.h"

/* ---- making one ---- */

router_params_t fabric_router_params(const topology_t *t, router_params_t p) {
  p.Ports = t->ports < 2 ? 2 : (long)t->ports;
  p.NumDest = (long)(t->terminals * routes_aliases(t));
  if (topology_has_datelines(t)) p.KeepVC = 1;
  return p;
}

bool fabric_params_check(const routes_t *routes, const router_params_t *p, trouble_t *trouble) {
  if (routes->vcs > 1 && p->Tr)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "packets keep their VCs between datelines, and priority buffers are other VCs; a policy without "
                       "tr would be right");
  if (!router_params_check(p, trouble)) return false;
  if (routes->vcs <= (unsigned)(p->NumVCs / p->Classes)) return true;
  return trouble_set(trouble, TROUBLE_INPUT,
                     "ways pass up to %u datelines, so a class needs %u VCs and has %ld: NumVCs of %ld would be right",
                     routes->vcs - 1, routes->vcs, p->NumVCs / p->Classes, (long)routes->vcs * p->Classes);
}

static bool uses_epochs(const fabric_t *f) {
  return f->config.router.Crit || f->config.router.Width;
}

/* The engines' memory. Engines of one kind lie side by side, each at a multiple of a cache line.
 * False: out of memory. */
static bool make_states(fabric_t *f) {
  enum { LINE = 64 };
  size_t size = 0;
  for (unsigned r = 0; r < f->routers; r++) size += (f->engine[r]->state_size + LINE - 1) / LINE * LINE;
  f->state = calloc(f->routers, sizeof *f->state);
  f->states = aligned_alloc(LINE, size ? size : LINE);
  if (!f->state || !f->states) return false;
  memset(f->states, 0, size);
  size = 0;
  for (unsigned r = 0; r < f->routers; r++) {
    f->state[r] = f->states + size;
    size += (f->engine[r]->state_size + LINE - 1) / LINE * LINE;
  }
  return true;
}

static bool make_wires(fabric_t *f) {
  for (unsigned i = 0; i < 2; i++) {
    f->in[i] = calloc((size_t)f->routers * f->at.in_words, sizeof **f->in);
    f->eject[i] = calloc((size_t)f->config.topology->terminals * f->at.flit_words, sizeof **f->eject);
    f->credit[i] = calloc(f->config.topology->terminals, sizeof **f->credit);
    if (!f->in[i] || !f->eject[i] || !f->credit[i]) return false;
  }
  f->out = calloc(f->routers, sizeof *f->out);
  f->port_stats = calloc((size_t)f->routers * f->ports, sizeof *f->port_stats);
  f->narrow = calloc((size_t)f->routers * f->ports, sizeof *f->narrow);
  return f->out && f->port_stats && f->narrow;
}

/* The router's input `link`: which of its ports lead to other routers. */
static void set_links(fabric_t *f, unsigned r) {
  uint64_t links = 0;
  for (unsigned p = 0; p < f->ports; p++)
    links |= (uint64_t)(topology_port(f->config.topology, r, p)->kind == PORT_LINK) << p;
  for (unsigned i = 0; i < 2; i++) fabric_in(f, i, r)[f->at.link] = links;
}

/* Opens a router and writes its route table, one entry a cycle. Entries of port 0 are there
 * after reset. */
static bool open_router(fabric_t *f, unsigned r) {
  const routes_t *routes = f->config.routes;
  const uint8_t *table = (f->config.router.Lookahead ? routes->next : routes->port) + (size_t)r * routes->addresses;
  const block_engine_t *e = f->engine[r];
  uint64_t *in = fabric_in(f, 0, r);
  if (!e->open(f->state[r], e->context, f->config.instance + r)) return false;
  set_links(f, r);
  in[f->at.cfg_valid] = 1;
  for (unsigned d = 0; d < routes->addresses; d++) {
    if (!table[d]) continue;
    in[f->at.cfg_dest] = d;
    in[f->at.cfg_port] = table[d];
    e->step(f->state[r], in);
  }
  in[f->at.cfg_valid] = in[f->at.cfg_dest] = in[f->at.cfg_port] = 0;
  f->out[r] = e->out(f->state[r]);
  if (!e->idle || !e->idle(f->state[r])) numbers_add(&f->awake[0], r);
  return true;
}

static bool check_fabric_config(const fabric_config_t *c, trouble_t *trouble) {
  if (c->router.Ports != fabric_router_params(c->topology, c->router).Ports ||
      c->router.NumDest < (long)c->routes->addresses || (c->routes->vcs > 1 && !c->router.KeepVC))
    return trouble_set(trouble, TROUBLE_INPUT, "router parameters are not the topology's");
  if (c->sink_flits && c->sink_flits < (unsigned)c->router.Depth)
    return trouble_set(trouble, TROUBLE_INPUT, "sink_flits should be at least Depth");
  return fabric_params_check(c->routes, &c->router, trouble);
}

/* The engine knows where its ports are. False: it has not all of ROUTER_WIRES. */
static bool find_wires(const block_engine_t *e, const router_params_t *p, router_layout_t *at) {
  *at = (router_layout_t){.in_words = e->in_words, .out_words = e->out_words, .flit_words = (unsigned)p->FlitBits / 64};
  int place;
#define X(name)                                                             \
  if (!e->place || (place = e->place(e->context, #name)) < 0) return false; \
  at->name = (unsigned)place;
  ROUTER_WIRES(X)
#undef X
  return true;
}

/* All engines must have one layout; those of one kind are often neighbours, and are asked once. */
static bool find_layout(fabric_t *f, trouble_t *trouble) {
  for (unsigned r = 0; r < f->routers; r++) {
    router_layout_t at;
    if (r && f->engine[r] == f->engine[r - 1]) continue;
    if (!find_wires(f->engine[r], &f->config.router, &at))
      return trouble_set(trouble, TROUBLE_ENVIRONMENT, "a router with other ports");
    if (r && memcmp(&at, &f->at, sizeof at))
      return trouble_set(trouble, TROUBLE_ENVIRONMENT, "routers of different layouts");
    f->at = at;
  }
  return true;
}

static bool build_fabric(fabric_t *f, trouble_t *trouble) {
  if (!find_layout(f, trouble)) return false;
  if (!make_states(f) || !make_wires(f) || !fabric_terminals_init(f)) return trouble_memory(trouble);
  for (unsigned r = 0; r < f->routers; r++)
    if (!open_router(f, r)) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "a router could not be created");
  f->rest = fabric_idle(f);
  return true;
}

fabric_t *fabric_new(const fabric_config_t *config, trouble_t *trouble) {
  if (!check_fabric_config(config, trouble)) return NULL;
  fabric_t *f = calloc(1, sizeof *f);
  if (!f) return trouble_memory(trouble), NULL;
  f->config = *config;
  f->routers = config->topology->routers;
  f->ports = config->topology->ports;
  f->wire = config->topology->port;
  f->vcs = router_vcs(&config->router);
  f->classes = (unsigned)config->router.Classes;
  f->vcs_class = (unsigned)(config->router.NumVCs / config->router.Classes);
  f->engine = config->engine;
  f->epoch_end = uses_epochs(f) ? (uint64_t)config->router.EpochCycles - 1 : UINT64_MAX;
  if (build_fabric(f, trouble)) return f;
  fabric_free(f);
  return NULL;
}

void fabric_free(fabric_t *f) {
  if (!f) return;
  for (unsigned r = 0; f->state && r < f->routers; r++)
    if (f->state[r] && f->engine[r]->close) f->engine[r]->close(f->state[r]);
  for (unsigned i = 0; i < 2; i++) {
    free(f->in[i]);
    free(f->eject[i]);
    free(f->credit[i]);
  }
  for (unsigned i = 0; i < WHEEL; i++) {
    free(f->wheel[i].late);
    free(f->wheel[i].flit);
  }
  fabric_terminals_free(f);
  free(f->out);
  free(f->port_stats);
  free(f->narrow);
  free(f->state);
  free(f->states);
  free(f);
}

/* ---- links of more than one cycle ---- */

/* Flits of a narrow link go one after the other. The router does not see that, but its credits
 * come later. Returns the cycle after which this flit counts as sent. */
static uint64_t narrow_link_cycle(fabric_t *f, const topology_port_t *link) {
  uint64_t *free_at = &f->narrow[link - f->wire], begins = *free_at > f->now + 1 ? *free_at : f->now + 1;
  *free_at = begins + link->interval;
  return *free_at - 1;
}

/* A wire of cycle `sent` that ends at a router's port `latency` - 1 cycles later. flit NULL: a
 * credit. */
static void delay_wire(fabric_t *f, uint64_t sent, const topology_port_t *link, const uint64_t *flit, unsigned vc) {
  slot_t *s = &f->wheel[(sent + link->latency - 1) % WHEEL];
  if (s->count == s->room) {
    uint32_t room = s->room ? 2 * s->room : 16;
    late_t *late = realloc(s->late, room * sizeof *late);
    if (late) s->late = late;
    uint64_t *flits = realloc(s->flit, (size_t)room * f->at.flit_words * sizeof *flits);
    if (flits) s->flit = flits;
    if (!late || !flits) {
      trouble_fail(&f->fault, TROUBLE_ENVIRONMENT, "out of memory");
      return;
    }
    s->room = room;
  }
  if (flit) memcpy(s->flit + (size_t)s->count * f->at.flit_words, flit, f->at.flit_words * sizeof *flit);
  s->late[s->count++] = (late_t){link->peer, link->peer_port, (uint8_t)vc, !flit};
  f->late++;
}

/* What the wheel has for this cycle. */
static void arrive_late(fabric_t *f) {
  slot_t *s = &f->wheel[f->now % WHEEL];
  for (uint32_t i = 0; i < s->count; i++) {
    const late_t *l = &s->late[i];
    if (l->credit) fabric_put_credit(f, f->now, l->router, l->port, l->vc);
    else fabric_put_flit(f, f->now, l->router, l->port, s->flit + (size_t)i * f->at.flit_words);
  }
  f->late -= s->count;
  s->count = 0;
}

/* ---- a router's outputs, the wires of cycle f->now + 1, go to where they end ---- */

/* The terminal looks at the wire in the cycle after next. */
static inline void put_on_ejection_wire(fabric_t *f, unsigned terminal, const uint64_t *flit) {
  unsigned words = f->at.flit_words;
  uint64_t *to = f->eject[f->now & 1] + (size_t)terminal * words;
  for (unsigned w = 0; w < words; w++) to[w] = flit[w];
  numbers_add(&f->sending[f->now & 1], terminal); /* looks at it in cycle f->now + 2 */
}

/* The flit as it comes off a dateline link, one VC further. The VC behind it must be of its class:
 * terminals see to that. */
static const uint64_t *pass_dateline(fabric_t *f, const uint64_t *flit, uint64_t copy[MAX_FLIT_WORDS]) {
  const unsigned vc = (unsigned)FLIT_GET(*flit, vc);
  memcpy(copy, flit, f->at.flit_words * sizeof *copy);
  if (vc + 1 < f->vcs && f->vc_class[vc] == f->vc_class[vc + 1]) copy[0] += FLIT_AT(vc, 1);
  else trouble_fail(&f->fault, TROUBLE_BROKEN, "a flit on its class's last VC passed a dateline");
  return copy;
}

/* A flit on a router's output. The packet's record follows its head, for the watchdog. */
static inline void deliver_flit(fabric_t *f, const topology_port_t *wire, const uint64_t *flit) {
  uint64_t copy[MAX_FLIT_WORDS];
  if (wire->dateline) flit = pass_dateline(f, flit, copy);
  uint32_t number = fabric_record_of(*flit);
  if (FLIT_GET(*flit, head) && number < f->records) {
    record_t *r = &f->record[number];
    if (wire->kind == PORT_LINK) r->router = wire->peer, r->port = wire->peer_port;
    else r->at_sink = 1;
  }
  if (wire->kind == PORT_LINK && wire->interval > 1) delay_wire(f, narrow_link_cycle(f, wire), wire, flit, 0);
  else if (wire->kind == PORT_LINK && wire->latency == 1)
    fabric_put_flit(f, f->now + 1, wire->peer, wire->peer_port, flit);
  else if (wire->kind == PORT_TERMINAL) put_on_ejection_wire(f, wire->peer, flit);
  else if (wire->kind == PORT_LINK) delay_wire(f, f->now + 1, wire, flit, 0);
  else trouble_fail(&f->fault, TROUBLE_BROKEN, "a flit left at a port that is not connected");
}

/* A credit on a router's output, to the router or terminal in front of it. Over a dateline it goes
 * back to the VC that the flit came from. */
static inline void deliver_credit(fabric_t *f, const topology_port_t *wire, unsigned vc) {
  vc -= wire->dateline;
  if (wire->kind == PORT_LINK && wire->latency == 1) {
    fabric_put_credit(f, f->now + 1, wire->peer, wire->peer_port, vc);
  } else if (wire->kind == PORT_TERMINAL) {
    f->credit[f->now & 1][wire->peer] = (uint8_t)(vc + 1);
    numbers_add(&f->sending[f->now & 1], wire->peer);
  } else if (wire->kind == PORT_LINK) {
    delay_wire(f, f->now + 1, wire, NULL, vc);
  }
}

/* A router's outputs, the wires of cycle now + 1, go to where they end. */
static void deliver_outputs(fabric_t *f, unsigned r, const uint64_t *out) {
  const topology_port_t *wire = f->wire + r * f->ports;
  fabric_port_stats_t *stats = f->port_stats + r * f->ports;
  const uint64_t *flits = out + f->at.out_flit, valid = out[f->at.out_valid], credits = out[f->at.cr_valid],
                 vcs = out[f->at.cr_vc];
  const unsigned words = f->at.flit_words;
  for (uint64_t left = valid; left; left &= left - 1) {
    unsigned p = (unsigned)__builtin_ctzll(left);
    stats[p].flits++;
    f->stats.hops++;
    deliver_flit(f, &wire[p], flits + p * words);
  }
  for (uint64_t left = credits; left; left &= left - 1) {
    unsigned p = (unsigned)__builtin_ctzll(left);
    deliver_credit(f, &wire[p], (unsigned)(vcs >> 4 * p & 15));
  }
  for (uint64_t left = out[f->at.probe_stall]; left; left &= left - 1) stats[__builtin_ctzll(left)].stalls++;
  if (valid) f->stats.last_move = f->now;
}

/* ---- a cycle ---- */

/* An engine that failed, or a router's error output: a fault. */
static void check_router(fabric_t *f, unsigned r, const uint64_t *out) {
  static const char *const what[] = {"overflow",
                                     "VC out of range",
                                     "head or tail out of order",
                                     "no such output port",
                                     "credit too many",
                                     "credit for a VC out of range"};
  const block_engine_t *e = f->engine[r];
  const char *failed = e->failed ? e->failed(f->state[r]) : NULL;
  const char *name = f->config.topology->name[r];
  if (failed) trouble_fail(&f->fault, TROUBLE_BROKEN, "router %s: %.200s", name, failed);
  else if (out[f->at.err])
    trouble_fail(&f->fault, TROUBLE_BROKEN, "router %s, cycle %llu: error output: %s", name, (unsigned long long)f->now,
                 what[__builtin_ctzll(out[f->at.err]) % 6]);
}

/* A router that has work, or input in the next cycle, is awake then. */
static void router_cycle(fabric_t *f, unsigned r) {
  const block_engine_t *e = f->engine[r];
  void *state = f->state[r];
  uint64_t *in = fabric_in(f, f->now, r);
  e->step(state, in);
  in[f->at.in_valid] = in[f->at.ocr_valid] = in[f->at.epoch] = 0;
  const uint64_t *out = f->out[r] = e->out(state);
  if (e->failed || out[f->at.err]) check_router(f, r, out);
  deliver_outputs(f, r, out);
  if (!e->idle || !e->idle(state)) numbers_add(&f->awake[(f->now + 1) & 1], r);
}

/* The epoch's last cycle wakes all routers. */
static void end_epoch(fabric_t *f) {
  for (unsigned r = 0; r < f->routers; r++) {
    fabric_in(f, f->now, r)[f->at.epoch] = 1;
    numbers_add(&f->awake[f->now & 1], r);
  }
  f->epoch_end += (uint64_t)f->config.router.EpochCycles;
}

void fabric_cycle(fabric_t *f) {
  numbers_t *awake = &f->awake[f->now & 1];
  if (f->sending[f->now & 1].used) fabric_terminals_cycle(f);
  if (f->late) arrive_late(f);
  if (f->now == f->epoch_end) end_epoch(f);
  while (awake->used) {
    router_cycle(f, numbers_take(awake, f->config.backwards));
    f->stats.router_steps++;
  }
  f->now++;
  f->stats.cycles++;
  f->rest = fabric_idle(f);
}

uint64_t fabric_now(const fabric_t *f) {
  return f->now;
}

bool fabric_idle(const fabric_t *f) {
  return !((f->awake[0].used | f->awake[1].used | f->sending[0].used | f->sending[1].used) || f->late);
}

/* At rest only what was sent or released since the last cycle is there. It has no date yet, so
 * it moves along to the new cycle. */
static void jump_to_cycle(fabric_t *f, uint64_t to) {
  if ((f->now ^ to) & 1) {
    f->sending[to & 1] = f->sending[f->now & 1];
    f->sending[f->now & 1] = (numbers_t){0};
  }
  f->stats.cycles += to - f->now;
  f->now = to;
}

void fabric_skip(fabric_t *f, uint64_t now) {
  while (f->now < now) {
    if (!f->rest || f->now == f->epoch_end) fabric_cycle(f);
    else jump_to_cycle(f, f->epoch_end < now ? f->epoch_end : now);
  }
}

/* ---- looking at it ---- */

fabric_stats_t fabric_stats(const fabric_t *f) {
  return f->stats;
}

fabric_port_stats_t fabric_port_stats(const fabric_t *f, unsigned router, unsigned port) {
  return f->port_stats[router * f->ports + port];
}

uint64_t fabric_router_flits(const fabric_t *f, unsigned router) {
  uint64_t sum = 0;
  for (unsigned p = 0; p < f->ports; p++) sum += fabric_port_stats(f, router, p).flits;
  return sum;
}

void fabric_clear_stats(fabric_t *f) {
  memset(f->port_stats, 0, (size_t)f->routers * f->ports * sizeof *f->port_stats);
}

void *fabric_state(const fabric_t *f, unsigned router) {
  return f->state[router];
}

const uint64_t *fabric_outputs(const fabric_t *f, unsigned router) {
  return f->out[router];
}

const router_layout_t *fabric_layout(const fabric_t *f) {
  return &f->at;
}

const trouble_t *fabric_fault(const fabric_t *f) {
  return f->fault.kind ? &f->fault : NULL;
}
