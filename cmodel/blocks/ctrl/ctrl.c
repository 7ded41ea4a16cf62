/* SPDX-License-Identifier: Apache-2.0
 *
 * The controller: its core's engine and its bus, a cycle at a time.
 */
#include "ctrl.h"

#include "rv_core_ports.h"

_Static_assert((ResetPc) == CTRL_ROM, "the core begins at the ROM's first word");

void ctrl_reset(ctrl_t *c, const block_engine_t *engine, void *core, const uint32_t *image, unsigned words,
                const ctrl_settings_t *settings) {
  *c = (ctrl_t){.engine = engine, .core = core, .pc = CTRL_ROM};
  ctrl_bus_reset(&c->bus, image, words, settings);
}

/* The core's outputs of this cycle. */
static const rv_core_out_t *ctrl_core(const ctrl_t *c) {
  return c->engine->out(c->core);
}

/* An instruction is over. mcause and mtval belong to its trap in this cycle only. */
static void ctrl_over(ctrl_t *c, const rv_core_out_t *out) {
  if (out->probe_trap && !c->trapped) {
    c->trapped = true;
    c->trap = (ctrl_trap_t){(uint32_t)out->probe_pc, (uint32_t)out->probe_mcause, (uint32_t)out->probe_mtval};
  }
  c->pc = (uint32_t)out->probe_next_pc;
}

void ctrl_cycle(ctrl_t *c) {
  rv_core_in_t in;
  const rv_core_out_t *out = ctrl_core(c);
  ctrl_bus_in(&c->bus, &in);
  ctrl_bus_step(&c->bus, &in, out);
  if (out->probe_valid) ctrl_over(c, out);
  c->engine->step(c->core, &in);
}

void ctrl_epoch_end(ctrl_t *c, uint32_t count) {
  ctrl_bus_epoch_end(&c->bus, count);
}

unsigned ctrl_ratio(const ctrl_t *c) {
  return c->bus.ratio;
}

uint64_t ctrl_instructions(const ctrl_t *c) {
  return ctrl_core(c)->probe_minstret;
}

bool ctrl_deciding(const ctrl_t *c) {
  return c->bus.irq;
}

bool ctrl_idle(const ctrl_t *c) {
  return !c->bus.irq && ctrl_core(c)->sleeping;
}

bool ctrl_failed(const ctrl_t *c) {
  return c->trapped;
}

const char *ctrl_core_failed(const ctrl_t *c) {
  return c->engine->failed ? c->engine->failed(c->core) : NULL;
}
