/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of router_swalloc, switch allocation: one flit leaves each input port and one goes
 * to each output port, at most (rtl/router/router_swalloc.ports).
 *
 * Call router_swalloc_eval for the grants of a cycle, then router_swalloc_step with the same inputs
 * for its clock edge. gnt depends on inputs of the same cycle (Mealy).
 */
#ifndef ROUTER_SWALLOC_H
#define ROUTER_SWALLOC_H

#include "router_swalloc_ports.h"

_Static_assert((Ports) * (VCs) <= 64, "Ports * VCs: at most 64");

typedef struct {
  uint8_t vc_first[Ports];  /* of an input port: the VC that it offers first, among equals */
  uint8_t in_first[Ports];  /* of an input port: the output it prefers, among equals */
  uint8_t out_first[Ports]; /* of an output port: the input it prefers, among equals */
} router_swalloc_t;

void router_swalloc_reset(router_swalloc_t *s);
void router_swalloc_eval(const router_swalloc_t *s, const router_swalloc_in_t *in, router_swalloc_out_t *out);
void router_swalloc_step(router_swalloc_t *s, const router_swalloc_in_t *in);

#endif
