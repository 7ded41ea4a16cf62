/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu -- golden model of the whole NSU: the blocks' models, wired as rtl/nsu/README.md says;
 * contract: rtl/nsu/nsu.ports.
 *
 * nsu_eval writes only the wide fields whose valid bit is on. While nsu_idle says true and in_valid
 * and out_credit are 0, nsu_step changes nothing that can be seen, now or later, so that such
 * cycles may be skipped. Memories are zero at power-up (zero the struct once) and are not touched
 * by nsu_reset.
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

/* nsu_rdbuf and nsu_wrbuf, nsu_icache and nsu_ccache are
 * one rule each with parameters of different values. */
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

/* The blocks' inputs and outputs in one cycle. Wide ones
 * are written only where somebody looks at them. */
typedef struct {
  nsu_rx_out_t rx;
  nsu_cmdbuf_in_t cmdbuf_in;
  nsu_cmdbuf_out_t cmdbuf;
  nsu_warps_in_t warps_in;
  nsu_warps_out_t warps;
  nsu_issue_in_t issue_in;
  nsu_issue_out_t issue;
  int if_place, cf_place; /* the caches' fetch: an outstanding miss or -1 */
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
  nsu_wires_t wires; /* of the coming cycle: they follow from the state above and from stack_id, which is constant */
} nsu_t;

void nsu_reset(nsu_t *s);
void nsu_eval(const nsu_t *s, const nsu_in_t *in, nsu_out_t *out);
void nsu_step(nsu_t *s, const nsu_in_t *in);
bool nsu_idle(const nsu_t *s);

#endif
