/* SPDX-License-Identifier: Apache-2.0
 *
 * Flits that a VC holds, for any parameters of a router: rule R6 of rtl/router/README.md.
 *
 * The blocks' models use it by way of router_words.h, with their own parameters. Networks use it
 * with the parameters they are given.
 */
#ifndef ROUTER_DEPTH_H
#define ROUTER_DEPTH_H

enum {
#define FLIT_CONST(name, value, text) ROUTER_##name = (value),
#include "router_flit.def"
};

/* The depth of VC v in flits. num_vcs, a multiple of classes, counts normal VCs. With tr each class
 * has a priority buffer of ROUTER_PRIO_DEPTH flits, taken out of its normal VCs. 0: no flit is
 * left, so the parameters are not legal. */
static inline unsigned router_depth(unsigned num_vcs, unsigned classes, unsigned tr, unsigned depth, unsigned v) {
  if (v >= num_vcs) return ROUTER_PRIO_DEPTH;
  if (!tr) return depth;
  /* The first VCs of a class give one flit more, if the share is no whole number. */
  const unsigned n = num_vcs / classes, taken = ROUTER_PRIO_DEPTH / n + (v % n < ROUTER_PRIO_DEPTH % n ? 1 : 0);
  return taken < depth ? depth - taken : 0;
}

#endif
