/* SPDX-License-Identifier: Apache-2.0 */
#include "mpu_regs.h"

#include <string.h>

static size_t round_to_lines(size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

static size_t file_bytes(const mpu_kernel_t *k) {
  return round_to_lines(k->simt->reg_bytes);
}

/* `half` or `next` of one file. Wide registers note the row behind theirs, too. */
static size_t note_bytes(const mpu_kernel_t *k) {
  return round_to_lines(k->ids + 2);
}

size_t mpu_regs_bytes(const mpu_kernel_t *k) {
  return 2 * file_bytes(k) + 4 * note_bytes(k);
}

/* A warp's memory: far file, near file, then half and next of each. */
void mpu_regs_place(mpu_regs_t *r, const mpu_kernel_t *k, unsigned warp, uint8_t *at) {
  uint8_t *notes = at + 2 * file_bytes(k);
  r->kernel = k;
  r->warp[warp] = (mpu_warp_regs_t){.simt = {{.base = {at}}, {.base = {at + file_bytes(k)}}},
                                    .half = {notes, notes + note_bytes(k)},
                                    .next = {notes + 2 * note_bytes(k), notes + 3 * note_bytes(k)}};
}

void mpu_regs_clear(mpu_regs_t *r, unsigned warp, uint8_t *konsts) {
  mpu_warp_regs_t *w = &r->warp[warp];
  for (unsigned f = 0; f < 2; f++) {
    w->simt[f] = (simt_warp_t){.base = {w->simt[f].base[0], konsts}};
    memset(w->half[f], 0, r->kernel->ids);
    memset(w->next[f], 0, r->kernel->ids);
  }
  memset(w->simt[NEAR].base[0], 0, r->kernel->simt->reg_bytes);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

void mpu_regs_read(const mpu_regs_t *r, unsigned file, unsigned warp, unsigned reg, uint32_t row[32]) {
  const mpu_kernel_t *k = r->kernel;
  const mpu_warp_regs_t *w = &r->warp[warp];
  const uint8_t *at = w->simt[file].base[0] + mpu_kernel_at(k, reg);
  if (reg >= k->ids) memset(row, 0, 128);
  else if (reg >= k->rows)
    for (unsigned i = 0; i < 32; i++) row[i] = *(const uint32_t *)at >> i & 1;
  else if (!w->half[file][reg]) memcpy(row, at, 128);
  else {
    const uint32_t *words =
        (const uint32_t *)(w->simt[file].base[0] + mpu_kernel_wide_at(k, reg)) + (w->half[file][reg] - 1);
    for (unsigned i = 0; i < 32; i++) row[i] = words[2 * i];
  }
}

/* The first row that a load brings gives the register its new shape, so that the words of a
 * 64-bit register go to its own place. */
void mpu_regs_write(mpu_regs_t *r, unsigned file, unsigned warp, unsigned reg, uint32_t mask, const uint32_t row[32]) {
  const mpu_kernel_t *k = r->kernel;
  mpu_warp_regs_t *w = &r->warp[warp];
  uint8_t *at = w->simt[file].base[0] + mpu_kernel_at(k, reg);
  if (reg >= k->ids) return;
  if (reg >= k->rows) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < 32; i++) bits |= (uint32_t)(row[i] & 1) << i;
    *(uint32_t *)at = (*(uint32_t *)at & ~mask) | (bits & mask);
    return;
  }
  if (w->next[file][reg]) w->half[file][reg] = w->next[file][reg] - 1, w->next[file][reg] = 0;
  unsigned half = w->half[file][reg];
  uint32_t *words =
      half ? (uint32_t *)(w->simt[file].base[0] + mpu_kernel_wide_at(k, reg)) + (half - 1) : (uint32_t *)at;
  if (!half && mask == ~0u) memcpy(words, row, 128);
  else
    for (; mask; mask &= mask - 1) {
      unsigned i = (unsigned)__builtin_ctz(mask);
      words[half ? 2 * i : i] = row[i];
    }
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

void mpu_regs_moved(mpu_regs_t *r, unsigned file, unsigned warp, unsigned reg, bool wide) {
  uint8_t *half = r->warp[warp].half[file];
  if (reg >= r->kernel->rows) return;
  half[reg] = wide ? 1 : 0;
  if (wide) half[reg + 1] = 2;
}

void mpu_regs_written(mpu_regs_t *r, unsigned file, const mpu_inflight_t *f) {
  const mpu_op_t *o = f->op;
  if (o->dst_valid) mpu_regs_moved(r, file, f->warp, o->dst, o->wide >> 4 & 1);
}

void mpu_regs_will_be_written(mpu_regs_t *r, unsigned file, const mpu_inflight_t *f) {
  const mpu_op_t *o = f->op;
  uint8_t *next = r->warp[f->warp].next[file];
  bool wide = o->wide >> 4 & 1;
  if (!f->mask || !o->dst_valid || o->dst >= r->kernel->rows) return; /* without threads no row comes */
  next[o->dst] = wide ? 2 : 1;
  if (wide && !o->widens) next[o->dst + 1] = 3;
}

void mpu_regs_execute(mpu_regs_t *r, unsigned file, const mpu_inflight_t *f, uint64_t now) {
  simt_warp_t *w = &r->warp[f->warp].simt[file];
  w->clock = w->nanoseconds = now;
  if (f->mask) f->op->op->fn(f->op->op, w, f->mask);
  mpu_regs_written(r, file, f);
}
