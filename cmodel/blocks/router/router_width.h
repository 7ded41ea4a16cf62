/* SPDX-License-Identifier: Apache-2.0
 *
 * router_width -- golden model of link width management; contract: rtl/router/router_width.ports.
 *
 * As a part of a router: call router_width_cycle instead of router_width_step (or nothing in a
 * cycle in which epoch, start, cr_seen and the field off are all 0), and read the fields below.
 */
#ifndef ROUTER_WIDTH_H
#define ROUTER_WIDTH_H

#include <stdbool.h>

#include "router_width_ports.h"

typedef struct {
  uint32_t off;                                 /* mask of outputs: those with penalty left */
  uint8_t width[Ports];                         /* 0 W, 1 W/2, 2 W/4, 3 W/8 */
  uint16_t penalty[Ports];                      /* cycles that the change of width still takes */
  uint32_t probe_rate[Ports], flit_rate[Ports]; /* credits of this epoch so far; of the last one: FR */
} router_width_t;

void router_width_reset(router_width_t *s);
void router_width_eval(const router_width_t *s, const router_width_in_t *in, router_width_out_t *out);
void router_width_step(router_width_t *s, const router_width_in_t *in);

/* The same step. link, cr_seen, crit_port: masks of outputs; latched: stalls
 * by output, looked at with start only (and link and crit_port too). */
void router_width_cycle(router_width_t *s, bool epoch, bool start, uint64_t link, uint64_t cr_seen, uint64_t crit_port,
                        const uint32_t *latched);

#endif
