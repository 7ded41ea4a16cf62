/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_issue -- golden model of the issue stage; contract: rtl/nsu/nsu_issue.ports.
 */
#ifndef NSU_ISSUE_H
#define NSU_ISSUE_H

#include <stdbool.h>

#include "nsu_decode.h"
#include "nsu_issue_ports.h"

typedef struct {
  bool held, begun; /* a warp is being fetched for, for one cycle; its fields: */
  uint8_t slot, sm, warp, seq, count;
  uint64_t instr[NumWarps]; /* what was found for each slot */
} nsu_issue_t;

void nsu_issue_reset(nsu_issue_t *s);
void nsu_issue_eval(const nsu_issue_t *s, const nsu_issue_in_t *in, nsu_issue_out_t *out);
void nsu_issue_step(nsu_issue_t *s, const nsu_issue_in_t *in);
bool nsu_issue_idle(const nsu_issue_t *s); /* while sel_valid and go_valid are 0 */

#endif
