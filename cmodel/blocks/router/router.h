/* SPDX-License-Identifier: Apache-2.0
 *
 * router -- golden model of the whole router, and the engine of the network simulation; contract:
 * rtl/router/router.ports and README.md.
 *
 * One struct, no pointers; memory and time are those of its parameters: a router without Crit has
 * nothing of it. eval ignores its inputs.
 *
 * router_idle: step would change nothing, and eval's outputs stay as they are (all 0 but the state
 * of congestion management), while cfg_valid, epoch, in_valid and ocr_valid are 0. That is so when
 * it holds no flit, on the way to an output neither; no credit that came is still to be counted;
 * nothing of the last cycle is to be cleared from outputs and probes; no output FIFO holds a flit,
 * no link is shut or has one under way; no tracker waits for its selection. (A packet of which some
 * flits are still to come, a held output VC, a tracker that waits for a flit do not keep it awake.)
 */
#ifndef ROUTER_H
#define ROUTER_H

#include <stdbool.h>

#if Ports * (NumVCs + Tr * Classes) > 64 /* before the header of the ports, some of which have that many bits */
#error "Ports * (NumVCs + Tr * Classes): at most 64"
#endif
#include "router_ports.h"

#include "router_flit.h"
#include "router_words.h"
#if Crit
#include "router_crit.h"
#endif
#if Width
#include "router_width.h"
#endif

enum { IVCS = (Ports)*VCS }; /* input VCs, and output VCs: port * VCS + VC */

_Static_assert(!(Width) || (Crit), "Width: needs Crit");
_Static_assert(!(Width) || (OutDepth), "Width: needs OutDepth");
_Static_assert(!(Dist) || !((Crit) || (Tr)), "Dist: without Crit and Tr");
_Static_assert(!(KeepVC) || !(Tr), "KeepVC: without Tr");

typedef struct {
  uint8_t first, count;           /* its buffer: the oldest flit, flits */
  uint8_t out_port, out_vc, hops; /* of the packet at the front; hops with Dist only */
  uint8_t va_next;                /* iSLIP's pointer over output VCs */
} router_in_vc_t;

typedef struct {
  uint8_t credits;
  uint8_t va_next; /* iSLIP's pointer over input VCs */
} router_out_vc_t;

typedef struct {    /* pointers of the switch's allocation */
  uint8_t in_next;  /* of an output over inputs */
  uint8_t out_next; /* of an input over outputs */
  uint8_t vc_next;  /* of an input over its VCs */
} router_port_t;

typedef struct { /* an output FIFO */
  uint8_t first, count;
  router_flit_t flit[(OutDepth) ? (OutDepth) : 1];
} router_queue_t;

typedef struct { /* what router_out_t says, but for congestion management */
  uint64_t probe_va, probe_sa;
  uint32_t cr_vc[2]; /* 4 bits a port */
  uint16_t cr_valid, out_valid, probe_stall, err;
  router_flit_t flit[Ports]; /* zero where none is */
} router_outputs_t;

typedef struct router {
  /* Masks of input VCs: with a flit, phase of the packet, not divergent
   * (with Tr only), last stored flit was a tail (or there was none) */
  uint64_t ready, routing, allocating, active, convergent, ended;
  uint64_t taken, space; /* masks of output VCs: held by a packet, with a credit */
  router_outputs_t out;
  router_in_vc_t in_vc[IVCS];
  router_out_vc_t out_vc[IVCS];
  router_port_t port[Ports];
  uint32_t cr_vc[2];                  /* VCs of the credits that came in the last cycle, 4 bits an output */
  uint16_t cr_seen;                   /* outputs with one */
  uint16_t crossing;                  /* outputs with a flit in traversal */
  uint8_t table[((NumDest) + 1) / 2]; /* 4 bits a destination */
#if Bound
  uint16_t fair;         /* outputs whose streak is Bound: one of level 0 has its turn */
  uint8_t streak[Ports]; /* of an output: prioritised flits in a row while others waited */
  uint8_t turn[Ports];   /* of an output: the input VC that the next turn is looked for from */
#endif
#if Crit
  uint16_t trk_seen; /* inputs with a tracker that came in the last cycle */
  router_crit_t crit;
#endif
#if Width              /* a link of full width takes every flit at once, so that no FIFO ever holds one */
  uint16_t queued;     /* outputs with a flit in their FIFO */
  uint16_t sending;    /* links with a flit that is still under way */
  uint8_t left[Ports]; /* cycles until it has gone over */
  router_queue_t queue[Ports];
  router_flit_t slow[Ports];
  router_width_t width;
#endif
  router_flit_t cross[Ports];
  /* Place by place, as most buffers are nearly empty: little memory is fast. In
   * the place of a header's VC: the route table's entry that came with it. */
  router_flit_t buffer[MOST_DEPTH][IVCS];
} router_t;

void router_reset(router_t *r);
void router_eval(const router_t *r, const router_in_t *in, router_out_t *out);
void router_step(router_t *r, const router_in_t *in);
bool router_idle(const router_t *r);

#endif
