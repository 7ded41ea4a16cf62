/* SPDX-License-Identifier: Apache-2.0 */
#include "vhdl_counter.h"

enum { HOLD, LOAD, COUNT, REWIND, PHASES = 5 };

void vhdl_counter_reset(vhdl_counter_t *c) {
  *c = (vhdl_counter_t){.count = START};
}

void vhdl_counter_eval(const vhdl_counter_t *c, const vhdl_counter_in_t *in, vhdl_counter_out_t *out) {
  (void)in;
  out->count = c->count, out->wrapped = c->left, out->phase = c->phase, out->busy = c->state != IDLE;
}

static void count(vhdl_counter_t *c) {
  const int64_t range = (int64_t)1 << WIDTH, sum = (int64_t)c->count + STEP;
  c->left = sum < 0 || sum >= range;
  if (!c->left || !SATURATE) c->count = (uint64_t)((sum + range) % range);
  c->state = RUNNING;
}

void vhdl_counter_step(vhdl_counter_t *c, const vhdl_counter_in_t *in) {
  if (c->left) c->phase = (c->phase + 1) % PHASES;
  c->left = false;
  if (in->Command_mode == LOAD) c->count = in->Command_value & (((uint64_t)1 << WIDTH) - 1), c->state = IDLE;
  if (in->Command_mode == COUNT) count(c);
  if (in->Command_mode == REWIND) c->count = START, c->state = c->state == RUNNING ? REWOUND : c->state;
}
