/* SPDX-License-Identifier: Apache-2.0
 *
 * Flits that a VC holds, for any parameters of a router: rule R6 of rtl/router/README.md. The
 * blocks' models have it for their own ones (router_words.h), networks for those that they are
 * given.
 */
#ifndef ROUTER_DEPTH_H
#define ROUTER_DEPTH_H

enum {
#define FLIT_CONST(name, value, text) ROUTER_##name = (value),
#include "router_flit.def"
};

/* VC v of num_vcs normal ones, a multiple of classes; with tr, priority
 * buffers of ROUTER_PRIO_DEPTH come out of them. 0: there is nothing left. */
static inline unsigned router_depth(unsigned num_vcs, unsigned classes, unsigned tr, unsigned depth, unsigned v) {
  if (v >= num_vcs) return ROUTER_PRIO_DEPTH;
  if (!tr) return depth;
  /* the first of a class give one more */
  const unsigned n = num_vcs / classes, taken = ROUTER_PRIO_DEPTH / n + (v % n < ROUTER_PRIO_DEPTH % n ? 1 : 0);
  return taken < depth ? depth - taken : 0;
}

#endif
