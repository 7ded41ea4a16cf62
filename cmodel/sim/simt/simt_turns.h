/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a warp goes round a loop without progress, and whose turn it is.
 *
 * After each branch the core calls simt_turns_branch with the warp's register files. A path that
 * comes back to the same instruction with the same registers makes no progress of its own: it waits
 * for somebody else. The function compares registers only when it has to:
 *
 *   wait   the loop reads what others may write (an atomic, a volatile or ordered load)
 *   its    threads of the warp are on other paths: it compares one round in 64 of other loops, too
 *   watch  the watchdog looks (simt_run_t.watch). Of the registers only those count that decide
 *          how the loop goes on (simt_deciders.h), and what the warp stores counts with them: a
 *          counter in memory is progress, a counter that nothing depends on is none.
 *
 * Independent thread scheduling (compute capability 7.0 and later): each thread of a warp makes
 * progress. If simt_turns_branch says true, the path has had its turn, and the core calls
 * simt_give_turn (simt_meet.h). With and without ITS the warp goes behind all others of the core,
 * so that warps which wait do not keep the one from issuing for which they wait. Loops that make
 * progress reach no bound but `most`, so kernels without waiting threads keep their cycles.
 */
#ifndef SIMT_TURNS_H
#define SIMT_TURNS_H

#include <stddef.h>

#include "simt.h"
#include "simt_stack.h"

/* Keys of a core: its, its_rounds, its_most. */
typedef struct {
  bool its;        /* false: a path runs until it ends or reconverges */
  unsigned rounds; /* rounds without progress after which another path gets its turn */
  unsigned most;   /* backward branches after which it does in any case */
} simt_turns_rule_t;

/* States of a loop, each a hash; Brent's algorithm finds that one comes back. */
typedef struct {
  uint64_t state;
  uint32_t steps, power; /* states since `state` was kept; the next one is kept after `power` */
  uint32_t repeats;      /* how often `state` has come back */
} simt_cycle_t;

typedef struct {
  uint32_t mask;     /* threads of the path */
  uint32_t branches; /* backward branches of its turn since threads left it */
  simt_cycle_t turn;
  bool observes; /* since the last backward branch it has read what others may write */
  /* the watchdog's look */
  uint32_t watch;  /* number of the look */
  uint32_t looked; /* states seen since it began, or since one came back */
  bool works;      /* no state has come back for so long that the warp makes progress */
  simt_cycle_t seen;
  uint32_t pc, threads; /* of the last one: backward branch, threads */
  /* what the warp has done to memory: hash of its stores since the last backward branch, the last
   * of them, and how often it has changed something whatever was there */
  uint64_t stored;
  const simt_op_t *store;
  uint32_t changes;
} simt_turns_t;

/* Register files that make up a warp's state; NULL: there is no second one. */
typedef struct {
  const simt_kernel_t *kernel;
  const simt_warp_t *file[2];
} simt_state_t;

/* After the branch at `from`; parted: it split the path. watch: number of the watchdog's look; 0:
 * it does not look. True: another path of the warp should have its turn, or another warp. */
bool simt_turns_branch(simt_turns_t *t, const simt_turns_rule_t *rule, const simt_stack_t *s, uint32_t from,
                       bool parted, uint32_t watch, const simt_state_t *state);
/* Whether an instruction reads what others may write: the loop may wait for them. */
static inline bool simt_observes(const simt_op_t *op) {
  return op->kind == SIMT_ATOM || (op->kind == SIMT_LOAD && (op->order || op->flags & SIMT_UNCACHED));
}
/* In a look, before the core executes an instruction that may change memory. */
static inline bool simt_stores(const simt_op_t *op) {
  return op->kind == SIMT_STORE || op->kind == SIMT_ATOM || op->kind == SIMT_COPY || op->kind == SIMT_HOST;
}
void simt_turns_store(simt_turns_t *t, const simt_op_t *op, const simt_state_t *state);
/* True if the warp has done nothing in this look of the watchdog but repeat states. */
bool simt_turns_spins(const simt_turns_t *t, uint32_t watch);

#endif
