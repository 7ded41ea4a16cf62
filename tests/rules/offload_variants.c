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
  refused("ofld_ratio", "StepInit=4", "StepInit: ");
  refused("ofld_ratio", "StepInit=1,StepMin=2", "StepInit: ");
}

/* One command entry, two of the others, and one request that can wait. */
static bed_t *small(void) {
  bed_t *b = bed("ofld_credits", "CmdEntries=1,RdEntries=2,WrEntries=2,Depth=1");
  see(b, "err", 0);
  return b;
}

static void see_fault(bed_t *b, unsigned waiting) {
  tick(b);
  see(b, "err", 1);
  see(b, "probe_count", waiting);
  tick(b);
  see(b, "err", 1);
}

static void ask(bed_t *b, unsigned rd, unsigned wr) {
  put(b, "req_valid", 1);
  put(b, "req_rd", rd);
  put(b, "req_wr", wr);
}

RULE(O23, "Credits for more entries than are missing, a request for more than there are, and one without `req_ready` are flagged until reset and "
          "have no other effect.") {
  static const char *const field[] = {"cr_cmd", "cr_rd", "cr_wr"};
  for (unsigned f = 0; f < 3; f++) {
    bed_t *b = small();
    put(b, "cr_valid", 1);
    put(b, field[f], 1);
    see_fault(b, 0);
    see(b, "probe_cmd", 1);
    see(b, "probe_rd", 2);
    see(b, "probe_wr", 2);
  }
  for (unsigned k = 0; k < 2; k++) {
    bed_t *b = small();
    ask(b, 2 + k, 3 - k);
    see_fault(b, 0);
  }
  bed_t *b = small();
  ask(b, 2, 2);
  tick(b);
  tick(b);
  ask(b, 0, 0);
  tick(b);
  see(b, "req_ready", 0);
  ask(b, 0, 0);
  see_fault(b, 1);
}
