/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory instructions of a warp: addresses, spaces, and accesses to memories without timing.
 */
#ifndef SIMT_MEMORY_H
#define SIMT_MEMORY_H

#include "simt_lanes.h"

enum { SIMT_SPACES = 6 }; /* data spaces of ptx_space_t */

/* Address of each lane, active or not: the base register plus `offset`. Callers pass op->imm or
 * another offset. */
void simt_addresses(const simt_warp_t *w, const simt_op_t *op, uint64_t offset, uint64_t vaddr[32]);

/* Splits generic addresses: lanes[s] are the lanes of space s, and vaddr becomes the offset in
 * the window. */
void simt_split_generic(uint32_t mask, uint64_t *vaddr, uint32_t lanes[SIMT_SPACES]);
/* True if the kernel may read constants at addresses in registers, generic addresses included. */
bool simt_reads_constants(const simt_kernel_t *k);

/* A memory that answers at once. Thread i's part begins at bytes + i * stride. */
typedef struct {
  uint8_t *bytes;
  uint64_t size, stride; /* size: bytes of a thread's part */
} simt_memory_t;

/* The first faulty access that simt_access found. */
typedef struct {
  unsigned lane;
  uint64_t address;
  bool misaligned; /* false: out of bounds */
} simt_wrong_t;

/* Executes a load, store or atomic of the lanes in `mask` at once. -1: *wrong has the faulty
 * lane. */
int simt_access(simt_warp_t *w, const simt_op_t *op, uint32_t mask, const uint64_t *vaddr, simt_memory_t memory,
                simt_wrong_t *wrong);

/* Cycles of a shared memory access: the different words that the busiest of 32 banks has to serve.
 * For an atomic all accesses of a bank count. mask: threads, or up to 64 pieces of a matrix. */
unsigned simt_bank_cycles(const simt_op_t *op, uint64_t mask, const uint64_t *vaddr);

#endif
