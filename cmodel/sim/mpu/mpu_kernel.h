/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes kernels that an MPU's subcores execute (mpu_kernel_types.h) from PTX.
 */
#ifndef MPU_KERNEL_H
#define MPU_KERNEL_H

#include "mpu_kernel_types.h"
#include "trouble.h"

/* NULL and err: an instruction that is not executed,
 * too many registers (status 2), no memory (3). */
mpu_kernel_t *mpu_kernel_new(const ptx_module_t *module, const ptx_func_t *func, mpu_policy_t policy, bool smem_near,
                             bool local_ideal, bool constant_ideal, trouble_t *err);
void mpu_kernel_free(mpu_kernel_t *kernel);

/* What of a compiled kernel is not executed, by what mpu_kernel_new does: refusals is told of each
 * such instruction. 0, or err as there, of what is not one instruction's. */
int mpu_kernel_look(const ptx_module_t *module, mpu_program_t *program, const simt_refusals_t *refusals,
                    trouble_t *err);

#endif
