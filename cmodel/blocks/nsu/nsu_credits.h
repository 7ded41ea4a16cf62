/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_credits: buffer entries freed since the GPU was last told (NSU paper, section
 * 4.3; rtl/nsu/nsu_credits.ports).
 *
 * Call nsu_credits_eval for the outputs of a cycle, then nsu_credits_step with the same inputs for
 * its clock edge. All outputs are state (Moore).
 */
#ifndef NSU_CREDITS_H
#define NSU_CREDITS_H

#include <stdbool.h>

#include "nsu_credits_ports.h"

typedef struct {
  unsigned cr_cmd, cr_rd, cr_wr; /* entries; saturate at 255, 1023 and 1023 */
} nsu_credits_t;

void nsu_credits_reset(nsu_credits_t *s);
void nsu_credits_eval(const nsu_credits_t *s, const nsu_credits_in_t *in, nsu_credits_out_t *out);
void nsu_credits_step(nsu_credits_t *s, const nsu_credits_in_t *in);
/* Always true: while nothing is freed or taken, step changes nothing. */
bool nsu_credits_idle(const nsu_credits_t *s);

#endif
