/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of rv_muldiv, products and quotients of the controller's core, one bit a cycle
 * (RISC-V "M"; rtl/ctrl/rv_muldiv.ports).
 *
 * Call rv_muldiv_eval for the outputs of a cycle, then rv_muldiv_step with the same inputs for its
 * clock edge. All outputs are state (Moore). The result shows Width + 1 cycles after the start;
 * start without ready is ignored.
 */
#ifndef RV_MULDIV_H
#define RV_MULDIV_H

#include <stdbool.h>

#include "rv_muldiv_ports.h"

typedef struct {
  unsigned left; /* cycles until done, 0 .. Width */
  bool done;     /* y is the result in this cycle */
  uint64_t y;    /* the result, known from the start on */
} rv_muldiv_t;

/* op is funct3, 0 .. 7. Operands and result have `bits` bits, 2 .. 64. Defined for
 * every operand, zero divisors included. */
uint64_t rv_muldiv_result(unsigned op, uint64_t a, uint64_t b, unsigned bits);

void rv_muldiv_reset(rv_muldiv_t *s);
void rv_muldiv_eval(const rv_muldiv_t *s, const rv_muldiv_in_t *in, rv_muldiv_out_t *out);
void rv_muldiv_step(rv_muldiv_t *s, const rv_muldiv_in_t *in);

#endif
