/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_credits -- golden model of the count of freed buffer entries; contract:
 * rtl/nsu/nsu_credits.ports.
 */
#ifndef NSU_CREDITS_H
#define NSU_CREDITS_H

#include <stdbool.h>

#include "nsu_credits_ports.h"

typedef struct {
  unsigned cr_cmd, cr_rd, cr_wr;
} nsu_credits_t;

void nsu_credits_reset(nsu_credits_t *s);
void nsu_credits_eval(const nsu_credits_t *s, const nsu_credits_in_t *in, nsu_credits_out_t *out);
void nsu_credits_step(nsu_credits_t *s, const nsu_credits_in_t *in);
bool nsu_credits_idle(const nsu_credits_t *s); /* while nothing is freed or taken */

#endif
