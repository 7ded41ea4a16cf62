/* SPDX-License-Identifier: Apache-2.0
 *
 * router_epoch -- golden model of the epoch timer; contract: rtl/router/router_epoch.ports.
 */
#ifndef ROUTER_EPOCH_H
#define ROUTER_EPOCH_H

#include "router_epoch_ports.h"

typedef struct {
  uint32_t probe_count;
} router_epoch_t;

void router_epoch_reset(router_epoch_t *s);
void router_epoch_eval(const router_epoch_t *s, const router_epoch_in_t *in, router_epoch_out_t *out);
void router_epoch_step(router_epoch_t *s, const router_epoch_in_t *in);

#endif
