/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of router_crit, critical path detection: stall counters, tracker requests, critical
 * ports and the ordered list of critical port pairs (NUPIM paper, section III-A;
 * rtl/router/router_crit.ports).
 *
 * Call router_crit_eval for the outputs of a cycle, then router_crit_step with the same inputs for
 * its clock edge. All outputs are state (Moore).
 *
 * The router's model calls router_crit_step only, and reads the fields below, which are valid after
 * every step. It may skip a cycle if all inputs are 0 and router_crit_quiet is true.
 */
#ifndef ROUTER_CRIT_H
#define ROUTER_CRIT_H

#include <stdbool.h>

#include "router_crit_ports.h"

/* A pair of input and output port. */
typedef struct {
  uint8_t in, out;
  uint16_t age; /* epochs in a row without a selection */
} router_crit_pair_t;

typedef struct {
  /* Masks of ports. */
  uint32_t trk_req;       /* outputs that wait for a flit to take a tracker */
  uint32_t crit_port;     /* critical outputs */
  uint32_t sent;          /* outputs that have or had a tracker in this epoch */
  uint32_t touched;       /* critical outputs that a tracker left by in this epoch */
  uint32_t probe_pending; /* inputs with a tracker that waits for its selection */
  bool start;             /* the first cycle of an epoch */
  uint8_t list_len;       /* pairs in the list, 0 .. ListLen */
  /* Pairs selected in this epoch: with PairSent they are in `pair`, else in the list's first
   * places. */
  uint8_t selected;
  router_crit_pair_t pair[Ports];             /* in order of selection */
  uint16_t port_age[Ports];                   /* epochs in a row without a tracker, of critical outputs */
  uint32_t latched[Ports], probe_live[Ports]; /* stalls of the last epoch; of this one so far */
  router_crit_pair_t list[ListLen];           /* the most critical pair first */
  uint8_t rank[(Ports) * (Ports)];            /* of pair in * Ports + out; 0: not listed */
} router_crit_t;

void router_crit_reset(router_crit_t *s);
void router_crit_eval(const router_crit_t *s, const router_crit_in_t *in, router_crit_out_t *out);
void router_crit_step(router_crit_t *s, const router_crit_in_t *in);

/* True: a step with all inputs 0 changes nothing. */
static inline bool router_crit_quiet(const router_crit_t *s) {
  return !s->start && !s->probe_pending;
}

/* The rank of a pair: ListLen for the first place, 0 if it is not listed. */
static inline unsigned router_crit_rank(const router_crit_t *s, unsigned in, unsigned out) {
  return s->rank[in * (Ports) + out];
}

#endif
