/* SPDX-License-Identifier: Apache-2.0
 *
 * Random kernels that mean the same on every machine: integer arithmetic of all widths, predicates,
 * guards, structured divergence, loops, loads and stores of all sizes to memory that is each
 * thread's own, gathers from memory that nobody writes, shared memory between barriers.
 *
 * k(buffer): the buffer begins with MPU_PROGRAM_TABLE bytes that are only read, then come the
 * threads' own: mpu_program_bytes in all.
 */
#ifndef MPU_PROGRAM_H
#define MPU_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "program_text.h"

enum { MPU_PROGRAM_TABLE = 4096 };

typedef struct {
  program_text_t out;
  uint32_t grid, block; /* to launch it with */
  /* what may be read at this point, the youngest last, by
   * kind: 0 32 bits, 1 64 bits, 2 16 bits, 3 predicates */
  unsigned have[4][1024], count[4], next[4];
  unsigned labels, loops, depth, budget;
} mpu_program_text_t;

void mpu_program_make(mpu_program_text_t *p, uint64_t seed);
size_t mpu_program_bytes(const mpu_program_text_t *p);

#endif
