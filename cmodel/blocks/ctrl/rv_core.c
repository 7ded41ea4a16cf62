/* SPDX-License-Identifier: Apache-2.0
 *
 * The RISC-V manual's instructions, one function for each kind. The model works out an
 * instruction's effect at once, in its last working cycle; the cycles before are only counted.
 * Numbers in brackets are rules of the port file.
 */
#include "rv_core.h"

#include "rv_alu.h"
#include "rv_muldiv.h"

enum { CYCLES = 2, CYCLES_MULDIV = 35 }; /* cycles of work after the response's cycle [4] */

void rv_core_reset(rv_core_t *s) {
  const rv_core_t before = *s;
  *s = (rv_core_t){.pc = ResetPc};
  for (unsigned i = 0; i < 32; i++) s->x[i] = before.x[i];
}

/* --- What is seen */

/* A WFI that no interrupt has ended yet [4]. */
static bool rv_core_sleeping(const rv_core_t *s) {
  return s->phase == RV_CORE_OVER && s->effect.sleeps && !(s->csr.mie & s->csr.mip);
}

/* An interrupt is taken behind this instruction [5]. */
static bool rv_core_interrupted(const rv_core_t *s) {
  return s->csr.mie & s->csr.mip && s->csr.mstatus & RV_MSTATUS_MIE;
}

static rv_csr_out_t rv_core_csr(const rv_core_t *s, const rv_csr_in_t *in) {
  rv_csr_out_t out;
  rv_csr_eval(&s->csr, in, &out);
  return out;
}

/* The bytes of the word that are accessed [2]. */
static unsigned rv_core_mask(const rv_effect_t *e) {
  return ((1u << e->size) - 1) << e->address % 4;
}

/* A store's bytes at every place where they could be [2]. */
static uint32_t rv_core_lanes(const rv_effect_t *e) {
  switch (e->size) {
  case 1: return 0x01010101u * (e->data & 0xff);
  case 2: return 0x00010001u * (e->data & 0xffff);
  default: return e->data;
  }
}

/* The probes of an instruction that ends in this cycle. */
static void rv_core_eval_over(const rv_core_t *s, const rv_csr_out_t *csr, rv_core_out_t *out) {
  const rv_effect_t *e = &s->effect;
  out->probe_valid = s->phase == RV_CORE_OVER && !out->sleeping;
  if (!out->probe_valid) return;
  out->probe_trap = e->trap;
  out->probe_intr = csr->take;
  out->probe_pc = s->pc;
  out->probe_insn = s->insn;
  out->probe_rd = e->rd;
  out->probe_rd_value = e->rd ? e->value : 0;
  out->probe_next_pc = csr->take ? csr->handler_irq : e->next;
  out->probe_memory = e->memory;
  out->probe_address = e->address;
  out->probe_mask = rv_core_mask(e);
}

void rv_core_eval(const rv_core_t *s, const rv_core_in_t *in, rv_core_out_t *out) {
  const rv_csr_out_t csr = rv_core_csr(s, &(rv_csr_in_t){0});
  const rv_effect_t *e = &s->effect;
  (void)in;
  *out = (rv_core_out_t){
      .im_req_valid = s->phase == RV_CORE_ASKS,
      .im_req_addr = s->pc,
      .im_rsp_ready = s->phase == RV_CORE_WAITS,
      .dm_req_valid = s->phase == RV_CORE_ASKS_DATA,
      .dm_req_write = s->phase == RV_CORE_ASKS_DATA && e->store,
      .dm_req_addr = e->address & ~3u,
      .dm_req_mask = rv_core_mask(e),
      .dm_req_data = rv_core_lanes(e),
      .dm_rsp_ready = s->phase == RV_CORE_WAITS_DATA,
      .sleeping = rv_core_sleeping(s),
      .probe_mie = csr.probe_mie,
      .probe_mpie = csr.probe_mpie,
      .probe_mcause = csr.probe_mcause,
      .probe_mepc = csr.epc,
      .probe_mtval = csr.probe_mtval,
      .probe_mcycle = csr.probe_mcycle,
      .probe_minstret = csr.probe_minstret,
  };
  rv_core_eval_over(s, &csr, out);
}

bool rv_core_quiet(const rv_core_t *s) {
  return rv_core_sleeping(s) && !s->csr.mip;
}

/* --- What an instruction does. `csr` collects the inputs of rv_csr for this cycle. */

/* The instruction ends without a trap. */
static void rv_core_over(rv_core_t *s, rv_csr_in_t *csr) {
  s->phase = RV_CORE_OVER;
  csr->retire = 1;
}

/* The instruction ends with a trap and writes no register. */
static void rv_core_trap(rv_core_t *s, rv_csr_in_t *csr, unsigned cause, uint32_t tval) {
  s->phase = RV_CORE_OVER;
  s->effect = (rv_effect_t){.trap = true, .next = s->csr.mtvec & ~3u};
  csr->trap = 1;
  csr->cause = cause;
  csr->tval = tval;
}

/* A target that is no multiple of four traps in the jump itself. */
static void rv_core_jump(rv_core_t *s, rv_csr_in_t *csr, uint32_t target) {
  if (target % 4) rv_core_trap(s, csr, RV_CAUSE_FETCH_MISALIGNED, target);
  else s->effect.next = target;
}

/* A load or store: its request follows, so the instruction is not over. Misaligned ones trap. */
static void rv_core_access(rv_core_t *s, rv_csr_in_t *csr, const rv_op_t *op, uint32_t address, uint32_t data) {
  const bool store = op->kind == RV_STORE;
  const unsigned size = 1u << (op->sub & 3);
  if (address % size) {
    rv_core_trap(s, csr, store ? RV_CAUSE_STORE_MISALIGNED : RV_CAUSE_LOAD_MISALIGNED, address);
    return;
  }
  s->effect.memory = true;
  s->effect.store = store;
  s->effect.address = address;
  s->effect.data = data;
  s->effect.size = size;
  s->phase = RV_CORE_ASKS_DATA;
  csr->retire = 0;
}

/* A CSR instruction. The register changes with this cycle's clock edge [6]. */
static void rv_core_control(rv_core_t *s, rv_csr_in_t *csr, const rv_op_t *op, uint32_t value) {
  csr->access = 1;
  csr->addr = s->insn >> 20;
  csr->sub = op->sub & 3;
  csr->none = rv_rs1(s->insn) == 0; /* register 0, or immediate 0 */
  csr->value = op->form == RV_FORM_Z ? rv_rs1(s->insn) : value;
  const rv_csr_out_t out = rv_core_csr(s, csr);
  s->effect.value = (uint32_t)out.rdata;
  if (out.illegal) rv_core_trap(s, csr, RV_CAUSE_ILLEGAL, s->insn);
}

static void rv_core_return(rv_core_t *s, rv_csr_in_t *csr) {
  csr->mret = 1;
  s->effect.next = s->csr.mepc;
}

/* The effect of a legal instruction; fields not set here keep their zeros. */
static void rv_core_work(rv_core_t *s, rv_csr_in_t *csr, const rv_op_t *op) {
  const uint32_t a = s->x[rv_rs1(s->insn)], b = s->x[rv_rs2(s->insn)], imm = rv_imm(op->form, s->insn);
  rv_effect_t *e = &s->effect;
  switch (op->kind) {
  case RV_OP: e->value = rv_alu_result(op->sub, a, b); break;
  case RV_OP_IMM: e->value = rv_alu_result(op->sub, a, imm); break;
  case RV_LUI: e->value = imm; break;
  case RV_AUIPC: e->value = s->pc + imm; break;
  case RV_MULDIV: e->value = (uint32_t)rv_muldiv_result(op->sub, a, b, 32); break;
  case RV_JAL:
    e->value = s->pc + 4;
    rv_core_jump(s, csr, s->pc + imm);
    break;
  case RV_JALR:
    e->value = s->pc + 4;
    rv_core_jump(s, csr, (a + imm) & ~1u);
    break;
  case RV_BRANCH:
    if (rv_alu_taken(op->sub, a, b)) rv_core_jump(s, csr, s->pc + imm);
    break;
  case RV_LOAD:
  case RV_STORE: rv_core_access(s, csr, op, a + imm, b); break;
  case RV_CSR: rv_core_control(s, csr, op, a); break;
  case RV_FENCE: break;
  case RV_ECALL: rv_core_trap(s, csr, RV_CAUSE_ECALL, 0); break;
  case RV_EBREAK: rv_core_trap(s, csr, RV_CAUSE_BREAKPOINT, s->pc); break;
  case RV_MRET: rv_core_return(s, csr); break;
  case RV_WFI: e->sleeps = true; break;
  }
}

/* The last working cycle of an instruction. */
static void rv_core_execute(rv_core_t *s, rv_csr_in_t *csr) {
  const rv_op_t *op = rv_op(s->insn);
  s->effect = (rv_effect_t){.next = s->pc + 4};
  if (!op) {
    rv_core_trap(s, csr, RV_CAUSE_ILLEGAL, s->insn);
    return;
  }
  if (rv_has_rd(op->form)) s->effect.rd = rv_rd(s->insn);
  rv_core_over(s, csr);
  rv_core_work(s, csr, op);
  if (s->effect.trap) csr->retire = 0;
}

/* --- The cycle */

/* The response to a fetch: a fault traps at once, anything else works first [4]. */
static void rv_core_fetched(rv_core_t *s, const rv_core_in_t *in, rv_csr_in_t *csr) {
  if (!in->im_rsp_valid) return;
  s->insn = (uint32_t)in->im_rsp_data;
  if (in->im_rsp_err) {
    rv_core_trap(s, csr, RV_CAUSE_FETCH_FAULT, s->pc);
    return;
  }
  const rv_op_t *op = rv_op(s->insn);
  s->left = op && op->kind == RV_MULDIV ? CYCLES_MULDIV : CYCLES;
  s->phase = RV_CORE_WORKS;
}

/* The response to a load or store; a load's value is extended. */
static void rv_core_accessed(rv_core_t *s, const rv_core_in_t *in, rv_csr_in_t *csr) {
  const rv_effect_t *e = &s->effect;
  if (!in->dm_rsp_valid) return;
  if (in->dm_rsp_err) {
    rv_core_trap(s, csr, e->store ? RV_CAUSE_STORE_FAULT : RV_CAUSE_LOAD_FAULT, e->address);
    return;
  }
  const unsigned bits = 8 * e->size;
  uint32_t value = (uint32_t)in->dm_rsp_data >> 8 * (e->address % 4);
  if (bits < 32) value &= (1u << bits) - 1;
  const bool negative = value >> (bits - 1) & 1, is_signed = rv_op(s->insn)->sub < 4;
  s->effect.value = negative && is_signed && bits < 32 ? value | ~0u << bits : value;
  rv_core_over(s, csr);
}

/* After an instruction: write its register, take an interrupt, request the next. */
static void rv_core_go_on(rv_core_t *s, rv_csr_in_t *csr) {
  if (rv_core_sleeping(s)) return;
  if (s->effect.rd) s->x[s->effect.rd] = s->effect.value;
  s->phase = RV_CORE_ASKS;
  s->pc = s->effect.next;
  if (!rv_core_interrupted(s)) return;
  csr->intr = 1;
  csr->pc = s->pc;
  s->pc = (uint32_t)rv_core_csr(s, csr).handler_irq;
}

void rv_core_step(rv_core_t *s, const rv_core_in_t *in) {
  rv_csr_in_t csr = {.irq = in->irq, .pc = s->pc};
  switch (s->phase) {
  case RV_CORE_ASKS:
    if (in->im_req_ready) s->phase = RV_CORE_WAITS;
    break;
  case RV_CORE_WAITS: rv_core_fetched(s, in, &csr); break;
  case RV_CORE_WORKS:
    if (--s->left == 0) rv_core_execute(s, &csr);
    break;
  case RV_CORE_ASKS_DATA:
    if (in->dm_req_ready) s->phase = RV_CORE_WAITS_DATA;
    break;
  case RV_CORE_WAITS_DATA: rv_core_accessed(s, in, &csr); break;
  case RV_CORE_OVER: rv_core_go_on(s, &csr); break;
  }
  rv_csr_step(&s->csr, &csr);
}
