/* SPDX-License-Identifier: Apache-2.0 */
#include "nsu_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"
#include "shrink.h"

const char *nsu_core_init(nsu_core_t *core, const dut_t *dut, engine_t engine) {
  memset(core, 0, sizeof *core);
  core->dut = dut;
  core->engine = engine;
  if (engine == ENGINE_LOCKSTEP) {
    core->open = lockstep_open(&core->ls, dut);
    return core->open ? NULL : "the RTL could not be created";
  }
  if (engine == ENGINE_MODEL) {
    if (!(core->model = calloc(1, dut->model_size))) return "out of memory";
    dut->model_reset(core->model);
  } else {
    if (!(core->device = dut->create())) return "the RTL could not be created";
    dut->reset(core->device);
  }
  return NULL;
}

void nsu_core_free(nsu_core_t *core) {
  if (core->open) lockstep_close(&core->ls);
  if (core->device) core->dut->destroy(core->device);
  free(core->model);
  free(core->input);
  memset(core, 0, sizeof *core);
}

/* Outside of lockstep there is nobody to report it to: the run is worthless. */
static void model_asserted(void *context, const char *file, unsigned line, const char *text) {
  (void)context;
  fprintf(stderr, "lockstack: %s:%u: the NSU's golden model asserts: %s\n", file, line, text);
  abort();
}

static void cycle_of_model(const nsu_core_t *core, void *model, const nsu_in_t *in, nsu_out_t *out) {
  core->dut->on_model_assert(model_asserted, NULL);
  core->dut->model_eval(model, in, out);
  core->dut->canonical(out);
  core->dut->model_step(model, in);
}

/* NULL, or the RTL's assertion that failed. */
static const char *cycle_of_device(const nsu_core_t *core, const nsu_in_t *in, nsu_out_t *out) {
  core->dut->set_inputs(core->device, in);
  bool held = core->dut->eval(core->device);
  core->dut->get_outputs(core->device, out);
  held &= core->dut->step(core->device);
  return held ? NULL : core->dut->failure(core->device);
}

static bool remember(nsu_core_t *core, const nsu_in_t *in) {
  core->stack_id = in->stack_id;
  if (!in->in_valid && !in->out_credit) return true;
  if (core->inputs == core->room) {
    size_t room = core->room ? 2 * core->room : 1024;
    nsu_core_input_t *grown = realloc(core->input, room * sizeof *grown);
    if (!grown) return false;
    core->input = grown;
    core->room = room;
  }
  core->input[core->inputs++] = (nsu_core_input_t){core->cycles, *in};
  return true;
}

static const char *cycle_of_both(nsu_core_t *core, const nsu_in_t *in, nsu_out_t *out) {
  if (core->diverged) {
    cycle_of_model(core, core->ls.model, in, out);
    return NULL;
  }
  if (!remember(core, in)) return "out of memory for the recording";
  outcome_t outcome = lockstep_cycle(&core->ls, in);
  core->compared++;
  memcpy(out, core->ls.out, sizeof *out);
  if (outcome == OUTCOME_PASS) return NULL;
  core->diverged = true;
  failure_of(&core->ls, &core->failure);
  if (outcome == OUTCOME_DIVERGED) core->dut->model_step(core->ls.model, in); /* the only outcome that leaves the model before the edge */
  return NULL;
}

const char *nsu_core_cycle(nsu_core_t *core, const nsu_in_t *in, nsu_out_t *out) {
  const char *failed = NULL;
  if (core->engine == ENGINE_MODEL) cycle_of_model(core, core->model, in, out);
  else if (core->engine == ENGINE_RTL) failed = cycle_of_device(core, in, out);
  else failed = cycle_of_both(core, in, out);
  core->cycles++;
  return failed;
}

bool nsu_core_idle(const nsu_core_t *core) {
  return core->engine == ENGINE_MODEL && core->dut->model_idle && core->dut->model_idle(core->model);
}

/* Cycles in which nothing came in still say which stack this is; they share one copy. */
static bool expand(const nsu_core_t *core, trace_t *trace) {
  const nsu_in_t nothing = {0}, quiet = {.stack_id = core->stack_id};
  uint64_t *shared = trace_copy(trace, &quiet);
  size_t next = 0;
  for (uint64_t cycle = 0; cycle < core->compared; cycle++) {
    bool busy = next < core->inputs && core->input[next].cycle == cycle;
    if (!trace_add(trace, busy ? &core->input[next].in : &nothing)) return false;
    if (busy) next++;
    else trace->cycles[trace->count - 1].in = shared;
  }
  return shared;
}

static void describe(const nsu_core_t *core, const failure_t *failure, const capture_t *capture, replay_t *replay) {
  *replay = (replay_t){.seed = capture->seed, .outcome = failure->outcome};
  snprintf(replay->rtl, sizeof replay->rtl, "%s", capture->rtl ? capture->rtl : "");
  snprintf(replay->commit, sizeof replay->commit, "%s", capture->commit ? capture->commit : "");
  snprintf(replay->block, sizeof replay->block, "%s", core->dut->block);
  snprintf(replay->profile, sizeof replay->profile, "system");
  if (failure->port >= 0) snprintf(replay->port, sizeof replay->port, "%s", core->dut->ports[failure->port].name);
  else snprintf(replay->text, sizeof replay->text, "%s", failure->text);
}

const char *nsu_core_capture(nsu_core_t *core, const char *path, const capture_t *capture) {
  static char error[512];
  trace_t trace;
  shrink_t stats;
  failure_t failure = core->failure;
  replay_t replay;
  const char *failed = NULL;
  trace_init(&trace, core->dut->in_size);
  if (!expand(core, &trace)) failed = "out of memory for the recording";
  else if (!shrink(&core->ls, &trace, &failure, capture->shrink_seconds, &stats)) failed = "the recording alone does not fail";
  if (!failed) {
    describe(core, &failure, capture, &replay);
    if (replay_write(path, &replay, core->dut, &trace, error, sizeof error) != OUTCOME_PASS) failed = error;
  }
  trace_free(&trace);
  return failed;
}
