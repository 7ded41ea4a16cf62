/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of router_output, an output port of the router: holders of its VCs, their credits,
 * the output FIFO and the link (rtl/router/router_output.ports).
 *
 * Call router_output_eval for the outputs of a cycle, then router_output_step with the same inputs
 * for its clock edge. busy, waits and trk_sent depend on inputs of the same cycle (Mealy).
 * router_output_step asserts that a flit leaves only for a VC with a credit, and that the FIFO does
 * not overflow.
 */
#ifndef ROUTER_OUTPUT_H
#define ROUTER_OUTPUT_H

#include <stdbool.h>

#include "router_output_ports.h"

#include "router_flit.h"
#include "router_words.h"

typedef struct {
  uint64_t taken;       /* VCs that a packet holds, a bit each */
  uint8_t credits[VCS]; /* flits that the receiver has room for, by VC */
  bool cr_seen;         /* a credit came in the last cycle, for cr_vc */
  uint8_t cr_vc, err;
  /* The FIFO, its oldest flit first. One place more is for the flit that comes in a cycle. */
  router_flit_t queue[(OutDepth) + 1];
  unsigned queued;    /* flits in the FIFO */
  bool sending;       /* a flit is on the link; it is on the wire when left is 0 */
  uint8_t left;       /* cycles until then */
  router_flit_t flit; /* that flit */
} router_output_t;

void router_output_reset(router_output_t *s);
void router_output_eval(const router_output_t *s, const router_output_in_t *in, router_output_out_t *out);
void router_output_step(router_output_t *s, const router_output_in_t *in);
/* True: while va_take, sa_valid, st_valid and cr_valid are 0, step changes nothing. */
bool router_output_idle(const router_output_t *s);

#endif
