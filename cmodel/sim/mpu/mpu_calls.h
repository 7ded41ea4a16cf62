/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of device functions by a warp. The GPU model's simt_call.h keeps the activations. This
 * part keeps the registers of a recursive function: one that may be active already when it is
 * called.
 *
 * Such a function's rows may be valid near, far or in both files. A call saves the valid value
 * of each row; the return writes it to both files. So the value is right wherever the track
 * table looks.
 */
#ifndef MPU_CALLS_H
#define MPU_CALLS_H

#include "mpu_regs.h"
#include "simt_call.h"

typedef struct {
  simt_calls_t calls;
  uint32_t *kept;          /* a stack of saved rows: one word for the shape (mpu_regs: half), then 32 words */
  uint64_t num_kept, room; /* words */
} mpu_calls_t;

/* Which file, NEAR or FAR, has the valid value of a warp's register. */
typedef unsigned mpu_valid_t(const void *ctx, unsigned warp, unsigned reg);

int mpu_calls_begin(mpu_calls_t *c, const mpu_kernel_t *k, simt_warp_t *w); /* -1: out of host memory */
void mpu_calls_free(mpu_calls_t *c);
/* Threads `mask` (not 0) call what `op` says. stack: bytes a thread for .local variables of
 * calls. */
simt_called_t mpu_calls_enter(mpu_calls_t *c, mpu_regs_t *r, unsigned warp, const simt_op_t *op, simt_stack_t *s,
                              uint32_t mask, uint64_t stack, mpu_valid_t *valid, const void *ctx, trouble_t *wrong);
/* Threads `mask` return, or end (exit). */
void mpu_calls_leave(mpu_calls_t *c, mpu_regs_t *r, unsigned warp, simt_stack_t *s, uint32_t mask, bool ends);

#endif
