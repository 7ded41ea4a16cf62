/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of offload_engine, a subcore's instruction offload engine: where an instruction
 * runs, and which registers move first (MPU paper, section IV-B1, Fig. 3;
 * rtl/lsu/offload_engine.ports).
 *
 * Call offload_engine_eval for the outputs of a cycle, then offload_engine_step with the same
 * inputs for its clock edge. The outputs depend on inputs of the same cycle (Mealy): fb and nb
 * answer lk_. One instruction is held at a time.
 */
#ifndef OFFLOAD_ENGINE_H
#define OFFLOAD_ENGINE_H

#include <stdbool.h>

#include "offload_engine_ports.h"

/* LOOK reads the track table in this cycle. ASK shows a move and READY the dispatch, both decided
 * in an earlier cycle. MOVE waits for the end of a move. */
typedef enum { OFFLOAD_NONE, OFFLOAD_LOOK, OFFLOAD_ASK, OFFLOAD_MOVE, OFFLOAD_READY } offload_phase_t;

typedef struct {
  offload_phase_t phase;
  bool decided, near; /* the instruction's location; known after the first LOOK */
  bool far_op, guard_valid, dst_valid, merge;
  uint8_t tag, warp, kind, hint, src_valid, addr, wide, copies; /* as the inputs; copies: moves, at most 3 */
  uint8_t ask;                                                  /* ASK: the operand that moves, 0 .. 4 */
  uint64_t regs;                                                /* the output lk_regs */
} offload_engine_t;

void offload_engine_reset(offload_engine_t *s);
void offload_engine_eval(const offload_engine_t *s, const offload_engine_in_t *in, offload_engine_out_t *out);
void offload_engine_step(offload_engine_t *s, const offload_engine_in_t *in);
/* True: while in_valid, mv_gnt, mv_done and out_take are 0, step
 * changes nothing, for any fb and nb. */
bool offload_engine_idle(const offload_engine_t *s);

#endif
