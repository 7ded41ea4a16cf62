/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared memory that nobody has written: what a CTA finds there, and who reads it.
 *
 * PTX leaves its contents undefined. A CTA finds words drawn from a seed, so that a kernel that
 * relies on zeros shows. Shared memory that the driver reserves (SIMT_RESERVED_SHARED) is zero.
 *
 * The check keeps a bit for each byte that has been written. A thread's read of a byte without one
 * is a fault of the kernel.
 */
#ifndef SIMT_UNWRITTEN_H
#define SIMT_UNWRITTEN_H

#include "simt_block.h"
#include "simt_memory.h"

#define SIMT_UNWRITTEN "of shared memory that no thread of the block has written"

/* Fills the shared memory of a CTA that starts. seed 0: zeros. */
void simt_unwritten_fill(uint32_t seed, const simt_run_t *run, uint64_t block, uint8_t *shared);

/* Bytes of the bits for so much shared memory. */
static inline size_t simt_written_bytes(uint64_t shared) {
  return (size_t)(shared + 7) / 8;
}
/* A CTA starts: only what is reserved counts as written. */
void simt_written_begin(uint8_t *written, const simt_run_t *run);
/* Notes an access to the bytes at `at`, which are inside of the shared memory. False: it reads a
 * byte that is not written. kind: simt_kind_t; all but loads and atomics write. */
bool simt_written_access(uint8_t *written, unsigned kind, uint64_t at, unsigned bytes);

#endif
