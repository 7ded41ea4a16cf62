/* SPDX-License-Identifier: Apache-2.0
 *
 * Each terminal has a list of the terminals that it may send to; with a pattern of one destination
 * the list has one entry. The lists are made once, in traffic_new.
 *
 *   dest:   | of terminal 0 | of 1 | of 2 ...        first[n]: where terminal n's begins
 *           ^first[0]       ^first[1]
 */
#include "traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"

struct traffic {
  traffic_config_t config;
  unsigned terminals;
  uint64_t threshold; /* a random number below it: a packet in this cycle */
  bool always;        /* rate of one packet a cycle, which no threshold can say */
  rng_t *rng;         /* [terminals] */
  uint16_t *dest;     /* lists of destinations, one behind the other */
  unsigned *first;    /* [terminals + 1]: terminal n's is dest[first[n]] .. dest[first[n + 1] - 1] */
};

static const struct {
  const char *name, *text;
} patterns[] = {
#define X(id, name, text) {name, text},
    TRAFFIC_PATTERNS(X)
#undef X
};

const char *traffic_pattern_name(traffic_pattern_t pattern) {
  return patterns[pattern].name;
}

const char *traffic_pattern_text(traffic_pattern_t pattern) {
  return patterns[pattern].text;
}

bool traffic_pattern_find(const char *name, traffic_pattern_t *pattern) {
  for (unsigned p = 0; p < TRAFFIC_NUM_PATTERNS; p++) {
    if (strcmp(name, patterns[p].name) != 0) continue;
    *pattern = (traffic_pattern_t)p;
    return true;
  }
  return false;
}

/* ---- what is asked for must make sense ---- */

/* The side of a square of n terminals; 0: n is no square number. */
static unsigned side_of_square(unsigned n) {
  unsigned side = (unsigned)lround(sqrt(n));
  return side * side == n ? side : 0;
}

/* What a pattern needs of the network. */
static bool check_pattern(const traffic_config_t *c, unsigned terminals, trouble_t *trouble) {
  if (c->pattern == TRAFFIC_BITCOMP && (terminals & (terminals - 1)))
    trouble_set(trouble, TROUBLE_INPUT, "pattern bitcomp needs a power of two of terminals; this network has %u",
                terminals);
  else if (c->pattern == TRAFFIC_TRANSPOSE && !side_of_square(terminals))
    trouble_set(trouble, TROUBLE_INPUT, "pattern transpose needs a square number of terminals; this network has %u",
                terminals);
  else if (c->pattern == TRAFFIC_HOTSPOT && c->hotspot >= terminals)
    trouble_set(trouble, TROUBLE_INPUT, "hotspot terminal %u: this network has terminals 0 to %u", c->hotspot,
                terminals - 1);
  else return true;
  return false;
}

/* False: a value out of its range; trouble names the value and the range. */
static bool check_traffic(const traffic_config_t *c, unsigned terminals, trouble_t *trouble) {
  if (!(c->rate > 0 && c->rate <= 1))
    trouble_set(trouble, TROUBLE_INPUT, "rate %g: flits per terminal and cycle, above 0 and at most 1", c->rate);
  else if (c->flits_least < 1 || c->flits_most > 1023 || c->flits_least > c->flits_most)
    trouble_set(trouble, TROUBLE_INPUT, "packets of %u to %u flits: 1 to 1023, least first", c->flits_least,
                c->flits_most);
  else if (c->classes < 1 || c->classes > 2) trouble_set(trouble, TROUBLE_INPUT, "%u classes: 1 or 2", c->classes);
  else if (!(c->divergent >= 0 && c->divergent <= 1))
    trouble_set(trouble, TROUBLE_INPUT, "divergent share %g: 0 to 1", c->divergent);
  else if (!(c->hotspot_share >= 0 && c->hotspot_share <= 1))
    trouble_set(trouble, TROUBLE_INPUT, "hotspot share %g: 0 to 1", c->hotspot_share);
  else return check_pattern(c, terminals, trouble);
  return false;
}

/* ---- destinations ---- */

/* Does the route from source to dest pass the router? The source's own router counts. */
static bool route_passes(const topology_t *t, const routes_t *routes, unsigned source, unsigned dest, unsigned router) {
  unsigned at = t->terminal[source].router;
  while (at != router) {
    const topology_port_t *p = topology_port(t, at, routes_port(routes, at, dest));
    if (p->kind != PORT_LINK) return false;
    at = p->peer;
  }
  return true;
}

/* Adds one to the count of each router on the route. */
static void count_routes(const topology_t *t, const routes_t *routes, unsigned source, unsigned dest, uint64_t *count) {
  unsigned at = t->terminal[source].router;
  for (;;) {
    count[at]++;
    const topology_port_t *p = topology_port(t, at, routes_port(routes, at, dest));
    if (p->kind != PORT_LINK) return;
    at = p->peer;
  }
}

unsigned traffic_centre(const topology_t *t, const routes_t *routes) {
  uint64_t count[TOPOLOGY_MAX_ROUTERS] = {0};
  for (unsigned s = 0; s < t->terminals; s++)
    for (unsigned d = 0; d < t->terminals; d++)
      if (t->terminal[s].router != t->terminal[d].router) count_routes(t, routes, s, d, count);
  unsigned best = 0;
  for (unsigned r = 1; r < t->routers; r++)
    if (count[r] > count[best]) best = r;
  return best;
}

/* The terminals of other routers that `source` reaches through the centre. Returns how many. */
static unsigned list_through_centre(const topology_t *t, const routes_t *routes, unsigned source, unsigned centre,
                                    uint16_t *dest) {
  unsigned n = 0;
  for (unsigned d = 0; d < t->terminals; d++)
    if (t->terminal[d].router != t->terminal[source].router && route_passes(t, routes, source, d, centre))
      dest[n++] = (uint16_t)d;
  return n;
}

static unsigned list_all_terminals(unsigned terminals, uint16_t *dest) {
  for (unsigned d = 0; d < terminals; d++) dest[d] = (uint16_t)d;
  return terminals;
}

/* Fills dest, room for one entry a terminal. Returns how many entries it wrote. */
static unsigned list_destinations(const traffic_config_t *c, const topology_t *t, const routes_t *routes,
                                  unsigned source, unsigned centre, uint16_t *dest) {
  unsigned side;
  switch (c->pattern) {
  case TRAFFIC_BITCOMP: dest[0] = (uint16_t)(t->terminals - 1 - source); return 1;
  case TRAFFIC_TRANSPOSE:
    side = side_of_square(t->terminals);
    dest[0] = (uint16_t)(source % side * side + source / side);
    return 1;
  case TRAFFIC_TREE_SATURATION: return list_through_centre(t, routes, source, centre, dest);
  default: return list_all_terminals(t->terminals, dest);
  }
}

/* False: no terminal has a destination. Only tree-saturation on one router does that. */
static bool make_destination_lists(traffic_t *traffic, const topology_t *t, const routes_t *routes,
                                   trouble_t *trouble) {
  bool saturate = traffic->config.pattern == TRAFFIC_TREE_SATURATION;
  unsigned centre = saturate ? traffic_centre(t, routes) : 0, used = 0;
  for (unsigned s = 0; s < t->terminals; s++) {
    traffic->first[s] = used;
    used += list_destinations(&traffic->config, t, routes, s, centre, &traffic->dest[used]);
  }
  traffic->first[t->terminals] = used;
  if (!used) trouble_set(trouble, TROUBLE_INPUT, "pattern tree-saturation needs more than one router with terminals");
  return used > 0;
}

/* ---- making one ---- */

/* A terminal begins a packet in a cycle with probability rate / mean length. `threshold` is this
 * probability as a 64-bit fraction. */
traffic_t *traffic_new(const traffic_config_t *c, const topology_t *t, const routes_t *routes, trouble_t *trouble) {
  if (!check_traffic(c, t->terminals, trouble)) return NULL;
  traffic_t *traffic = calloc(1, sizeof *traffic);
  if (traffic) {
    traffic->config = *c;
    traffic->terminals = t->terminals;
    traffic->rng = calloc(t->terminals, sizeof *traffic->rng);
    traffic->first = calloc(t->terminals + 1, sizeof *traffic->first);
    traffic->dest = calloc((size_t)t->terminals * t->terminals, sizeof *traffic->dest);
  }
  if (!traffic || !traffic->rng || !traffic->first || !traffic->dest) {
    trouble_memory(trouble);
  } else if (make_destination_lists(traffic, t, routes, trouble)) {
    double packets = c->rate * 2 / (c->flits_least + c->flits_most);
    traffic->always = packets >= 1;
    traffic->threshold = traffic->always ? UINT64_MAX : (uint64_t)ldexp(packets, 64);
    for (unsigned n = 0; n < t->terminals; n++) rng_init(&traffic->rng[n], rng_mix(c->seed) + n);
    return traffic;
  }
  traffic_free(traffic);
  return NULL;
}

void traffic_free(traffic_t *traffic) {
  if (!traffic) return;
  free(traffic->rng);
  free(traffic->first);
  free(traffic->dest);
  free(traffic);
}

/* ---- packets ---- */

/* True for this share of the draws. A share of 0 or 1 draws no number. */
static bool draw_share(rng_t *rng, double of) {
  return of >= 1 || (of > 0 && rng_next(rng) < (uint64_t)ldexp(of, 64));
}

static unsigned choose_dest(traffic_t *traffic, unsigned n, rng_t *rng) {
  const traffic_config_t *c = &traffic->config;
  if (c->pattern == TRAFFIC_HOTSPOT && draw_share(rng, c->hotspot_share)) return c->hotspot;
  unsigned first = traffic->first[n];
  return traffic->dest[first + rng_below(rng, traffic->first[n + 1] - first)];
}

/* The order of the draws is fixed (destination, length, class, divergence): the packets of a seed
 * depend on it. */
static traffic_packet_t draw_packet(traffic_t *traffic, unsigned n, rng_t *rng) {
  const traffic_config_t *c = &traffic->config;
  traffic_packet_t p = {.source = (uint16_t)n, .dest = (uint16_t)choose_dest(traffic, n, rng)};
  p.flits =
      (uint16_t)(c->flits_least == c->flits_most ? c->flits_least : rng_range(rng, c->flits_least, c->flits_most));
  p.cls = c->classes > 1 ? (uint8_t)rng_below(rng, c->classes) : 0;
  p.divergent = draw_share(rng, c->divergent);
  return p;
}

void traffic_cycle(traffic_t *traffic, void (*send)(void *context, const traffic_packet_t *packet), void *context) {
  for (unsigned n = 0; n < traffic->terminals; n++) {
    rng_t *rng = &traffic->rng[n];
    if (rng_next(rng) >= traffic->threshold && !traffic->always) continue;
    if (traffic->first[n] == traffic->first[n + 1]) continue; /* nobody to send to */
    traffic_packet_t packet = draw_packet(traffic, n, rng);
    send(context, &packet);
  }
}
