/* SPDX-License-Identifier: Apache-2.0
 *
 * Which allocations candidates access (TOM paper, section 4.3, steps 1 and 3): an instance of
 * tom_ranges (rtl/tom), and the queue before it.
 *
 * The host writes entries between kernels, without time. Addresses come from SMs as they come; of
 * those in one page, which follow each other closely, an SM sends the first (ours: a look-up takes
 * longer than an access). At the end marks are read, one a cycle.
 */
#ifndef TOM_MARKS_H
#define TOM_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_config.h"
#include "offload_instance.h"
#include "ring.h"

enum {
  TOM_MARKS_ENTRIES = 100,
  TOM_MARKS_PAGES = 16 /* that an SM knows it has sent, by the lowest bits of their numbers; ours */
};

typedef struct {
  offload_instance_t instance;
  unsigned entries;                            /* in use */
  ring_t queue;                                /* of addresses */
  uint64_t sent[GPU_MAX_SMS][TOM_MARKS_PAGES]; /* pages' numbers and one; 0: none */
  unsigned reads;                              /* marks that have been asked for */
  bool marked[TOM_MARKS_ENTRIES];
} tom_marks_t;

/* -1: out of host memory, or the engine cannot be had */
int tom_marks_init(tom_marks_t *m, const struct block_engine *const *engines);
void tom_marks_deinit(tom_marks_t *m); /* also of one that could not be made */

/* The host: entry, of so many that are in use then. Waits
 * for the instance; an entry that is written has no mark. */
void tom_marks_write(tom_marks_t *m, unsigned entry, uint64_t start, uint64_t bytes, unsigned entries,
                     trouble_t *fault);
bool tom_marks_read_now(tom_marks_t *m, unsigned entry, trouble_t *fault); /* the host: without time */

bool tom_marks_access(tom_marks_t *m, unsigned sm, uint64_t vaddr); /* false: out of host memory */
bool tom_marks_idle(const tom_marks_t *m);                          /* no address waits */
void tom_marks_tick(tom_marks_t *m, trouble_t *fault);              /* the next cycle */

/* A cycle in which it is idle: reads a mark. True: all are in `marked`. */
bool tom_marks_read(tom_marks_t *m, trouble_t *fault);

#endif
