/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_gather -- golden model of the gathering of offloaded loads; contract: rtl/lsu/lsu_gather.ports.
 */
#ifndef LSU_GATHER_H
#define LSU_GATHER_H

#include <stdbool.h>

#include "lsu_gather_ports.h"
#include "lsu_msg.h"

typedef struct {
  bool used, sign;
  uint8_t warp, reg, size, off, n, id;
  uint16_t there;                                    /* transfers, a bit each */
  uint32_t data[LSU_MAX_XFERS * LSU_XFER_WORDS];
} lsu_gather_entry_t;

typedef struct {
  lsu_gather_entry_t entry[Gathers];
  uint8_t order[Gathers];                            /* complete entries, the first to be complete first */
  unsigned complete;                                 /* how many: the first of them is the one that is assembled */
  bool busy;                                         /* it is being read, or its rows are written: */
  unsigned wait;                                     /* cycles until its row is there */
  bool high;                                         /* the row of the upper words is next */
  bool done, err;
  unsigned done_id;
} lsu_gather_t;

void lsu_gather_reset(lsu_gather_t *s);
void lsu_gather_eval(const lsu_gather_t *s, const lsu_gather_in_t *in, lsu_gather_out_t *out);
void lsu_gather_step(lsu_gather_t *s, const lsu_gather_in_t *in);

#endif
