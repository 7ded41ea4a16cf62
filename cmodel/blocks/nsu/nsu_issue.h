/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_issue, the NSU's issue stage: it fetches and keeps the next instruction of
 * one warp, and gives that of another to its unit (rtl/nsu/nsu_issue.ports).
 *
 * Call nsu_issue_eval for the outputs of a cycle, then nsu_issue_step with the same inputs for its
 * clock edge. Most outputs depend on inputs of the same cycle (Mealy). Both functions assert that
 * slots are below NumWarps.
 */
#ifndef NSU_ISSUE_H
#define NSU_ISSUE_H

#include <stdbool.h>

#include "nsu_decode.h"
#include "nsu_issue_ports.h"

typedef struct {
  bool held, begun;                   /* held: a warp was selected in the last cycle, the cache answers now */
  uint8_t slot, sm, warp, seq, count; /* valid with held */
  uint64_t instr[NumWarps];           /* a slot's last fetched instruction: a memory, reset leaves it */
} nsu_issue_t;

void nsu_issue_reset(nsu_issue_t *s);
void nsu_issue_eval(const nsu_issue_t *s, const nsu_issue_in_t *in, nsu_issue_out_t *out);
void nsu_issue_step(nsu_issue_t *s, const nsu_issue_in_t *in);
/* True: while sel_valid and go_valid are 0, step changes nothing. */
bool nsu_issue_idle(const nsu_issue_t *s);

#endif
