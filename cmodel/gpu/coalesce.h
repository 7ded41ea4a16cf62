/* SPDX-License-Identifier: Apache-2.0
 *
 * The coalescer: a warp's addresses to cache lines.
 *
 * Lines come in the order of the lowest thread that touches them. Accesses are naturally aligned, so a thread's bytes
 * lie in one line.
 */
#ifndef COALESCE_H
#define COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_config.h"

typedef struct {
  unsigned count;
  uint64_t line[GPU_WARP_WIDTH];  /* physical line address */
  uint32_t lanes[GPU_WARP_WIDTH]; /* threads that touch it */
  uint8_t offset[GPU_WARP_WIDTH]; /* of each thread, in its line */
} coalesce_t;

void coalesce(coalesce_t *c, const uint64_t *paddr, uint32_t mask);

/* Whether each of these threads' words is at thread * bytes (NSU paper: aligned). */
bool coalesce_aligned(const uint8_t *offset, uint32_t lanes, unsigned bytes);

/* Stack with the most line accesses, ties to the lowest. */
unsigned coalesce_target(const coalesce_t *c);

#endif
