/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd_fifo.h"

#include <string.h>

void cmd_fifo_reset(cmd_fifo_t *state) {
  memset(state, 0, sizeof *state);
}

void cmd_fifo_eval(const cmd_fifo_t *state, const cmd_fifo_in_t *in, cmd_fifo_out_t *out) {
  (void)in;
  out->head.valid = state->count > 0;
  out->head.cmd = state->kept[0];
  out->head.left = state->count > 7 ? 7 : state->count;
  out->level = state->count == Depth ? level_e_FULL : level_e_SOME;
  if (!state->count) out->level = level_e_EMPTY;
}

void cmd_fifo_step(cmd_fifo_t *state, const cmd_fifo_in_t *in) {
  const bool full = state->count == Depth;
  if (in->push && in->cmd.op == op_e_OP_FLUSH) {
    state->count = 0;
    return;
  }
  if (in->pop && state->count) {
    state->count--;
    memmove(state->kept, state->kept + 1, state->count * sizeof *state->kept);
  }
  if (in->push && !full) state->kept[state->count++] = in->cmd;
}
