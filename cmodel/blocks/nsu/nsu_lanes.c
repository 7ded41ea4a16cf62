/* SPDX-License-Identifier: Apache-2.0
 *
 * The lane array as a ring of instructions with ages. Ages, in cycles since the start, say what
 * shows in a cycle; no pipeline is modelled.
 */
#include "nsu_lanes.h"

#include <assert.h>
#include <string.h>

void nsu_lanes_reset(nsu_lanes_t *s) {
  memset(s, 0, sizeof *s);
}

/* Place of the ith oldest instruction. */
static unsigned nsu_lanes_index(const nsu_lanes_t *s, unsigned i) {
  return (s->head + i) % LANES_IN_FLIGHT;
}

/* Cycles that a pass takes: two for pairs (rule 9). */
static unsigned nsu_lanes_rate(const nsu_lanes_instr_t *instr) {
  return isa_pairs(instr->op) ? 2 : 1;
}

/* The pass that begins at this age; LANES_PASSES if none does. */
static unsigned nsu_lanes_pass(const nsu_lanes_instr_t *instr, unsigned age) {
  const unsigned rate = nsu_lanes_rate(instr);
  return age >= 1 && (age - 1) % rate == 0 && (age - 1) / rate < LANES_PASSES ? (age - 1) / rate : LANES_PASSES;
}

/* The age at which the first row is written back: one cycle after the results of the last pass. */
static unsigned nsu_lanes_first_row(const nsu_lanes_instr_t *instr) {
  return (LANES_PASSES - 1) * nsu_lanes_rate(instr) + 1 + ISA_LANE_LATENCY + 1;
}

/* A result of pairs has a second row, in the next cycle. */
static unsigned nsu_lanes_last_row(const nsu_lanes_instr_t *instr) {
  return nsu_lanes_first_row(instr) + (isa_pairs(instr->op) & ISA_PAIR_D);
}

/* What an instruction shows at its age. Ages differ, so no two
 * instructions show the same output. */
static void nsu_lanes_show(const nsu_lanes_instr_t *instr, nsu_lanes_out_t *out) {
  const unsigned age = instr->age, pass = nsu_lanes_pass(instr, age);
  const unsigned shown = age > ISA_LANE_LATENCY ? nsu_lanes_pass(instr, age - ISA_LANE_LATENCY) : LANES_PASSES;
  if (age <= LANES_PASSES * nsu_lanes_rate(instr)) out->start_ready = age == LANES_PASSES * nsu_lanes_rate(instr);
  if (pass < LANES_PASSES) {
    out->probe_pass_valid = 1;
    out->probe_pass = pass;
    out->probe_op = instr->op;
  }
  if (shown < LANES_PASSES) {
    out->probe_res_valid = 1;
    for (unsigned i = 0; i < Lanes; i++) out->probe_res[i] = (uint32_t)instr->result[shown * Lanes + i];
  }
  if (age >= nsu_lanes_first_row(instr)) {
    const unsigned high = age - nsu_lanes_first_row(instr);
    out->wb_valid = 1;
    out->wb_high = high;
    out->wb_last = age == nsu_lanes_last_row(instr);
    out->wb_tag = instr->tag;
    out->wb_mask = instr->mask;
    for (unsigned i = 0; i < PKT_WARP_WIDTH; i++)
      out->wb_row[i] = instr->mask >> i & 1 ? (uint32_t)(instr->result[i] >> 32 * high) : 0;
  }
}

void nsu_lanes_eval(const nsu_lanes_t *s, const nsu_lanes_in_t *in, nsu_lanes_out_t *out) {
  (void)in;
  out->start_ready = 1;
  out->wb_valid = out->wb_high = out->wb_last = out->wb_tag = out->wb_mask = 0;
  out->probe_pass_valid = out->probe_pass = out->probe_op = out->probe_res_valid = 0;
  for (unsigned i = 0; i < s->level; i++) nsu_lanes_show(&s->instr[nsu_lanes_index(s, i)], out);
}

bool nsu_lanes_ready(const nsu_lanes_t *s) {
  if (s->level == 0) return true;
  const nsu_lanes_instr_t *newest = &s->instr[nsu_lanes_index(s, s->level - 1)];
  return newest->age >= LANES_PASSES * nsu_lanes_rate(newest);
}

/* High words are read only for instructions of pairs. */
static uint64_t nsu_lanes_result(const nsu_lanes_in_t *in, unsigned i) {
  const unsigned op = (unsigned)in->op;
  if (!isa_pairs(op)) return nsu_alu(op, in->a[i], in->b[i], in->c[i]);
  return nsu_fp64(op, (uint64_t)in->ah[i] << 32 | in->a[i], (uint64_t)in->bh[i] << 32 | in->b[i],
                  (uint64_t)in->ch[i] << 32 | in->c[i]);
}

static void nsu_lanes_start(nsu_lanes_t *s, const nsu_lanes_in_t *in) {
  assert(s->level < LANES_IN_FLIGHT);
  nsu_lanes_instr_t *instr = &s->instr[nsu_lanes_index(s, s->level++)];
  instr->age = 1;
  instr->op = (uint8_t)in->op;
  instr->tag = (uint32_t)in->tag;
  instr->mask = (uint32_t)in->mask;
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++) instr->result[i] = nsu_lanes_result(in, i);
}

/* Rule 3: a start without ready is not taken. The oldest instruction leaves after its last row. */
void nsu_lanes_step(nsu_lanes_t *s, const nsu_lanes_in_t *in) {
  bool ready = nsu_lanes_ready(s);
  for (unsigned i = 0; i < s->level; i++) s->instr[nsu_lanes_index(s, i)].age++;
  if (s->level && s->instr[s->head].age > nsu_lanes_last_row(&s->instr[s->head])) {
    s->head = nsu_lanes_index(s, 1);
    s->level--;
  }
  if (in->start_valid && ready) nsu_lanes_start(s, in);
}

bool nsu_lanes_idle(const nsu_lanes_t *s) {
  return s->level == 0;
}
