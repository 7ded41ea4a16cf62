/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory map analyzer of an SM (TOM paper, sections 3.2.1 and 4.3): of each instance of a
 * candidate, which stacks it would access if memory went by as many bits of an address as name a
 * stack, for each of ten places of these bits: an instance of tom_map (rtl/tom).
 *
 * What happens in a warp goes to it in that order: a cycle takes a begin, then a line, then an end
 * (ours: it waits in a queue until then). One map after the other its sums are read and kept here,
 * as long as they change: what is said of them is up to a dozen cycles old, and final when
 * tom_watch_settled. The GPU's own map is beside the ten: where data are while it watches.
 */
#ifndef TOM_WATCH_H
#define TOM_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_config.h"
#include "offload_instance.h"
#include "ring.h"

enum {
  TOM_WATCH_BIT = 7,      /* the first of them */
  TOM_WATCH_BITS = 10,    /* 7 to 16 */
  TOM_WATCH_MAPS = 1 + 10 /* the GPU's, then by bit */
};

typedef struct {
  uint64_t instances, accesses; /* that have ended; lines that were accessed */
  struct {
    uint64_t same;   /* of the accesses, to the stack of their instance's first */
    uint64_t stacks; /* over instances that have ended: how many stacks each has accessed */
  } map[TOM_WATCH_MAPS];
} tom_watched_t;

/* In a warp. */
typedef struct {
  bool open;              /* an instance */
  uint32_t accesses;      /* of it */
  uint16_t first, stacks; /* by the GPU's map: of its first access; all that it has accessed, a bit each */
} tom_watch_warp_t;

typedef struct {
  enum { TOM_WATCH_BEGIN, TOM_WATCH_LINE, TOM_WATCH_END } what; /* in the order of a cycle */
  uint8_t warp;
  uint64_t line;
} tom_watch_event_t;

typedef struct {
  offload_instance_t instance;
  tom_watch_warp_t warp[GPU_MAX_WARPS];
  ring_t queue;         /* of tom_watch_event_t */
  unsigned line_bits;   /* of an address that the instance looks at */
  unsigned reads, left; /* the map that the wires name; cycles until all sums are as they are now */
  tom_watched_t sum;
} tom_watch_t;

/* Instance `which` of the engines. -1: out of host memory, or the engine cannot be had. */
int tom_watch_init(tom_watch_t *w, const gpu_config_t *config, const struct block_engine *const *engines,
                   unsigned which);
void tom_watch_deinit(tom_watch_t *w); /* also of one that could not be made */

/* False: out of host memory. */
bool tom_watch_begin(tom_watch_t *w, unsigned warp);
bool tom_watch_access(tom_watch_t *w, unsigned warp, uint64_t vaddr, unsigned gpu_stack);
bool tom_watch_end(tom_watch_t *w, unsigned warp);

bool tom_watch_tick(tom_watch_t *w, trouble_t *fault); /* the next cycle; true: an instance more has been seen */
bool tom_watch_settled(const tom_watch_t *w);          /* all that has happened is in the sums */

void tom_watched_add(tom_watched_t *sum, const tom_watched_t *more);

/* The bit of which most accesses go to the stack of
 * their instance's first; of several the lowest. */
unsigned tom_watch_best(const tom_watched_t *sum);

static inline uint64_t tom_watch_same(const tom_watched_t *sum, unsigned bit) {
  return sum->map[bit - TOM_WATCH_BIT + 1].same;
}

#endif
