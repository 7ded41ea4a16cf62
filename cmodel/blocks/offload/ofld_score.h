/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of ofld_score: which offload blocks are worth offloading, by what the caches knew of
 * their data (NSU paper, section 7.3; rtl/offload/ofld_score.ports).
 *
 * Call ofld_score_eval for the outputs of a cycle, then ofld_score_step with the same inputs for
 * its clock edge. All outputs are state (Moore). An update takes three cycles until its verdict
 * counts.
 */
#ifndef OFLD_SCORE_H
#define OFLD_SCORE_H

#include <stdbool.h>

#include "ofld_score_ports.h"

/* Sums over instances: instances, lines that no cache had, bytes that caches sent. */
typedef struct {
  int64_t n, misses, hit_bytes;
} ofld_measured_t;

/* An update on its way. stores and regs are per thread; a warp has WARP words of each. */
typedef struct {
  bool valid;
  unsigned block;
  int64_t stores, regs;
  ofld_measured_t sum; /* in `came`: of this instance; then of the whole entry */
  bool worth;          /* the verdict, from `summed` on */
} ofld_update_t;

typedef struct {
  ofld_measured_t entry[Entries];
  bool allowed[Entries];              /* blocks that may be offloaded */
  ofld_update_t came, summed, judged; /* updates of one, two and three cycles ago */
  unsigned epochs;                    /* since blocks were let in again, 0 .. Retry - 1 */
  bool again;                         /* the last of Retry epochs ended one cycle ago */
} ofld_score_t;

void ofld_score_reset(ofld_score_t *s);
void ofld_score_eval(const ofld_score_t *s, const ofld_score_in_t *in, ofld_score_out_t *out);
void ofld_score_step(ofld_score_t *s, const ofld_score_in_t *in);
/* True: while clear, epoch_end and upd_valid are 0, step changes nothing. */
bool ofld_score_idle(const ofld_score_t *s);

#endif
