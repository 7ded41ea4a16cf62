/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_cmdbuf -- golden model of the offload command buffer; contract: rtl/nsu/nsu_cmdbuf.ports.
 */
#ifndef NSU_CMDBUF_H
#define NSU_CMDBUF_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_cmdbuf_ports.h"

typedef struct {
  bool busy;
  uint8_t sm, warp, count;
  uint32_t mask;
  uint64_t pc, cbase;
} nsu_cmdbuf_entry_t;

/* The lines and rd_data are a memory: zero at power-up, not touched by reset. */
typedef struct {
  nsu_cmdbuf_entry_t entry[CmdBufDepth];
  unsigned expected, receiving;        /* the beat that must come next, and its entry */
  unsigned queue[CmdBufDepth], queued; /* entries that wait to be spawned, oldest first */
  bool err_overflow, err_beat, probe_alloc;
  unsigned probe_alloc_idx;
  uint32_t line[CmdBufDepth][CmdRegs][LINE_WORDS];
  uint32_t rd_data[LINE_WORDS];
} nsu_cmdbuf_t;

void nsu_cmdbuf_reset(nsu_cmdbuf_t *s);
void nsu_cmdbuf_eval(const nsu_cmdbuf_t *s, const nsu_cmdbuf_in_t *in, nsu_cmdbuf_out_t *out);
/* All outputs but the wide rd_data, for who looks at the state's itself. */
void nsu_cmdbuf_eval_control(const nsu_cmdbuf_t *s, nsu_cmdbuf_out_t *out);
void nsu_cmdbuf_step(nsu_cmdbuf_t *s, const nsu_cmdbuf_in_t *in);
/* while wr_valid, rd_en and free_en are 0 and nothing is taken from the spawn queue */
bool nsu_cmdbuf_idle(const nsu_cmdbuf_t *s);

#endif
