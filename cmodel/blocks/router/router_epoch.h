/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of router_epoch, the timer that all routers share (rtl/router/router_epoch.ports).
 *
 * Call router_epoch_eval for the outputs of a cycle, then router_epoch_step for its clock edge.
 * epoch is high in the last of every Period cycles. All outputs are state (Moore).
 */
#ifndef ROUTER_EPOCH_H
#define ROUTER_EPOCH_H

#include "router_epoch_ports.h"

typedef struct {
  uint32_t probe_count; /* cycles of this epoch so far, 0 .. Period - 1 */
} router_epoch_t;

void router_epoch_reset(router_epoch_t *s);
void router_epoch_eval(const router_epoch_t *s, const router_epoch_in_t *in, router_epoch_out_t *out);
void router_epoch_step(router_epoch_t *s, const router_epoch_in_t *in);

#endif
