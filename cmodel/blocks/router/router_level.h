/* SPDX-License-Identifier: Apache-2.0
 *
 * router_level -- golden model of the levels that order requests, and of the bound on starvation;
 * contract: rtl/router/router_level.ports.
 */
#ifndef ROUTER_LEVEL_H
#define ROUTER_LEVEL_H

#include "router_level_ports.h"

typedef struct {
  /* of an output: flits in a row that were prioritised
   * while one of level 0 waited; stops at Bound */
  uint8_t count[Ports];
  uint8_t turn[Ports]; /* of an output: the input VC that the next turn is looked for from */
} router_level_t;

void router_level_reset(router_level_t *s);
void router_level_eval(const router_level_t *s, const router_level_in_t *in, router_level_out_t *out);
void router_level_step(router_level_t *s, const router_level_in_t *in);

#endif
