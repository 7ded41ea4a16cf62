/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of the NSU: it executes offload blocks next to memory, without MMU, data cache or
 * scratchpad (NSU paper, sections 3.2, 4.1.2, 4.3, 4.5). The blocks' models are wired as
 * rtl/nsu/README.md says. Contract: rtl/nsu/nsu.ports.
 *
 * Call nsu_eval for the outputs of a cycle, then nsu_step with the same inputs for its clock edge.
 * All outputs are state (Moore). nsu_eval writes a wide output only if its valid bit is 1. stack_id
 * must be constant after reset.
 *
 * While nsu_idle is true and in_valid and out_credit are 0, nsu_step changes nothing that is ever
 * visible. Callers may skip such cycles. Memories are zero at power-up, so zero the struct once;
 * nsu_reset leaves memories alone.
 */
#ifndef NSU_H
#define NSU_H

#include <stdbool.h>

#include "nsu_acks.h"
#include "nsu_cmdbuf.h"
#include "nsu_credits.h"
#include "nsu_endu.h"
#include "nsu_exec.h"
#include "nsu_issue.h"
#include "nsu_ldu.h"
#include "nsu_merge_core.h"
#include "nsu_ports.h"
#include "nsu_regfile.h"
#include "nsu_rx.h"
#include "nsu_stu.h"
#include "nsu_tx.h"
#include "nsu_warps.h"
#include "ro_cache_core.h"

/* The two merge buffers and the two caches. Each pair has one rule (nsu_merge_core.h,
 * ro_cache_core.h) and two sets of parameters, so their models cannot be included here. */
typedef struct {
  merge_core_t core;
  merge_entry_t entry[RdBufDepth];
  uint32_t rows[(RdBufDepth)*PKT_WORD_BITS], row[PKT_WORD_BITS];
} nsu_read_buffer_t;

typedef struct {
  merge_core_t core;
  merge_entry_t entry[WrBufDepth];
  uint32_t rows[(WrBufDepth)*PKT_ADDR_BITS], row[PKT_ADDR_BITS];
} nsu_write_buffer_t;

typedef struct {
  ro_core_t core;
  uint8_t pointer[(ICacheBytes) / RO_LINE_BYTES];
  ro_line_t line[(ICacheBytes) / RO_LINE_BYTES];
} nsu_instr_cache_t;

typedef struct {
  ro_core_t core;
  uint8_t pointer[(CCacheBytes) / RO_LINE_BYTES];
  ro_line_t line[(CCacheBytes) / RO_LINE_BYTES];
} nsu_const_cache_t;

/* The blocks' inputs and outputs in one cycle. A wide vector is written only in a cycle in which
 * a block reads it. */
typedef struct {
  nsu_rx_out_t rx;
  nsu_cmdbuf_in_t cmdbuf_in;
  nsu_cmdbuf_out_t cmdbuf;
  nsu_warps_in_t warps_in;
  nsu_warps_out_t warps;
  nsu_issue_in_t issue_in;
  nsu_issue_out_t issue;
  int if_place, cf_place; /* the miss on each cache's fetch port, -1: none */
  nsu_exec_in_t exec_in;
  nsu_exec_out_t exec;
  nsu_ldu_in_t ldu_in;
  nsu_ldu_out_t ldu;
  nsu_stu_in_t stu_in;
  nsu_stu_out_t stu;
  nsu_endu_in_t endu_in;
  nsu_endu_out_t endu;
  nsu_regfile_in_t regfile_in;
  nsu_regfile_out_t regfile;
  nsu_acks_in_t acks_in;
  nsu_acks_out_t acks;
  nsu_credits_in_t credits_in;
  nsu_credits_out_t credits;
  nsu_tx_in_t tx_in;
  nsu_tx_out_t tx;
} nsu_wires_t;

typedef struct {
  nsu_rx_t rx;
  nsu_cmdbuf_t cmdbuf;
  nsu_read_buffer_t rdbuf;
  nsu_write_buffer_t wrbuf;
  nsu_warps_t warps;
  nsu_instr_cache_t icache;
  nsu_const_cache_t ccache;
  nsu_issue_t issue;
  nsu_exec_t exec;
  nsu_ldu_t ldu;
  nsu_stu_t stu;
  nsu_endu_t endu;
  nsu_acks_t acks;
  nsu_credits_t credits;
  nsu_tx_t tx;
  nsu_regfile_t regfile;
  nsu_wires_t wires; /* of the coming cycle; they follow from the state above and from stack_id */
} nsu_t;

/* Empties all blocks; memories and register file keep their contents. */
void nsu_reset(nsu_t *s);
void nsu_eval(const nsu_t *s, const nsu_in_t *in, nsu_out_t *out);
void nsu_step(nsu_t *s, const nsu_in_t *in);
bool nsu_idle(const nsu_t *s);

#endif
