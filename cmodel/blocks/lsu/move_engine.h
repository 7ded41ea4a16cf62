/* SPDX-License-Identifier: Apache-2.0
 *
 * move_engine -- golden model of the far half of the register move engine; contract:
 * rtl/lsu/move_engine.ports.
 *
 * move_engine_idle: step would change nothing while its 1-bit inputs are 0.
 */
#ifndef MOVE_ENGINE_H
#define MOVE_ENGINE_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "move_engine_ports.h"

/* READ: the far-bank file is asked; ROW: its row comes in this cycle; SEND: a message is shown;
 * REPLY: CPL or MVR is awaited; WRITE: the row is written to the far-bank file. */
typedef enum { MOVE_NONE, MOVE_READ, MOVE_ROW, MOVE_SEND, MOVE_REPLY, MOVE_WRITE } move_phase_t;

typedef struct {
  move_phase_t phase;
  bool near, for_lsu, wide, second; /* direction; who asked; two rows, the upper one of them */
  bool done, answered;              /* a move of the offload engine, of the LSU, ended in the cycle before */
  uint8_t warp, reg;                /* the first row's */
  uint32_t row[LSU_LANES];
} move_engine_t;

void move_engine_reset(move_engine_t *s);
void move_engine_eval(const move_engine_t *s, const move_engine_in_t *in, move_engine_out_t *out);
void move_engine_step(move_engine_t *s, const move_engine_in_t *in);
bool move_engine_idle(const move_engine_t *s);

#endif
