/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include "guard.h"
#include "rng.h"
#include "stim_default.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { PATIENCE = 20000, LOOK_EVERY = 1024, WATCH_EVERY = 32 };

void failure_of(const lockstep_t *ls, failure_t *failure) {
  failure->outcome = ls->outcome;
  failure->port = ls->outcome == OUTCOME_DIVERGED ? ls->port : -1;
  failure->undefined = failure->port >= 0 ? dut_port_bits(&ls->dut->ports[failure->port], ls->rtl_x) : 0;
  failure->cycle = ls->cycle;
  snprintf(failure->text, sizeof failure->text, "%s", ls->outcome == OUTCOME_DIVERGED ? "" : ls->text);
}

/* A crash: in the same function. What it says besides differs with what lies around in memory. */
bool failure_same_text(outcome_t outcome, const char *a, const char *b) {
  if (outcome != OUTCOME_MODEL_CRASH && outcome != OUTCOME_STIM_CRASH) return strcmp(a, b) == 0;
  size_t n = strcspn(a, ":");
  return n == strcspn(b, ":") && memcmp(a, b, n) == 0;
}

bool failure_same(const failure_t *a, const failure_t *b) {
  return a->outcome == b->outcome && a->port == b->port && failure_same_text(a->outcome, a->text, b->text);
}

double run_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double usage(int who) {
  struct rusage u;
  getrusage(who, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

double run_cpu(void) {
  return usage(RUSAGE_SELF) + usage(RUSAGE_CHILDREN);
}

uint64_t driver_seed(uint64_t seed, unsigned profile) {
  return rng_mix(seed ^ rng_mix(profile + 1));
}

bool driver_open(driver_t *driver, const dut_t *dut, uint64_t seed, unsigned profile) {
  const stim_t *stim = stim_of(dut);
  *driver = (driver_t){.stim = stim, .state = calloc(1, stim->state_size + 1), .in = calloc(1, dut->in_size + 8), .in_size = dut->in_size};
  if (!driver->state || !driver->in) return false;
  stim->init(driver->state, driver_seed(seed, profile), profile);
  return true;
}

void driver_close(driver_t *driver) {
  free(driver->state);
  free(driver->in);
}

bool driver_next(driver_t *driver, const void *out) {
  memset(driver->in, 0, driver->in_size);
  driver->stim->next(driver->state, driver->cycle, out, driver->in);
  bool reset = driver->stim->reset && driver->stim->reset(driver->state, driver->cycle);
  driver->cycle++;
  return reset;
}

/* Every few dozen cycles, and in every one while nothing seems to move: device and model together again, and is something owed for too long? */
static outcome_t look(lockstep_t *ls, const driver_t *driver) {
  if (lockstep_catch_up(ls) != OUTCOME_PASS || !driver->stim->waiting) return ls->outcome;
  return lockstep_watch(ls, driver->stim->waiting(driver->state),
                        driver->stim->patience ? driver->stim->patience : PATIENCE);
}

static outcome_t drive(lockstep_t *ls, driver_t *driver, uint64_t cycles, bool (*on_cycles)(void *, uint64_t), void *context) {
  if (on_cycles && !on_cycles(context, 0)) return OUTCOME_PASS;
  uint64_t watch = WATCH_EVERY - 1;
  for (uint64_t i = 0; i < cycles; i++) {
    outcome_t outcome = driver_next(driver, lockstep_seen(ls)) ? lockstep_reset(ls) : lockstep_ahead(ls, driver->in);
    if (outcome != OUTCOME_PASS || (i == watch && look(ls, driver) != OUTCOME_PASS)) return ls->outcome;
    if (i == watch) watch += lockstep_quiet(ls) ? 1 : WATCH_EVERY;
    if (i % LOOK_EVERY == LOOK_EVERY - 1 && on_cycles && !on_cycles(context, i + 1)) break;
  }
  return lockstep_catch_up(ls);
}

static void stim_left(void *context, const char *file, unsigned line, const char *text) {
  driver_t *driver = context;
  if (file) snprintf(driver->crash, sizeof driver->crash, "%s:%u: %s", basename(file), line, text);
  else snprintf(driver->crash, sizeof driver->crash, "%s", text);
  _longjmp(driver->jump, 1);
}

/* What was found in the cycles before goes first. */
static outcome_t stim_failed(lockstep_t *ls, const driver_t *driver) {
  if (lockstep_catch_up(ls) != OUTCOME_PASS) return ls->outcome;
  snprintf(ls->text, sizeof ls->text, "%s", driver->crash);
  return ls->outcome = strcmp(driver->crash, GUARD_INTERRUPTED) ? OUTCOME_STIM_CRASH : OUTCOME_INTERRUPTED;
}

outcome_t run_stimulus(lockstep_t *ls, driver_t *driver, uint64_t cycles, bool (*on_cycles)(void *, uint64_t),
                       void *context) {
  void (*const on_crash)(dut_assert_t, void *) = ls->dut->on_stim_crash;
  if (_setjmp(driver->jump) == 0) {
    if (on_crash) on_crash(stim_left, driver);
    drive(ls, driver, cycles, on_cycles, context);
  } else stim_failed(ls, driver);
  if (on_crash) on_crash(NULL, NULL);
  return ls->outcome;
}

/* The model alone: its outputs are all a stimulus may see. A failing assertion of the model, or its crash, ends the recording. */
typedef struct {
  const dut_t *dut;
  void *model, *out;
  uint64_t *mask; /* inputs are trimmed as lockstep_cycle does it */
  jmp_buf jump;
} solo_t;

static void solo_left(void *context, const char *file, unsigned line, const char *text) {
  (void)file;
  (void)line;
  (void)text;
  _longjmp(((solo_t *)context)->jump, 1);
}

static bool record(solo_t *solo, driver_t *driver, uint64_t cycles, size_t max_bytes, trace_t *trace) {
  const dut_t *dut = solo->dut;
  if (_setjmp(solo->jump)) return true;
  dut->model_reset(solo->model);
  for (uint64_t i = 0; i < cycles; i++) {
    if (trace->bytes > max_bytes) return false;
    if (driver_next(driver, solo->out)) {
      if (!trace_add_reset(trace)) return false;
      dut->model_reset(solo->model);
      memset(solo->out, 0, dut->out_size);
      continue;
    }
    for (uint32_t w = 0; w < dut->in_size / 8; w++) driver->in[w] &= solo->mask[w];
    if (!trace_add(trace, driver->in)) return false;
    memset(solo->out, 0, dut->out_size);
    dut->model_eval(solo->model, driver->in, solo->out);
    dut->canonical(solo->out);
    dut->model_step(solo->model, driver->in);
  }
  return true;
}

bool run_record(const dut_t *dut, uint64_t seed, unsigned profile, uint64_t cycles, size_t max_bytes, trace_t *trace) {
  driver_t driver;
  solo_t solo = {.dut = dut, .model = guard_memory(dut->model_size), .out = guard_memory(dut->out_size),
                 .mask = calloc(1, dut->in_size + 8)};
  bool ok = driver_open(&driver, dut, seed, profile) && solo.model && solo.out && solo.mask;
  if (ok) {
    dut_input_mask(dut, solo.mask);
    dut->on_model_assert(solo_left, &solo);
    ok = record(&solo, &driver, cycles, max_bytes, trace);
  }
  driver_close(&driver);
  guard_free(solo.model, dut->model_size);
  guard_free(solo.out, dut->out_size);
  free(solo.mask);
  return ok;
}

bool run_cycles(lockstep_t *ls, const trace_cycle_t *cycles, size_t from, size_t to, double deadline) {
  for (size_t i = from; i < to; i++) {
    outcome_t outcome = cycles[i].reset ? lockstep_reset(ls) : lockstep_ahead(ls, cycles[i].in);
    if (outcome != OUTCOME_PASS) return true;
    if (deadline > 0 && (i - from) % LOOK_EVERY == LOOK_EVERY - 1 && run_clock() > deadline) return false;
  }
  lockstep_catch_up(ls);
  return true;
}
