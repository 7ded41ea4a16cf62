/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of rv_csr, the control registers of the controller's core: machine mode alone, one
 * interrupt (rtl/ctrl/rv_csr.ports).
 *
 * Call rv_csr_eval for the outputs of a cycle, then rv_csr_step with the same inputs for its clock
 * edge. rdata and illegal depend on inputs of the same cycle (Mealy).
 */
#ifndef RV_CSR_H
#define RV_CSR_H

#include <stdbool.h>

#include "rv_csr_ports.h"
#include "rv_isa.h"

/* Bits of control registers. */
#define RV_MSTATUS_MIE (1u << 3)
#define RV_MSTATUS_MPIE (1u << 7)
#define RV_MEI (1u << 11) /* mie, mip: the external interrupt */
#define RV_INTERRUPT (1u << 31)

typedef struct {
  /* Only the bits that can change; all others are 0 here. */
  uint32_t mstatus, mie, mip, mtvec, mscratch, mepc, mcause, mtval;
  uint64_t mcycle, minstret; /* cycles; instructions over without a trap */
} rv_csr_t;

void rv_csr_reset(rv_csr_t *s);
void rv_csr_eval(const rv_csr_t *s, const rv_csr_in_t *in, rv_csr_out_t *out);
void rv_csr_step(rv_csr_t *s, const rv_csr_in_t *in);

#endif
