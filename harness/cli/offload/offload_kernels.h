/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of a PTX module, for reports of `lockstack offload` on any number of files.
 */
#ifndef OFFLOAD_KERNELS_H
#define OFFLOAD_KERNELS_H

#include <stdio.h>

#include "ptx.h"

typedef int offload_each_t(void *context, const char *file, const ptx_module_t *module, const ptx_func_t *func);

/* Each kernel that has a body, or that of this name (NULL:
 * all), until one is not EXIT_HELD or the user interrupts. */
int offload_kernels(FILE *out, const char *file, const ptx_module_t *module, const char *kernel, offload_each_t *each,
                    void *context);

/* Of a module without any: device functions alone are
 * worth a note on `out`, nothing at all is EXIT_BAD. */
int offload_no_kernel(FILE *out, const char *file, const ptx_module_t *module);

#endif
