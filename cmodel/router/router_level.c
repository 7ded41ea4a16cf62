/* SPDX-License-Identifier: Apache-2.0
 *
 * Raw levels are what the paper has: strict priority. The bound sets those of an output aside until a flit of raw level 0 got through.
 */
#include "router_level.h"

#include <string.h>

#include "bits.h"
#include "router_vc.h"

static const unsigned bound = Bound;

enum { INPUT_VCS = Ports * VCS };
_Static_assert((int)INPUT_VCS <= (int)VC_MOST, "Ports * (NumVCs + Tr * Classes): at most 64");

static unsigned out_port(const router_level_in_t *in, unsigned i) { return (unsigned)bits_get(in->out_port, 4 * i, 4); }

static unsigned raw_level(const router_level_in_t *in, unsigned i) {
  unsigned ip = i / VCS, v = i % VCS, op = out_port(in, i);
  unsigned rank = op < Ports ? (unsigned)bits_get(in->rank, 7 * (ip * Ports + op), 7) : 0;
  unsigned hops = Dist ? (unsigned)bits_get(in->hops, 4 * i, 4) : 0;
  return rank << 5 | (unsigned)vc_is_priority(v) << 4 | hops;
}

static bool is_fair(const router_level_t *s, unsigned o) { return bound != 0 && s->count[o] == bound; }

void router_level_reset(router_level_t *s) { memset(s, 0, sizeof *s); }

void router_level_eval(const router_level_t *s, const router_level_in_t *in, router_level_out_t *out) {
  memset(out, 0, sizeof *out);
  for (unsigned o = 0; o < Ports; o++) out->fair |= (uint64_t)is_fair(s, o) << o;
  for (unsigned i = 0; i < INPUT_VCS; i++)
    if (!(out->fair >> out_port(in, i) & 1)) bits_put(out->level, 12 * i, 12, raw_level(in, i));
}

static bool asked_at_level_0(const router_level_in_t *in, unsigned o) {
  for (unsigned i = 0; i < INPUT_VCS; i++)
    if ((in->asks >> i & 1) && out_port(in, i) == o && raw_level(in, i) == 0) return true;
  return false;
}

void router_level_step(router_level_t *s, const router_level_in_t *in) {
  for (uint64_t left = in->sa_gnt; left; left &= left - 1) {
    unsigned winner = (unsigned)__builtin_ctzll(left), o = out_port(in, winner);
    if (o >= Ports) continue;
    bool overtook = raw_level(in, winner) != 0 && asked_at_level_0(in, o);
    if (!overtook) s->count[o] = 0;
    else if (s->count[o] < bound) s->count[o]++;
  }
}
