/* SPDX-License-Identifier: Apache-2.0
 *
 * Which blocks of the module may be offloaded (NSU paper, section 7.3): an instance of ofld_score
 * (rtl/offload), and the queue before it.
 *
 * What was measured of an instance of a block goes in one a cycle; of one that finds the queue full
 * nothing is learnt (ours). Blocks have their number in the module; those that ofld_score has no
 * entry for may always be offloaded.
 */
#ifndef OFFLOAD_SCORE_H
#define OFFLOAD_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "offload_instance.h"

/* Of an instance that ended on an NSU. */
typedef struct {
  unsigned block;
  unsigned stores, regs;         /* of its block: words; registers a thread that Equation 1 counts as overhead */
  unsigned rdf, hits, hit_bytes; /* RDFs; those that a cache answered; bytes of these answers on links */
} offload_measure_t;

enum { OFFLOAD_MEASURES = 64 };

typedef struct {
  offload_instance_t instance;
  uint64_t allow;
  bool clear; /* another module is there */
  unsigned head, count;
  offload_measure_t queue[OFFLOAD_MEASURES];
} offload_score_t;

int offload_score_init(offload_score_t *s, const struct block_engine *const *engines); /* -1: out of host memory */
void offload_score_deinit(offload_score_t *s);
void offload_score_clear(offload_score_t *s); /* another module: blocks are others */
bool offload_score_allows(const offload_score_t *s, unsigned block);
void offload_score_add(offload_score_t *s, const offload_measure_t *measure);
void offload_score_tick(offload_score_t *s, bool epoch_end, trouble_t *fault); /* epoch_end: of the offload ratio */

#endif
