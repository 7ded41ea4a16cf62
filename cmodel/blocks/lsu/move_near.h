/* SPDX-License-Identifier: Apache-2.0
 *
 * move_near -- golden model of the near half of the register move engine; contract:
 * rtl/lsu/move_near.ports.
 */
#ifndef MOVE_NEAR_H
#define MOVE_NEAR_H

#include <stdbool.h>

#include "move_near_ports.h"

typedef struct {
  enum { MOVE_NEAR_IDLE, MOVE_NEAR_ROW, MOVE_NEAR_OUT } state; /* ROW: the row comes in this cycle */
  uint64_t hdr;
  uint32_t row[32];
} move_near_t;

void move_near_reset(move_near_t *s);
void move_near_eval(const move_near_t *s, const move_near_in_t *in, move_near_out_t *out);
void move_near_step(move_near_t *s, const move_near_in_t *in);

/* Step changes nothing while v_valid and out_take are 0. */
inline bool move_near_idle(const move_near_t *s) {
  return s->state != MOVE_NEAR_ROW;
}

#endif
