/* SPDX-License-Identifier: Apache-2.0
 *
 * Learning where the data of offloaded blocks should be: the part of the GPU's driver and runtime
 * (TOM paper, section 4.3).
 *
 *   1 What the host allocates is with the host at first, and recorded in a table of 100 entries.
 *     Kernels run on the GPU's SMs alone, out of the host's memory. CTAs are begun as instances are
 *     still to be seen: enough of them if each warp has one; and one more whenever fewer instances
 *     than are wanted are under way and none has begun for as long as an access of the host takes
 *     (ours).
 *   2 Analyzers (tom_watch.h) look at instances of candidates; an allocation that one accesses is
 *     marked (tom_marks.h).
 *   3 When enough instances have been seen, as tom_gate says (a share of those that the first
 *     launch with candidates may have, at least 16: ours; each to its end or until it has accessed
 *     so many lines: ours, for a loop may go on for as long as all the rest takes out of the GPU's
 *     memory), nothing is issued any more until all that is under way is over, and all that was
 *     seen is in the sums; the bit is chosen, and marks are read.
 *   4 Marked allocations go where the bit says, all others where the GPU's map does. As in the copy
 *     before a launch that this is in the place of, no time is counted. What caches have of the
 *     host's memory has addresses that nobody asks for any more.
 *
 * A kernel without candidates teaches nothing: before it, all that is with the host comes to the
 * GPU, as its map says and as before any launch, without time. If it is marked later, it is moved,
 * at the bandwidth of the GPU's links, while all stop (ours). A module without candidates ends the
 * learning. What is allocated later is as the GPU's map says; so is a module's own memory, from the
 * start (ours). Where nothing is to be learnt, but candidates are watched, there is 2 alone.
 */
#ifndef TOM_LEARN_H
#define TOM_LEARN_H

#include "gpu_shared.h"
#include "tom_marks.h"
#include "tom_watch.h"

enum { TOM_LEARN_ALLOCATIONS = TOM_MARKS_ENTRIES, TOM_LEARN_LEAST = 16, TOM_LEARN_MOST = INT32_MAX };

struct l2;
typedef struct tom_learn tom_learn_t;

/* slices: [config->num_stacks]. NULL: out of host memory. */
tom_learn_t *tom_learn_new(const gpu_shared_t *sh, struct l2 *slices);
void tom_learn_free(tom_learn_t *learn);

/* The host's calls. -1: the table is full. */
int tom_learn_allocated(tom_learn_t *learn, uint64_t vaddr, uint64_t bytes, trouble_t *err);
void tom_learn_released(tom_learn_t *learn, uint64_t vaddr);

/* A launch, of a kernel with so many candidates, in a module that has any. */
void tom_learn_launch(tom_learn_t *learn, unsigned candidates, bool any);

bool tom_learn_watches(const tom_learn_t *learn); /* candidates are watched, none goes */
bool tom_learn_stops(const tom_learn_t *learn);   /* nothing is issued */
bool tom_learn_wants_cta(tom_learn_t *learn);     /* one may be begun now */
/* a request of an L2 slice's is for the host */
bool tom_learn_at_host(const tom_learn_t *learn, const packet_t *packet);

/* What analyzers see: an instance begins in a warp and ends; an access of a warp. */
void tom_learn_begin(tom_learn_t *learn, unsigned sm, unsigned warp);
void tom_learn_access(tom_learn_t *learn, unsigned sm, unsigned warp, uint32_t mask, const uint64_t *vaddr,
                      const uint64_t *paddr);
void tom_learn_end(tom_learn_t *learn, unsigned sm, unsigned warp);

/* With tom_gate: SMs that have seen an instance more in this cycle, a bit each;
 * instances that are enough, 0: nothing is learnt; they have been seen. */
uint64_t tom_learn_seen(const tom_learn_t *learn);
uint64_t tom_learn_target(const tom_learn_t *learn);
void tom_learn_enough(tom_learn_t *learn);

/* once a cycle of the SMs; quiet: nothing is under way on the die */
void tom_learn_tick(tom_learn_t *learn, uint64_t now, bool quiet);
/* all that was accessed has come to the hardware that watches */
bool tom_learn_quiet(const tom_learn_t *learn);

/* What has been seen of each map (first the GPU's), when it was chosen and so far. */
typedef struct {
  bool chosen;          /* `learnt` holds */
  unsigned bit, ranges; /* that was chosen; allocations that were marked */
  tom_watched_t learnt, sum;
} tom_learn_result_t;
tom_learn_result_t tom_learn_result(const tom_learn_t *learn);

#endif
