/* SPDX-License-Identifier: Apache-2.0 */
#include "simt_memory.h"

#include "atomic.h"
#include "simt_call.h"

void simt_addresses(const simt_warp_t *w, const simt_op_t *op, uint64_t offset, uint64_t vaddr[32]) {
  if (op->base == SIMT_NO_OPERAND) {
    const uint64_t from = op->flags & SIMT_FRAME ? w->frame_at : 0;
    for (unsigned i = 0; i < 32; i++) vaddr[i] = from + offset;
  } else if (op->flags & SIMT_ADDR32) {
    const uint32_t *b = simt_src(w, op->base);
    for (unsigned i = 0; i < 32; i++) vaddr[i] = (uint32_t)(b[i] + (uint32_t)offset);
  } else {
    const uint64_t *b = simt_src(w, op->base);
    for (unsigned i = 0; i < 32; i++) vaddr[i] = b[i] + offset;
  }
}

void simt_split_generic(uint32_t mask, uint64_t *vaddr, uint32_t lanes[SIMT_SPACES]) {
  static const uint8_t space_of[] = {PTX_SPACE_GLOBAL, PTX_SPACE_SHARED, PTX_SPACE_LOCAL, PTX_SPACE_CONST,
                                     PTX_SPACE_PARAM};
  for (; mask; mask &= mask - 1) {
    unsigned i = (unsigned)__builtin_ctz(mask);
    unsigned window = vaddr[i] < SIMT_WINDOW_END ? (unsigned)(vaddr[i] / SIMT_WINDOW_SHARED) : 0;
    lanes[space_of[window]] |= 1u << i;
    if (window) vaddr[i] &= SIMT_WINDOW_MASK;
  }
}

bool simt_reads_constants(const simt_kernel_t *k) {
  for (uint32_t i = 0; i < k->num_ops; i++)
    if (k->ops[i].kind == SIMT_LOAD && (k->ops[i].space == PTX_SPACE_CONST || k->ops[i].space == PTX_SPACE_GENERIC))
      return true;
  return false;
}

static void apply_atomic(simt_warp_t *w, const simt_op_t *op, unsigned lane, uint8_t *at) {
  uint64_t old = 0, b, c = 0;
  memcpy(&old, at, op->bytes);
  const void *pb = simt_src(w, op->b), *pc = op->c == SIMT_NO_OPERAND ? NULL : simt_src(w, op->c);
  b = op->bytes == 8 ? ((const uint64_t *)pb)[lane] : ((const uint32_t *)pb)[lane];
  if (pc) c = op->bytes == 8 ? ((const uint64_t *)pc)[lane] : ((const uint32_t *)pc)[lane];
  uint64_t now = atomic_apply(op->sub, op->type, old, b, c);
  memcpy(at, &now, op->bytes);
  uint8_t bytes[8];
  memcpy(bytes, &old, 8);
  simt_write_element(w, op, 0, lane, bytes);
}

int simt_access(simt_warp_t *w, const simt_op_t *op, uint32_t mask, const uint64_t *vaddr, simt_memory_t memory,
                simt_wrong_t *wrong) {
  unsigned bytes = op->bytes * op->vec;
  for (; mask; mask &= mask - 1) {
    unsigned i = (unsigned)__builtin_ctz(mask);
    uint64_t at = vaddr[i];
    uint8_t *own = memory.bytes + i * memory.stride;
    bool misaligned = at & (bytes - 1);
    if (misaligned || at + bytes > memory.size || at + bytes < at) {
      *wrong = (simt_wrong_t){i, at, misaligned};
      return -1;
    }
    if (op->kind == SIMT_ATOM) apply_atomic(w, op, i, own + at);
    else if (op->kind == SIMT_STORE) simt_read_elements(w, op, i, own + at);
    else
      for (unsigned k = 0; k < op->vec; k++) simt_write_element(w, op, k, i, own + at);
  }
  return 0;
}

unsigned simt_bank_cycles(const simt_op_t *op, uint64_t mask, const uint64_t *vaddr) {
  uint32_t words[32][64];
  uint8_t count[32] = {0};
  unsigned per = (op->bytes * op->vec + 3) / 4, most = 1;
  for (; mask; mask &= mask - 1) {
    unsigned i = (unsigned)__builtin_ctzll(mask);
    for (unsigned k = 0; k < per; k++) {
      uint32_t word = (uint32_t)(vaddr[i] / 4) + k, bank = word % 32, n = 0;
      while (n < count[bank] && (words[bank][n] != word || op->kind == SIMT_ATOM)) n++;
      if (n < count[bank] || n == 64) continue;
      words[bank][n] = word;
      if (++count[bank] > most) most = count[bank];
    }
  }
  return most;
}
