/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_smem: ld/st.shared against the core's near-bank shared memory, in passes
 * without bank conflicts (MPU paper, section IV-C; rtl/lsu/lsu_smem.ports).
 *
 * Call lsu_smem_eval for the outputs of a cycle, then lsu_smem_step with the same inputs for its
 * clock edge. Outputs are state and the message's fields (s_), so grants act in the next cycle. One
 * message is under way at a time; s_ must stay until s_take.
 */
#ifndef LSU_SMEM_H
#define LSU_SMEM_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "lsu_smem_ports.h"

typedef struct {
  /* ROWS reads registers, PASSES asks the banks, WRITE writes a load's rows, DONE takes the
   * message. */
  enum { LSU_SMEM_ROWS, LSU_SMEM_PASSES, LSU_SMEM_WRITE, LSU_SMEM_DONE } state;
  unsigned asked;              /* register rows granted, 0 .. 3 */
  bool coming;                 /* the last granted row is on rf_data in this cycle */
  bool first, err;             /* first: the first pass would start in this cycle */
  bool upper;                  /* the upper words are served (PASSES) or written (WRITE) */
  uint32_t legal, left;        /* threads with a legal address; those not yet served in this half */
  uint32_t pass;               /* PASSES: threads of the pass that is asked for */
  uint32_t served;             /* threads with their words on sm_rdata in this cycle */
  bool served_upper;           /* those words are upper words */
  uint32_t row[3][Threads];    /* addresses, data, upper words of data */
  uint32_t addr[Threads];      /* byte addresses, offset included */
  uint32_t loaded[2][Threads]; /* a load's words; [1]: the upper words */
} lsu_smem_t;

/* What a pass asks of the banks: the outputs sm_*. */
typedef struct {
  uint32_t banks, row[PORT_WORDS(LSU_SMEM_ROW_BITS * Threads)], wdata[Threads], wmask[PORT_WORDS(4 * Threads)];
} lsu_smem_pass_t;

void lsu_smem_reset(lsu_smem_t *s);
void lsu_smem_eval(const lsu_smem_t *s, const lsu_smem_in_t *in, lsu_smem_out_t *out);
void lsu_smem_step(lsu_smem_t *s, const lsu_smem_in_t *in);

/* The outputs one by one, for lsu_ext, while a message with header hdr is at the head: rf_req,
 * sm_req, rw_valid, done. */
bool lsu_smem_asks_file(const lsu_smem_t *s, uint64_t hdr);
static inline bool lsu_smem_asks_banks(const lsu_smem_t *s) {
  return s->state == LSU_SMEM_PASSES && s->pass;
}
static inline bool lsu_smem_writes(const lsu_smem_t *s) {
  return s->state == LSU_SMEM_WRITE;
}
static inline bool lsu_smem_done(const lsu_smem_t *s) {
  return s->state == LSU_SMEM_DONE;
}

unsigned lsu_smem_reg(const lsu_smem_t *s, uint64_t hdr); /* the outputs rf_reg and rw_reg */
/* The present pass; valid while lsu_smem_asks_banks. */
void lsu_smem_show_pass(const lsu_smem_t *s, uint64_t hdr, lsu_smem_pass_t *pass);
/* A load's row as the register gets it; valid while lsu_smem_writes. ctl is beat 1. */
void lsu_smem_show_row(const lsu_smem_t *s, uint64_t hdr, uint64_t ctl, uint32_t *row);

/* True: while s_valid is 0, step changes nothing. */
inline bool lsu_smem_idle(const lsu_smem_t *s) {
  return !s->first && !s->err;
}

#endif
