/* SPDX-License-Identifier: Apache-2.0 */
#include "nsu_lanes.h"

#include <assert.h>
#include <string.h>

void nsu_lanes_reset(nsu_lanes_t *s) {
  memset(s, 0, sizeof *s);
}

static unsigned nsu_lanes_index(const nsu_lanes_t *s, unsigned i) {
  return (s->head + i) % LANES_IN_FLIGHT;
}

/* Of an age that is unique among the instructions: passes run at age 1 .. P, their results show 4 cycles later. */
static void nsu_lanes_show(const nsu_lanes_instr_t *instr, nsu_lanes_out_t *out) {
  unsigned age = instr->age;
  if (age >= 1 && age <= LANES_PASSES) {
    out->probe_pass_valid = 1;
    out->probe_pass = age - 1;
    out->probe_op = instr->op;
    out->start_ready = age == LANES_PASSES;
  }
  if (age > ISA_LANE_LATENCY && age <= LANES_PASSES + ISA_LANE_LATENCY) {
    out->probe_res_valid = 1;
    memcpy(out->probe_res, &instr->result[(age - ISA_LANE_LATENCY - 1) * Lanes], Lanes * sizeof *instr->result);
  }
  if (age == LANES_LATENCY) {
    out->wb_valid = 1;
    out->wb_tag = instr->tag;
    out->wb_mask = instr->mask;
    for (unsigned i = 0; i < PKT_WARP_WIDTH; i++) out->wb_row[i] = instr->mask >> i & 1 ? instr->result[i] : 0;
  }
}

void nsu_lanes_eval(const nsu_lanes_t *s, const nsu_lanes_in_t *in, nsu_lanes_out_t *out) {
  (void)in;
  out->start_ready = 1;
  out->wb_valid = out->wb_tag = out->wb_mask = 0;
  out->probe_pass_valid = out->probe_pass = out->probe_op = out->probe_res_valid = 0;
  for (unsigned i = 0; i < s->level; i++) nsu_lanes_show(&s->instr[nsu_lanes_index(s, i)], out);
}

bool nsu_lanes_ready(const nsu_lanes_t *s) {
  return s->level == 0 || s->instr[nsu_lanes_index(s, s->level - 1)].age >= LANES_PASSES;
}

/* Words only: of a pair, the low one. */
static uint32_t nsu_lanes_result(unsigned op, uint32_t a, uint32_t b, uint32_t c) {
  return isa_pairs(op) ? (uint32_t)nsu_fp64(op, a, b, c) : nsu_alu(op, a, b, c);
}

static void nsu_lanes_start(nsu_lanes_t *s, const nsu_lanes_in_t *in) {
  assert(s->level < LANES_IN_FLIGHT);
  nsu_lanes_instr_t *instr = &s->instr[nsu_lanes_index(s, s->level++)];
  instr->age = 1;
  instr->op = (uint8_t)in->op;
  instr->tag = (uint32_t)in->tag;
  instr->mask = (uint32_t)in->mask;
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++) instr->result[i] = nsu_lanes_result(instr->op, in->a[i], in->b[i], in->c[i]);
}

void nsu_lanes_step(nsu_lanes_t *s, const nsu_lanes_in_t *in) {
  bool ready = nsu_lanes_ready(s);
  for (unsigned i = 0; i < s->level; i++) s->instr[nsu_lanes_index(s, i)].age++;
  if (s->level && s->instr[s->head].age > LANES_LATENCY) {
    s->head = nsu_lanes_index(s, 1);
    s->level--;
  }
  if (in->start_valid && ready) nsu_lanes_start(s, in);
}

bool nsu_lanes_idle(const nsu_lanes_t *s) {
  return s->level == 0;
}
