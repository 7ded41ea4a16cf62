/* SPDX-License-Identifier: Apache-2.0
 *
 * router_input -- golden model of an input port of the router; contract:
 * rtl/router/router_input.ports.
 *
 * The whole router's model does not use it: that one keeps all ports' VCs in masks.
 */
#ifndef ROUTER_INPUT_H
#define ROUTER_INPUT_H

#include <stdbool.h>

#include "router_input_ports.h"

#include "router_flit.h"
#include "router_words.h"

typedef enum { NO_PACKET, ROUTING, ALLOCATING, ACTIVE } router_phase_t;

typedef struct {
  router_phase_t phase;
  unsigned first, count; /* oldest flit, flits */
  bool ended;            /* the last stored flit was a tail, or there was none */
  bool div;              /* of the packet, as are the following */
  uint8_t out_port, out_vc, hops;
  router_flit_t flit[MOST_DEPTH];
  uint8_t entry[MOST_DEPTH]; /* the route table's, by flit */
} router_input_vc_t;

typedef struct {
  router_input_vc_t vc[VCS];
  bool st_valid, cr_valid, trk;
  uint8_t st_port, cr_vc, err;
  router_flit_t st_flit;
} router_input_t;

void router_input_reset(router_input_t *s);
void router_input_eval(const router_input_t *s, const router_input_in_t *in, router_input_out_t *out);
void router_input_step(router_input_t *s, const router_input_in_t *in);
bool router_input_idle(const router_input_t *s); /* while in_valid, va_gnt and sa_gnt are 0 */

#endif
