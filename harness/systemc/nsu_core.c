/* SPDX-License-Identifier: Apache-2.0 */
#include "nsu_core.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *nsu_core_init(nsu_core_t *core, const dut_t *dut, engine_t engine) {
  memset(core, 0, sizeof *core);
  core->dut = dut;
  core->engine = engine;
  if (engine != ENGINE_RTL) {
    if (!(core->model = calloc(1, dut->model_size))) return "out of memory";
    dut->model_reset(core->model);
  }
  if (engine != ENGINE_MODEL) {
    if (!(core->device = dut->create())) return "the RTL could not be created";
    dut->reset(core->device);
  }
  return NULL;
}

void nsu_core_free(nsu_core_t *core) {
  if (core->device) core->dut->destroy(core->device);
  free(core->model);
  core->device = core->model = NULL;
}

static void describe(nsu_core_t *core, const void *rtl, const void *model) {
  size_t used = 0;
  for (unsigned i = 0; i < core->dut->num_ports; i++) {
    const dut_port_t *p = &core->dut->ports[i];
    if (p->dir == DUT_IN || !memcmp((const char *)rtl + p->offset, (const char *)model + p->offset, p->size)) continue;
    int n = snprintf(core->first + used, sizeof core->first - used, "%s%s", used ? " " : "", p->name);
    if (n > 0 && used + (size_t)n < sizeof core->first) used += (size_t)n;
  }
}

static void diverged(nsu_core_t *core, const nsu_out_t *model) {
  if (core->divergences++) return;
  nsu_out_t rtl;
  const char *failure = core->dut->failure(core->device);
  core->first_cycle = core->cycles;
  core->dut->get_outputs(core->device, &rtl);
  if (failure) snprintf(core->first, sizeof core->first, "assertion: %s", failure);
  else describe(core, &rtl, model);
}

void nsu_core_cycle(nsu_core_t *core, const nsu_in_t *in, nsu_out_t *out) {
  const dut_t *dut = core->dut;
  bool held = true;
  if (core->model) {
    dut->model_eval(core->model, in, out);
    dut->canonical(out);
    dut->model_step(core->model, in);
  }
  if (core->device) {
    dut->set_inputs(core->device, in);
    held = dut->eval(core->device);
    if (!core->model) dut->get_outputs(core->device, out);
    else if (held) held = dut->matches(core->device, out);
    if (!held) diverged(core, out);
    if (!dut->step(core->device) && held) diverged(core, out);
    if (core->model) core->compared++;
  }
  core->cycles++;
}

bool nsu_core_idle(const nsu_core_t *core) {
  return core->engine == ENGINE_MODEL && core->dut->model_idle && core->dut->model_idle(core->model);
}
