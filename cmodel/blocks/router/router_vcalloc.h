/* SPDX-License-Identifier: Apache-2.0
 *
 * router_vcalloc -- golden model of VC allocation; contract: rtl/router/router_vcalloc.ports.
 */
#ifndef ROUTER_VCALLOC_H
#define ROUTER_VCALLOC_H

#include "router_vcalloc_ports.h"

#include "router_vc.h" /* after the parameters */

enum { VCALLOC_SIZE = Ports * VCS };
_Static_assert((int)VCALLOC_SIZE <= (int)VC_MOST, "Ports * (NumVCs + Tr * Classes): at most 64");
_Static_assert(!(KeepVC && Tr), "KeepVC: not with Tr");

typedef struct {
  uint8_t in_first[VCALLOC_SIZE];  /* of an input VC: the output VC whose turn it is to be accepted */
  uint8_t out_first[VCALLOC_SIZE]; /* of an output VC: the input VC whose turn it is among equals */
} router_vcalloc_t;

void router_vcalloc_reset(router_vcalloc_t *s);
void router_vcalloc_eval(const router_vcalloc_t *s, const router_vcalloc_in_t *in, router_vcalloc_out_t *out);
void router_vcalloc_step(router_vcalloc_t *s, const router_vcalloc_in_t *in);

#endif
