/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_issue -- golden model of what makes DRAM transfers of memory messages; contract:
 * rtl/lsu/lsu_issue.ports.
 */
#ifndef LSU_ISSUE_H
#define LSU_ISSUE_H

#include <stdbool.h>

#include "lsu_issue_ports.h"
#include "lsu_msg.h"

/* Of the message at the head; all zero when nothing of it has been done. */
typedef struct {
  unsigned k;     /* transfers that have been pushed */
  unsigned entry; /* of lsu_gather or lsu_stores, from the first transfer on */
  unsigned asked; /* rows that the register file has granted */
  bool coming;    /* the last of them comes in this cycle */
  uint32_t row[2][LSU_LANES];
} lsu_issue_t;

void lsu_issue_reset(lsu_issue_t *s);
void lsu_issue_eval(const lsu_issue_t *s, const lsu_issue_in_t *in, lsu_issue_out_t *out);
void lsu_issue_step(lsu_issue_t *s, const lsu_issue_in_t *in);

/* The clock edge of a cycle whose outputs are known already; row: rf_data. */
void lsu_issue_advance(lsu_issue_t *s, const lsu_issue_out_t *out, bool granted, const uint32_t *row);

/* Step changes nothing while m_valid is 0. */
inline bool lsu_issue_idle(const lsu_issue_t *s) {
  return !s->coming;
}

#endif
