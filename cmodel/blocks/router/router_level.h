/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of router_level: levels that order requests in both allocations, and the bound on
 * starvation (rtl/router/router_level.ports).
 *
 * Call router_level_eval for the outputs of a cycle, then router_level_step with the same inputs
 * for its clock edge. level depends on inputs of the same cycle (Mealy); fair is state.
 */
#ifndef ROUTER_LEVEL_H
#define ROUTER_LEVEL_H

#include "router_level_ports.h"

typedef struct {
  /* By output: prioritised flits in a row while a packet of level 0 waited; stops at Bound. */
  uint8_t count[Ports];
  uint8_t turn[Ports]; /* by output: the input VC at which the search for the next turn begins */
} router_level_t;

void router_level_reset(router_level_t *s);
void router_level_eval(const router_level_t *s, const router_level_in_t *in, router_level_out_t *out);
void router_level_step(router_level_t *s, const router_level_in_t *in);

#endif
