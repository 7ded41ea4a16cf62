/* SPDX-License-Identifier: Apache-2.0
 *
 * Which blocks of a module may be offloaded (NSU paper, section 7.3): an instance of ofld_score
 * (rtl/offload), and the queue before it.
 *
 * The instance takes one measurement a cycle. A measurement that finds the queue full is lost
 * (ours). Blocks have their number in the module. A block without an entry in ofld_score may always
 * go.
 */
#ifndef OFFLOAD_SCORE_H
#define OFFLOAD_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "offload_instance.h"

/* Measurement of an instance that ended on an NSU. */
typedef struct {
  unsigned block;
  unsigned stores, regs; /* words stored; registers a thread that Equation 1 counts as overhead */
  /* RDFs; those that a cache answered; link bytes of these answers */
  unsigned rdf, hits, hit_bytes;
} offload_measure_t;

enum { OFFLOAD_MEASURES = 64 };

typedef struct {
  offload_instance_t instance;
  uint64_t allow;       /* bit i: block i may go */
  bool clear;           /* another module has been loaded */
  unsigned head, count; /* ring of waiting measurements */
  offload_measure_t queue[OFFLOAD_MEASURES];
} offload_score_t;

/* -1: out of host memory, or the engine failed. */
int offload_score_init(offload_score_t *s, const struct block_engine *const *engines);
void offload_score_deinit(offload_score_t *s);
void offload_score_clear(offload_score_t *s);                        /* another module has been loaded */
bool offload_score_allows(const offload_score_t *s, unsigned block); /* whether the block may go */
/* queues a measurement */
void offload_score_add(offload_score_t *s, const offload_measure_t *measure);
/* Next cycle. epoch_end: an epoch of the offload ratio has ended. */
void offload_score_tick(offload_score_t *s, bool epoch_end, trouble_t *fault);

#endif
