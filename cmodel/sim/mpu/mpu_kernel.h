/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes kernels that an MPU's subcores execute (mpu_kernel_types.h) from PTX.
 */
#ifndef MPU_KERNEL_H
#define MPU_KERNEL_H

#include "mpu_kernel_types.h"
#include "trouble.h"

/* Compiles a kernel and what it may call. NULL and err: an instruction is not executed or the
 * kernel has too many registers (TROUBLE_INPUT); no memory (TROUBLE_ENVIRONMENT). */
mpu_kernel_t *mpu_kernel_new(const ptx_module_t *module, const ptx_func_t *func, mpu_policy_t policy, bool smem_near,
                             bool local_ideal, bool constant_ideal, trouble_t *err);
void mpu_kernel_free(mpu_kernel_t *kernel);

/* Finds what of a compiled kernel the machine does not execute, in the same way as
 * mpu_kernel_new. Tells `refusals` of each such instruction. -1 and err: a fault that is not one
 * instruction's. `program` stays the caller's. */
int mpu_kernel_look(const ptx_module_t *module, mpu_program_t *program, const simt_refusals_t *refusals,
                    trouble_t *err);

#endif
