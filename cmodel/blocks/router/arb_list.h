/* SPDX-License-Identifier: Apache-2.0
 *
 * arb_list -- golden model of the priority-list arbiter; contract: rtl/router/arb_list.ports, NUPIM
 * paper, section III-B.
 */
#ifndef ARB_LIST_H
#define ARB_LIST_H

#include "arb_list_ports.h"

typedef struct {
  unsigned first;  /* the round-robin pointer, 0 .. NumReq - 1 */
  unsigned streak; /* grants in a row to the list while an unlisted requester asked, 0 .. Bound */
} arb_list_t;

void arb_list_reset(arb_list_t *s);
void arb_list_eval(const arb_list_t *s, const arb_list_in_t *in, arb_list_out_t *out);
void arb_list_step(arb_list_t *s, const arb_list_in_t *in);

#endif
