/* SPDX-License-Identifier: Apache-2.0
 *
 * A block of instructions on its way: from a warp on the GPU to the SM of a memory stack, and back
 * (TOM paper, sections 4.2 and 4.4.2).
 *
 * Packets are PACKET_OWN; hdr.sm and hdr.warp say whose block it is. Sizes are ours, the paper
 * gives none:
 *   TOM_REQUEST   GPU to stack: 32 bytes (begin, exit, active mask, who asks), and a row of every
 *                 live-in word: 128 bytes, of a predicate 4
 *   TOM_LINES     stack to GPU: 16 bytes, and 5 for each line that the block has written: when as
 *                 many are known as a list holds
 *   TOM_DONE      the same with the rest of the lines, and the live-outs' rows; the block is over
 * Rows have all 32 lanes, as equation 3 counts them. Where coherence is free there are no lists;
 * where all is, packets go past the links (gpu_tom_free_t).
 *
 * What is in them is what the hardware at one end has made of it, beat by beat, for that at the
 * other: headers and rows (rtl/tom/tom_meta.def).
 */
#ifndef TOM_JOB_H
#define TOM_JOB_H

#include <string.h>

#include "gpu_shared.h"
#include "tom_entry.h"

/* lines and words of a packet; of a header */
enum { TOM_LIST_LINES = 8, TOM_MOST_WORDS = TOM_MAX_SENT, TOM_HEADER_WORDS = 8 };

typedef enum { TOM_REQUEST, TOM_LINES, TOM_DONE } tom_packet_kind_t;

typedef struct {
  const gpu_shared_t *gpu; /* whose pages and launch they are */
  const tom_block_t *block;
  const tom_entry_t *entry; /* the block's */
  uint16_t sm, warp, stack;
  uint32_t mask;         /* threads that begin it */
  uint64_t cta_index;    /* of the warp: linear in the grid */
  uint32_t first_thread; /* linear in the CTA */
  uint64_t asked_at, granted_at, sent_at;
  ring_t written;                             /* uint64_t: lines, of coherence that is free */
  uint32_t header[TOM_HEADER_WORDS];          /* of the request */
  uint32_t row[TOM_MAX_REGS][GPU_WARP_WIDTH]; /* by number: live-ins there, live-outs back */
} tom_job_t;

void tom_job_free(tom_job_t *job); /* NULL is fine */

/* What a packet carries; from its maker to who takes it, nobody in between looks. */
typedef struct {
  tom_packet_kind_t kind;
  tom_job_t *job;
  uint32_t header[TOM_HEADER_WORDS / 2]; /* back to the GPU */
  unsigned lines;
  uint64_t line[TOM_LIST_LINES];
} tom_packet_t;

static inline tom_packet_t tom_packet_of(const packet_t *p) {
  tom_packet_t t;
  memcpy(&t, p->data, sizeof t);
  return t;
}

static inline void tom_packet_fill(packet_t *p, const tom_packet_t *t) {
  const tom_size_t size = t->kind == TOM_REQUEST ? t->job->block->sent_size
                          : t->kind == TOM_DONE  ? t->job->block->returned_size
                                                 : (tom_size_t){0};
  memcpy(p->data, t, sizeof *t);
  p->cls = t->kind != TOM_REQUEST;
  p->bytes = (uint16_t)((t->kind == TOM_REQUEST ? 32 : 16) + 4 * GPU_WARP_WIDTH * size.words + 4 * size.predicates +
                        5 * t->lines);
  p->hdr.sm = t->job->sm, p->hdr.warp = t->job->warp;
}

/* Rows of numbers that `which` has, from a warp's registers, and into them: lanes of `mask`. */
void tom_rows_from(tom_job_t *job, const simt_kernel_t *k, const simt_warp_t *w, uint64_t which);
void tom_rows_to(const tom_job_t *job, const simt_kernel_t *k, simt_warp_t *w, uint64_t which, uint32_t mask);

/* Cycle from which these registers may be read; SM_NEVER: a
 * load has to come first. ready: the scoreboard of a warp. */
uint64_t tom_regs_ready(const simt_kernel_t *k, const uint64_t *ready, const tom_reg_t *regs, unsigned count,
                        uint64_t which);

#endif
