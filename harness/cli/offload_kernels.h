/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of a PTX module, for reports of `lockstack offload` on any number of files.
 */
#ifndef OFFLOAD_KERNELS_H
#define OFFLOAD_KERNELS_H

#include "ptx.h"

typedef int offload_kernel_t(void *context, const char *file, const ptx_module_t *module, const ptx_func_t *func);

/* Each kernel that has a body, or that of this name (NULL: all), until one is not EXIT_HELD or the user interrupts. A module without any is EXIT_BAD. */
int offload_kernels(const char *file, const ptx_module_t *module, const char *kernel, offload_kernel_t *each, void *context);

#endif
