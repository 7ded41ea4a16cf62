/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/offload/README.md that need other parameters.
 */
#include "rule.h"
#include "unit_test.h"

RULE(O15, "With `MoveBy` 1 the ratio moves by one twentieth, as Algorithm 1 is printed, whatever the step is.") {
  bed_t *b = bed("ofld_ratio", "MoveBy=1,EpochCycles=1");
  hold(b, "run", 1); /* each cycle is an epoch; two cycles later it is decided */
  ticks(b, 3);
  for (unsigned ratio = 3; ratio <= 20; ratio++) {
    see(b, "ratio", ratio);
    see(b, "probe_step", 3);
    tick(b);
  }
  see(b, "ratio", 20);
  tick(b);
  see(b, "ratio", 19);
}

RULE(O17, "A `StepInit` outside of `StepMin` to `StepMax` is refused.") {
  expect_refused("ofld_ratio", "StepInit=4", "StepInit: ");
  expect_refused("ofld_ratio", "StepInit=1,StepMin=2", "StepInit: ");
}

/* One command entry, two of the others, and one request that can wait. */
static bed_t *small_manager(void) {
  bed_t *b = bed("ofld_credits", "CmdEntries=1,RdEntries=2,WrEntries=2,Depth=1");
  see(b, "err", 0);
  return b;
}

/* The fault of this cycle is flagged and stays so; `waiting` requests are kept. */
static void see_fault(bed_t *b, unsigned waiting) {
  tick(b);
  see(b, "err", 1);
  see(b, "probe_count", waiting);
  tick(b);
  see(b, "err", 1);
}

/* A block's request for entries in the coming cycle. */
static void request_block(bed_t *b, unsigned rd, unsigned wr) {
  drive_input(b, "req_valid", 1);
  drive_input(b, "req_rd", rd);
  drive_input(b, "req_wr", wr);
}

RULE(O23,
     "Credits for more entries than are missing, a request for more than there are, and one without `req_ready` are "
     "flagged until reset and "
     "have no other effect.") {
  static const char *const field[] = {"cr_cmd", "cr_rd", "cr_wr"};
  for (unsigned f = 0; f < 3; f++) {
    bed_t *b = small_manager();
    drive_input(b, "cr_valid", 1);
    drive_input(b, field[f], 1);
    see_fault(b, 0);
    see(b, "probe_cmd", 1);
    see(b, "probe_rd", 2);
    see(b, "probe_wr", 2);
  }
  bed_t *some = small_manager(); /* a command and a read data entry are missing; two of the latter come back */
  request_block(some, 1, 0);
  tick(some);
  see(some, "gnt_valid", 1);
  tick(some);
  drive_input(some, "cr_valid", 1);
  drive_input(some, "cr_cmd", 1);
  drive_input(some, "cr_rd", 2);
  see_fault(some, 0);
  see(some, "probe_cmd", 0);
  see(some, "probe_rd", 1);
  for (unsigned k = 0; k < 2; k++) {
    bed_t *b = small_manager();
    request_block(b, 2 + k, 3 - k);
    see_fault(b, 0);
  }
  bed_t *b = small_manager();
  request_block(b, 2, 2);
  tick(b);
  tick(b);
  request_block(b, 0, 0);
  tick(b);
  see(b, "req_ready", 0);
  request_block(b, 0, 0);
  see_fault(b, 1);
}

/* --- The score of a block */

/* An instance of the block has ended: its stores, registers, misses, and the bytes that caches
 * sent for it. */
static void update_score(bed_t *b, unsigned block, unsigned stores, unsigned regs, unsigned misses,
                         unsigned hit_bytes) {
  drive_input(b, "upd_valid", 1);
  drive_input(b, "upd_block", block);
  drive_input(b, "upd_stores", stores);
  drive_input(b, "upd_regs", regs);
  drive_input(b, "upd_misses", misses);
  drive_input(b, "upd_hit_bytes", hit_bytes);
  tick(b);
}

/* The first verdict on two instances of a block with these misses. */
static void verdict(unsigned stores, unsigned regs, unsigned one, unsigned other, unsigned worth) {
  bed_t *b = bed("ofld_score", "Rule=0,MinInstances=1");
  update_score(b, 0, stores, regs, one, 1000000);
  update_score(b, 0, stores, regs, other, 1000000);
  tick(b);
  see(b, "probe_n", 2);
  see(b, "probe_worth", worth);
}

RULE(O25, "There are entries for the first `Entries` blocks; an update of another one has no effect.") {
  bed_t *b = bed("ofld_score", "Entries=3,MinInstances=1");
  update_score(b, 3, 0, 1, 0, 0);
  update_score(b, 2, 0, 1, 0, 0);
  see(b, "probe_valid", 0);
  tick(b);
  see(b, "probe_valid", 1);
  see(b, "probe_block", 2);
  see(b, "probe_n", 1);
  tick(b);
  see(b, "allow", 7);
  tick(b);
  see(b, "allow", 3);
}

RULE(O27,
     "With `Rule` 0 a block's Benefit is \"[AvgNumCacheLines x AvgCacheMissRate] x CacheLineSize [...] + NumStoreInsts "
     "x WordSize x SIMDWidth\": misses by "
     "instances, rounded up, times 128, and 128 for each store. (The first term's \"x SIMDWidth\" is left out: a "
     "line's bytes are of all threads.)") {
  verdict(0, 1, 1, 1, 0); /* a line each, a register */
  verdict(0, 1, 1, 2, 1); /* three of two instances: two */
  verdict(2, 3, 1, 1, 0);
  verdict(2, 3, 2, 1, 1);
}

RULE(O28,
     "\"The Benefit calculated is substituted into GPUTrafficReduction in Equation 1 to obtain the score of an offload "
     "block and if the score is not "
     "positive, the block is not offloaded\": the overhead is 128 bytes a register; nothing left is not positive.") {
  verdict(0, 0, 0, 0, 0);
  verdict(1, 0, 0, 0, 1);
  verdict(1, 1, 0, 0, 0);
  verdict(4, 5, 0, 0, 0);
  verdict(5, 4, 0, 0, 1);
}

RULE(O35, "With `Retry` 0 a block is suppressed until its own updates say otherwise.") {
  bed_t *b = bed("ofld_score", "Entries=3,MinInstances=1,Retry=0");
  update_score(b, 1, 0, 1, 0, 0);
  hold(b, "epoch_end", 1);
  ticks(b, 600);
  see(b, "allow", 5);
  see(b, "probe_epochs", 0);
  update_score(b, 1, 0, 1, 3, 0);
  ticks(b, 3);
  see(b, "allow", 7);
}
