/* SPDX-License-Identifier: Apache-2.0
 *
 * router_swalloc -- golden model of switch allocation; contract: rtl/router/router_swalloc.ports.
 */
#ifndef ROUTER_SWALLOC_H
#define ROUTER_SWALLOC_H

#include "router_swalloc_ports.h"

_Static_assert((Ports) * (VCs) <= 64, "Ports * VCs: at most 64");

typedef struct {
  uint8_t vc_first[Ports];  /* of an input port: the VC whose turn it is to be offered, among equals */
  uint8_t in_first[Ports];  /* of an input port: the output whose grant it likes best */
  uint8_t out_first[Ports]; /* of an output port: the input it likes best */
} router_swalloc_t;

void router_swalloc_reset(router_swalloc_t *s);
void router_swalloc_eval(const router_swalloc_t *s, const router_swalloc_in_t *in, router_swalloc_out_t *out);
void router_swalloc_step(router_swalloc_t *s, const router_swalloc_in_t *in);

#endif
