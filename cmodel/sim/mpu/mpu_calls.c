/* SPDX-License-Identifier: Apache-2.0 */
#include "mpu_calls.h"

#include <stdlib.h>

enum { KEPT_WORDS = 33 }; /* of a saved row: its shape, 32 words */

int mpu_calls_begin(mpu_calls_t *c, const mpu_kernel_t *k, simt_warp_t *w) {
  c->num_kept = 0;
  c->calls.stack_key = "mpu.stack";
  return simt_calls_begin(&c->calls, k->simt, w);
}

void mpu_calls_free(mpu_calls_t *c) {
  simt_calls_free(&c->calls);
  free(c->kept);
}

/* A function's rows and predicates. */
static uint32_t num_registers(const mpu_unit_t *u) {
  return u->rows + u->predicates;
}

/* The i-th register number of a function: its rows, then its predicates. */
static unsigned register_number(const mpu_kernel_t *k, const mpu_unit_t *u, uint32_t i) {
  return i < u->rows ? u->row + i : k->rows + u->predicate + (i - u->rows);
}

/* Saves the valid value of each of a function's registers. False: out of memory. */
static bool keep_registers(mpu_calls_t *c, const mpu_regs_t *r, unsigned warp, const mpu_unit_t *u, mpu_valid_t *valid,
                           const void *ctx) {
  const uint64_t need = c->num_kept + (uint64_t)num_registers(u) * KEPT_WORDS;
  if (need > c->room) {
    uint32_t *more = realloc(c->kept, 2 * need * sizeof *more);
    if (!more) return false;
    c->kept = more;
    c->room = 2 * need;
  }
  for (uint32_t i = 0; i < num_registers(u); i++, c->num_kept += KEPT_WORDS) {
    const unsigned reg = register_number(r->kernel, u, i), file = valid(ctx, warp, reg);
    c->kept[c->num_kept] = r->warp[warp].half[file][reg];
    mpu_regs_read(r, file, warp, reg, c->kept + c->num_kept + 1);
  }
  return true;
}

/* Gives a function's registers their saved values in both files, and drops loads' plans for
 * them. */
static void restore_registers(mpu_calls_t *c, mpu_regs_t *r, unsigned warp, const mpu_unit_t *u) {
  c->num_kept -= (uint64_t)num_registers(u) * KEPT_WORDS;
  const uint32_t *kept = c->kept + c->num_kept;
  for (uint32_t i = 0; i < num_registers(u); i++, kept += KEPT_WORDS)
    for (unsigned file = 0; file < 2; file++) {
      const unsigned reg = register_number(r->kernel, u, i);
      r->warp[warp].half[file][reg] = (uint8_t)kept[0];
      r->warp[warp].next[file][reg] = 0;
      mpu_regs_write(r, file, warp, reg, ~0u, kept + 1);
    }
}

/* Only a recursive function's registers are saved: no other can be active already. */
simt_called_t mpu_calls_enter(mpu_calls_t *c, mpu_regs_t *r, unsigned warp, const simt_op_t *op, simt_stack_t *s,
                              uint32_t mask, uint64_t stack, mpu_valid_t *valid, const void *ctx, trouble_t *wrong) {
  const simt_kernel_t *simt = r->kernel->simt;
  const simt_called_t called = simt_calls_enter(&c->calls, simt, op, &r->warp[warp].simt[FAR], s, mask, stack, wrong);
  if (called != SIMT_CALL_DONE) return called;
  const uint32_t unit = c->calls.at[c->calls.depth - 1].unit;
  return !simt->units[unit].recursive || keep_registers(c, r, warp, &r->kernel->units[unit], valid, ctx)
             ? SIMT_CALL_DONE
             : SIMT_CALL_MEMORY;
}

/* When the last threads end, all functions that they are in are left at once. */
void mpu_calls_leave(mpu_calls_t *c, mpu_regs_t *r, unsigned warp, simt_stack_t *s, uint32_t mask, bool ends) {
  const simt_kernel_t *simt = r->kernel->simt;
  uint32_t depth = c->calls.depth;
  simt_calls_leave(&c->calls, simt, &r->warp[warp].simt[FAR], s, mask, ends);
  while (depth > c->calls.depth) {
    const uint32_t unit = c->calls.at[--depth].unit;
    if (simt->units[unit].recursive) restore_registers(c, r, warp, &r->kernel->units[unit]);
  }
}
