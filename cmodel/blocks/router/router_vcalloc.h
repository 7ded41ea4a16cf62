/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of router_vcalloc, VC allocation: packets get free VCs at their output port, by one
 * iteration of iSLIP (rtl/router/router_vcalloc.ports).
 *
 * Call router_vcalloc_eval for the grants of a cycle, then router_vcalloc_step with the same inputs
 * for its clock edge. The outputs depend on inputs of the same cycle (Mealy).
 */
#ifndef ROUTER_VCALLOC_H
#define ROUTER_VCALLOC_H

#include "router_vcalloc_ports.h"

#include "router_vc.h" /* after the parameters */

enum { VCALLOC_SIZE = Ports * VCS };
_Static_assert((int)VCALLOC_SIZE <= (int)VC_MOST, "Ports * (NumVCs + Tr * Classes): at most 64");
_Static_assert(!(KeepVC && Tr), "KeepVC: not with Tr");

typedef struct {
  uint8_t in_first[VCALLOC_SIZE];  /* of an input VC: the output VC that it accepts first */
  uint8_t out_first[VCALLOC_SIZE]; /* of an output VC: the input VC that it grants first, among equals */
} router_vcalloc_t;

void router_vcalloc_reset(router_vcalloc_t *s);
void router_vcalloc_eval(const router_vcalloc_t *s, const router_vcalloc_in_t *in, router_vcalloc_out_t *out);
void router_vcalloc_step(router_vcalloc_t *s, const router_vcalloc_in_t *in);

#endif
