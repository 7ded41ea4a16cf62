/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of router, the memory-network router with congestion management (NUPIM paper,
 * sections III and IV; rtl/router/router.ports and README.md). The network simulation runs on it.
 *
 * Call router_eval for the outputs of a cycle, then router_step with the same inputs for its clock
 * edge. All outputs are state (Moore), so router_eval does not read `in`. The state is one struct
 * without pointers, and only as large and slow as the parameters ask: a router without Crit has
 * none of its fields.
 *
 * While router_idle is true and cfg_valid, epoch, in_valid and ocr_valid are 0, router_step changes
 * nothing and the outputs stay. They are 0 then, congestion management apart. A router is idle if
 * all of these hold:
 *   - no flit is in a buffer, in traversal, in an output FIFO or on a link;
 *   - no credit of the last cycle is still to be counted;
 *   - no output or probe shows an event of the last cycle;
 *   - no link is shut, and no tracker waits for its selection.
 * An unfinished packet, a held output VC or a tracker that waits for a flit do not keep it awake.
 */
#ifndef ROUTER_H
#define ROUTER_H

#include <stdbool.h>

#if Ports * (NumVCs + Tr * Classes) > 64 /* first: some ports of router_ports.h have that many bits */
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
  uint8_t first, count;           /* its buffer: place of the oldest flit, flits */
  uint8_t out_port, out_vc, hops; /* of the packet at the front; hops only with Dist */
  uint8_t va_next;                /* iSLIP's pointer over output VCs */
} router_in_vc_t;

typedef struct {
  uint8_t credits; /* flits that the next router has room for */
  uint8_t va_next; /* iSLIP's pointer over input VCs */
} router_out_vc_t;

/* Pointers of switch allocation: of an output over inputs, of an input over outputs and over its
 * VCs. */
typedef struct {
  uint8_t in_next;
  uint8_t out_next;
  uint8_t vc_next;
} router_port_t;

/* An output FIFO: a ring with its oldest flit at `first`. */
typedef struct {
  uint8_t first, count;
  router_flit_t flit[(OutDepth) ? (OutDepth) : 1];
} router_queue_t;

/* The outputs of a cycle, congestion management apart: masks of ports, and of VCs for probe_va and
 * probe_sa. */
typedef struct {
  uint64_t probe_va, probe_sa;
  uint32_t cr_vc[2]; /* 4 bits a port */
  uint16_t cr_valid, out_valid, probe_stall, err;
  router_flit_t flit[Ports]; /* zero for a port without a flit */
} router_outputs_t;

typedef struct router {
  /* Masks of input VCs. ready: a flit is in the buffer. routing, allocating, active: the packet's
   * phase. convergent: the packet is not divergent (only with Tr). ended: the flit stored last was
   * a tail, or no flit was stored. */
  uint64_t ready, routing, allocating, active, convergent, ended;
  uint64_t taken, space; /* masks of output VCs: held by a packet; with a credit */
  router_outputs_t out;
  router_in_vc_t in_vc[IVCS];
  router_out_vc_t out_vc[IVCS];
  router_port_t port[Ports];
  uint32_t cr_vc[2];                  /* VCs of the last cycle's credits, 4 bits an output */
  uint16_t cr_seen;                   /* outputs with such a credit */
  uint16_t crossing;                  /* outputs with a flit in traversal */
  uint8_t table[((NumDest) + 1) / 2]; /* 4 bits a destination */
#if Bound
  uint16_t fair;         /* outputs with streak at Bound: a packet of level 0 has its turn */
  uint8_t streak[Ports]; /* by output: prioritised flits in a row while others waited */
  uint8_t turn[Ports];   /* by output: the input VC at which the search for the next turn begins */
#endif
#if Crit
  uint16_t trk_seen; /* inputs at which a tracker came in the last cycle */
  router_crit_t crit;
#endif
#if Width              /* a link of full width takes every flit at once, so it needs no FIFO */
  uint16_t queued;     /* outputs with a flit in their FIFO */
  uint16_t sending;    /* links with a flit under way */
  uint8_t left[Ports]; /* cycles until that flit is across */
  router_queue_t queue[Ports];
  router_flit_t slow[Ports]; /* that flit */
  router_width_t width;
#endif
  router_flit_t cross[Ports]; /* flits in traversal, by output */
  /* Ordered by place, then by VC: most buffers are nearly empty, so few cache lines are in use. A
   * header's VC field holds the route table's entry that came with the flit. */
  router_flit_t buffer[MOST_DEPTH][IVCS];
} router_t;

void router_reset(router_t *r);
void router_eval(const router_t *r, const router_in_t *in, router_out_t *out);
void router_step(router_t *r, const router_in_t *in);
bool router_idle(const router_t *r);

#endif
