/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the links of a fabric have been how wide (link width management, NUPIM paper, III-D):
 * links between routers, each way one.
 *
 * Widths change seldom: of each router they are looked at every cycle as one word, and counted when
 * it has changed.
 */
#ifndef LINK_WIDTHS_H
#define LINK_WIDTHS_H

#include "fabric.h"

enum { LINK_WIDTHS = 4 }; /* W, W/2, W/4, W/8 */

typedef struct link_widths {
  const fabric_t *fabric;
  const topology_t *topology;
  bool changes;                 /* else all are W wide for ever */
  uint64_t *word, *since;       /* [routers]: what was last seen, from which cycle on */
  uint64_t cycles[LINK_WIDTHS]; /* of all links, that are counted */
} link_widths_t;

/* fabric, topology: kept by address. False: out of memory; it is freed in any case. */
bool link_widths_init(link_widths_t *w, const fabric_t *fabric, const topology_t *topology,
                      const router_params_t *params);
void link_widths_free(link_widths_t *w);

/* of an output of a router with Width: W >> this */
unsigned link_width_now(const fabric_t *fabric, unsigned router, unsigned port);
void link_widths_look(link_widths_t *w);  /* after each fabric_cycle */
void link_widths_count(link_widths_t *w); /* until now */
void link_widths_clear(link_widths_t *w); /* begins anew */

const char *link_width_name(unsigned width); /* "W/2" */

/* Flits that they could have carried. */
double link_widths_slots(const uint64_t cycles[LINK_WIDTHS]);

#endif
