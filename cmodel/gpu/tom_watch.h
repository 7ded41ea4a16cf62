/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory map analyzer of an SM (TOM paper, sections 3.2.1 and 4.3): of each instance of a candidate, which stacks it would access if memory went by
 * as many bits of an address as name a stack, for each of ten places of these bits. rtl/tom/README.md has the rules, block tom_map.
 *
 * The GPU's own map is beside the ten: where data are while it watches.
 */
#ifndef TOM_WATCH_H
#define TOM_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_config.h"

enum {
  TOM_WATCH_BIT = 7,      /* the first of them */
  TOM_WATCH_BITS = 10,    /* 7 to 16 */
  TOM_WATCH_MAPS = 1 + 10 /* the GPU's, then by bit */
};

/* Summed over all SMs. */
typedef struct {
  uint64_t instances, accesses; /* that have ended; lines that were accessed */
  struct {
    uint64_t same;   /* of the accesses, to the stack of their instance's first */
    uint64_t stacks; /* over instances that have ended: how many stacks each has accessed */
  } map[TOM_WATCH_MAPS];
} tom_watched_t;

typedef struct {
  bool open;                                               /* an instance */
  uint32_t accesses;                                       /* of it */
  uint16_t first[TOM_WATCH_MAPS], touched[TOM_WATCH_MAPS]; /* stack of its first access; all that it has accessed, a bit each */
} tom_watch_warp_t;

typedef struct {
  tom_watch_warp_t warp[GPU_MAX_WARPS];
} tom_watch_t;

void tom_watch_begin(tom_watch_t *w, unsigned warp);
void tom_watch_access(tom_watch_t *w, tom_watched_t *sum, unsigned warp, uint64_t vaddr, unsigned gpu_stack, unsigned stacks);
void tom_watch_end(tom_watch_t *w, tom_watched_t *sum, unsigned warp);

/* The bit of which most accesses go to the stack of their instance's first; of several the lowest. */
unsigned tom_watch_best(const tom_watched_t *sum);

static inline uint64_t tom_watch_same(const tom_watched_t *sum, unsigned bit) {
  return sum->map[bit - TOM_WATCH_BIT + 1].same;
}

#endif
