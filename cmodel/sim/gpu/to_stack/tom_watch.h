/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory map analyzer of an SM (TOM paper, sections 3.2.1 and 4.3): an instance of tom_map
 * (rtl/tom). For ten positions of the stack bits in an address, it counts which stacks each
 * instance of a candidate would access.
 *
 *   tom_watch_begin, _access, _end --> queue --> tom_map --> sums, one map a cycle
 *
 * Events reach the instance in order: a cycle takes a begin, then a line, then an end; the others
 * wait in a queue (ours). The sums are read one map after the other while they change. They are up
 * to a dozen cycles old, and final when tom_watch_settled. The GPU's own map is map 0: where the
 * data are during the watch.
 */
#ifndef TOM_WATCH_H
#define TOM_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_config.h"
#include "offload_instance.h"
#include "ring.h"

enum {
  TOM_WATCH_BIT = 7,      /* the lowest position */
  TOM_WATCH_BITS = 10,    /* positions 7 to 16 */
  TOM_WATCH_MAPS = 1 + 10 /* the GPU's own map, then one by position */
};

/* Sums over instances. */
typedef struct {
  uint64_t instances, accesses; /* ended instances; lines accessed */
  struct {
    uint64_t same;   /* accesses to the stack of their instance's first access */
    uint64_t stacks; /* over ended instances: number of stacks that each accessed */
  } map[TOM_WATCH_MAPS];
} tom_watched_t;

/* State of a warp. */
typedef struct {
  bool open;         /* an instance is under way */
  uint32_t accesses; /* lines that it has accessed */
  /* by the GPU's map: stack of the first access; all stacks accessed, one bit each */
  uint16_t first, stacks;
} tom_watch_warp_t;

/* An event. The values are the order within a cycle. */
typedef struct {
  enum { TOM_WATCH_BEGIN, TOM_WATCH_LINE, TOM_WATCH_END } what;
  uint8_t warp;
  uint64_t line;
} tom_watch_event_t;

/* State of the analyzer. */
typedef struct {
  offload_instance_t instance;
  tom_watch_warp_t warp[GPU_MAX_WARPS];
  ring_t queue;         /* tom_watch_event_t */
  unsigned line_bits;   /* address bits that the instance looks at */
  unsigned reads, left; /* map on the wires; cycles until all sums are up to date */
  tom_watched_t sum;
} tom_watch_t;

/* Opens instance `which` of the engines. -1: out of host memory, or the engine failed. */
int tom_watch_init(tom_watch_t *w, const gpu_config_t *config, const struct block_engine *const *engines,
                   unsigned which);
void tom_watch_deinit(tom_watch_t *w); /* also after a failed init */

/* Events of a warp. false: out of host memory. */
bool tom_watch_begin(tom_watch_t *w, unsigned warp);
bool tom_watch_access(tom_watch_t *w, unsigned warp, uint64_t vaddr, unsigned gpu_stack);
bool tom_watch_end(tom_watch_t *w, unsigned warp);

/* Next cycle. True: one more instance has been seen. */
bool tom_watch_tick(tom_watch_t *w, trouble_t *fault);
bool tom_watch_settled(const tom_watch_t *w); /* the sums contain all events */

void tom_watched_add(tom_watched_t *sum, const tom_watched_t *more);

/* Bit with the most accesses to the stack of their instance's first access; of equals, the
 * lowest. */
unsigned tom_watch_best(const tom_watched_t *sum);

/* Such accesses, for a bit. */
static inline uint64_t tom_watch_same(const tom_watched_t *sum, unsigned bit) {
  return sum->map[bit - TOM_WATCH_BIT + 1].same;
}

#endif
