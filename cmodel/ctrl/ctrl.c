/* SPDX-License-Identifier: Apache-2.0 */
#include "ctrl.h"

void ctrl_reset(ctrl_t *c, const uint32_t *image, unsigned words) {
  *c = (ctrl_t){0};
  rv_core_reset(&c->core);
  ctrl_bus_reset(&c->bus, image, words);
}

void ctrl_cycle(ctrl_t *c) {
  rv_core_in_t in;
  rv_core_out_t out;
  ctrl_bus_in(&c->bus, &in);
  rv_core_eval(&c->core, &in, &out);
  ctrl_bus_step(&c->bus, &in, &out);
  rv_core_step(&c->core, &in);
  c->trapped = c->trapped || (out.probe_valid && out.probe_trap);
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
