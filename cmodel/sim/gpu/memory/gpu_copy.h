/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between host and GPU memory by virtual address, without time.
 */
#ifndef GPU_COPY_H
#define GPU_COPY_H

#include "gpu_shared.h"

/* Copies from `in` to vaddr, or, if in is NULL, from vaddr to `out`. -1 with err: out of bounds;
 * a part may have been copied. */
int gpu_copy(const gpu_shared_t *sh, uint64_t vaddr, const uint8_t *in, uint8_t *out, size_t bytes, trouble_t *err);

#endif
