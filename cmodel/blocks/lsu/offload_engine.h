/* SPDX-License-Identifier: Apache-2.0
 *
 * offload_engine -- golden model of the instruction offload engine; contract:
 * rtl/lsu/offload_engine.ports.
 *
 * offload_engine_idle: step would change nothing while in_valid, mv_gnt, mv_done and out_take are
 * 0, whatever fb and nb are.
 */
#ifndef OFFLOAD_ENGINE_H
#define OFFLOAD_ENGINE_H

#include <stdbool.h>

#include "offload_engine_ports.h"

/* LOOK: the table is asked in this cycle. ASK, READY: that a move is
 * wanted, or that nothing is missing, is shown since an earlier cycle. */
typedef enum { OFFLOAD_NONE, OFFLOAD_LOOK, OFFLOAD_ASK, OFFLOAD_MOVE, OFFLOAD_READY } offload_phase_t;

typedef struct {
  offload_phase_t phase;
  bool decided, near; /* the instruction's location, known from the first LOOK on */
  bool far_op, guard_valid, dst_valid, merge;
  uint8_t tag, warp, kind, hint, src_valid, addr, wide, copies;
  uint8_t ask;   /* ASK: the operand that moves */
  uint64_t regs; /* as lk_regs */
} offload_engine_t;

void offload_engine_reset(offload_engine_t *s);
void offload_engine_eval(const offload_engine_t *s, const offload_engine_in_t *in, offload_engine_out_t *out);
void offload_engine_step(offload_engine_t *s, const offload_engine_in_t *in);
bool offload_engine_idle(const offload_engine_t *s);

#endif
