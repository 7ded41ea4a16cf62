/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory instructions of a warp: addresses, the bytes of its registers, and memories that are
 * accessed at once.
 */
#ifndef SIMT_MEMORY_H
#define SIMT_MEMORY_H

#include "simt_lanes.h"

enum { SIMT_SPACES = 6 }; /* ptx_space_t's of data */

/* Address of each thread, active or not; offset: instead of op->imm. */
void simt_addresses(const simt_warp_t *w, const simt_op_t *op, uint64_t offset, uint64_t vaddr[32]);

/* Generic addresses: the lanes of each space; vaddr becomes the offset in its window. */
void simt_split_generic(uint32_t mask, uint64_t *vaddr, uint32_t lanes[SIMT_SPACES]);
/* At addresses that it finds, some of which may be generic. */
bool simt_reads_constants(const simt_kernel_t *k);

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
