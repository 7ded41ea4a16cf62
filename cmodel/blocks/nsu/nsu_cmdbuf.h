/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_cmdbuf, the NSU's offload command buffer: it collects a command's beats and
 * queues complete commands to be spawned (NSU paper, section 4.1.2, Table 2;
 * rtl/nsu/nsu_cmdbuf.ports).
 *
 * Call nsu_cmdbuf_eval for the outputs of a cycle, then nsu_cmdbuf_step with the same inputs for
 * its clock edge. All outputs are state (Moore). nsu_cmdbuf_step asserts that reads are in range
 * and that a freed entry is busy.
 */
#ifndef NSU_CMDBUF_H
#define NSU_CMDBUF_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_cmdbuf_ports.h"

typedef struct {
  bool busy;
  uint8_t sm, warp, count; /* the warp on the GPU; count: registers carried, 0 .. CmdRegs */
  uint32_t mask;           /* threads of the warp */
  uint64_t pc, cbase;      /* byte addresses: first instruction, constants */
} nsu_cmdbuf_entry_t;

/* `line` and `rd_data` are a memory: zero at power-up, untouched by reset. */
typedef struct {
  nsu_cmdbuf_entry_t entry[CmdBufDepth];
  unsigned expected, receiving;                    /* the beat that must come next; its entry, if expected > 0 */
  unsigned queue[CmdBufDepth], queued;             /* entries that wait to be spawned, oldest first */
  bool err_overflow, err_beat, probe_alloc;        /* all for one cycle */
  unsigned probe_alloc_idx;                        /* valid with probe_alloc */
  uint32_t line[CmdBufDepth][CmdRegs][LINE_WORDS]; /* a command's registers, a row each */
  uint32_t rd_data[LINE_WORDS];
} nsu_cmdbuf_t;

void nsu_cmdbuf_reset(nsu_cmdbuf_t *s);
void nsu_cmdbuf_eval(const nsu_cmdbuf_t *s, const nsu_cmdbuf_in_t *in, nsu_cmdbuf_out_t *out);
/* All outputs but the wide rd_data. The whole NSU's model reads rd_data from the state. */
void nsu_cmdbuf_eval_control(const nsu_cmdbuf_t *s, nsu_cmdbuf_out_t *out);
void nsu_cmdbuf_step(nsu_cmdbuf_t *s, const nsu_cmdbuf_in_t *in);
/* True: while wr_valid, rd_en and free_en are 0, step changes nothing. A take from the spawn
 * queue is not covered, so the caller checks that none can happen. */
bool nsu_cmdbuf_idle(const nsu_cmdbuf_t *s);

#endif
