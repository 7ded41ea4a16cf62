/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of ofld_ratio, the controller of the offload ratio: hill climbing on the throughput
 * of block instructions (NSU paper, section 7.2, Algorithm 1; rtl/offload/ofld_ratio.ports).
 *
 * Call ofld_ratio_eval for the outputs of a cycle, then ofld_ratio_step with the same inputs for
 * its clock edge. All outputs are state (Moore). Ratio and step are twentieths: 20 offloads every
 * block. Any inputs are legal.
 */
#ifndef OFLD_RATIO_H
#define OFLD_RATIO_H

#include <stdbool.h>

#include "ofld_ratio_ports.h"

_Static_assert((StepInit) >= (StepMin) && (StepInit) <= (StepMax), "StepInit: StepMin to StepMax");

typedef struct {
  unsigned cycles;       /* of this epoch so far, without those with run 0 */
  uint64_t count;        /* instructions of this epoch so far */
  uint64_t cur;          /* those of the epoch that just ended, valid with `ended` */
  uint64_t prev;         /* those of the epoch before; valid unless `first` */
  bool ended, epoch_end; /* an epoch ended one cycle ago; two cycles ago */
  bool first;            /* no epoch has ended since reset */
  int dir;               /* direction of the next move: +1 or -1 */
  unsigned step, ratio;  /* twentieths: StepMin .. StepMax, 0 .. 20 */
  unsigned epochs;       /* epochs in the history, 0 .. Window */
  bool changed[Window];  /* the direction was reversed; the oldest epoch first */
} ofld_ratio_t;

void ofld_ratio_reset(ofld_ratio_t *s);
void ofld_ratio_eval(const ofld_ratio_t *s, const ofld_ratio_in_t *in, ofld_ratio_out_t *out);
void ofld_ratio_step(ofld_ratio_t *s, const ofld_ratio_in_t *in);
/* True: while run and done_valid are 0, step changes nothing. */
bool ofld_ratio_idle(const ofld_ratio_t *s);

#endif
