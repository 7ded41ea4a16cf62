/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of router_route, the route table: destination to output port, one look-up for each
 * input port and cycle (rtl/router/router_route.ports).
 *
 * Call router_route_eval for the look-ups of a cycle, then router_route_step with the same inputs
 * for its clock edge. A look-up answers in the same cycle (Mealy); a write counts from the next
 * cycle on.
 */
#ifndef ROUTER_ROUTE_H
#define ROUTER_ROUTE_H

#include "router_route_ports.h"

typedef struct {
  uint8_t entry[NumDest]; /* output port by destination; 0 after reset */
} router_route_t;

void router_route_reset(router_route_t *t);
void router_route_eval(const router_route_t *t, const router_route_in_t *in, router_route_out_t *out);
void router_route_step(router_route_t *t, const router_route_in_t *in);

#endif
