/* SPDX-License-Identifier: Apache-2.0
 *
 * Control registers of chapter 3 in volume II of the RISC-V manual, for a core with machine mode
 * only. Numbers in brackets are rules of the port file.
 */
#include "rv_csr.h"

enum { MPP = 3 << 11, RV32 = 1 << 30, EXTENSION_I = 1 << ('I' - 'A'), EXTENSION_M = 1 << ('M' - 'A') };

void rv_csr_reset(rv_csr_t *s) {
  *s = (rv_csr_t){0};
}

/* Returns false if there is no such register. */
static bool rv_csr_read(const rv_csr_t *s, unsigned addr, uint32_t *value) {
  switch (addr) {
  case RV_CSR_MSTATUS: *value = s->mstatus | MPP; return true;
  case RV_CSR_MISA: *value = RV32 | EXTENSION_I | EXTENSION_M; return true;
  case RV_CSR_MIE: *value = s->mie; return true;
  case RV_CSR_MTVEC: *value = s->mtvec; return true;
  case RV_CSR_MSCRATCH: *value = s->mscratch; return true;
  case RV_CSR_MEPC: *value = s->mepc; return true;
  case RV_CSR_MCAUSE: *value = s->mcause; return true;
  case RV_CSR_MTVAL: *value = s->mtval; return true;
  case RV_CSR_MIP: *value = s->mip; return true;
  case RV_CSR_MCYCLE: *value = (uint32_t)s->mcycle; return true;
  case RV_CSR_MCYCLEH: *value = (uint32_t)(s->mcycle >> 32); return true;
  case RV_CSR_MINSTRET: *value = (uint32_t)s->minstret; return true;
  case RV_CSR_MINSTRETH: *value = (uint32_t)(s->minstret >> 32); return true;
  case RV_CSR_MHARTID: *value = HartId; return true;
  default: break;
  }
  *value = 0;
#define RV_CSR_ZERO(name, first, last) \
  if (addr >= (first) && addr <= (last)) return true;
#include "rv_isa.def"
  return false;
}

/* Writes one half of a counter; the other half stays. */
static void rv_csr_half(uint64_t *counter, unsigned half, uint32_t value) {
  const unsigned shift = 32 * half;
  *counter = (*counter & ~(UINT64_C(0xffffffff) << shift)) | (uint64_t)value << shift;
}

/* Writes the bits that can be written [3]. A counter that is written does not count in the same
 * cycle [6]: `before` has it as it was. */
static void rv_csr_write(rv_csr_t *s, const rv_csr_t *before, unsigned addr, uint32_t value) {
  switch (addr) {
  case RV_CSR_MSTATUS: s->mstatus = value & (RV_MSTATUS_MIE | RV_MSTATUS_MPIE); break;
  case RV_CSR_MIE: s->mie = value & RV_MEI; break;
  case RV_CSR_MTVEC: s->mtvec = value & ~2u; break;
  case RV_CSR_MSCRATCH: s->mscratch = value; break;
  case RV_CSR_MEPC: s->mepc = value & ~3u; break;
  case RV_CSR_MCAUSE: s->mcause = value & (RV_INTERRUPT | 15); break;
  case RV_CSR_MTVAL: s->mtval = value; break;
  case RV_CSR_MCYCLE:
  case RV_CSR_MCYCLEH:
    s->mcycle = before->mcycle;
    rv_csr_half(&s->mcycle, addr == RV_CSR_MCYCLEH, value);
    break;
  case RV_CSR_MINSTRET:
  case RV_CSR_MINSTRETH:
    s->minstret = before->minstret;
    rv_csr_half(&s->minstret, addr == RV_CSR_MINSTRETH, value);
    break;
  default: break;
  }
}

/* Set and clear of nothing do not write [1]. */
static bool rv_csr_writes(const rv_csr_in_t *in) {
  return in->sub == 1 || !in->none;
}

/* Rule 2; *value is the register, 0 if there is none. */
static bool rv_csr_illegal(const rv_csr_t *s, const rv_csr_in_t *in, uint32_t *value) {
  const bool there = rv_csr_read(s, (unsigned)in->addr, value), read_only = in->addr >> 10 == 3;
  return !there || (read_only && rv_csr_writes(in));
}

void rv_csr_eval(const rv_csr_t *s, const rv_csr_in_t *in, rv_csr_out_t *out) {
  uint32_t value;
  out->illegal = rv_csr_illegal(s, in, &value);
  out->rdata = value;
  out->wake = (s->mie & s->mip & RV_MEI) != 0;
  out->take = out->wake && s->mstatus & RV_MSTATUS_MIE;
  out->handler = s->mtvec & ~3u;
  out->handler_irq = (uint32_t)(out->handler + (s->mtvec & 1 ? 4 * 11 : 0));
  out->epc = s->mepc;
  out->probe_mie = (s->mstatus & RV_MSTATUS_MIE) != 0;
  out->probe_mpie = (s->mstatus & RV_MSTATUS_MPIE) != 0;
  out->probe_meie = s->mie != 0;
  out->probe_meip = s->mip != 0;
  out->probe_mcause = (s->mcause >> 31) << 4 | (s->mcause & 15);
  out->probe_mtval = s->mtval;
  out->probe_mscratch = s->mscratch;
  out->probe_mcycle = s->mcycle;
  out->probe_minstret = s->minstret;
}

/* A trap or interrupt is entered [5]. */
static void rv_csr_enter(rv_csr_t *s, uint32_t pc, uint32_t cause, uint32_t tval) {
  s->mepc = pc & ~3u;
  s->mcause = cause;
  s->mtval = tval;
  s->mstatus = s->mstatus & RV_MSTATUS_MIE ? RV_MSTATUS_MPIE : 0;
}

static void rv_csr_access(rv_csr_t *s, const rv_csr_t *before, const rv_csr_in_t *in) {
  const uint32_t value = (uint32_t)in->value;
  uint32_t old;
  if (rv_csr_illegal(before, in, &old) || !rv_csr_writes(in)) return;
  rv_csr_write(s, before, (unsigned)in->addr, in->sub == 1 ? value : in->sub == 3 ? old & ~value : old | value);
}

/* Of several events in a cycle only the first in this order counts [5]. */
void rv_csr_step(rv_csr_t *s, const rv_csr_in_t *in) {
  const rv_csr_t before = *s;
  s->mip = in->irq ? RV_MEI : 0;
  s->mcycle++;
  if (in->retire) s->minstret++;
  if (in->intr) rv_csr_enter(s, (uint32_t)in->pc, RV_INTERRUPT | 11, 0);
  else if (in->trap) rv_csr_enter(s, (uint32_t)in->pc, (uint32_t)in->cause, (uint32_t)in->tval);
  else if (in->mret) s->mstatus = RV_MSTATUS_MPIE | (s->mstatus & RV_MSTATUS_MPIE ? RV_MSTATUS_MIE : 0);
  else if (in->access) rv_csr_access(s, &before, in);
}
