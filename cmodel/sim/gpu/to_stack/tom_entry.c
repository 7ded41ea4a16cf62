/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of a candidate's registers, the bits of its entry, and rows in registers.
 */
#include "tom_entry.h"

#include <string.h>

#include "bits.h"

/* ---- Numbers --------------------------------------------------------------------------------- */

/* The same register, or the same special register. */
static bool same_register(const tom_reg_t *a, const tom_reg_t *b) {
  return a->reg == b->reg && (a->reg != PTX_NONE || (a->sreg == b->sreg && a->sel == b->sel));
}

/* A predicate counts as one word. */
static unsigned register_words(const tom_reg_t *r) {
  return r->words ? r->words : 1;
}

/* Number of a register's lowest word; `used` if it has none. */
static unsigned find_number(const tom_entry_t *e, unsigned used, const tom_reg_t *r) {
  unsigned n = 0;
  while (n < used && !same_register(&e->reg[n], r)) n++;
  return n;
}

/* The same; a register without a number gets one. TOM_MAX_REGS: no number is left. */
static unsigned number_register(tom_entry_t *e, unsigned *used, const tom_reg_t *r) {
  const unsigned n = find_number(e, *used, r);
  if (n < *used) return n;
  if (*used + register_words(r) > TOM_MAX_REGS) return TOM_MAX_REGS;
  for (unsigned w = 0; w < register_words(r); w++, ++*used) e->reg[*used] = *r, e->word[*used] = (uint8_t)w;
  return n;
}

/* Numbers for a list of registers. false: none is left. */
static bool number_registers(tom_entry_t *e, unsigned *used, const tom_reg_t *regs, unsigned count, uint64_t *numbers) {
  for (unsigned i = 0; i < count; i++) {
    const unsigned n = number_register(e, used, &regs[i]);
    if (n == TOM_MAX_REGS) return false;
    *numbers |= bits_ones(register_words(&regs[i])) << n;
  }
  return true;
}

uint64_t tom_entry_numbers(const tom_entry_t *e, const tom_reg_t *regs, unsigned count, uint64_t which) {
  uint64_t numbers = 0;
  for (unsigned i = 0; i < count; i++)
    if (which >> i & 1) numbers |= bits_ones(register_words(&regs[i])) << find_number(e, TOM_MAX_REGS, &regs[i]);
  return numbers;
}

/* ---- The entry ------------------------------------------------------------------------------- */

/* Number of a register in a condition; 0 for none. False: no number is left. */
static bool name_register(tom_entry_t *e, unsigned *used, int32_t reg, unsigned *number) {
  *number = reg == PTX_NONE ? 0 : number_register(e, used, &(tom_reg_t){.reg = reg, .words = 1});
  return *number < TOM_MAX_REGS;
}

/* The bits of a condition. false: no number is left. */
static bool encode_condition(tom_entry_t *e, unsigned *used, const tom_condition_t *c, uint64_t *bits) {
  unsigned start, bound, step;
  if (!name_register(e, used, c->start, &start) || !name_register(e, used, c->bound, &bound) ||
      !name_register(e, used, c->step, &step))
    return false;
  *bits = COND_PUT(*bits, kind, c->kind);
  *bits = COND_PUT(*bits, up, c->up);
  *bits = COND_PUT(*bits, is_signed, c->is_signed);
  *bits = COND_PUT(*bits, shift, c->shift);
  *bits = COND_PUT(*bits, beyond, c->beyond);
  *bits = COND_PUT(*bits, has_start, c->start != PTX_NONE);
  *bits = COND_PUT(*bits, start, start);
  *bits = COND_PUT(*bits, has_bound, c->bound != PTX_NONE);
  *bits = COND_PUT(*bits, bound, bound);
  *bits = COND_PUT(*bits, step, step);
  *bits = COND_PUT(*bits, imm, (uint32_t)c->imm);
  return true;
}

bool tom_entry_make(tom_entry_t *e, const tom_block_t *b) {
  unsigned used = 0;
  uint64_t cond = 0;
  memset(e, 0, sizeof *e);
  for (unsigned n = 0; n < TOM_MAX_REGS; n++) e->reg[n].reg = PTX_NONE - 1; /* no register */
  if (!number_registers(e, &used, b->sent, b->num_sent, &e->in) ||
      !number_registers(e, &used, b->returned, b->num_returned, &e->out))
    return false;
  if (b->cond.kind != TOM_ALWAYS && !encode_condition(e, &used, &b->cond, &cond)) return false;
  if (b->cond.kind == TOM_ALWAYS) cond = COND_PUT(cond, kind, KIND_ALWAYS);
  bits_put(e->bits, META_pc_LSB, META_pc_W, b->begin);
  bits_put(e->bits, META_exit_LSB, META_exit_W, b->exit);
  bits_put(e->bits, META_in_LSB, META_in_W, e->in);
  bits_put(e->bits, META_out_LSB, META_out_W, e->out);
  bits_put(e->bits, META_tx_LSB, META_tx_W, b->saves_tx);
  bits_put(e->bits, META_rx_LSB, META_rx_W, b->saves_rx);
  bits_put(e->bits, META_cond_LSB, META_cond_W, cond);
  return true;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Place of a register in the register file. false: the kernel never reads it. */
static bool find_register(const simt_kernel_t *k, const tom_reg_t *r, uint32_t *at, unsigned *bytes) {
  if (r->reg >= 0) {
    *at = k->regs[r->reg].at, *bytes = k->regs[r->reg].bytes;
    return *at != SIMT_NO_OPERAND;
  }
  for (uint32_t i = 0; r->reg == PTX_NONE && i < k->num_sregs; i++) {
    if (k->sregs[i].sreg != r->sreg || k->sregs[i].sel != r->sel) continue;
    *at = k->sregs[i].at, *bytes = 4;
    return true;
  }
  return false;
}

void tom_row_read(const tom_entry_t *e, unsigned number, const simt_kernel_t *k, const simt_warp_t *w,
                  uint32_t row[TOM_WARP]) {
  uint32_t at;
  unsigned bytes;
  memset(row, 0, TOM_WARP * sizeof *row);
  if (!find_register(k, &e->reg[number], &at, &bytes)) return;
  const uint8_t *from = simt_src(w, at);
  for (unsigned lane = 0; lane < (bytes == 1 ? 1 : TOM_WARP); lane++)
    memcpy(&row[lane], from + lane * bytes + 4 * e->word[number], sizeof *row);
}

void tom_row_write(const tom_entry_t *e, unsigned number, const simt_kernel_t *k, simt_warp_t *w,
                   const uint32_t row[TOM_WARP], uint32_t mask) {
  uint32_t at;
  unsigned bytes;
  if (!find_register(k, &e->reg[number], &at, &bytes)) return;
  uint8_t *to = simt_dst(w, at);
  if (bytes == 1) {
    uint32_t old;
    memcpy(&old, to, sizeof old);
    old = (old & ~mask) | (*row & mask);
    memcpy(to, &old, sizeof old);
    return;
  }
  for (; mask; mask &= mask - 1) {
    const size_t lane = (size_t)__builtin_ctz(mask);
    memcpy(to + lane * bytes + 4 * e->word[number], &row[lane], sizeof *row);
  }
}
