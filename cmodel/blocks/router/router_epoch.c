/* SPDX-License-Identifier: Apache-2.0
 *
 * A counter of the cycles of an epoch.
 */
#include "router_epoch.h"

void router_epoch_reset(router_epoch_t *s) {
  s->probe_count = 0;
}

void router_epoch_eval(const router_epoch_t *s, const router_epoch_in_t *in, router_epoch_out_t *out) {
  (void)in;
  out->epoch = s->probe_count == (Period)-1;
  out->probe_count = s->probe_count;
}

void router_epoch_step(router_epoch_t *s, const router_epoch_in_t *in) {
  (void)in;
  s->probe_count = (s->probe_count + 1) % (Period);
}
