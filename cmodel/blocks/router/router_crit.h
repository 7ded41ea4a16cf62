/* SPDX-License-Identifier: Apache-2.0
 *
 * router_crit -- golden model of critical path detection; contract: rtl/router/router_crit.ports.
 *
 * As a part of a router: fill an in struct, call router_crit_step every cycle (or only when one of
 * its inputs is not 0 or router_crit_quiet says no), and read the fields below. They are up to date
 * after every step, so that eval is needed for ports and probes alone.
 */
#ifndef ROUTER_CRIT_H
#define ROUTER_CRIT_H

#include <stdbool.h>

#include "router_crit_ports.h"

typedef struct {
  uint8_t in, out;
  uint16_t age; /* epochs in a row in which it was not selected */
} router_crit_pair_t;

typedef struct {
  /* Masks of ports */
  uint32_t trk_req; /* outputs that wait for a flit to take a tracker */
  uint32_t crit_port;
  uint32_t sent;
  uint32_t touched; /* critical ports that a tracker left by in this epoch */
  uint32_t probe_pending;
  bool start;
  uint8_t list_len;
  /* pairs of this epoch: with PairSent those in `pair`, else the first places of the list */
  uint8_t selected;
  router_crit_pair_t pair[Ports]; /* in order of selection */
  uint16_t port_age[Ports];
  uint32_t latched[Ports], probe_live[Ports];
  router_crit_pair_t list[ListLen];
  uint8_t rank[(Ports) * (Ports)]; /* of pair in * Ports + out */
} router_crit_t;

void router_crit_reset(router_crit_t *s);
void router_crit_eval(const router_crit_t *s, const router_crit_in_t *in, router_crit_out_t *out);
void router_crit_step(router_crit_t *s, const router_crit_in_t *in);

/* A step with all inputs 0 would change nothing. */
static inline bool router_crit_quiet(const router_crit_t *s) {
  return !s->start && !s->probe_pending;
}

static inline unsigned router_crit_rank(const router_crit_t *s, unsigned in, unsigned out) {
  return s->rank[in * (Ports) + out];
}

#endif
