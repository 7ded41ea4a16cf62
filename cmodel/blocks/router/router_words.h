/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of rtl/router/README.md in C: those of router_vc.h, and depths. An includer needs NumVCs,
 * Classes, Depth and Tr (a port file's header).
 */
#ifndef ROUTER_WORDS_H
#define ROUTER_WORDS_H

#include <stdint.h>

#include "router_depth.h"
#include "router_header.h"
#include "router_vc.h"

enum {
  MOST_DEPTH = Tr && Depth < ROUTER_PRIO_DEPTH ? ROUTER_PRIO_DEPTH : Depth, /* the deepest VC, in flits */
};

/* Flits that the first VC of a class gives to its priority buffer; no VC gives more [R6]. */
#define PRIORITY_SHARE (CLASS_VCS ? (ROUTER_PRIO_DEPTH + CLASS_VCS - 1) / (CLASS_VCS ? CLASS_VCS : 1) : 0)
_Static_assert(!(Tr) || (Depth) > PRIORITY_SHARE,
               "Depth: with Tr, more than what a VC gives to the priority buffer of its class");

/* Flits that VC v holds. */
static inline unsigned vc_depth(unsigned v) {
  return router_depth(NumVCs, Classes, Tr, Depth, v);
}

static inline uint64_t vc_bit(unsigned i) {
  return UINT64_C(1) << i;
}

_Static_assert(FLIT_vc_W == 4 && FLIT_route_W == 4 && FLIT_hops_W == 4, "fields that are in vectors of 4-bit numbers");

/* Element i of a vector of 4-bit numbers. */
static inline unsigned nibble(const uint32_t *words, unsigned i) {
  return words[i / 8] >> i % 8 * 4 & 15;
}

/* Sets element i, which must be 0. */
static inline void nibble_add(uint32_t *words, unsigned i, unsigned value) {
  words[i / 8] |= (uint32_t)value << i % 8 * 4;
}

#endif
