/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of arb_list, the priority-list arbiter: an ordered list wins, the rest take turns
 * (NUPIM paper, section III-B; rtl/router/arb_list.ports).
 *
 * Call arb_list_eval for the grant of a cycle, then arb_list_step with the same inputs for its
 * clock edge. gnt depends on req and list of the same cycle (Mealy). Pointer and streak move only
 * with update.
 */
#ifndef ARB_LIST_H
#define ARB_LIST_H

#include "arb_list_ports.h"

typedef struct {
  unsigned first;  /* the round-robin pointer, 0 .. NumReq - 1 */
  unsigned streak; /* list grants in a row while an unlisted requester asked, 0 .. Bound */
} arb_list_t;

void arb_list_reset(arb_list_t *s);
void arb_list_eval(const arb_list_t *s, const arb_list_in_t *in, arb_list_out_t *out);
void arb_list_step(arb_list_t *s, const arb_list_in_t *in);

#endif
