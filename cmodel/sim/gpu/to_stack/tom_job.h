/* SPDX-License-Identifier: Apache-2.0
 *
 * A block on its way from a warp of the GPU to the SM of a memory stack, and back (TOM paper,
 * sections 4.2 and 4.4.2).
 *
 * Packets are PACKET_OWN; hdr.sm and hdr.warp name the warp. The paper gives no sizes; ours are:
 *
 *   TOM_REQUEST   GPU to stack   32 bytes: begin, exit, active mask, sender
 *                                + a row for every live-in word: 128 bytes; a predicate: 4
 *   TOM_LINES     stack to GPU   16 bytes + 5 for each written line, when a list is full
 *   TOM_DONE      stack to GPU   16 bytes + 5 for each remaining line + rows of the live-outs
 *
 * Rows have all 32 lanes, as in equation 3. If coherence is free, there are no lists. If everything
 * is free, packets bypass the links (gpu_tom_free_t). The hardware of one end makes a packet's
 * header and rows, beat by beat, for the hardware of the other end (rtl/tom/tom_meta.def).
 */
#ifndef TOM_JOB_H
#define TOM_JOB_H

#include <string.h>

#include "gpu_shared.h"
#include "tom_entry.h"

/* Most lines and words of a packet; words of a request's header. */
enum { TOM_LIST_LINES = 8, TOM_MOST_WORDS = TOM_MAX_SENT, TOM_HEADER_WORDS = 8 };

typedef enum { TOM_REQUEST, TOM_LINES, TOM_DONE } tom_packet_kind_t;

/* A block under way. The warp's tom_warp_t owns the job. */
typedef struct {
  const gpu_shared_t *gpu; /* of the GPU whose launch the block is part of */
  const tom_block_t *block;
  const tom_entry_t *entry; /* of the block */
  uint16_t sm, warp, stack;
  uint32_t mask;                          /* threads that begin the block */
  uint64_t cta_index;                     /* linear in the grid */
  uint32_t first_thread;                  /* linear in the CTA */
  uint64_t asked_at, granted_at, sent_at; /* SM cycles */
  ring_t written;                         /* uint64_t: written lines, if coherence is free */
  uint32_t header[TOM_HEADER_WORDS];      /* of the request */
  /* by number: live-ins on the way there, live-outs on the way back */
  uint32_t row[TOM_MAX_REGS][GPU_WARP_WIDTH];
} tom_job_t;

void tom_job_free(tom_job_t *job); /* NULL is allowed */

/* Contents of a packet; nothing between the two ends reads them. */
typedef struct {
  tom_packet_kind_t kind;
  tom_job_t *job;
  uint32_t header[TOM_HEADER_WORDS / 2]; /* of an answer */
  unsigned lines;
  uint64_t line[TOM_LIST_LINES];
} tom_packet_t;

/* Unpacks a packet's contents. */
static inline tom_packet_t tom_packet_of(const packet_t *p) {
  tom_packet_t t;
  memcpy(&t, p->data, sizeof t);
  return t;
}

/* Registers whose rows a packet carries: live-ins there, live-outs back. */
static inline tom_size_t tom_packet_rows(const tom_packet_t *t) {
  switch (t->kind) {
  case TOM_REQUEST: return t->job->block->sent_size;
  case TOM_DONE: return t->job->block->returned_size;
  default: return (tom_size_t){0};
  }
}

/* Packs the contents and sets class, size and sender. */
static inline void tom_packet_fill(packet_t *p, const tom_packet_t *t) {
  const tom_size_t size = tom_packet_rows(t);
  memcpy(p->data, t, sizeof *t);
  p->cls = t->kind != TOM_REQUEST;
  p->bytes = (uint16_t)((t->kind == TOM_REQUEST ? 32 : 16) + 4 * GPU_WARP_WIDTH * size.words + 4 * size.predicates +
                        5 * t->lines);
  p->hdr.sm = t->job->sm, p->hdr.warp = t->job->warp;
}

/* Copy the rows of the numbers in `which` from a warp's registers, or to the lanes of `mask`. */
void tom_rows_from(tom_job_t *job, const simt_kernel_t *k, const simt_warp_t *w, uint64_t which);
void tom_rows_to(const tom_job_t *job, const simt_kernel_t *k, simt_warp_t *w, uint64_t which, uint32_t mask);

/* Cycle from which the registers in `which` may be read; SM_NEVER: a load has to arrive first.
 * ready: the warp's scoreboard. */
uint64_t tom_regs_ready(const simt_kernel_t *k, const uint64_t *ready, const tom_reg_t *regs, unsigned count,
                        uint64_t which);

#endif
