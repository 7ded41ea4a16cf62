/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_gather: it gathers the transfers of offloaded loads, in any order, and writes
 * them to the register file (MPU paper, Fig. 4 (3-b); rtl/lsu/lsu_gather.ports).
 *
 * Call lsu_gather_eval for the outputs of a cycle, then lsu_gather_step with the same inputs for
 * its clock edge. All outputs are state (Moore). An alloc without free is ignored.
 */
#ifndef LSU_GATHER_H
#define LSU_GATHER_H

#include <stdbool.h>

#include "lsu_access.h"
#include "lsu_gather_ports.h"

typedef struct {
  bool sign;
  uint8_t warp, reg, size, off, n, id;           /* off: first byte's place in transfer 0; n: transfers, 1 .. 9 */
  uint16_t there;                                /* transfers that have come, a bit each */
  uint32_t data[LSU_MAX_XFERS * LSU_XFER_WORDS]; /* only transfers that are there have meaning */
} lsu_gather_entry_t;

typedef struct {
  unsigned used, whole;   /* entries, a bit each: in use; all transfers are there */
  uint8_t order[Gathers]; /* complete entries, in order of completion */
  unsigned complete;      /* complete entries; order[0] is assembled */
  bool busy;              /* order[0] is read, or its rows are written */
  unsigned wait;          /* with busy: cycles until the row is on rw_data */
  bool high;              /* the row of the upper words is next */
  bool done, err;         /* for one cycle */
  unsigned done_id;
  lsu_gather_entry_t entry[Gathers];
} lsu_gather_t;

void lsu_gather_reset(lsu_gather_t *s);
void lsu_gather_eval(const lsu_gather_t *s, const lsu_gather_in_t *in, lsu_gather_out_t *out);
void lsu_gather_step(lsu_gather_t *s, const lsu_gather_in_t *in);

/* The outputs one by one, for lsu_ext: idx (-1: none is free), rw_valid, and with it rw_warp,
 * rw_reg, rw_data. */
static inline int lsu_gather_free(const lsu_gather_t *s) {
  return lsu_lowest_free(s->used, Gathers);
}
static inline bool lsu_gather_writes(const lsu_gather_t *s) {
  return s->busy && s->wait == 0;
}
static inline unsigned lsu_gather_warp(const lsu_gather_t *s) {
  return s->entry[s->order[0]].warp;
}
static inline unsigned lsu_gather_reg(const lsu_gather_t *s) {
  return (s->entry[s->order[0]].reg + s->high) & LSU_MASK(reg);
}
void lsu_gather_row(const lsu_gather_t *s, uint32_t *row);

/* True: while alloc, wr_valid and rw_gnt are 0, step changes nothing. */
inline bool lsu_gather_idle(const lsu_gather_t *s) {
  bool stands = s->busy ? s->wait == 0 : !s->complete; /* a row is shown until it is granted */
  return stands && !s->done && !s->err;
}

#endif
