/* SPDX-License-Identifier: Apache-2.0
 *
 * The register files of a subcore's warps: far (on the base die) and near (at the banks). They
 * are two arrays. A value is where an instruction wrote it or a move brought it, so a wrong move
 * shows as a wrong result.
 *
 * Hardware sees rows of 32 words, the simt functions see 32-bit and 64-bit registers. `half`
 * says of each row which of these its value is now:
 *
 *    0   a 32-bit register, at mpu_kernel_at
 *    1   the low words of a 64-bit register at mpu_kernel_wide_at
 *    2   its high words
 *
 * Loads write rows later than they are dispatched. `next` says what `half` becomes when the
 * first row of a load arrives.
 */
#ifndef MPU_REGS_H
#define MPU_REGS_H

#include "mpu_config.h"
#include "mpu_kernel.h"

enum { FAR, NEAR }; /* the two files */

/* An instruction under way, from issue to its end (subcore_release). */
typedef struct {
  const mpu_op_t *op;
  uint32_t active, mask; /* threads that are active at issue; those of them whose guard holds */
  uint8_t warp;
  bool near, remote, budget; /* executes near; a part is in another core; its CPL has a place in lsu_done */
  bool offloaded;            /* ld/st in DRAM: goes to the near-bank unit as one message */
  bool access, atomic;       /* is counted in its warp's accesses, atomics */
  bool local;                /* accesses local memory, at least with some threads */
  uint8_t parts;             /* ld/st in DRAM: accesses of the LSU that are not over */
} mpu_inflight_t;

/* One warp's files; [FAR], [NEAR]. */
typedef struct {
  simt_warp_t simt[2];
  uint8_t *half[2]; /* of each row: 0, 1, 2, as above */
  uint8_t *next[2]; /* of each row that a load will write: what `half` becomes, plus 1; 0: no load */
} mpu_warp_regs_t;

typedef struct {
  const mpu_kernel_t *kernel;
  mpu_warp_regs_t warp[MPU_MAX_WARPS];
} mpu_regs_t;

size_t mpu_regs_bytes(const mpu_kernel_t *kernel); /* host memory that a warp's files take */
/* A launch: the warp's files are at `at`, mpu_regs_bytes of it, aligned to 64, not cleared. */
void mpu_regs_place(mpu_regs_t *r, const mpu_kernel_t *kernel, unsigned warp, uint8_t *at);
/* A warp begins: clears all but the far registers, which simt_block_warp fills. */
void mpu_regs_clear(mpu_regs_t *r, unsigned warp, uint8_t *konsts);

/* A row as hardware sees it. Register numbers beyond the kernel's read as zero and are not
 * written; of a predicate each word is 0 or 1. mask: words that are written. */
void mpu_regs_read(const mpu_regs_t *r, unsigned file, unsigned warp, unsigned reg, uint32_t row[32]);
void mpu_regs_write(mpu_regs_t *r, unsigned file, unsigned warp, unsigned reg, uint32_t mask, const uint32_t row[32]);
void mpu_regs_moved(mpu_regs_t *r, unsigned file, unsigned warp, unsigned reg,
                    bool wide); /* a move brings this row, of a wide register two */
/* The instruction's destination gets the shape of its register, now; or when its first row
 * arrives. */
void mpu_regs_written(mpu_regs_t *r, unsigned file, const mpu_inflight_t *f);
/* the same from the first row that comes for it on */
void mpu_regs_will_be_written(mpu_regs_t *r, unsigned file, const mpu_inflight_t *f);
/* Executes arithmetic for all threads at once. now: what %clock and %globaltimer read. */
void mpu_regs_execute(mpu_regs_t *r, unsigned file, const mpu_inflight_t *f, uint64_t now);

#endif
