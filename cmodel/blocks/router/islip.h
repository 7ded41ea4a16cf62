/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule of iSLIP for any size up to 64 x 64, for alloc_islip, VC allocation and switch
 * allocation (rtl/router/alloc_islip.ports).
 *
 * wants[i] is the set of outputs that input i asks for. level[i * outs + o] is its level there; it
 * is read only where input i asks. level may be NULL: all requests are equal. in_first and
 * out_first are the pointers of inputs and outputs. islip_match finds the match and changes no
 * pointer. islip_advance moves the pointers, as a clock edge with update does.
 */
#ifndef ISLIP_H
#define ISLIP_H

#include <stddef.h>

#include "request_set.h"

enum { ISLIP_MOST = 64, ISLIP_NOBODY = 255 };

typedef struct {
  unsigned ins, outs, iters;
  uint16_t unseen; /* bits of levels that outputs ignore when they grant; inputs compare all bits */
} islip_size_t;

typedef struct {
  uint8_t partner[ISLIP_MOST]; /* by input: its output, or ISLIP_NOBODY */
  set_t first;                 /* inputs matched in the first iteration */
} islip_match_t;

/* Members of `set` with the highest level. Member m's level is level[m *
 * stride] without the bits of `unseen`. */
static inline set_t islip_highest(set_t set, const uint16_t *level, size_t stride, uint16_t unseen) {
  unsigned best = 0;
  set_t equals = 0;
  if (!set_rest(set)) return set; /* the usual case: one member or none */
  for (; set; set = set_rest(set)) {
    unsigned m = set_lowest(set), its = level[m * stride] & ~(unsigned)unseen;
    if (its > best) best = its, equals = 0;
    if (its == best) equals |= set_of(m);
  }
  return equals;
}

/* One iteration among the inputs and outputs that are still free. Returns the inputs that it
 * matched, sets their partners, and takes their outputs out of *free_out. */
static inline set_t islip_iterate(islip_size_t n, const uint8_t *in_first, const uint8_t *out_first,
                                  const set_t *wanted_by, const uint16_t *level, set_t free_in, set_t *free_out,
                                  uint8_t *partner) {
  set_t grants[ISLIP_MOST], granted = 0;
  for (set_t left = *free_out; left; left = set_rest(left)) {
    unsigned o = set_lowest(left);
    set_t asking = wanted_by[o] & free_in;
    if (level) asking = islip_highest(asking, &level[o], n.outs, n.unseen);
    if (!asking) continue;
    unsigned i = (unsigned)set_turn(asking, out_first[o]);
    grants[i] = (granted & set_of(i) ? grants[i] : 0) | set_of(o);
    granted |= set_of(i);
  }
  for (set_t left = granted; left; left = set_rest(left)) {
    unsigned i = set_lowest(left);
    set_t offers = level ? islip_highest(grants[i], &level[(size_t)i * n.outs], 1, 0) : grants[i];
    partner[i] = (uint8_t)set_turn(offers, in_first[i]);
    *free_out &= ~set_of(partner[i]);
  }
  return granted;
}

/* The match of a cycle. It ends early when an iteration matches nothing. */
static inline void islip_match(islip_size_t n, const uint8_t *in_first, const uint8_t *out_first, const set_t *wants,
                               const uint16_t *level, islip_match_t *m) {
  set_t wanted_by[ISLIP_MOST], free_in = 0, free_out = 0; /* without a request: as good as matched */
  for (unsigned o = 0; o < n.outs; o++) wanted_by[o] = 0;
  for (unsigned i = 0; i < n.ins; i++) {
    m->partner[i] = ISLIP_NOBODY;
    if (wants[i]) free_in |= set_of(i);
    free_out |= wants[i];
    for (set_t left = wants[i]; left; left = set_rest(left)) wanted_by[set_lowest(left)] |= set_of(i);
  }
  m->first = 0;
  for (unsigned iter = 0; iter < n.iters && free_in; iter++) {
    set_t matched = islip_iterate(n, in_first, out_first, wanted_by, level, free_in, &free_out, m->partner);
    if (iter == 0) m->first = matched;
    if (!matched) break;
    free_in &= ~matched;
  }
}

/* Pointers move for pairs of the first iteration only. An output's pointer thus waits for the
 * input it points to, so no pair that keeps asking starves among equals. */
static inline void islip_advance(islip_size_t n, uint8_t *in_first, uint8_t *out_first, const islip_match_t *m) {
  for (set_t left = m->first; left; left = set_rest(left)) {
    unsigned i = set_lowest(left), o = m->partner[i];
    in_first[i] = (uint8_t)set_next((int)o, n.outs);
    out_first[o] = (uint8_t)set_next((int)i, n.ins);
  }
}

#endif
