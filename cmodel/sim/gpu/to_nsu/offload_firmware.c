/* SPDX-License-Identifier: Apache-2.0
 *
 * An engine for ofld_ratio's ports that runs firmware on the controller.
 *
 *   firmware_step: tick_controller  a controller cycle, every `divider` core cycles
 *                  epoch_ended      after an epoch: counters, interrupt; at_once: run until idle
 *                  count_epoch      instructions and cycles of the current epoch
 *                  set_outputs      the ports' outputs
 */
#include "offload_firmware.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_DECISIONS = 64 };

/* The engine's state is a pointer to the firmware. */
static offload_firmware_t *firmware_of(const void *state) {
  return *(offload_firmware_t *const *)state;
}

/* ---- What can go wrong ----------------------------------------------------------------------- */

static const char *const causes[16] = {
#define RV_CAUSE(name, code, text) [code] = text,
#include "rv_isa.def"
};

/* The firmware has trapped. */
static void fail_trap(offload_firmware_t *f) {
  const ctrl_trap_t *t = &f->ctrl.trap;
  snprintf(f->failure, sizeof f->failure,
           "firmware of the offload ratio: trap at pc 0x%08" PRIx32 ", mcause %" PRIu32 ", mtval 0x%08" PRIx32 ": %s",
           t->pc, t->cause, t->tval, t->cause < 16 && causes[t->cause] ? causes[t->cause] : "?");
}

/* The firmware takes too long. after: such as "epoch 3". */
static void fail_late(offload_firmware_t *f, const char *after, const char *what) {
  snprintf(f->failure, sizeof f->failure,
           "firmware of the offload ratio: %" PRIu64 " cycles of the controller after %s %s; it is at pc 0x%08" PRIx32,
           f->config.limit, after, what, f->ctrl.pc);
}

/* ---- Decisions ------------------------------------------------------------------------------- */

/* Stores the finished decision. */
static void store_decision(offload_firmware_t *f) {
  if (f->decisions == f->room) {
    const unsigned room = f->room ? 2 * f->room : FIRST_DECISIONS;
    gpu_decision_t *decision = realloc(f->decision, room * sizeof *decision);
    if (!decision) {
      snprintf(f->failure, sizeof f->failure, "out of memory for decisions on the offload ratio");
      return;
    }
    f->decision = decision, f->room = room;
  }
  f->decision[f->decisions++] = f->now;
}

/* Passes an epoch's counters to the controller. During the interrupt of another epoch, the
 * controller misses this one, and no decision starts. */
static void begin_decision(offload_firmware_t *f) {
  const bool told = !ctrl_deciding(&f->ctrl);
  ctrl_epoch_end(&f->ctrl, (uint32_t)f->last);
  if (!told) return;
  f->deciding = true;
  f->now = (gpu_decision_t){.epoch = f->ctrl.bus.epoch, .instructions = f->last};
  f->since = 0;
  f->executed = ctrl_instructions(&f->ctrl);
  f->written = f->ctrl.bus.decisions;
  f->missed = f->ctrl.bus.missed;
}

/* The interrupt is over, so the decision is complete. */
static void end_decision(offload_firmware_t *f) {
  f->now.ratio = ctrl_ratio(&f->ctrl);
  f->now.controller_instructions = ctrl_instructions(&f->ctrl) - f->executed;
  f->now.missed = f->ctrl.bus.missed - f->missed;
  f->deciding = false;
  store_decision(f);
}

/* Updates the decision after a controller cycle. Its time ends with the last store of a ratio. */
static void follow_decision(offload_firmware_t *f) {
  const uint32_t written = f->ctrl.bus.decisions;
  if (!f->deciding) return;
  f->now.controller_cycles++;
  if (written != f->written) f->now.cycles = f->since, f->written = written;
  if (!ctrl_deciding(&f->ctrl)) end_decision(f);
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* A controller cycle, with its failures. */
static void run_controller_cycle(offload_firmware_t *f) {
  ctrl_cycle(&f->ctrl);
  follow_decision(f);
  const char *broken = ctrl_core_failed(&f->ctrl);
  if (broken) snprintf(f->failure, sizeof f->failure, "%s", broken);
  else if (ctrl_failed(&f->ctrl)) fail_trap(f);
}

/* Runs the controller until it sleeps, without time. */
static void run_until_idle(offload_firmware_t *f, const char *after) {
  for (uint64_t n = 0; !ctrl_idle(&f->ctrl) && !*f->failure; n++) {
    if (n == f->config.limit) fail_late(f, after, "it does not sleep");
    else run_controller_cycle(f);
  }
}

static void epoch_ended(offload_firmware_t *f) {
  char after[32];
  begin_decision(f);
  if (!f->config.at_once) return;
  snprintf(after, sizeof after, "epoch %" PRIu64, f->now.epoch);
  run_until_idle(f, after);
}

/* A core cycle. */
static void tick_controller(offload_firmware_t *f) {
  char after[32];
  f->since++;
  if (f->config.at_once || ++f->phase < f->config.divider) return;
  f->phase = 0;
  run_controller_cycle(f);
  if (!f->deciding || f->now.controller_cycles < f->config.limit || *f->failure) return;
  snprintf(after, sizeof after, "epoch %" PRIu64, f->now.epoch);
  fail_late(f, after, "its interrupt is not over");
}

/* ---- The engine ------------------------------------------------------------------------------ */

static void set_outputs(offload_firmware_t *f) {
  const unsigned ratio = ctrl_ratio(&f->ctrl);
  f->out.ratio = ratio;
  f->out.threshold = ((uint64_t)ratio << 32) / CTRL_RATIO_ALL;
  f->out.probe_count = f->count;
  f->out.probe_cycle = f->cycles;
  f->out.probe_known = f->ctrl.bus.epochs > 0;
  f->out.probe_prev = f->ctrl.bus.last;
}

static bool firmware_open(void *state, const void *context, unsigned instance) {
  offload_firmware_t *f = *(offload_firmware_t **)state = (offload_firmware_t *)(uintptr_t)context;
  (void)instance;
  if (!f->cores || offload_instance_open(&f->core, f->cores, 0)) return false;
  ctrl_reset(&f->ctrl, f->core.engine, f->core.state, f->config.image, f->config.words, &f->config.settings);
  if (f->config.at_once) run_until_idle(f, "its reset");
  set_outputs(f);
  return true;
}

static const void *firmware_out(void *state) {
  return &firmware_of(state)->out;
}

/* As ofld_ratio counts: an epoch ends after epoch_cycles with `run`, and counts saturate. */
static void count_epoch(offload_firmware_t *f, const ofld_ratio_in_t *in) {
  if (in->done_valid) f->count += in->done_instrs;
  if (f->count > UINT32_MAX) f->count = UINT32_MAX;
  f->cycles += in->run != 0;
  f->ended = f->cycles == f->config.epoch_cycles;
  if (!f->ended) return;
  f->last = f->count;
  f->cycles = f->count = 0;
}

static void firmware_step(void *state, const void *in) {
  offload_firmware_t *f = firmware_of(state);
  if (*f->failure) return;
  tick_controller(f);
  f->out.epoch_end = f->ended;
  if (f->ended) epoch_ended(f);
  count_epoch(f, in);
  set_outputs(f);
}

static void firmware_close(void *state) {
  offload_instance_close(&firmware_of(state)->core);
}

static const char *firmware_failed(const void *state) {
  const offload_firmware_t *f = firmware_of(state);
  return *f->failure ? f->failure : NULL;
}

void offload_firmware_init(offload_firmware_t *f, const offload_firmware_config_t *config) {
  *f = (offload_firmware_t){.config = *config};
  f->engine = (block_engine_t){.name = "firmware",
                               .context = f,
                               .state_size = sizeof(offload_firmware_t *),
                               .in_words = sizeof(ofld_ratio_in_t) / 8,
                               .out_words = sizeof(ofld_ratio_out_t) / 8,
                               .open = firmware_open,
                               .out = firmware_out,
                               .step = firmware_step,
                               .failed = firmware_failed,
                               .close = firmware_close};
}

void offload_firmware_core(offload_firmware_t *f, const block_engine_t *const *engines) {
  f->cores = engines;
}

/* The function pointer identifies the engine, also in a copy. */
offload_firmware_t *offload_firmware_of(const block_engine_t *engine) {
  return engine && engine->open == firmware_open ? (offload_firmware_t *)engine->context : NULL;
}

void offload_firmware_deinit(offload_firmware_t *f) {
  free(f->decision);
  *f = (offload_firmware_t){0};
}
