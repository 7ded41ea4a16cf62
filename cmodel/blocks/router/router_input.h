/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of router_input, an input port of the router: the buffers of its VCs and the phase
 * of each VC's packet (rtl/router/router_input.ports).
 *
 * Call router_input_eval for the outputs of a cycle, then router_input_step with the same inputs
 * for its clock edge. All outputs are state (Moore). router_input_step asserts that grants are
 * legal (rule 8). The whole router's model does not use this one: it keeps all ports' VCs in masks.
 */
#ifndef ROUTER_INPUT_H
#define ROUTER_INPUT_H

#include <stdbool.h>

#include "router_input_ports.h"

#include "router_flit.h"
#include "router_words.h"

/* Phases of a VC's packet, in this order [R11]. */
typedef enum { NO_PACKET, ROUTING, ALLOCATING, ACTIVE } router_phase_t;

typedef struct {
  router_phase_t phase;
  unsigned first, count; /* a ring: place of the oldest flit, flits */
  bool ended;            /* the flit stored last was a tail, or no flit was stored */
  bool div;              /* the packet is divergent; this and the next fields are the last packet's */
  uint8_t out_port, out_vc, hops;
  router_flit_t flit[MOST_DEPTH];
  uint8_t entry[MOST_DEPTH]; /* the route table's entry, by flit */
} router_input_vc_t;

typedef struct {
  router_input_vc_t vc[VCS];
  bool st_valid, cr_valid, trk; /* events of the last cycle */
  uint8_t st_port, cr_vc, err;  /* valid with st_valid, with cr_valid, always */
  router_flit_t st_flit;        /* the flit in traversal, valid with st_valid */
} router_input_t;

void router_input_reset(router_input_t *s);
void router_input_eval(const router_input_t *s, const router_input_in_t *in, router_input_out_t *out);
void router_input_step(router_input_t *s, const router_input_in_t *in);
/* True: while in_valid, va_gnt and sa_gnt are 0, step changes nothing. */
bool router_input_idle(const router_input_t *s);

#endif
