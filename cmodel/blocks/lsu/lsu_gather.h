/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_gather -- golden model of the gathering of offloaded loads; contract:
 * rtl/lsu/lsu_gather.ports.
 */
#ifndef LSU_GATHER_H
#define LSU_GATHER_H

#include <stdbool.h>

#include "lsu_access.h"
#include "lsu_gather_ports.h"

typedef struct {
  bool sign;
  uint8_t warp, reg, size, off, n, id;
  uint16_t there;                                /* transfers, a bit each */
  uint32_t data[LSU_MAX_XFERS * LSU_XFER_WORDS]; /* meaningful as far as they are there */
} lsu_gather_entry_t;

typedef struct {
  unsigned used, whole;   /* entries, a bit each: in use; of these, all transfers are there */
  uint8_t order[Gathers]; /* complete entries, the first to be complete first */
  unsigned complete;      /* how many: the first of them is the one that is assembled */
  bool busy;              /* it is being read, or its rows are written: */
  unsigned wait;          /* cycles until its row is there */
  bool high;              /* the row of the upper words is next */
  bool done, err;
  unsigned done_id;
  lsu_gather_entry_t entry[Gathers];
} lsu_gather_t;

void lsu_gather_reset(lsu_gather_t *s);
void lsu_gather_eval(const lsu_gather_t *s, const lsu_gather_in_t *in, lsu_gather_out_t *out);
void lsu_gather_step(lsu_gather_t *s, const lsu_gather_in_t *in);

/* What lsu_gather_eval shows: free, idx (-1: none);
 * rw_valid and, with it, rw_warp, rw_reg, rw_data. */
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

/* Step changes nothing while alloc, wr_valid and rw_gnt are 0. */
inline bool lsu_gather_idle(const lsu_gather_t *s) {
  bool stands = s->busy ? s->wait == 0 : !s->complete; /* a row that is shown is shown until it is granted */
  return stands && !s->done && !s->err;
}

#endif
