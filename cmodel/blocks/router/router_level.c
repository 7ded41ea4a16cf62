/* SPDX-License-Identifier: Apache-2.0
 *
 * Raw levels are the paper's strict priority. When an output's bound is reached, the packets of raw
 * level 0 have a turn: one of them goes before all others there, until a flit of it has left. They
 * take turns in order, so none is left out. Numbers in brackets are rules of the port file.
 */
#include "router_level.h"

#include <string.h>

#include "bits.h"
#include "router_vc.h"

static const unsigned bound = Bound;

enum { INPUT_VCS = Ports * VCS };
_Static_assert((int)INPUT_VCS <= (int)VC_MOST, "Ports * (NumVCs + Tr * Classes): at most 64");

static unsigned out_port(const router_level_in_t *in, unsigned i) {
  return (unsigned)bits_get(in->out_port, FLIT_route_W * i, FLIT_route_W);
}

/* Rule 1. */
static unsigned raw_level(const router_level_in_t *in, unsigned i) {
  unsigned ip = i / VCS, v = i % VCS, op = out_port(in, i);
  unsigned rank = op < Ports ? (unsigned)bits_get(in->rank, 7 * (ip * Ports + op), 7) : 0;
  unsigned hops = Dist ? (unsigned)bits_get(in->hops, FLIT_hops_W * i, FLIT_hops_W) : 0;
  return rank << 5 | (unsigned)vc_is_priority(v) << 4 | hops;
}

/* Input VCs that ask for output o with a packet of raw level 0. */
static uint64_t waiting(const router_level_in_t *in, unsigned o) {
  uint64_t set = 0;
  for (unsigned i = 0; i < INPUT_VCS; i++)
    if ((in->asks >> i & 1) && out_port(in, i) == o && raw_level(in, i) == 0) set |= UINT64_C(1) << i;
  return set;
}

/* The bound is reached at output o [3]. */
static bool is_fair(const router_level_t *s, unsigned o) {
  return bound != 0 && s->count[o] == bound;
}

/* The input VC that has its turn at output o [4]; INPUT_VCS if none waits. */
static unsigned next_turn(const router_level_t *s, const router_level_in_t *in, unsigned o) {
  uint64_t set = waiting(in, o);
  for (unsigned n = 0; n < INPUT_VCS; n++) {
    unsigned i = (s->turn[o] + n) % INPUT_VCS;
    if (set >> i & 1) return i;
  }
  return INPUT_VCS;
}

void router_level_reset(router_level_t *s) {
  memset(s, 0, sizeof *s);
}

void router_level_eval(const router_level_t *s, const router_level_in_t *in, router_level_out_t *out) {
  memset(out, 0, sizeof *out);
  for (unsigned o = 0; o < Ports; o++) {
    if (!is_fair(s, o)) continue;
    out->fair |= UINT64_C(1) << o;
    unsigned next = next_turn(s, in, o);
    if (next < INPUT_VCS) bits_put(out->level, 12 * next, 12, 1);
  }
  for (unsigned i = 0; i < INPUT_VCS; i++)
    if (!(out->fair >> out_port(in, i) & 1)) bits_put(out->level, 12 * i, 12, raw_level(in, i));
}

/* A flit of input VC g leaves by output o: rules 6 and 7. */
static void leaves(router_level_t *s, const router_level_in_t *in, unsigned g, unsigned o) {
  if (is_fair(s, o)) {
    if (g != next_turn(s, in, o)) return;
    s->count[o] = 0;
    s->turn[o] = (uint8_t)((g + 1) % INPUT_VCS);
  } else if (raw_level(in, g) != 0 && waiting(in, o)) {
    s->count[o]++;
  } else {
    s->count[o] = 0;
  }
}

void router_level_step(router_level_t *s, const router_level_in_t *in) {
  if (bound == 0) return;
  for (uint64_t left = in->sa_gnt; left; left &= left - 1) {
    unsigned g = (unsigned)__builtin_ctzll(left), o = out_port(in, g);
    if (o < Ports) leaves(s, in, g, o);
  }
}
