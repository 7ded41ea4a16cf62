/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's memory by virtual address, at once: what the host copies, and what it reads for a
 * kernel.
 */
#ifndef GPU_COPY_H
#define GPU_COPY_H

#include "gpu_shared.h"

/* in NULL: out. -1: err, and a part may have been copied. */
int gpu_copy(const gpu_shared_t *sh, uint64_t vaddr, const uint8_t *in, uint8_t *out, size_t bytes, trouble_t *err);

#endif
