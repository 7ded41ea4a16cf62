/* SPDX-License-Identifier: Apache-2.0 */
#include "nsu_exec.h"

#include <string.h>

void nsu_exec_reset(nsu_exec_t *s) {
  memset(s, 0, sizeof *s);
  s->coming = -1;
  nsu_lanes_reset(&s->lanes);
}

/* The registers that an instruction reads, a bit for each operand. */
static unsigned nsu_exec_reads(uint64_t instr) {
  const isa_op_t *op = isa_op(isa_opcode(instr));
  unsigned sources = op && op->kind == ISA_ALU ? op->sources : ISA_SRC_N;
  if (isa_immb(instr)) sources &= ~(unsigned)(1 << EXEC_B);
  return sources | isa_guard(instr) << EXEC_GUARD;
}

static unsigned nsu_exec_register(uint64_t instr, unsigned operand) {
  switch (operand) {
  case EXEC_A: return isa_ra(instr);
  case EXEC_B: return isa_rb(instr);
  case EXEC_C: return isa_rc(instr);
  default: return isa_rg(instr);
  }
}

/* The operand whose register is read in this cycle, or -1: the first of a, b, c, guard. */
static int nsu_exec_reading(const nsu_exec_t *s) {
  for (int operand = 0; s->busy && operand < EXEC_OPERANDS; operand++)
    if (s->to_read >> operand & 1) return operand;
  return -1;
}

static bool nsu_exec_full(const nsu_exec_t *s) {
  return s->busy && !s->to_read && s->coming < 0;
}

static bool nsu_exec_starts(const nsu_exec_t *s) {
  return nsu_exec_full(s) && nsu_lanes_ready(&s->lanes);
}

/* The threads that write: those whose guard holds. */
static uint32_t nsu_exec_mask(const nsu_exec_t *s) {
  if (!isa_guard(s->instr)) return s->mask;
  uint32_t holds = 0;
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++)
    if ((s->row[EXEC_GUARD][i] != 0) != isa_ginv(s->instr)) holds |= 1u << i;
  return s->mask & holds;
}

void nsu_exec_eval(const nsu_exec_t *s, const nsu_exec_in_t *in, nsu_exec_out_t *out) {
  (void)in;
  int reading = nsu_exec_reading(s);
  bool starts = nsu_exec_starts(s);
  nsu_lanes_out_t lanes;
  nsu_lanes_eval(&s->lanes, NULL, &lanes);
  out->disp_ready = !s->busy || starts;
  out->rf_rd_valid = reading >= 0;
  out->rf_rd_slot = reading >= 0 ? s->slot : 0;
  out->rf_rd_reg = reading >= 0 ? nsu_exec_register(s->instr, (unsigned)reading) : 0;
  out->wb_valid = lanes.wb_valid;
  out->wb_slot = lanes.wb_tag / ISA_NUM_REGS;
  out->wb_reg = lanes.wb_tag % ISA_NUM_REGS;
  out->wb_mask = lanes.wb_mask;
  if (lanes.wb_valid) memcpy(out->wb_row, lanes.wb_row, sizeof lanes.wb_row);
  out->probe_start = starts;
  out->probe_start_op = starts ? isa_opcode(s->instr) : 0;
  out->probe_start_mask = starts ? nsu_exec_mask(s) : 0;
  out->probe_pass_valid = lanes.probe_pass_valid;
  out->probe_pass = lanes.probe_pass;
}

static void nsu_exec_lanes_in(const nsu_exec_t *s, nsu_lanes_in_t *lanes) {
  lanes->start_valid = nsu_exec_starts(s);
  if (!lanes->start_valid) return;
  lanes->op = isa_opcode(s->instr);
  lanes->tag = s->slot * ISA_NUM_REGS + isa_rd(s->instr);
  lanes->mask = nsu_exec_mask(s);
  memcpy(lanes->a, s->row[EXEC_A], sizeof lanes->a);
  memcpy(lanes->b, s->row[EXEC_B], sizeof lanes->b);
  memcpy(lanes->c, s->row[EXEC_C], sizeof lanes->c);
  for (unsigned i = 0; isa_immb(s->instr) && i < PKT_WARP_WIDTH; i++) lanes->b[i] = isa_imm(s->instr);
}

static void nsu_exec_collect(nsu_exec_t *s, const nsu_exec_in_t *in) {
  int reading = nsu_exec_reading(s);
  if (s->coming >= 0) memcpy(s->row[s->coming], in->rf_rd_data, sizeof s->row[0]);
  s->coming = reading;
  if (reading >= 0) s->to_read &= ~(1u << reading);
}

void nsu_exec_step(nsu_exec_t *s, const nsu_exec_in_t *in) {
  bool starts = nsu_exec_starts(s), accepts = in->disp_valid && (!s->busy || starts);
  nsu_lanes_in_t lanes_in;
  nsu_exec_lanes_in(s, &lanes_in);
  nsu_lanes_step(&s->lanes, &lanes_in);
  nsu_exec_collect(s, in);
  if (starts) s->busy = false;
  if (!accepts) return;
  s->busy = true;
  s->instr = in->disp_instr;
  s->slot = (uint8_t)in->disp_slot;
  s->mask = (uint32_t)in->disp_mask;
  s->to_read = nsu_exec_reads(s->instr);
}

bool nsu_exec_idle(const nsu_exec_t *s) {
  return !s->busy && s->lanes.level == 0;
}
