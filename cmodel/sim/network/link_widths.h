/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the links of a fabric have had which width (link width management, NUPIM paper,
 * III-D). Links between routers, each direction one.
 *
 * Widths change seldom. So each router's widths are compared every cycle as one word, and
 * counted only when that word has changed.
 */
#ifndef LINK_WIDTHS_H
#define LINK_WIDTHS_H

#include "fabric.h"

enum { LINK_WIDTHS = 4 }; /* W, W/2, W/4, W/8 */

typedef struct link_widths {
  const fabric_t *fabric;
  const topology_t *topology;
  bool changes;                 /* false: all links are W wide for ever */
  uint64_t *word, *since;       /* [routers]: widths last seen, two bits a port; since which cycle */
  uint64_t cycles[LINK_WIDTHS]; /* counted so far, summed over all links */
} link_widths_t;

/* fabric and topology are kept by address. False: out of memory; call link_widths_free in any
 * case. */
bool link_widths_init(link_widths_t *w, const fabric_t *fabric, const topology_t *topology,
                      const router_params_t *params);
void link_widths_free(link_widths_t *w);

/* The width of a router's output now: W >> this. Of a router with Width. */
unsigned link_width_now(const fabric_t *fabric, unsigned router, unsigned port);
void link_widths_look(link_widths_t *w);  /* call after each fabric_cycle */
void link_widths_count(link_widths_t *w); /* brings `cycles` up to now */
void link_widths_clear(link_widths_t *w); /* counts from zero from now on */

const char *link_width_name(unsigned width); /* "W/2" */

/* Flits that links could have carried in these cycles. */
double link_widths_slots(const uint64_t cycles[LINK_WIDTHS]);

#endif
