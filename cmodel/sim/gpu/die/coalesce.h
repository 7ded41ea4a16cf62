/* SPDX-License-Identifier: Apache-2.0
 *
 * The coalescer: a warp's addresses to cache lines.
 *
 * Lines come in the order of the lowest thread that touches them. Accesses are naturally aligned,
 * so a thread's bytes lie in one line.
 */
#ifndef COALESCE_H
#define COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#include "simt_limits.h"

typedef struct {
  unsigned count;
  uint64_t line[GPU_WARP_WIDTH];  /* physical line address */
  uint32_t lanes[GPU_WARP_WIDTH]; /* threads that touch it */
  uint8_t offset[GPU_WARP_WIDTH]; /* of each thread, in its line */
} coalesce_t;

void coalesce(coalesce_t *c, const uint64_t *paddr, uint32_t mask);

/* Of threads whose bytes lie apart, a word of 4 of them in a line of its own (local_memory.h): the
 * lines of one word after those of the other. A thread has its words all at the same offset of
 * their lines. */
enum { COALESCE_WORDS = 4, COALESCE_WHOLE = COALESCE_WORDS };
typedef struct {
  unsigned count;
  uint64_t line[GPU_WARP_WIDTH * COALESCE_WORDS];
  uint32_t lanes[GPU_WARP_WIDTH * COALESCE_WORDS];
  uint8_t word[GPU_WARP_WIDTH * COALESCE_WORDS]; /* which of a thread's words it has; COALESCE_WHOLE: all bytes */
  uint8_t offset[GPU_WARP_WIDTH];
} coalesce_words_t;

/* Behind what is there already the lines of that word of these threads. */
void coalesce_word(coalesce_words_t *c, const uint64_t *paddr, uint32_t mask, unsigned word);

/* Whether each of these threads' words is at thread * bytes (NSU paper: aligned). */
bool coalesce_aligned(const uint8_t *offset, uint32_t lanes, unsigned bytes);

/* Stack with the most line accesses, ties to the lowest. */
unsigned coalesce_target(const coalesce_t *c);

#endif
