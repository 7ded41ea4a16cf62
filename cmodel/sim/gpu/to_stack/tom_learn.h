/* SPDX-License-Identifier: Apache-2.0
 *
 * Learning where the data of offloaded blocks should be: the part of the GPU's driver and runtime
 * (TOM paper, section 4.3).
 *
 *   LEARNS --enough seen--> STOPS --all quiet--> READS --marks read--> MOVES --data moved--> KNOWS
 *
 * LEARNS: the host's allocations stay in host memory, in a table of 100 entries, and kernels run on
 * the GPU's SMs out of host memory. Analyzers (tom_watch.h) watch instances of candidates. An
 * allocation that an instance accesses is marked (tom_marks.h). CTAs start only as instances are
 * still needed: enough for one instance a warp. One more starts whenever too few instances are
 * under way and none has begun for host.latency cycles (ours).
 *
 * STOPS: tom_gate says that enough instances have been seen. The target is a share of the instances
 * that the first launch with candidates may have, at least 16 (ours). An instance counts at its
 * end, or after tom.look lines: a loop could otherwise run for long out of host memory (ours).
 * Nothing issues until all accesses are over and all sums are read. Then the bit is chosen.
 *
 * READS, MOVES: the marks are read. Marked allocations go where the bit says, the others where the
 * GPU's map says. Data from the host take no time, since the model replaces the copy before a
 * launch. Caches keep lines of host memory under addresses that nothing uses any more.
 *
 * A kernel without candidates teaches nothing. Before it, all host data move to the GPU, by the
 * GPU's map and without time. If such data are marked later, they move at the bandwidth of the
 * links, while everything stops (ours). A module without candidates ends learning. Later
 * allocations, and a module's own memory, follow the GPU's map (ours). If candidates are only
 * watched, nothing is marked or moved.
 */
#ifndef TOM_LEARN_H
#define TOM_LEARN_H

#include "gpu_shared.h"
#include "tom_marks.h"
#include "tom_watch.h"

/* Entries of the table; least and most instances to learn from. */
enum { TOM_LEARN_ALLOCATIONS = TOM_MARKS_ENTRIES, TOM_LEARN_LEAST = 16, TOM_LEARN_MOST = INT32_MAX };

struct l2;
typedef struct tom_learn tom_learn_t;

/* slices: [config->num_stacks]; NULL: out of host memory. */
tom_learn_t *tom_learn_new(const gpu_shared_t *sh, struct l2 *slices);
void tom_learn_free(tom_learn_t *learn);

/* The host allocates or frees. -1 with err: the table is full. */
int tom_learn_allocated(tom_learn_t *learn, uint64_t vaddr, uint64_t bytes, trouble_t *err);
void tom_learn_released(tom_learn_t *learn, uint64_t vaddr);

/* A launch of a kernel with so many candidates. any: its module has candidates. */
void tom_learn_launch(tom_learn_t *learn, unsigned candidates, bool any);

/* candidates are watched, and none is offloaded */
bool tom_learn_watches(const tom_learn_t *learn);
bool tom_learn_stops(const tom_learn_t *learn); /* nothing may issue */
bool tom_learn_wants_cta(tom_learn_t *learn);   /* a CTA may start now */
/* True: an L2 slice's request is for the host. */
bool tom_learn_at_host(const tom_learn_t *learn, const packet_t *packet);

/* Events for the analyzers: an instance begins, accesses memory, ends. */
void tom_learn_begin(tom_learn_t *learn, unsigned sm, unsigned warp);
void tom_learn_access(tom_learn_t *learn, unsigned sm, unsigned warp, uint32_t mask, const uint64_t *vaddr,
                      const uint64_t *paddr);
void tom_learn_end(tom_learn_t *learn, unsigned sm, unsigned warp);

/* For tom_gate. seen: SMs that have seen one more instance in this cycle, one bit each. target:
 * instances that are enough; 0: nothing is learnt. enough: the target is reached. */
uint64_t tom_learn_seen(const tom_learn_t *learn);
uint64_t tom_learn_target(const tom_learn_t *learn);
void tom_learn_enough(tom_learn_t *learn);

/* Once a core cycle. quiet: nothing is under way on the die. */
void tom_learn_tick(tom_learn_t *learn, uint64_t now, bool quiet);
/* True: the analyzers have processed all accesses. */
bool tom_learn_quiet(const tom_learn_t *learn);

/* Sums for each map, the GPU's own first: at the choice, and so far. */
typedef struct {
  bool chosen;          /* `learnt` holds */
  unsigned bit, ranges; /* valid if chosen: the bit, and the number of marked allocations */
  tom_watched_t learnt, sum;
} tom_learn_result_t;
tom_learn_result_t tom_learn_result(const tom_learn_t *learn);

#endif
