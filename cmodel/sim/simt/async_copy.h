/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async: asynchronous copies from global into shared memory (PTX ISA, section "Non-bulk copy").
 * A thread issues copies, commits them to a group, and waits for groups later.
 *
 * async_copy_decode fills simt_op_t as follows:
 *
 *   cp.async.ca, .cg            SIMT_COPY, for the load/store unit
 *     base, imm, space          source address, as of ld
 *     bytes                     size of the copy: 4, 8 or 16
 *     d, reg_bytes, target      destination in shared memory: register, its bytes a lane, offset
 *     b                         number of bytes read; zeros fill the rest
 *     c, SIMT_NEG_C             predicate; if true, the copy reads nothing and writes zeros
 *     flags                     SIMT_UNCACHED for .cg
 *   cp.async.commit_group       SIMT_COPIES, sub COPIES_COMMIT
 *   cp.async.wait_group N       SIMT_COPIES, sub COPIES_AWAIT, target N
 *   cp.async.wait_all           SIMT_COPIES, sub COPIES_AWAIT_ALL
 *
 * PTX gives each thread its own groups. This model keeps one sequence of groups for each warp,
 * numbered in commit order. A commit by some threads counts for the whole warp, so a thread waits
 * for at least the copies that it asks for.
 */
#ifndef ASYNC_COPY_H
#define ASYNC_COPY_H

#include "simt_operand.h"
#include "tile.h"

enum { COPIES_COMMIT, COPIES_AWAIT, COPIES_AWAIT_ALL };

/* A copy under way: the source bytes as they arrive, one piece a thread, and their destinations. */
typedef struct {
  tile_t tile;
  uint8_t *shared;             /* the CTA's shared memory, where `to` counts from */
  uint32_t mask;               /* threads that copy */
  uint32_t group;              /* number of the warp's group that the copy belongs to */
  uint32_t to[GPU_WARP_WIDTH]; /* byte offset of each thread's destination */
  /* bytes of each thread that come from the source; zeros fill the rest */
  uint8_t read[GPU_WARP_WIDTH];
} async_copy_t;

int async_copy_decode(simt_decoder_t *d, simt_op_t *op); /* -1: refused */
/* writes shared memory, once all lines have arrived */
void async_copy_end(const async_copy_t *copy);

/* Limit for a wait instruction of a warp with `committed` groups: the warp waits for all groups
 * with numbers below the limit. The result may be negative; then there is nothing to wait for. */
static inline int64_t async_copy_limit(const simt_op_t *op, uint32_t committed) {
  return op->sub == COPIES_AWAIT_ALL ? (int64_t)committed + 1 : (int64_t)committed - op->target;
}

#endif
