/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async: copies from global into shared memory that a thread issues and later waits for (PTX
 * ISA, section "Non-bulk copy").
 *
 * As decoded:
 *
 *   cp.async.ca, .cg             SIMT_COPY, for the load/store unit: base, imm and space of the
 *                                source as of ld, flags SIMT_UNCACHED of .cg, bytes 4, 8 or 16; d,
 *                                reg_bytes and target: register, its bytes a lane and offset of the
 *                                destination in shared memory; b: bytes that are read, zeros come
 *                                behind them; c, SIMT_NEG_C: none is read
 *   cp.async.commit_group        SIMT_COPIES, sub COPIES_COMMIT
 *   cp.async.wait_group N        SIMT_COPIES, sub COPIES_AWAIT, target N
 *   cp.async.wait_all            SIMT_COPIES, sub COPIES_AWAIT_ALL
 *
 * PTX gives each thread its groups. Ours are the warp's, numbered in the order in which they are
 * committed: one that only some of its threads commit counts for all of them, so that a thread
 * waits for at least what it asks for.
 */
#ifndef ASYNC_COPY_H
#define ASYNC_COPY_H

#include "simt_operand.h"
#include "tile.h"

enum { COPIES_COMMIT, COPIES_AWAIT, COPIES_AWAIT_ALL };

/* One on its way: the source's bytes as they come, each thread's a piece, and where they go. */
typedef struct {
  tile_t tile;
  uint8_t *shared; /* of the block of threads */
  uint32_t mask;   /* threads that copy */
  uint32_t group;
  uint32_t to[GPU_WARP_WIDTH];
  uint8_t read[GPU_WARP_WIDTH]; /* bytes of each thread's that are not zeros */
} async_copy_t;

int async_copy_decode(simt_decoder_t *d, simt_op_t *op); /* -1: refused */
void async_copy_end(const async_copy_t *copy);           /* all is there: shared memory gets it */

/* A warp that has committed so many groups waits for those with numbers below. */
static inline int64_t async_copy_limit(const simt_op_t *op, uint32_t committed) {
  return op->sub == COPIES_AWAIT_ALL ? (int64_t)committed + 1 : (int64_t)committed - op->target;
}

#endif
