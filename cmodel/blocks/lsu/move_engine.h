/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of move_engine, a subcore's register move engine: it copies registers between the
 * far-bank and the near-bank register file (MPU paper, section IV-B1, Fig. 3 step 3;
 * rtl/lsu/move_engine.ports).
 *
 * Call move_engine_eval for the outputs of a cycle, then move_engine_step with the same inputs for
 * its clock edge. gnt depends on inputs of the same cycle (Mealy). move_engine_eval writes a row
 * only if its valid bit is 1.
 */
#ifndef MOVE_ENGINE_H
#define MOVE_ENGINE_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "move_engine_ports.h"

/* READ asks the far-bank file; ROW has its row on frf_data. SEND shows a message; REPLY waits
 * for CPL or MVR. WRITE writes the far-bank file. */
typedef enum { MOVE_NONE, MOVE_READ, MOVE_ROW, MOVE_SEND, MOVE_REPLY, MOVE_WRITE } move_phase_t;

typedef struct {
  move_phase_t phase;
  bool near, for_lsu, wide, second; /* to near; the LSU asked; two rows; the upper one is moving */
  bool done, answered;              /* a move ended in the last cycle: the offload engine's, the LSU's */
  uint8_t warp, reg;                /* of the first row */
  uint32_t row[LSU_LANES];
} move_engine_t;

void move_engine_reset(move_engine_t *s);
void move_engine_eval(const move_engine_t *s, const move_engine_in_t *in, move_engine_out_t *out);
void move_engine_step(move_engine_t *s, const move_engine_in_t *in);
/* True: while the 1-bit inputs are 0, step changes nothing. */
bool move_engine_idle(const move_engine_t *s);

#endif
