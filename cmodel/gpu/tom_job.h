/* SPDX-License-Identifier: Apache-2.0
 *
 * A block of instructions on its way: from a warp on the GPU to the SM of a memory stack, and back (TOM paper, sections 4.2 and 4.4.2).
 *
 * Packets are PACKET_OWN; hdr.sm and hdr.warp say whose block it is. Sizes are ours, the paper gives none:
 *   TOM_REQUEST   GPU to stack: 32 bytes (begin, exit, active mask, who asks), and a row of every live-in word: 128 bytes, of a predicate 4
 *   TOM_LINES     stack to GPU: 16 bytes, and 5 for each line that the block has written: when as many are known as a list holds
 *   TOM_DONE      the same with the rest of the lines, and the live-outs' rows; the block is over
 * Rows have all 32 lanes, as equation 3 counts them. Where coherence is free there are no lists; where all is, packets go past the links (gpu_tom_free_t).
 */
#ifndef TOM_JOB_H
#define TOM_JOB_H

#include <string.h>

#include "gpu_shared.h"
#include "tom_compiler.h"

enum { TOM_LIST_LINES = 8, TOM_MOST_WORDS = TOM_MAX_SENT, TOM_MOST_REGS = 64 }; /* of a packet */

typedef enum { TOM_REQUEST, TOM_LINES, TOM_DONE } tom_packet_kind_t;

typedef struct {
  const gpu_shared_t *gpu; /* whose pages and launch they are */
  const tom_block_t *block;
  uint16_t sm, warp, stack;
  uint32_t mask;         /* threads that begin it */
  uint64_t cta_index;    /* of the warp: linear in the grid */
  uint32_t first_thread; /* linear in the CTA */
  uint64_t asked_at, granted_at, sent_at;
  ring_t written;                                               /* uint64_t: lines, of coherence that is free */
  uint32_t row[TOM_MOST_WORDS + TOM_MOST_REGS][GPU_WARP_WIDTH]; /* live-ins, then live-outs; a predicate is a row's first word */
} tom_job_t;

/* What a packet carries; from its maker to who takes it, nobody in between looks. */
typedef struct {
  tom_packet_kind_t kind;
  tom_job_t *job;
  unsigned lines;
  uint64_t line[TOM_LIST_LINES];
} tom_packet_t;

static inline tom_packet_t tom_packet_of(const packet_t *p) {
  tom_packet_t t;
  memcpy(&t, p->data, sizeof t);
  return t;
}

static inline void tom_packet_fill(packet_t *p, const tom_packet_t *t) {
  const tom_size_t size = t->kind == TOM_REQUEST ? t->job->block->sent_size : t->kind == TOM_DONE ? t->job->block->returned_size : (tom_size_t){0};
  memcpy(p->data, t, sizeof *t);
  p->cls = t->kind != TOM_REQUEST;
  p->bytes = (uint16_t)((t->kind == TOM_REQUEST ? 32 : 16) + 4 * GPU_WARP_WIDTH * size.words + 4 * size.predicates + 5 * t->lines);
  p->hdr.sm = t->job->sm, p->hdr.warp = t->job->warp;
}

void tom_job_free(tom_job_t *job); /* NULL is fine */

/* Between a warp's registers and a job's rows, of as many as TOM_MOST_REGS. From registers: those that `which` has a bit of; to them: lanes of `mask`. */
void tom_rows_from(tom_job_t *job, const simt_kernel_t *k, const simt_warp_t *w, const tom_reg_t *regs, unsigned count, uint64_t which);
void tom_rows_to(const tom_job_t *job, const simt_kernel_t *k, simt_warp_t *w, const tom_reg_t *regs, unsigned count, uint32_t mask);

/* Cycle from which these registers may be read; SM_NEVER: a load has to come first. ready: the scoreboard of a warp. */
uint64_t tom_regs_ready(const simt_kernel_t *k, const uint64_t *ready, const tom_reg_t *regs, unsigned count, uint64_t which);

#endif
