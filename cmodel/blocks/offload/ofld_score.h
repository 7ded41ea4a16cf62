/* SPDX-License-Identifier: Apache-2.0
 *
 * ofld_score -- golden model of the blocks' scores; contract: rtl/offload/ofld_score.ports.
 */
#ifndef OFLD_SCORE_H
#define OFLD_SCORE_H

#include <stdbool.h>

#include "ofld_score_ports.h"

typedef struct {
  int64_t n, misses, hit_bytes;
} ofld_measured_t;

typedef struct {
  bool valid;
  unsigned block;
  int64_t stores, regs;
  ofld_measured_t sum; /* of this instance; then of all of its entry */
  bool worth;
} ofld_update_t;

typedef struct {
  ofld_measured_t entry[Entries];
  bool allowed[Entries];
  ofld_update_t came, summed, judged; /* an update one, two, three cycles ago */
  unsigned epochs;
  bool again; /* the last of Retry epochs ended in the cycle before */
} ofld_score_t;

void ofld_score_reset(ofld_score_t *s);
void ofld_score_eval(const ofld_score_t *s, const ofld_score_in_t *in, ofld_score_out_t *out);
void ofld_score_step(ofld_score_t *s, const ofld_score_in_t *in);
bool ofld_score_idle(const ofld_score_t *s); /* while clear, epoch_end and upd_valid are 0 */

#endif
