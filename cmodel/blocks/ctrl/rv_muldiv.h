/* SPDX-License-Identifier: Apache-2.0
 *
 * rv_muldiv -- golden model of products and quotients of the controller's core; contract:
 * rtl/ctrl/rv_muldiv.ports.
 */
#ifndef RV_MULDIV_H
#define RV_MULDIV_H

#include <stdbool.h>

#include "rv_muldiv_ports.h"

typedef struct {
  unsigned left; /* cycles until done */
  bool done;
  uint64_t y;
} rv_muldiv_t;

/* op as funct3, 0 to 7; a and b have `bits` bits, and so has the result. */
uint64_t rv_muldiv_result(unsigned op, uint64_t a, uint64_t b, unsigned bits);

void rv_muldiv_reset(rv_muldiv_t *s);
void rv_muldiv_eval(const rv_muldiv_t *s, const rv_muldiv_in_t *in, rv_muldiv_out_t *out);
void rv_muldiv_step(rv_muldiv_t *s, const rv_muldiv_in_t *in);

#endif
