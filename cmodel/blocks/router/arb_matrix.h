/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of arb_matrix, the matrix arbiter: the least recently served requester wins
 * (rtl/router/arb_matrix.ports).
 *
 * Call arb_matrix_eval for the grant of a cycle, then arb_matrix_step with the same inputs for its
 * clock edge. gnt depends on req of the same cycle (Mealy). "Older" is a total order, so the RTL's
 * matrix is a queue here.
 */
#ifndef ARB_MATRIX_H
#define ARB_MATRIX_H

#include "arb_matrix_ports.h"

typedef struct {
  uint8_t order[NumReq]; /* the requesters, oldest first */
} arb_matrix_t;

void arb_matrix_reset(arb_matrix_t *s);
void arb_matrix_eval(const arb_matrix_t *s, const arb_matrix_in_t *in, arb_matrix_out_t *out);
void arb_matrix_step(arb_matrix_t *s, const arb_matrix_in_t *in);

#endif
