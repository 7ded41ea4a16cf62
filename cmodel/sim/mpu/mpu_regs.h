/* SPDX-License-Identifier: Apache-2.0
 *
 * The register files of a subcore's warps, far (on the base die) and near (at the banks): two
 * arrays, as rows of hardware and as the simt functions see them. A value is where an instruction
 * wrote it or a move brought it.
 */
#ifndef MPU_REGS_H
#define MPU_REGS_H

#include "mpu_config.h"
#include "mpu_kernel.h"

enum { FAR, NEAR }; /* the two files */

/* An instruction under way. */
typedef struct {
  const mpu_op_t *op;
  uint32_t active, mask; /* threads at issue; those whose guard holds */
  uint8_t warp;
  bool near, remote, budget; /* budget: its CPL has a place in lsu_done */
  bool offloaded;            /* ld/st.global: as one message */
  bool access, atomic;       /* counted in its warp's accesses, atomics */
  bool local;                /* an access of local memory, or some threads' of it */
  uint8_t parts;             /* ld/st.global, .local: accesses of the LSU that are not over */
} mpu_inflight_t;

typedef struct {
  simt_warp_t simt[2];
  uint8_t *half[2]; /* of each row: 0 a 32-bit register, 1 low words of a 64-bit one, 2 its high words */
  uint8_t *next[2]; /* of each row that a load will write: what `half` will be, plus 1; 0: no load */
} mpu_warp_regs_t;

typedef struct {
  const mpu_kernel_t *kernel;
  mpu_warp_regs_t warp[MPU_MAX_WARPS];
} mpu_regs_t;

size_t mpu_regs_bytes(const mpu_kernel_t *kernel); /* of a warp */
/* a launch: so many, aligned to 64, contents undefined */
void mpu_regs_place(mpu_regs_t *r, const mpu_kernel_t *kernel, unsigned warp, uint8_t *at);
/* a warp begins: all but the far registers, which simt_block_warp fills */
void mpu_regs_clear(mpu_regs_t *r, unsigned warp, uint8_t *konsts);

void mpu_regs_read(const mpu_regs_t *r, unsigned file, unsigned warp, unsigned reg, uint32_t row[32]);
void mpu_regs_write(mpu_regs_t *r, unsigned file, unsigned warp, unsigned reg, uint32_t mask, const uint32_t row[32]);
void mpu_regs_moved(mpu_regs_t *r, unsigned file, unsigned warp, unsigned reg, bool wide); /* a move brings this row */
/* its destination has the shape of its register */
void mpu_regs_written(mpu_regs_t *r, unsigned file, const mpu_inflight_t *f);
/* the same from the first row that comes for it on */
void mpu_regs_will_be_written(mpu_regs_t *r, unsigned file, const mpu_inflight_t *f);
/* arithmetic, all at once */
void mpu_regs_execute(mpu_regs_t *r, unsigned file, const mpu_inflight_t *f, uint64_t now);

#endif
