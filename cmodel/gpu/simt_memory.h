/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory instructions of a warp: addresses, the bytes of its registers, and memories that are
 * accessed at once.
 */
#ifndef SIMT_MEMORY_H
#define SIMT_MEMORY_H

#include <string.h>

#include "simt.h"

enum { SIMT_SPACES = 6 }; /* ptx_space_t's of data */

/* Address of each thread, active or not; offset: instead of op->imm. */
void simt_addresses(const simt_warp_t *w, const simt_op_t *op, uint64_t offset, uint64_t vaddr[32]);

/* Generic addresses: the lanes of each space; vaddr becomes the offset in its window. */
void simt_split_generic(uint32_t mask, uint64_t *vaddr, uint32_t lanes[SIMT_SPACES]);
/* At addresses that it finds, some of which may be generic. */
bool simt_reads_constants(const simt_kernel_t *k);

/* Element k's bytes go into its register, extended and cut to the register. */
static inline void simt_write_bytes(simt_warp_t *w, const simt_op_t *op, unsigned k, unsigned lane,
                                    const uint8_t *bytes) {
  if (op->v[k] == SIMT_NO_OPERAND) return;
  uint64_t x = 0;
  memcpy(&x, bytes, op->bytes);
  unsigned shift = 64 - 8 * op->bytes;
  if (op->flags & SIMT_SIGNED) x = (uint64_t)((int64_t)(x << shift) >> shift);
  if (op->reg_bytes == 8) ((uint64_t *)simt_dst(w, op->v[k]))[lane] = x;
  else ((uint32_t *)simt_dst(w, op->v[k]))[lane] = op->x == 2 || op->x == 1 ? (uint32_t)x & 0xffff : (uint32_t)x;
}

/* The same, out of all of a thread's bytes. */
static inline void simt_write_element(simt_warp_t *w, const simt_op_t *op, unsigned k, unsigned lane,
                                      const uint8_t *bytes) {
  simt_write_bytes(w, op, k, lane, bytes + k * op->bytes);
}

static inline void simt_read_elements(const simt_warp_t *w, const simt_op_t *op, unsigned lane, uint8_t *bytes) {
  for (unsigned k = 0; k < op->vec; k++) {
    const void *from = simt_src(w, op->v[k]);
    uint64_t x = op->reg_bytes == 8 ? ((const uint64_t *)from)[lane] : ((const uint32_t *)from)[lane];
    memcpy(bytes + k * op->bytes, &x, op->bytes);
  }
}

/* A memory without traffic: thread i's begins at bytes + i * stride. */
typedef struct {
  uint8_t *bytes;
  uint64_t size, stride;
} simt_memory_t;

typedef struct {
  unsigned lane;
  uint64_t address;
  bool misaligned; /* else out of bounds */
} simt_wrong_t;

/* Load, store or atomic of these threads, done at once;
 * -1: *wrong says which thread's is impossible. */
int simt_access(simt_warp_t *w, const simt_op_t *op, uint32_t mask, const uint64_t *vaddr, simt_memory_t memory,
                simt_wrong_t *wrong);

/* Cycles that a shared access takes: the most different words wanted of one of the 32 banks;
 * atomics: the most accesses. mask: of threads, or of a matrix's pieces, up to 64. */
unsigned simt_bank_cycles(const simt_op_t *op, uint64_t mask, const uint64_t *vaddr);

#endif
