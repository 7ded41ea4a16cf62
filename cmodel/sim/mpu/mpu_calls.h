/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of device functions by a warp of a subcore: the activations are the GPU model's
 * (gpu/simt_call.h); registers of functions that may be active already when they are called are
 * kept here.
 *
 * Such a function's rows may be near, far or both. What is kept is the valid value; when it comes
 * back it is written to both files, so that it is right wherever the track table says it is.
 */
#ifndef MPU_CALLS_H
#define MPU_CALLS_H

#include "mpu_regs.h"
#include "simt_call.h"

typedef struct {
  simt_calls_t calls;
  uint32_t *kept; /* rows: shape, then 32 words */
  uint64_t num_kept, room;
} mpu_calls_t;

/* Which file has the valid value of this register of the warp. */
typedef unsigned mpu_valid_t(const void *ctx, unsigned warp, unsigned reg);

int mpu_calls_begin(mpu_calls_t *c, const mpu_kernel_t *k, simt_warp_t *w); /* -1: out of host memory */
void mpu_calls_free(mpu_calls_t *c);
/* Threads `mask`, not 0, call. stack: bytes a thread. */
simt_called_t mpu_calls_enter(mpu_calls_t *c, mpu_regs_t *r, unsigned warp, const simt_op_t *op, simt_stack_t *s,
                              uint32_t mask, uint64_t stack, mpu_valid_t *valid, const void *ctx, trouble_t *wrong);
/* Threads `mask` return, or end. */
void mpu_calls_leave(mpu_calls_t *c, mpu_regs_t *r, unsigned warp, simt_stack_t *s, uint32_t mask, bool ends);

#endif
