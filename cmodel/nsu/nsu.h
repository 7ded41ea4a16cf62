/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu -- golden model of the whole NSU: the blocks' models, wired as rtl/nsu/README.md says; contract: rtl/nsu/nsu.ports.
 *
 * nsu_eval writes only the wide fields whose valid bit is on. While nsu_idle says true and in_valid and out_credit are
 * 0, nsu_step changes nothing that can be seen, now or later, so that such cycles may be skipped.
 * Memories are zero at power-up (zero the struct once) and are not touched by nsu_reset.
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

/* nsu_rdbuf and nsu_wrbuf, nsu_icache and nsu_ccache are one rule each with parameters of different values. */
typedef struct {
  merge_core_t core;
  merge_entry_t entry[RdBufDepth];
  uint32_t rows[(RdBufDepth) * PKT_WORD_BITS], row[PKT_WORD_BITS];
} nsu_read_buffer_t;

typedef struct {
  merge_core_t core;
  merge_entry_t entry[WrBufDepth];
  uint32_t rows[(WrBufDepth) * PKT_ADDR_BITS], row[PKT_ADDR_BITS];
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
} nsu_t;

void nsu_reset(nsu_t *s);
void nsu_eval(const nsu_t *s, const nsu_in_t *in, nsu_out_t *out);
void nsu_step(nsu_t *s, const nsu_in_t *in);
bool nsu_idle(const nsu_t *s);

#endif
