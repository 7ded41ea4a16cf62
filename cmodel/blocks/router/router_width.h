/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of router_width, link width management: W, W/2, W/4 or W/8 for each output, decided
 * once an epoch (NUPIM paper, section III-D; rtl/router/router_width.ports).
 *
 * Call router_width_eval for the outputs of a cycle, then router_width_step with the same inputs
 * for its clock edge. All outputs are state (Moore).
 *
 * The router's model calls router_width_cycle instead, and reads the fields below. It may skip a
 * cycle in which epoch, start, cr_seen and the field `off` are all 0.
 */
#ifndef ROUTER_WIDTH_H
#define ROUTER_WIDTH_H

#include <stdbool.h>

#include "router_width_ports.h"

typedef struct {
  uint32_t off;                                 /* outputs with penalty left, a bit each */
  uint8_t width[Ports];                         /* 0 W, 1 W/2, 2 W/4, 3 W/8 */
  uint16_t penalty[Ports];                      /* cycles left of a change of width */
  uint32_t probe_rate[Ports], flit_rate[Ports]; /* credits of this epoch so far; of the last one */
} router_width_t;

void router_width_reset(router_width_t *s);
void router_width_eval(const router_width_t *s, const router_width_in_t *in, router_width_out_t *out);
void router_width_step(router_width_t *s, const router_width_in_t *in);

/* The same step with unpacked inputs. link, cr_seen and crit_port are masks of outputs. latched has
 * the stalls by output. link, crit_port and latched are read only with start. */
void router_width_cycle(router_width_t *s, bool epoch, bool start, uint64_t link, uint64_t cr_seen, uint64_t crit_port,
                        const uint32_t *latched);

#endif
