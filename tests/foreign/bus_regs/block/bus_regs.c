/* SPDX-License-Identifier: Apache-2.0 */
#include "bus_regs.h"

#include <string.h>

enum { LANES = 3 }; /* the address behind the three registers */

static const uint64_t ones = ~0ull >> (64 - DataWidth);

static bool is_wrong(const bus_regs_in_t *in) {
  return in->bus.valid && (in->bus.addr >> 2 & 1);
}

static bool writes(const bus_regs_in_t *in) {
  return in->bus.valid && in->bus.op != bus_op_e_BUS_READ && !is_wrong(in);
}

static unsigned where(const bus_regs_in_t *in) {
  return in->bus.addr & 3;
}

/* The lane that a word is offered to, and cannot be given to. */
static bool must_wait(const bus_regs_t *s, const bus_regs_in_t *in) {
  return writes(in) && where(in) == LANES && s->full[in->bus.wdata & 1];
}

void bus_regs_reset(bus_regs_t *state) {
  memset(state, 0, sizeof *state);
}

void bus_regs_eval(const bus_regs_t *s, const bus_regs_in_t *in, bus_regs_out_t *out) {
  out->bus.error = is_wrong(in);
  out->bus.ready = !must_wait(s, in);
  out->bus.rdata = where(in) == LANES ? (s->full[0] | s->full[1] << 1) & ones : s->regs[where(in)];
  out->lane_0.valid = s->full[0], out->lane_0.data = s->word[0];
  out->lane_1.valid = s->full[1], out->lane_1.data = s->word[1];
  out->ones = s->regs[0] & s->regs[1];
}

static uint64_t changed(uint64_t old, const bus_regs_in_t *in) {
  if (in->bus.op == bus_op_e_BUS_SET) return old | in->bus.wdata;
  if (in->bus.op == bus_op_e_BUS_CLEAR) return old & ~in->bus.wdata;
  return in->bus.wdata;
}

void bus_regs_step(bus_regs_t *s, const bus_regs_in_t *in) {
  const bool waits = must_wait(s, in);
  if (in->lane_0.ready) s->full[0] = false;
  if (in->lane_1.ready) s->full[1] = false;
  if (!writes(in) || waits) return;
  if (where(in) != LANES) s->regs[where(in)] = changed(s->regs[where(in)], in);
  else s->full[in->bus.wdata & 1] = true, s->word[in->bus.wdata & 1] = in->bus.wdata;
}
