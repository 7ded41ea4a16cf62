/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory behind a GPU, as the host and the model reach it without taking time.
 */
#ifndef GPU_MEMORY_H
#define GPU_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* The machine's memory as the host sees it, by physical
 * address; a call never crosses a 4 KB page. */
typedef struct {
  void *ctx;
  void (*read)(void *ctx, uint64_t paddr, void *data, size_t bytes);
  void (*write)(void *ctx, uint64_t paddr, const void *data, size_t bytes);
} gpu_memory_t;

#endif
