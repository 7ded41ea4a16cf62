/* SPDX-License-Identifier: Apache-2.0
 *
 * ofld_ratio -- golden model of the offload ratio's controller; contract:
 * rtl/offload/ofld_ratio.ports.
 */
#ifndef OFLD_RATIO_H
#define OFLD_RATIO_H

#include <stdbool.h>

#include "ofld_ratio_ports.h"

_Static_assert((StepInit) >= (StepMin) && (StepInit) <= (StepMax), "StepInit: StepMin to StepMax");

typedef struct {
  unsigned cycles; /* of this epoch so far */
  uint64_t count;  /* its instructions so far */
  uint64_t cur;    /* those of the epoch that has ended, if `ended` */
  uint64_t prev;
  bool ended, epoch_end;
  bool first; /* no epoch has ended yet */
  int dir;    /* +1, -1 */
  unsigned step, ratio;
  unsigned epochs;      /* in the history */
  bool changed[Window]; /* the oldest first */
} ofld_ratio_t;

void ofld_ratio_reset(ofld_ratio_t *s);
void ofld_ratio_eval(const ofld_ratio_t *s, const ofld_ratio_in_t *in, ofld_ratio_out_t *out);
void ofld_ratio_step(ofld_ratio_t *s, const ofld_ratio_in_t *in);
bool ofld_ratio_idle(const ofld_ratio_t *s); /* while run and done_valid are 0 */

#endif
