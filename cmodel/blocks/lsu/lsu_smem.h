/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_smem -- golden model of the shared-memory path; contract: rtl/lsu/lsu_smem.ports.
 */
#ifndef LSU_SMEM_H
#define LSU_SMEM_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "lsu_smem_ports.h"

typedef struct {
  enum { LSU_SMEM_ROWS, LSU_SMEM_PASSES, LSU_SMEM_WRITE, LSU_SMEM_DONE } state;
  unsigned asked;       /* rows that the register file has granted */
  bool coming;          /* the last of them comes in this cycle */
  bool first, err;      /* first: the cycle in which the first pass would start */
  bool upper;           /* PASSES: the upper words are being served; WRITE: written */
  uint32_t legal, left; /* threads; which of them are still to be served in this half */
  uint32_t pass;        /* PASSES: and which by the pass that is asked for */
  uint32_t served;      /* threads whose words come in this cycle */
  bool served_upper;
  uint32_t row[3][Threads]; /* addresses, data, upper words of data */
  uint32_t addr[Threads];
  uint32_t loaded[2][Threads];
} lsu_smem_t;

/* What a pass asks of the banks: sm_ outputs. */
typedef struct {
  uint32_t banks, row[PORT_WORDS(LSU_SMEM_ROW_BITS * Threads)], wdata[Threads], wmask[PORT_WORDS(4 * Threads)];
} lsu_smem_pass_t;

void lsu_smem_reset(lsu_smem_t *s);
void lsu_smem_eval(const lsu_smem_t *s, const lsu_smem_in_t *in, lsu_smem_out_t *out);
void lsu_smem_step(lsu_smem_t *s, const lsu_smem_in_t *in);

/* What lsu_smem_eval shows of the message whose header is hdr: rf_req; sm_req; rw_valid; done. */
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

unsigned lsu_smem_reg(const lsu_smem_t *s, uint64_t hdr); /* rf_reg, rw_reg */
void lsu_smem_show_pass(const lsu_smem_t *s, uint64_t hdr, lsu_smem_pass_t *pass);
void lsu_smem_show_row(const lsu_smem_t *s, uint64_t hdr, uint64_t ctl, uint32_t *row);

/* Step changes nothing while s_valid is 0. */
inline bool lsu_smem_idle(const lsu_smem_t *s) {
  return !s->first && !s->err;
}

#endif
