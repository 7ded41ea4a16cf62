/* SPDX-License-Identifier: Apache-2.0
 *
 * router_route -- golden model of the route table; contract: rtl/router/router_route.ports.
 */
#ifndef ROUTER_ROUTE_H
#define ROUTER_ROUTE_H

#include "router_route_ports.h"

typedef struct {
  uint8_t entry[NumDest];
} router_route_t;

void router_route_reset(router_route_t *t);
void router_route_eval(const router_route_t *t, const router_route_in_t *in, router_route_out_t *out);
void router_route_step(router_route_t *t, const router_route_in_t *in);

#endif
