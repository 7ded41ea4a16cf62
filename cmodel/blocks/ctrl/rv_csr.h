/* SPDX-License-Identifier: Apache-2.0
 *
 * rv_csr -- golden model of the control registers of the controller's core; contract:
 * rtl/ctrl/rv_csr.ports.
 */
#ifndef RV_CSR_H
#define RV_CSR_H

#include <stdbool.h>

#include "rv_csr_ports.h"
#include "rv_isa.h"

/* Bits of them. */
#define RV_MSTATUS_MIE (1u << 3)
#define RV_MSTATUS_MPIE (1u << 7)
#define RV_MEI (1u << 11) /* mie, mip: the external interrupt */
#define RV_INTERRUPT (1u << 31)

typedef struct {
  uint32_t mstatus, mie, mip, mtvec, mscratch, mepc, mcause, mtval; /* the bits that change; all others are 0 here */
  uint64_t mcycle, minstret;
} rv_csr_t;

void rv_csr_reset(rv_csr_t *s);
void rv_csr_eval(const rv_csr_t *s, const rv_csr_in_t *in, rv_csr_out_t *out);
void rv_csr_step(rv_csr_t *s, const rv_csr_in_t *in);

#endif
