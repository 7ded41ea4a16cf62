/* SPDX-License-Identifier: Apache-2.0
 *
 * The route table as an array. Entries not written since reset, and destinations out of range, give
 * port 0.
 */
#include "router_route.h"

#include <string.h>

#include "bits.h"

void router_route_reset(router_route_t *t) {
  memset(t, 0, sizeof *t);
}

void router_route_eval(const router_route_t *t, const router_route_in_t *in, router_route_out_t *out) {
  memset(out, 0, sizeof *out);
  for (unsigned i = 0; i < Ports; i++) {
    unsigned dest = (unsigned)bits_get(in->dest, FLIT_dest_W * i, FLIT_dest_W);
    bits_put(out->port, FLIT_route_W * i, FLIT_route_W, dest < NumDest ? t->entry[dest] : 0);
  }
}

void router_route_step(router_route_t *t, const router_route_in_t *in) {
  if (in->cfg_valid && in->cfg_dest < NumDest) t->entry[in->cfg_dest] = (uint8_t)in->cfg_port;
}
