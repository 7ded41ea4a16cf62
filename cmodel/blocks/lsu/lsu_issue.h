/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_issue: it takes memory messages in order and makes DRAM transfers of them, at
 * most one a cycle (rtl/lsu/lsu_issue.ports).
 *
 * Call lsu_issue_eval for the outputs of a cycle, then lsu_issue_step with the same inputs for its
 * clock edge. The outputs depend on inputs of the same cycle (Mealy).
 */
#ifndef LSU_ISSUE_H
#define LSU_ISSUE_H

#include <stdbool.h>

#include "lsu_issue_ports.h"
#include "lsu_msg.h"

/* Progress of the message at the head; all zero before anything of it is done. */
typedef struct {
  unsigned k;                 /* transfers pushed, 0 .. n - 1 */
  unsigned entry;             /* of lsu_gather or lsu_stores; valid from k = 1 on */
  unsigned asked;             /* register rows granted, 0 .. 2 */
  bool coming;                /* the last granted row is on rf_data in this cycle */
  uint32_t row[2][LSU_LANES]; /* a store's words; [1]: the upper words */
} lsu_issue_t;

void lsu_issue_reset(lsu_issue_t *s);
void lsu_issue_eval(const lsu_issue_t *s, const lsu_issue_in_t *in, lsu_issue_out_t *out);
void lsu_issue_step(lsu_issue_t *s, const lsu_issue_in_t *in);

/* The clock edge for a caller that has the outputs already. granted: rf_gnt; row: rf_data. */
void lsu_issue_advance(lsu_issue_t *s, const lsu_issue_out_t *out, bool granted, const uint32_t *row);

/* True: while m_valid is 0, step changes nothing. */
inline bool lsu_issue_idle(const lsu_issue_t *s) {
  return !s->coming;
}

#endif
