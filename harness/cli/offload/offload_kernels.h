/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of a PTX module, one after the other, for the reports of `lockstack offload`.
 */
#ifndef OFFLOAD_KERNELS_H
#define OFFLOAD_KERNELS_H

#include <stdio.h>

#include "ptx.h"

/* Returns EXIT_HELD to go on. */
typedef int offload_each_t(void *context, const char *file, const ptx_module_t *module, const ptx_func_t *func);

/* Calls each with every kernel that has a body, or with the kernel of this name (NULL: all), until
 * a call is not EXIT_HELD or the user interrupts. Returns that code; a module without kernels is
 * offload_no_kernel. */
int offload_kernels(FILE *out, const char *file, const ptx_module_t *module, const char *kernel, offload_each_t *each,
                    void *context);

/* Reports a module without kernels. Device functions alone are worth a note on `out` and EXIT_HELD;
 * nothing at all is EXIT_BAD after a line. */
int offload_no_kernel(FILE *out, const char *file, const ptx_module_t *module);

#endif
