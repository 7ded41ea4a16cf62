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
