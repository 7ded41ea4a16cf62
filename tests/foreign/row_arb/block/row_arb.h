/* SPDX-License-Identifier: Apache-2.0
 *
 * row_arb: golden model. What each requester sent last, by its number.
 */
#ifndef ROW_ARB_MODEL_H
#define ROW_ARB_MODEL_H

#include <stdbool.h>

#include "row_arb_ports.h"

typedef struct row_arb_state {
  row_arb_entry_t held[N];
  row_arb_tag_a tag;
} row_arb_t;

void row_arb_reset(row_arb_t *s);
void row_arb_eval(const row_arb_t *s, const row_arb_in_t *in, row_arb_out_t *out);
void row_arb_step(row_arb_t *s, const row_arb_in_t *in);

#endif
