/* SPDX-License-Identifier: Apache-2.0
 *
 * The coalescer: turns a warp's addresses into accesses to cache lines.
 *
 * Lines are in the order of the lowest thread that touches each. Accesses are naturally aligned, so
 * a thread's bytes never cross a line.
 */
#ifndef COALESCE_H
#define COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#include "simt_limits.h"

/* Line accesses of one memory instruction. */
typedef struct {
  unsigned count;                 /* entries of line and lanes */
  uint64_t line[GPU_WARP_WIDTH];  /* physical line addresses */
  uint32_t lanes[GPU_WARP_WIDTH]; /* threads that touch each line */
  uint8_t offset[GPU_WARP_WIDTH]; /* byte offset of each thread in its line */
} coalesce_t;

/* Fills *c for the threads in `mask`; paddr is indexed by thread. */
void coalesce(coalesce_t *c, const uint64_t *paddr, uint32_t mask);

/* Line accesses where each 4-byte word of a thread is in another line (local_memory.h). The
 * lines of word 0 come first, then those of word 1. A thread's words have the same offset in all
 * their lines. */
enum { COALESCE_WORDS = 4, COALESCE_WHOLE = COALESCE_WORDS };
typedef struct {
  unsigned count;
  uint64_t line[GPU_WARP_WIDTH * COALESCE_WORDS];
  uint32_t lanes[GPU_WARP_WIDTH * COALESCE_WORDS];
  /* word of the threads that the line has; COALESCE_WHOLE: all bytes of the threads */
  uint8_t word[GPU_WARP_WIDTH * COALESCE_WORDS];
  uint8_t offset[GPU_WARP_WIDTH];
} coalesce_words_t;

/* Appends the lines of one word of the threads in `mask`. */
void coalesce_word(coalesce_words_t *c, const uint64_t *paddr, uint32_t mask, unsigned word);

/* True if each thread's data are at offset thread * bytes of the line (NSU paper: aligned). */
bool coalesce_aligned(const uint8_t *offset, uint32_t lanes, unsigned bytes);

/* Stack with the most lines; of equals, the lowest. */
unsigned coalesce_target(const coalesce_t *c);

#endif
