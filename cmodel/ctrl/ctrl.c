/* SPDX-License-Identifier: Apache-2.0 */
#include "ctrl.h"

#include <assert.h>

void ctrl_reset(ctrl_t *c, const uint32_t *image, unsigned words, const ctrl_settings_t *settings) {
  *c = (ctrl_t){0};
  rv_core_reset(&c->core);
  ctrl_bus_reset(&c->bus, image, words, settings);
}

/* mcause and mtval are the trap's in the cycle in which its instruction is over. */
static void ctrl_trap(ctrl_t *c, const rv_core_out_t *out) {
  c->trapped = true;
  c->trap = (ctrl_trap_t){(uint32_t)out->probe_pc, (uint32_t)out->probe_mcause, (uint32_t)out->probe_mtval};
}

void ctrl_cycle(ctrl_t *c) {
  rv_core_in_t in;
  rv_core_out_t out;
  ctrl_bus_in(&c->bus, &in);
  rv_core_eval(&c->core, &in, &out);
  ctrl_bus_step(&c->bus, &in, &out);
  rv_core_step(&c->core, &in);
  if (!c->trapped && out.probe_valid && out.probe_trap) ctrl_trap(c, &out);
}

void ctrl_rest(ctrl_t *c, uint64_t cycles) {
  assert(ctrl_idle(c));
  c->core.csr.mcycle += cycles;
}

void ctrl_epoch_end(ctrl_t *c, uint32_t count) {
  ctrl_bus_epoch_end(&c->bus, count);
}

unsigned ctrl_ratio(const ctrl_t *c) {
  return c->bus.ratio;
}

bool ctrl_deciding(const ctrl_t *c) {
  return c->bus.irq;
}

bool ctrl_idle(const ctrl_t *c) {
  return !c->bus.irq && rv_core_quiet(&c->core);
}

bool ctrl_failed(const ctrl_t *c) {
  return c->trapped;
}
