/* SPDX-License-Identifier: Apache-2.0
 *
 * Which allocations the candidates access (TOM paper, section 4.3, steps 1 and 3): an instance of
 * tom_ranges (rtl/tom), and the queue before it.
 *
 * The host writes entries between kernels, without time. SMs send addresses while a kernel runs. An
 * SM sends only the first of several addresses in a page, since a look-up takes longer than an
 * access (ours). At the end the marks are read, one a cycle.
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
  /* pages that an SM knows it has sent, by the low bits of their numbers; ours */
  TOM_MARKS_PAGES = 16
};

/* State of the marks. */
typedef struct {
  offload_instance_t instance;
  unsigned entries;                            /* entries in use */
  ring_t queue;                                /* uint64_t: virtual addresses */
  uint64_t sent[GPU_MAX_SMS][TOM_MARKS_PAGES]; /* page number + 1; 0: none */
  unsigned reads;                              /* marks requested so far */
  bool marked[TOM_MARKS_ENTRIES];
} tom_marks_t;

/* -1: out of host memory, or the engine failed. */
int tom_marks_init(tom_marks_t *m, const struct block_engine *const *engines);
void tom_marks_deinit(tom_marks_t *m); /* also after a failed init */

/* The host writes an entry, and `entries` are then in use. The call waits for the instance. A
 * written entry has no mark. */
void tom_marks_write(tom_marks_t *m, unsigned entry, uint64_t start, uint64_t bytes, unsigned entries,
                     trouble_t *fault);
/* The host reads a mark, without time. */
bool tom_marks_read_now(tom_marks_t *m, unsigned entry, trouble_t *fault);

/* an SM accesses vaddr; false: out of host memory */
bool tom_marks_access(tom_marks_t *m, unsigned sm, uint64_t vaddr);
bool tom_marks_idle(const tom_marks_t *m);             /* no address waits */
void tom_marks_tick(tom_marks_t *m, trouble_t *fault); /* next cycle */

/* A cycle while idle: reads the next mark. True: `marked` is complete. */
bool tom_marks_read(tom_marks_t *m, trouble_t *fault);

#endif
