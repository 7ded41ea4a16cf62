/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles one profile at a time. Its inputs are recorded. The control run leaves snapshots and all
 * registers every few cycles (marks). Worker processes share the marks and do the profile's flips.
 *
 * The control also checks that equal registers mean an equal future. A fresh device gets only the
 * registers of a mark, and must end as the control did.
 */
#include "faults.h"

#include "device_call.h"
#include "clock.h"
#include "compared.h"
#include "dut_failure.h"
#include "rng.h"
#include "stim_default.h"
#include "utf8.h"
#include "workers.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* a line that is too long is cut */

enum { MARKS_MOST = 1024, MARKS_LEAST = 32, CYCLES_APART = 8 };
static const size_t marks_bytes = 256u << 20; /* memory for a profile's snapshots */

const char *fault_class_name(fault_class_t class) {
  static const char *const names[] = {"masked", "own", "lockstep", "silent"};
  return names[class];
}

/* The control run at one of its cycles. */
typedef struct {
  lockstep_snapshot_t *snapshot;
  unsigned char *state;
} mark_t;

typedef struct {
  const faults_t *faults;
  faults_result_t *result;
  const dut_t *dut;
  lockstep_t ls;
  unsigned profile;
  trace_t trace;
  size_t every;  /* cycles between two marks */
  mark_t *marks; /* the last mark is the end of the run, without a snapshot */
  unsigned num_marks;
  unsigned char *state; /* scratch */
  uint64_t *no_inputs;  /* a cycle without any */
} work_t;

/* --- what is drawn */

bool faults_drawn(const faults_t *faults, const dut_state_t *state) {
  return !faults->states || fnmatch(faults->states, state->name, 0) == 0;
}

static uint64_t bits_of(const dut_state_t *state) {
  return (uint64_t)state->width * state->elements;
}

/* Cycles of one profile. Profiles share the cycles, and the first ones get the remainder. */
static uint64_t profile_cycles(const faults_t *f, const stim_t *stim, unsigned profile) {
  if (f->profile) return strcmp(stim->profiles[profile].name, f->profile) ? 0 : f->cycles;
  return f->cycles / stim->num_profiles + (profile < f->cycles % stim->num_profiles);
}

/* Converts bit number `bit` of all drawable bits, and cycle number `cycle` of all profiles, to
 * register, element, profile and cycle. */
static void place_flip(const faults_t *f, const dut_t *dut, uint64_t bit, uint64_t cycle, fault_t *fault) {
  const stim_t *stim = stim_of(dut);
  *fault = (fault_t){.port = -1};
  while (!faults_drawn(f, &dut->states[fault->state]) || bit >= bits_of(&dut->states[fault->state])) {
    if (faults_drawn(f, &dut->states[fault->state])) bit -= bits_of(&dut->states[fault->state]);
    fault->state++;
  }
  fault->element = (uint32_t)(bit / dut->states[fault->state].width);
  fault->bit = (uint32_t)(bit % dut->states[fault->state].width);
  for (; cycle >= profile_cycles(f, stim, fault->profile); fault->profile++)
    cycle -= profile_cycles(f, stim, fault->profile);
  fault->cycle = cycle;
}

static int by_profile(const void *a, const void *b) {
  const fault_t *x = a, *y = b;
  if (x->profile != y->profile) return x->profile < y->profile ? -1 : 1;
  if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
  if (x->state != y->state) return x->state < y->state ? -1 : 1;
  if (x->element != y->element) return x->element < y->element ? -1 : 1;
  return (x->bit > y->bit) - (x->bit < y->bit);
}

/* Draws register bits and cycles uniformly, and sorts the flips by profile. */
static outcome_t draw_flips(work_t *w) {
  const faults_t *f = w->faults;
  faults_result_t *r = w->result;
  rng_t rng;
  for (unsigned i = 0; i < w->dut->num_states; i++)
    if (faults_drawn(f, &w->dut->states[i])) r->bits += bits_of(&w->dut->states[i]);
  if (!r->bits && f->states)
    return trouble_set(&r->trouble, TROUBLE_INPUT,
                       "no register of %s matches '%s' (names as in the report, for example *.mem)", f->block->name,
                       f->states),
           OUTCOME_BAD_INPUT;
  if (!r->bits) return OUTCOME_PASS; /* the block has no registers; the control still runs */
  r->faults = workers_memory(f->count * sizeof *r->faults);
  if (!r->faults) return OUTCOME_INFRA;
  rng_init(&rng, rng_mix(f->seed) ^ 0xf11b);
  for (r->count = 0; r->count < f->count; r->count++) {
    uint64_t bit = rng_below(&rng, r->bits);
    place_flip(f, w->dut, bit, rng_below(&rng, f->cycles), &r->faults[r->count]);
  }
  qsort(r->faults, r->count, sizeof *r->faults, by_profile);
  return OUTCOME_PASS;
}

/* --- the control */

/* Frees the snapshots and registers of the marks. */
static void marks_free(work_t *w) {
  for (unsigned i = 0; w->marks && i < w->num_marks; i++) {
    lockstep_snapshot_free(&w->ls, w->marks[i].snapshot);
    free(w->marks[i].state);
  }
  free(w->marks);
  w->marks = NULL;
}

/* Chooses the distance of the marks, so that they fit into marks_bytes. */
static bool marks_alloc(work_t *w) {
  size_t each = 4 * w->dut->state_size + w->dut->model_size + 1, room = marks_bytes / each, cycles = w->trace.count;
  if (room > MARKS_MOST) room = MARKS_MOST;
  if (room < MARKS_LEAST) room = MARKS_LEAST;
  w->every = cycles / room + 1 < CYCLES_APART ? CYCLES_APART : cycles / room + 1;
  w->num_marks = (unsigned)((cycles + w->every - 1) / w->every) + 1;
  w->marks = calloc(w->num_marks, sizeof *w->marks);
  return w->marks != NULL;
}

/* The cycle of a mark; the last mark is at the end of the recording. */
static size_t cycle_of(const work_t *w, unsigned mark) {
  size_t cycle = mark * w->every;
  return cycle < w->trace.count ? cycle : w->trace.count;
}

/* The control run failed, so there is nothing to compare flips with: sets outcome and line. */
static outcome_t control_fails(work_t *w, const char *why) {
  faults_result_t *r = w->result;
  failure_of(&w->ls, &r->failure);
  r->failed_profile = stim_of(w->dut)->profiles[w->profile].name;
  const char *by = r->failure.port >= 0 ? w->dut->ports[r->failure.port].name : r->failure.text;
  if (why) trouble_set(&r->trouble, TROUBLE_BROKEN, "%s", why);
  else if (r->failure.outcome == OUTCOME_BAD_INPUT)
    trouble_set(&r->trouble, TROUBLE_INPUT, "%s: %s", w->faults->block->ports, by);
  else
    trouble_set(&r->trouble, r->failure.outcome == OUTCOME_INFRA ? TROUBLE_ENVIRONMENT : TROUBLE_BROKEN,
                "%s: %s, cycle %llu", outcome_name(r->failure.outcome), by, (unsigned long long)r->failure.cycle);
  return r->outcome = r->failure.outcome == OUTCOME_PASS ? OUTCOME_DIVERGED : r->failure.outcome;
}

/* A stopped run may have left its model in mid-call. */
static outcome_t control_failed(work_t *w) {
  if (w->ls.outcome != OUTCOME_INTERRUPTED) return control_fails(w, NULL);
  w->result->stopped = true;
  return OUTCOME_PASS;
}

static bool going_on(work_t *w) {
  const faults_t *f = w->faults;
  if (f->on_faults && !f->on_faults(f->context, w->result->done, w->result->count)) w->result->stopped = true;
  return !w->result->stopped;
}

/* The control run: saves a snapshot and all registers at each mark. The last mark has registers
 * alone. */
static outcome_t reference(work_t *w) {
  if (!lockstep_power_up(&w->ls)) return control_failed(w);
  for (unsigned i = 0; i < w->num_marks && going_on(w); i++) {
    mark_t *mark = &w->marks[i];
    if (i) run_cycles(&w->ls, w->trace.cycles, cycle_of(w, i - 1), cycle_of(w, i), 0);
    if (w->ls.outcome != OUTCOME_PASS) return control_failed(w);
    bool last = i + 1 == w->num_marks;
    if (!(mark->state = malloc(w->dut->state_size + 1)) || (!last && !(mark->snapshot = lockstep_save(&w->ls))))
      return OUTCOME_INFRA;
    w->dut->state_get(w->ls.dev, mark->state);
  }
  return OUTCOME_PASS;
}

/* Restores the device's inputs as they were before this cycle. Invalid fields keep older values. */
static void ports_as_before(work_t *w, size_t cycle) {
  for (size_t i = 0; i < cycle; i++) {
    const trace_cycle_t *c = &w->trace.cycles[i];
    if (c->reset) w->dut->reset(w->ls.dev, c->in);
    else w->dut->set_inputs(w->ls.dev, c->in ? c->in : w->no_inputs);
  }
}

/* True if all registers equal those of the control at this mark. */
static bool as_marked(work_t *w, unsigned mark) {
  w->dut->state_get(w->ls.dev, w->state);
  return memcmp(w->state, w->marks[mark].state, w->dut->state_size) == 0;
}

static bool ends_as_marked(work_t *w, unsigned from) {
  run_cycles(&w->ls, w->trace.cycles, cycle_of(w, from), w->trace.count, 0);
  return w->ls.outcome == OUTCOME_PASS && as_marked(w, w->num_marks - 1);
}

/* Gives a device the registers of the middle mark, with the model of that moment; the pair must go
 * on like the control. A device restored from a snapshot must do so, too. */
static outcome_t goes_on(work_t *w) {
  unsigned middle = (w->num_marks - 1) / 2;
  if (w->result->stopped) return OUTCOME_PASS;
  lockstep_restore(&w->ls, w->marks[middle].snapshot);
  if (!ends_as_marked(w, middle))
    return control_fails(w, "a device that goes back to a snapshot goes on in another way");
  if (!lockstep_power_up(&w->ls)) return control_fails(w, NULL);
  ports_as_before(w, cycle_of(w, middle));
  lockstep_restore_model(&w->ls, w->marks[middle].snapshot);
  w->dut->state_set(w->ls.dev, w->marks[middle].state);
  if (ends_as_marked(w, middle)) return OUTCOME_PASS;
  return control_fails(
      w, "a device that is given all registers goes on in another way: the RTL has state that is no register "
         "(a latch, or a variable of a task), so that nothing can be called masked");
}

/* --- flips */

/* The error output that is up in the RTL and not in the model, in the cycle that differs;
 * -1: none. */
static int error_port(const lockstep_t *ls) {
  for (unsigned i = 0; i < ls->dut->num_ports; i++) {
    const dut_port_t *p = &ls->dut->ports[i];
    const uint64_t *rtl = (const uint64_t *)((const char *)ls->rtl_out + p->offset);
    const uint64_t *model = (const uint64_t *)((const char *)ls->out + p->offset);
    for (uint32_t word = 0; p->error && word < p->size / 8; word++)
      if (rtl[word] & ~model[word]) return (int)i;
  }
  return -1;
}

/* The text of a failed assertion; NULL: none. Logic that does not settle is no assertion. */
static const char *assertion_of(const lockstep_t *ls) {
  const char *text = ls->dut->failure(ls->dev);
  return text && dut_failure(&text) == DUT_FAILS_ASSERTION ? text : NULL;
}

/* The same, also of one at the clock edge that ends the cycle. */
static const char *asserted(lockstep_t *ls) {
  if (ls->dev_lost) return NULL;
  if (ls->outcome == OUTCOME_DIVERGED) ls->dev_lost = device_call(ls->dut, ls->dev, DEVICE_STEP, NULL);
  if (ls->dev_lost) return NULL;
  return assertion_of(ls);
}

static void classify_seen(lockstep_t *ls, fault_t *fault) {
  fault->latency = ls->cycle - fault->cycle;
  fault->port = ls->outcome == OUTCOME_DIVERGED ? error_port(ls) : -1;
  const char *text = fault->port < 0 ? asserted(ls) : NULL;
  fault->class = fault->port >= 0 || text ? FAULT_OWN : FAULT_LOCKSTEP;
  if (fault->class == FAULT_LOCKSTEP) fault->port = ls->outcome == OUTCOME_DIVERGED ? ls->port : -1;
  if (fault->port < 0)
    snprintf(fault->text, sizeof fault->text, "%.119s", text ? text : ls->text), utf8_clean(fault->text);
}

/* One cycle of a pair, of which only error outputs matter. */
static bool says_so(work_t *w, const trace_cycle_t *cycle) {
  lockstep_t *ls = &w->ls;
  const dut_t *dut = w->dut;
  if (cycle->reset) {
    ls->dev_lost = device_reset(dut, ls->dev, cycle->in);
    return false;
  }
  dut->set_inputs(ls->dev, cycle->in ? cycle->in : w->no_inputs);
  ls->dev_lost = device_call(dut, ls->dev, DEVICE_EVAL, NULL);
  if (ls->dev_lost) return false;
  dut->get_outputs(ls->dev, ls->rtl_out);
  memset(ls->out, 0, dut->out_size);
  dut->model_eval(ls->model, cycle->in ? cycle->in : w->no_inputs, ls->out);
  dut->canonical(ls->out);
  if (error_port(ls) >= 0) return true;
  ls->dev_lost = device_call(dut, ls->dev, DEVICE_STEP, NULL);
  return !ls->dev_lost && assertion_of(ls);
}

/* Lockstep saw the fault first: runs on to see whether the block reports the fault, too. The device
 * stands behind the cycle that differed. The model, which runs ahead, is restored from the snapshot
 * before. */
static void own_later(work_t *w, fault_t *fault) {
  lockstep_t *ls = &w->ls;
  size_t at = ls->cycle + 1, end = at + FAULTS_WATCH < w->trace.count ? at + FAULTS_WATCH : w->trace.count;
  if (at >= end) return;
  unsigned mark = (unsigned)(at / w->every);
  lockstep_restore_model(ls, w->marks[mark].snapshot);
  for (size_t i = cycle_of(w, mark); i < end && !fault->own_later && !ls->dev_lost; i++) {
    const trace_cycle_t *cycle = &w->trace.cycles[i];
    if (i >= at) fault->own_later = says_so(w, cycle);
    if (fault->own_later) fault->own_latency = i - fault->cycle;
    if (cycle->reset) w->dut->model_reset(ls->model, cycle->in);
    else w->dut->model_step(ls->model, cycle->in ? cycle->in : w->no_inputs);
  }
}

/* One flip, in a worker: restores the mark before, runs up to the flip's cycle, flips the bit, and
 * runs until the registers equal a mark, something is seen, or the profile ends. */
static bool run_flip(void *context, unsigned i) {
  work_t *w = context;
  lockstep_t *ls = &w->ls;
  fault_t *fault = &w->result->faults[i];
  unsigned mark = (unsigned)(fault->cycle / w->every), end = w->num_marks - 1;
  lockstep_restore(ls, w->marks[mark].snapshot);
  run_cycles(ls, w->trace.cycles, cycle_of(w, mark), fault->cycle, 0);
  if (ls->outcome != OUTCOME_PASS) return false; /* it has passed here */
  w->dut->flip(ls->dev, fault->state, fault->element, fault->bit);
  bool same = false;
  for (size_t from = fault->cycle; mark < end && !same && ls->outcome == OUTCOME_PASS && workers_going_on();
       from = cycle_of(w, mark)) {
    mark++;
    run_cycles(ls, w->trace.cycles, from, cycle_of(w, mark), 0);
    same = ls->outcome == OUTCOME_PASS && as_marked(w, mark);
  }
  fault->done = workers_going_on();
  fault->class = same ? FAULT_MASKED : FAULT_SILENT;
  if (ls->outcome != OUTCOME_PASS) classify_seen(ls, fault);
  if (fault->class == FAULT_LOCKSTEP && fault->port >= 0) own_later(w, fault);
  return true;
}

typedef struct {
  work_t *work;
  unsigned before;
} meter_t;

static bool on_done(void *context, unsigned done) {
  meter_t *m = context;
  m->work->result->done = m->before + done;
  return going_on(m->work);
}

/* Runs the flips first..end-1 of one profile in worker processes. */
static outcome_t run_flips(work_t *w, unsigned first, unsigned end) {
  faults_result_t *r = w->result;
  meter_t meter = {w, r->done};
  workers_t workers = {run_flip, w, first, end, w->faults->jobs, on_done, &meter};
  workers_end_t how = workers_run(&workers);
  if (how != WORKERS_FAILED) return OUTCOME_PASS;
  return trouble_set(&r->trouble, TROUBLE_ENVIRONMENT, "a worker process failed (out of memory, or killed)"),
         OUTCOME_INFRA;
}

/* One profile: records its inputs, runs and checks the control, then runs the flips. */
static outcome_t run_profile(work_t *w, uint64_t cycles) {
  faults_result_t *r = w->result;
  unsigned first = 0, end;
  while (first < r->count && r->faults[first].profile < w->profile) first++;
  for (end = first; end < r->count && r->faults[end].profile == w->profile; end++) continue;
  trace_init(&w->trace, w->dut->in_size);
  outcome_t outcome = OUTCOME_INFRA;
  if (run_record(w->dut, w->faults->seed, w->profile, false, cycles, SIZE_MAX, &w->trace) && marks_alloc(w))
    outcome = reference(w);
  if (outcome == OUTCOME_PASS) outcome = goes_on(w);
  if (outcome == OUTCOME_PASS && !r->stopped) outcome = run_flips(w, first, end);
  marks_free(w);
  trace_free(&w->trace);
  return outcome;
}

/* Nothing was compared, so no flip could have been seen. */
static void nothing_compared(work_t *w, const char *why) {
  faults_result_t *r = w->result;
  r->outcome = r->failure.outcome = OUTCOME_NOT_COMPARED;
  r->failed_profile = w->faults->profile ? w->faults->profile : "all";
  for (unsigned i = r->done = 0; i < r->count; i++) r->faults[i].done = false;
  trouble_set(&r->trouble, TROUBLE_BROKEN, "%s: %s", outcome_name(r->outcome), why);
}

static void run_all(work_t *w) {
  faults_result_t *r = w->result;
  const stim_t *stim = stim_of(w->dut);
  double start = clock_seconds();
  r->outcome = draw_flips(w);
  for (w->profile = 0; w->profile < stim->num_profiles && r->outcome == OUTCOME_PASS && !r->stopped; w->profile++) {
    uint64_t cycles = profile_cycles(w->faults, stim, w->profile);
    if (cycles) r->outcome = run_profile(w, cycles);
  }
  for (unsigned i = r->done = 0; i < r->count; i++) r->done += r->faults[i].done;
  const char *why = compared_nothing(&w->ls.tally);
  if (r->outcome == OUTCOME_PASS && !r->stopped && why) nothing_compared(w, why);
  if (r->outcome == OUTCOME_INFRA) trouble_fail(&r->trouble, TROUBLE_ENVIRONMENT, "out of memory");
  r->seconds = clock_seconds() - start;
}

static bool has_profile(const faults_t *f, faults_result_t *r) {
  const stim_t *stim = stim_of(r->dut);
  for (unsigned i = 0; f->profile && i < stim->num_profiles; i++)
    if (strcmp(stim->profiles[i].name, f->profile) == 0) return true;
  return !f->profile || trouble_set(&r->trouble, TROUBLE_INPUT, "%s has no profile '%s'", f->block->name, f->profile);
}

void faults_run(const faults_t *f, faults_result_t *r) {
  char path[BUILD_PATH];
  work_t w = {.faults = f, .result = r};
  memset(r, 0, sizeof *r);
  if (!block_object(f->block, &f->places, "rtl+faults", path, &r->trouble) || !dut_load(path, &r->dut, &r->trouble) ||
      !has_profile(f, r)) {
    r->outcome = outcome_of(&r->trouble);
    return;
  }
  w.dut = r->dut;
  w.state = malloc(r->dut->state_size + 1);
  w.no_inputs = calloc(1, r->dut->in_size + 8);
  bool room = w.state && w.no_inputs;
  if (room && lockstep_open(&w.ls, r->dut)) {
    run_all(&w);
  } else {
    trouble_set(&r->trouble, !room || w.ls.outcome == OUTCOME_INFRA ? TROUBLE_ENVIRONMENT : TROUBLE_INPUT, "%s",
                room ? w.ls.text : "out of memory");
    r->outcome = outcome_of(&r->trouble);
  }
  lockstep_close(&w.ls);
  free(w.state);
  free(w.no_inputs);
}

void faults_free(faults_result_t *result) {
  workers_memory_free(result->faults, result->count * sizeof *result->faults);
  result->faults = NULL;
}
