/* SPDX-License-Identifier: Apache-2.0
 *
 * router_output -- golden model of an output port of the router; contract:
 * rtl/router/router_output.ports.
 */
#ifndef ROUTER_OUTPUT_H
#define ROUTER_OUTPUT_H

#include <stdbool.h>

#include "router_output_ports.h"

#include "router_flit.h"
#include "router_words.h"

typedef struct {
  uint64_t taken;
  uint8_t credits[VCS];
  bool cr_seen; /* a credit came in the last cycle, for cr_vc */
  uint8_t cr_vc, err;
  /* the FIFO, from its oldest flit on; one place more than it has, for a flit that comes */
  router_flit_t queue[(OutDepth) + 1];
  unsigned queued;
  bool sending; /* a flit is on the link; it has gone over, and is on the wire, when left is 0 */
  uint8_t left;
  router_flit_t flit;
} router_output_t;

void router_output_reset(router_output_t *s);
void router_output_eval(const router_output_t *s, const router_output_in_t *in, router_output_out_t *out);
void router_output_step(router_output_t *s, const router_output_in_t *in);
bool router_output_idle(const router_output_t *s); /* while va_take, sa_valid, st_valid and cr_valid are 0 */

#endif
