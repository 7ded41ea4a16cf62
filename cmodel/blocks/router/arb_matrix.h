/* SPDX-License-Identifier: Apache-2.0
 *
 * arb_matrix -- golden model of the least-recently-served arbiter; contract:
 * rtl/router/arb_matrix.ports. Older and younger is a total order, so the state is a queue.
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
