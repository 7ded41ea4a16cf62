/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of move_near, the near half of the register move engine: it reads a row of the
 * near-bank register file and sends it up (MPU paper, section IV-B1; rtl/lsu/move_near.ports).
 *
 * Call move_near_eval for the outputs of a cycle, then move_near_step with the same inputs for its
 * clock edge. rf_ and v_take depend on inputs of the same cycle (Mealy); out_ is state.
 */
#ifndef MOVE_NEAR_H
#define MOVE_NEAR_H

#include <stdbool.h>

#include "move_near_ports.h"

typedef struct {
  enum { MOVE_NEAR_IDLE, MOVE_NEAR_ROW, MOVE_NEAR_OUT } state; /* ROW: the row is on rf_data */
  uint64_t hdr;                                                /* the message, valid in ROW and OUT */
  uint32_t row[32];                                            /* valid in OUT */
} move_near_t;

void move_near_reset(move_near_t *s);
void move_near_eval(const move_near_t *s, const move_near_in_t *in, move_near_out_t *out);
void move_near_step(move_near_t *s, const move_near_in_t *in);

/* True: while v_valid and out_take are 0, step changes nothing. */
inline bool move_near_idle(const move_near_t *s) {
  return s->state != MOVE_NEAR_ROW;
}

#endif
