/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

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

bool failure_same(const failure_t *a, const failure_t *b) {
  return a->outcome == b->outcome && a->port == b->port && strcmp(a->text, b->text) == 0;
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
  *driver = (driver_t){stim, calloc(1, stim->state_size + 1), calloc(1, dut->in_size + 8), dut->in_size, 0};
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

outcome_t run_stimulus(lockstep_t *ls, driver_t *driver, uint64_t cycles, bool (*on_cycles)(void *, uint64_t),
                       void *context) {
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

/* The model alone: its outputs are all a stimulus may see. A failing assertion of the model ends the recording. */
typedef struct {
  const dut_t *dut;
  void *model, *out;
  uint64_t *mask; /* inputs are trimmed as lockstep_cycle does it */
  jmp_buf jump;
} solo_t;

static void solo_asserted(void *context, const char *file, unsigned line, const char *text) {
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
  solo_t solo = {.dut = dut, .model = calloc(1, dut->model_size + 1), .out = calloc(1, dut->out_size + 8),
                 .mask = calloc(1, dut->in_size + 8)};
  bool ok = driver_open(&driver, dut, seed, profile) && solo.model && solo.out && solo.mask;
  if (ok) {
    dut_input_mask(dut, solo.mask);
    dut->on_model_assert(solo_asserted, &solo);
    ok = record(&solo, &driver, cycles, max_bytes, trace);
  }
  driver_close(&driver);
  free(solo.model);
  free(solo.out);
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
