/* SPDX-License-Identifier: Apache-2.0
 *
 * Two collectors in a ring, with the lanes behind them. An instruction of pairs keeps both
 * collectors (rule 12), but the model needs only one of them: its rows have places for the high
 * words.
 */
#include "nsu_exec.h"

#include <string.h>

void nsu_exec_reset(nsu_exec_t *s) {
  memset(s, 0, sizeof *s);
  nsu_lanes_reset(&s->lanes);
}

/* The operands that are pairs, a bit for each of a, b, c. */
static unsigned nsu_exec_pairs(uint64_t instr) {
  return isa_pairs(isa_opcode(instr)) >> 1;
}

/* Rule 7: operand b is the immediate, unless it is a pair. */
static bool nsu_exec_imm(uint64_t instr) {
  return isa_immb(instr) && !(nsu_exec_pairs(instr) >> EXEC_B & 1);
}

/* The rows that an instruction reads, a bit each (rules 1, 3 and 12). */
static unsigned nsu_exec_reads(uint64_t instr) {
  const isa_op_t *op = isa_op(isa_opcode(instr));
  unsigned sources = op && op->kind == ISA_ALU ? op->sources : ISA_SRC_N;
  if (nsu_exec_imm(instr)) sources &= ~(unsigned)(1 << EXEC_B);
  return sources | isa_guard(instr) << EXEC_GUARD | nsu_exec_pairs(instr) << EXEC_AH;
}

/* The register of a row. The high word of a pair is in the odd register. */
static unsigned nsu_exec_register(uint64_t instr, unsigned operand) {
  switch (operand) {
  case EXEC_A: return isa_ra(instr);
  case EXEC_B: return isa_rb(instr);
  case EXEC_C: return isa_rc(instr);
  case EXEC_GUARD: return isa_rg(instr);
  default: return nsu_exec_register(instr, operand - EXEC_AH) | 1;
  }
}

/* The collector of the nth oldest instruction. */
static unsigned nsu_exec_place(const nsu_exec_t *s, unsigned nth) {
  return (s->oldest + nth) % EXEC_COLLECTORS;
}

/* The oldest instruction with a row to ask for, or NULL. Only the oldest may ask for high
 * words, because they need the second collector. */
static const nsu_exec_collector_t *nsu_exec_reader(const nsu_exec_t *s) {
  for (unsigned i = 0; i < s->level; i++) {
    const nsu_exec_collector_t *c = &s->collector[nsu_exec_place(s, i)];
    if (i == 0 ? c->to_read : c->to_read % (1 << EXEC_AH)) return c;
  }
  return NULL;
}

/* The row it asks for: the first in the order of rule 3. */
static unsigned nsu_exec_reading(const nsu_exec_collector_t *c) {
  unsigned operand = 0;
  while (!(c->to_read >> operand & 1)) operand++;
  return operand;
}

/* Rule 6: instructions start in order, when all operands are there and the lanes are ready. */
static bool nsu_exec_starts(const nsu_exec_t *s) {
  return s->level && !s->collector[s->oldest].to_come && nsu_lanes_ready(&s->lanes);
}

/* Rule 9. Counts the collectors that are kept after a start of this cycle,
 * two for an instruction of pairs. */
static bool nsu_exec_ready(const nsu_exec_t *s) {
  unsigned kept = 0;
  for (unsigned i = nsu_exec_starts(s); i < s->level; i++)
    kept += nsu_exec_pairs(s->collector[nsu_exec_place(s, i)].instr) ? 2 : 1;
  return kept < EXEC_COLLECTORS;
}

/* Rule 8: the threads whose guard holds. */
static uint32_t nsu_exec_mask(const nsu_exec_collector_t *c) {
  if (!isa_guard(c->instr)) return c->mask;
  uint32_t holds = 0;
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++)
    if ((c->row[EXEC_GUARD][i] != 0) != isa_ginv(c->instr)) holds |= 1u << i;
  return c->mask & holds;
}

void nsu_exec_eval(const nsu_exec_t *s, const nsu_exec_in_t *in, nsu_exec_out_t *out) {
  (void)in;
  const nsu_exec_collector_t *reader = nsu_exec_reader(s), *oldest = &s->collector[s->oldest];
  bool starts = nsu_exec_starts(s);
  nsu_lanes_out_t lanes;
  nsu_lanes_eval(&s->lanes, NULL, &lanes);
  out->disp_ready = nsu_exec_ready(s);
  out->rf_rd_valid = reader != NULL;
  out->rf_rd_slot = reader ? reader->slot : 0;
  out->rf_rd_reg = reader ? nsu_exec_register(reader->instr, nsu_exec_reading(reader)) : 0;
  out->wb_valid = lanes.wb_valid;
  out->wb_last = lanes.wb_last;
  out->wb_slot = lanes.wb_tag / ISA_NUM_REGS;
  out->wb_reg = lanes.wb_tag % ISA_NUM_REGS | lanes.wb_high;
  out->wb_mask = lanes.wb_mask;
  if (lanes.wb_valid) memcpy(out->wb_row, lanes.wb_row, sizeof lanes.wb_row);
  out->probe_start = starts;
  out->probe_start_op = starts ? isa_opcode(oldest->instr) : 0;
  out->probe_start_mask = starts ? nsu_exec_mask(oldest) : 0;
  out->probe_pass_valid = lanes.probe_pass_valid;
  out->probe_pass = lanes.probe_pass;
}

/* The oldest instruction, if it starts. The tag carries slot and register to the write-back. */
static void nsu_exec_lanes_in(const nsu_exec_t *s, nsu_lanes_in_t *lanes) {
  const nsu_exec_collector_t *c = &s->collector[s->oldest];
  lanes->start_valid = nsu_exec_starts(s);
  if (!lanes->start_valid) return;
  lanes->op = isa_opcode(c->instr);
  lanes->tag = c->slot * ISA_NUM_REGS + isa_rd(c->instr);
  lanes->mask = nsu_exec_mask(c);
  memcpy(lanes->a, c->row[EXEC_A], sizeof lanes->a);
  memcpy(lanes->b, c->row[EXEC_B], sizeof lanes->b);
  memcpy(lanes->c, c->row[EXEC_C], sizeof lanes->c);
  memcpy(lanes->ah, c->row[EXEC_AH], sizeof lanes->ah);
  memcpy(lanes->bh, c->row[EXEC_BH], sizeof lanes->bh);
  memcpy(lanes->ch, c->row[EXEC_CH], sizeof lanes->ch);
  for (unsigned i = 0; nsu_exec_imm(c->instr) && i < PKT_WARP_WIDTH; i++) lanes->b[i] = isa_imm(c->instr);
}

/* Takes the row that was asked for in the last cycle, and asks for the next one. */
static void nsu_exec_collect(nsu_exec_t *s, const nsu_exec_in_t *in) {
  const nsu_exec_collector_t *reader = nsu_exec_reader(s);
  if (s->coming) {
    nsu_exec_collector_t *c = &s->collector[s->coming - 1];
    memcpy(c->row[s->coming_operand], in->rf_rd_data, sizeof c->row[0]);
    c->to_come &= ~(1u << s->coming_operand);
  }
  s->coming = reader ? (unsigned)(reader - s->collector) + 1 : 0;
  if (!reader) return;
  s->coming_operand = nsu_exec_reading(reader);
  s->collector[s->coming - 1].to_read &= ~(1u << s->coming_operand);
}

static void nsu_exec_accept(nsu_exec_t *s, const nsu_exec_in_t *in) {
  nsu_exec_collector_t *c = &s->collector[nsu_exec_place(s, s->level++)];
  c->instr = in->disp_instr;
  c->slot = (uint8_t)in->disp_slot;
  c->mask = (uint32_t)in->disp_mask;
  c->to_read = c->to_come = nsu_exec_reads(c->instr);
}

void nsu_exec_step(nsu_exec_t *s, const nsu_exec_in_t *in) {
  bool starts = nsu_exec_starts(s), accepts = in->disp_valid && nsu_exec_ready(s);
  nsu_lanes_in_t lanes_in;
  nsu_exec_lanes_in(s, &lanes_in);
  nsu_lanes_step(&s->lanes, &lanes_in);
  nsu_exec_collect(s, in);
  if (starts) {
    s->oldest = nsu_exec_place(s, 1);
    s->level--;
  }
  if (accepts) nsu_exec_accept(s, in);
}

bool nsu_exec_idle(const nsu_exec_t *s) {
  return !s->level && s->lanes.level == 0;
}
