/* SPDX-License-Identifier: Apache-2.0
 *
 * Register allocation: linear scan over live ranges.
 *
 * The range of a register is the smallest run of instructions that contains its definitions, its
 * uses, and the blocks that it is live through. Two registers share a slot if their ranges do not
 * overlap. The rule also holds for diverged warps. Each thread follows its own path through the
 * same ranges, and slots have a place for each thread.
 */
#include "simt_regs.h"

#include <stdlib.h>

typedef struct {
  uint32_t reg, first, last;
} range_t;

/* Extends a range to instruction `at`. UINT32_MAX: empty. */
static void extend_range(range_t *r, uint32_t at) {
  if (at < r->first) r->first = at;
  if (at > r->last || r->last == UINT32_MAX) r->last = at;
}

/* Extends the ranges of all registers in a set. */
static void extend_set(const ptx_func_t *f, range_t *ranges, const uint64_t *set, uint32_t at) {
  for (uint32_t k = 0; set && k < f->live_words; k++)
    for (uint64_t bits = set[k]; bits; bits &= bits - 1)
      extend_range(&ranges[k * 64 + (uint32_t)__builtin_ctzll(bits)], at);
}

/* Live ranges of all registers. first UINT32_MAX: the register is never used. */
static void find_ranges(const ptx_func_t *f, range_t *ranges) {
  int32_t regs[PTX_MAX_INSTR_REGS];
  for (uint32_t r = 0; r < f->num_regs; r++) ranges[r] = (range_t){r, UINT32_MAX, UINT32_MAX};
  for (uint32_t b = 0; b < f->num_blocks; b++) {
    extend_set(f, ranges, f->blocks[b].live_in, f->blocks[b].first);
    extend_set(f, ranges, f->blocks[b].live_out, f->blocks[b].last);
  }
  for (uint32_t i = 0; i < f->num_instrs; i++) {
    unsigned n = ptx_defs(f, &f->instrs[i], regs, PTX_MAX_INSTR_REGS);
    for (unsigned k = 0; k < n; k++) extend_range(&ranges[regs[k]], i);
    n = ptx_uses(f, &f->instrs[i], regs, PTX_MAX_INSTR_REGS);
    for (unsigned k = 0; k < n; k++) extend_range(&ranges[regs[k]], i);
  }
}

static int by_first(const void *a, const void *b) {
  const range_t *x = a, *y = b;
  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  return x->reg < y->reg ? -1 : 1;
}

/* Width of a register's slot: 8, 4, or 1 for predicates. */
static unsigned lane_bytes(ptx_type_t type) {
  if (type == PTX_PRED) return 1;
  return ptx_type_bytes(type) <= 4 ? 4 : ptx_type_bytes(type);
}

/* Assigns slots of one width, numbered from 0, in slot_of. Returns how many there are. */
static uint32_t assign_slots(const ptx_func_t *f, const range_t *ranges, unsigned bytes, uint32_t *slot_of,
                             uint32_t *free_at) {
  uint32_t slots = 0;
  for (uint32_t i = 0; i < f->num_regs && ranges[i].first != UINT32_MAX; i++) {
    const range_t *r = &ranges[i];
    if (lane_bytes(f->regs[r->reg].type) != bytes) continue;
    uint32_t s = 0;
    while (s < slots && free_at[s] >= r->first) s++; /* free_at: last instruction of the slot's owner */
    if (s == slots) slots++;
    free_at[s] = r->last;
    slot_of[r->reg] = s;
  }
  return slots;
}

/* Offsets in the register file: 64-bit slots, 32-bit slots, predicates. */
static void place_registers(const ptx_func_t *f, const range_t *ranges, simt_kernel_t *k, uint32_t *slot_of,
                            const uint32_t *count) {
  uint32_t at64 = 0, at32 = count[0] * 256, at_pred = at32 + count[1] * 128;
  for (uint32_t i = 0; i < f->num_regs; i++) {
    uint32_t reg = ranges[i].reg, s = slot_of[reg];
    unsigned bytes = lane_bytes(f->regs[reg].type);
    if (ranges[i].first == UINT32_MAX) k->regs[reg] = (simt_reg_t){SIMT_NO_OPERAND, SIMT_NO_SLOT, (uint8_t)bytes};
    else if (bytes == 8) k->regs[reg] = (simt_reg_t){at64 + s * 256, (uint16_t)s, 8};
    else if (bytes == 4) k->regs[reg] = (simt_reg_t){at32 + s * 128, (uint16_t)(count[0] + s), 4};
    else k->regs[reg] = (simt_reg_t){at_pred + s * 4, (uint16_t)(count[0] + count[1] + s), 1};
  }
  k->reg_bytes = (at_pred + count[2] * 4 + 63) / 64 * 64;
  k->num_slots = count[0] + count[1] + count[2];
  k->hw_regs = 2 * count[0] + count[1];
}

int simt_regs_assign(simt_kernel_t *k) {
  const ptx_func_t *f = k->func;
  range_t *ranges = calloc(f->num_regs + 1, sizeof *ranges);
  uint32_t *slot_of = calloc(f->num_regs + 1, sizeof *slot_of), *free_at = calloc(f->num_regs + 1, sizeof *free_at);
  k->regs = calloc(f->num_regs + 1, sizeof *k->regs);
  int status = ranges && slot_of && free_at && k->regs ? 0 : -1;
  if (!status) {
    find_ranges(f, ranges);
    qsort(ranges, f->num_regs, sizeof *ranges, by_first);
    uint32_t count[3] = {assign_slots(f, ranges, 8, slot_of, free_at)};
    count[1] = assign_slots(f, ranges, 4, slot_of, free_at);
    count[2] = assign_slots(f, ranges, 1, slot_of, free_at);
    place_registers(f, ranges, k, slot_of, count);
  }
  free(ranges);
  free(slot_of);
  free(free_at);
  return status;
}
