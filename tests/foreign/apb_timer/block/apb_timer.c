/* SPDX-License-Identifier: Apache-2.0 */
#include "apb_timer.h"

#include <string.h>

enum { CTRL = 0, LOAD = 4, VALUE = 8, STATUS = 12, DIVIDE = 16 };

void apb_timer_reset(apb_timer_t *t) {
  memset(t, 0, sizeof *t);
}

static bool is_register(uint64_t address) {
  return address % 4 == 0 && address <= DIVIDE;
}

/* As the address' lower bits have it, whatever the others are. */
static uint32_t read_register(const apb_timer_t *t, uint64_t address) {
  switch (address & 0x1c) {
  case CTRL: return (uint32_t)t->enable | (uint32_t)t->reload << 1 | (uint32_t)t->interrupt << 2;
  case LOAD: return t->load;
  case VALUE: return t->value;
  case STATUS: return t->expired;
  case DIVIDE: return t->divide;
  default: return 0;
  }
}

void apb_timer_eval(const apb_timer_t *t, const apb_timer_in_t *in, apb_timer_out_t *out) {
  out->pready = 1;
  out->prdata = read_register(t, in->paddr);
  out->pslverr = in->psel && in->penable && (!is_register(in->paddr) || (in->pwrite && in->paddr == VALUE));
  out->irq = t->expired && t->interrupt;
}

/* One step of the counter. */
static void count(apb_timer_t *t) {
  const uint32_t was = t->value;
  if (was) t->value--;
  if (was == 1 || (!was && !t->load)) t->expired = true;
  if (was > 1) return;
  if (t->reload) t->value = t->load;
  else t->enable = false;
}

static void write_register(apb_timer_t *t, uint64_t address, uint32_t data) {
  switch (address) {
  case CTRL: t->enable = data & 1, t->reload = data >> 1 & 1, t->interrupt = data >> 2 & 1; break;
  case LOAD: t->load = t->value = data & ((1u << WIDTH) - 1); break;
  case DIVIDE: t->divide = data & 0xff; break;
  default: break;
  }
}

void apb_timer_step(apb_timer_t *t, const apb_timer_in_t *in) {
  apb_timer_out_t out;
  apb_timer_eval(t, in, &out);
  const bool write = in->psel && in->penable && in->pwrite && !out.pslverr;
  const bool runs = t->enable && !(write && in->paddr == LOAD), steps = runs && t->elapsed >= t->divide;
  if (write && in->paddr == STATUS && in->pwdata & 1) t->expired = false; /* one that expires now stays */
  if (steps) count(t);
  t->elapsed = runs && !steps ? (t->elapsed + 1) & 0xff : 0;
  if (write) write_register(t, in->paddr, (uint32_t)in->pwdata);
}
