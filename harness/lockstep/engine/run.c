/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include "against.h"
#include "clock.h"
#include "guard.h"
#include "resets.h"
#include "rng.h"
#include "stim_default.h"
#include "utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 20000, LOOK_EVERY = 1024, WATCH_EVERY = 32, LOOKED_AT = 64 };

/* Mixes names into a checksum. Names are stable; port numbers change when a port is added. */
static uint64_t mix_in(uint64_t sum, const char *port, const char *field) {
  for (const char *c = port; *c; c++) sum = rng_mix(sum ^ (unsigned char)*c);
  for (const char *c = field; *c; c++) sum = rng_mix(sum ^ (uint64_t)(unsigned char)*c << 8);
  return rng_mix(~sum);
}

static bool bits_differ(const uint32_t *a, const uint32_t *b, uint32_t lsb, uint32_t width) {
  for (uint32_t bit = lsb; bit < lsb + width; bit++)
    if ((a[bit / 32] ^ b[bit / 32]) >> bit % 32 & 1) return true;
  return false;
}

static const dut_struct_t *struct_of(const dut_t *dut, const dut_port_t *port) {
  for (unsigned i = 0; port->shape == DUT_STRUCT && i < dut->num_structs; i++)
    if (strcmp(dut->structs[i].name, port->type) == 0) return &dut->structs[i];
  return NULL;
}

/* Checksum of all that differs in the failing cycle: ports, and fields of struct ports. */
static uint64_t what_differs(const lockstep_t *ls) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < ls->dut->num_ports; i++) {
    const dut_port_t *p = &ls->dut->ports[i];
    const uint32_t *model = (const uint32_t *)((const char *)ls->out + p->offset),
                   *rtl = (const uint32_t *)((const char *)ls->rtl_out + p->offset);
    if (p->dir == DUT_IN || memcmp(model, rtl, p->size) == 0) continue;
    const dut_struct_t *type = struct_of(ls->dut, p);
    if (!type) sum = mix_in(sum, p->name, "");
    for (unsigned f = 0; type && f < type->num_fields; f++)
      if (bits_differ(model, rtl, type->fields[f].lsb, type->fields[f].width * type->fields[f].elements))
        sum = mix_in(sum, p->name, type->fields[f].name);
  }
  return sum ? sum : 1;
}

void failure_of(const lockstep_t *ls, failure_t *failure) {
  failure->outcome = ls->outcome;
  failure->port = ls->outcome == OUTCOME_DIVERGED ? ls->port : -1;
  failure->differs = failure->port >= 0 ? what_differs(ls) : 0;
  failure->undefined = failure->port >= 0 ? dut_port_bits(&ls->dut->ports[failure->port], ls->rtl_x) : 0;
  failure->cycle = ls->cycle;
  snprintf(failure->text, sizeof failure->text, "%s", ls->outcome == OUTCOME_DIVERGED ? "" : ls->text);
}

/* Of a crash only the function counts. The rest of the line depends on leftovers in memory. */
bool failure_same_text(outcome_t outcome, const char *a, const char *b) {
  if (outcome != OUTCOME_MODEL_CRASH && outcome != OUTCOME_STIM_CRASH) return strcmp(a, b) == 0;
  size_t n = strcspn(a, ":");
  return n == strcspn(b, ":") && memcmp(a, b, n) == 0;
}

bool failure_same(const failure_t *a, const failure_t *b) {
  return a->outcome == b->outcome && a->port == b->port && a->differs == b->differs &&
         failure_same_text(a->outcome, a->text, b->text);
}

uint64_t driver_seed(uint64_t seed, unsigned profile) {
  return rng_mix(seed ^ rng_mix(profile + 1));
}

uint64_t run_power_up(const dut_t *dut, uint64_t seed, unsigned profile) {
  const bool draws = dut->power_up && !dut->powers_up && ((seed ^ profile) & 1);
  return draws ? driver_seed(seed, profile) | 1 : 0;
}

/* Until hook_off, draws come from `play` (NULL: the generator), and are noted. */
static void hook_on(driver_t *driver, const tape_cycle_t *play) {
  tape_head_cycle(&driver->head, play);
  *driver->dut->tape = &driver->head.hook;
}

static void hook_off(driver_t *driver, tape_cycle_t *noted) {
  *driver->dut->tape = NULL;
  *noted = (tape_cycle_t){.draws = driver->head.noted, .count = (uint32_t)driver->head.num_noted};
  driver->lost |= driver->head.lost;
}

/* Handler of a crash in the stimulus: keeps the description and jumps out. */
static void stim_left(void *context, const char *file, unsigned line, const char *text) {
  stim_crash_t *crash = context;
  if (file) snprintf(crash->how, sizeof crash->how, "%s:%u: %s", basename(file), line, text);
  else snprintf(crash->how, sizeof crash->how, "%s", text);
  utf8_clean(crash->how);
  _longjmp(crash->jump, 1);
}

void run_guard(const dut_t *dut, stim_crash_t *crash) {
  if (dut->on_stim_crash) dut->on_stim_crash(stim_left, crash);
}

void run_unguard(const dut_t *dut) {
  if (dut->on_stim_crash) dut->on_stim_crash(NULL, NULL);
}

outcome_t run_crashed(lockstep_t *ls, const stim_crash_t *crash) {
  if (ls->dut->tape) *ls->dut->tape = NULL; /* it may have drawn from there */
  if (lockstep_catch_up(ls) != OUTCOME_PASS) return ls->outcome;
  snprintf(ls->text, sizeof ls->text, "%s", crash->how);
  return ls->outcome = strcmp(crash->how, GUARD_INTERRUPTED) ? OUTCOME_STIM_CRASH : OUTCOME_INTERRUPTED;
}

/* Initialises the stimulus, with the draws of its init played or noted. */
static void start_stimulus(driver_t *driver) {
  memset(driver->state, 0, driver->stim->state_size);
  driver->cycle = driver->at = driver->turn = driver->anew = 0;
  if (driver->resets) resets_start(driver->resets, driver->seed);
  if (driver->play) driver->profile = driver->play->profile;
  if (driver->play || driver->note) hook_on(driver, driver->play ? &driver->play->start : NULL);
  driver->stim->init(driver->state, driver->seed, driver->profile);
  if (!driver->play && !driver->note) return;
  tape_cycle_t noted;
  hook_off(driver, &noted);
  if (!driver->note) return;
  driver->note->start = noted;
  driver->note->start.draws = tape_copy(driver->note, noted.draws, noted.count);
  driver->lost |= noted.count && !driver->note->start.draws;
}

void driver_restart(driver_t *driver) {
  driver->crashed = false;
  if (_setjmp(driver->crash.jump) == 0) {
    run_guard(driver->dut, &driver->crash);
    start_stimulus(driver);
  } else {
    driver->crashed = true;
    if (driver->dut->tape) *driver->dut->tape = NULL;
  }
  run_unguard(driver->dut);
}

bool driver_make(driver_t *driver, const dut_t *dut, bool notes) {
  const stim_t *stim = stim_of(dut);
  *driver = (driver_t){.stim = stim,
                       .state = calloc(1, stim->state_size + 1),
                       .in = calloc(1, dut->in_size + 8),
                       .shown = malloc(dut->out_size + 8),
                       .in_size = dut->in_size,
                       .dut = dut};
  tape_head_init(&driver->head, notes);
  return driver->state && driver->in && driver->shown;
}

bool driver_inject(driver_t *driver) {
  if (driver->dut->powers_up) return true;
  driver->resets = resets_new(driver->dut, driver->stim);
  if (driver->resets) resets_start(driver->resets, driver->seed);
  return driver->resets;
}

static bool open_driver(driver_t *driver, const dut_t *dut, uint64_t seed, unsigned profile, const tape_t *play,
                        tape_t *note) {
  const bool made = driver_make(driver, dut, note != NULL);
  driver->profile = profile;
  driver->seed = seed;
  driver->play = play;
  driver->note = note;
  if (note) tape_init(note, profile), note->seed = seed;
  if (!made) return false;
  driver_restart(driver);
  return !driver->lost;
}

bool driver_open(driver_t *driver, const dut_t *dut, uint64_t seed, unsigned profile) {
  return open_driver(driver, dut, driver_seed(seed, profile), profile, NULL, NULL);
}

bool driver_note(driver_t *driver, const dut_t *dut, uint64_t seed, unsigned profile, tape_t *note) {
  return open_driver(driver, dut, driver_seed(seed, profile), profile, NULL, note);
}

bool driver_play(driver_t *driver, const dut_t *dut, const tape_t *play, tape_t *note) {
  return open_driver(driver, dut, play->seed, play->profile, play, note);
}

void driver_close(driver_t *driver) {
  free(driver->state);
  free(driver->in);
  free(driver->shown);
  resets_free(driver->resets);
  tape_head_free(&driver->head);
}

/* Calls next() and checks that the stimulus leaves the model's outputs alone. They are compared
 * with the RTL's afterwards, so a write would hide a failure. */
static void next_and_look(driver_t *driver, const void *out) {
  memcpy(driver->shown, out, driver->dut->out_size);
  driver->stim->next(driver->state, driver->cycle, out, driver->in);
  if (memcmp(driver->shown, out, driver->dut->out_size) == 0) return;
  char text[sizeof driver->crash.how];
  snprintf(text, sizeof text, "%.100s_stim.next writes the model's outputs: they are const", driver->dut->block);
  memcpy((void *)(uintptr_t)out, driver->shown, driver->dut->out_size);
  stim_left(&driver->crash, NULL, 0, text);
}

/* Makes the inputs of one cycle. The check of next_and_look runs in the first cycles and then on a
 * sample. */
static bool make_inputs(driver_t *driver, const void *out) {
  memset(driver->in, 0, driver->in_size);
  if (driver->guarded && (driver->cycle < LOOKED_AT || driver->cycle % LOOKED_AT == 0)) next_and_look(driver, out);
  else driver->stim->next(driver->state, driver->cycle, out, driver->in);
  bool reset = driver->stim->reset && driver->stim->reset(driver->state, driver->cycle);
  driver->cycle++;
  return reset;
}

/* Starts the stimulus again, with a reset in place of the cycle (true). */
static bool begin_anew(driver_t *driver, uint64_t seed) {
  memset(driver->state, 0, driver->stim->state_size);
  memset(driver->in, 0, driver->in_size);
  driver->cycle = 0;
  driver->stim->init(driver->state, seed, driver->profile);
  return true;
}

/* Turns to another profile with other numbers. Without stim_t.turn the stimulus starts again, with
 * a reset in place of the cycle (true). */
static bool turn_profile(driver_t *driver, unsigned profile) {
  driver->profile = profile;
  if (driver->stim->turn) {
    driver->profile = driver->stim->turn(driver->state, driver->seed, profile);
    return false;
  }
  return begin_anew(driver, driver->seed);
}

/* A reset that the stimulus has not asked for. The new seed is a decision like those of the
 * stimulus. */
static bool reset_anew(driver_t *driver, bool taped) {
  rng_t numbers;
  rng_init(&numbers, driver->seed + ++driver->anew);
  const uint64_t seed = taped ? driver->head.hook.draw(&driver->head.hook, &numbers, RNG_NEXT, 0, 0)
                              : rng_generate(&numbers, RNG_NEXT, 0, 0);
  return begin_anew(driver, seed);
}

bool driver_next(driver_t *driver, const void *out) {
  /* A crash of init that no run has reported yet: call start_stimulus again, which then ends the
   * program. */
  if (driver->crashed) start_stimulus(driver);
  driver->crashed = false;
  const bool due = driver->resets && resets_due(driver->resets, driver->state, out);
  if (!driver->play && !driver->note && !driver->turn && !due) return make_inputs(driver, out);
  const tape_cycle_t *play = driver->play ? &driver->play->cycles[driver->at++] : NULL;
  const unsigned to = play ? play->turn : driver->turn;
  const bool taped = driver->play || driver->note, anew = play ? play->anew : due;
  tape_cycle_t noted;
  if (taped) hook_on(driver, play);
  driver->turn = 0;
  const bool reset =
      anew ? reset_anew(driver, taped) : (to && turn_profile(driver, to - 1)) || make_inputs(driver, out);
  if (taped) hook_off(driver, &noted);
  noted.turn = (uint16_t)to, noted.anew = anew;
  if (driver->note) driver->lost |= !tape_add(driver->note, &noted);
  return reset;
}

/* Lets the device catch up, and asks the watchdog. Called every few dozen cycles, and in every
 * cycle while nothing moves. */
static outcome_t ask_watchdog(lockstep_t *ls, const driver_t *driver) {
  if (lockstep_catch_up(ls) != OUTCOME_PASS || !driver->stim->waiting) return ls->outcome;
  return lockstep_watch(ls, driver->stim->waiting(driver->state),
                        driver->stim->patience ? driver->stim->patience : PATIENCE);
}

/* The loop of run_stimulus: model ahead, device in batches, watchdog now and then. */
static outcome_t drive_pair(lockstep_t *ls, driver_t *driver, uint64_t cycles, bool (*on_cycles)(void *, uint64_t),
                            void *context) {
  if (on_cycles && !on_cycles(context, 0)) return OUTCOME_PASS;
  uint64_t watch = WATCH_EVERY - 1;
  for (uint64_t i = 0; i < cycles; i++) {
    outcome_t outcome =
        driver_next(driver, lockstep_seen(ls)) ? lockstep_reset(ls, driver->in) : lockstep_ahead(ls, driver->in);
    if (outcome != OUTCOME_PASS || (i == watch && ask_watchdog(ls, driver) != OUTCOME_PASS)) return ls->outcome;
    if (i == watch) watch += lockstep_quiet(ls) ? 1 : WATCH_EVERY;
    if (i % LOOK_EVERY == LOOK_EVERY - 1 && on_cycles && !on_cycles(context, i + 1)) break;
  }
  return lockstep_catch_up(ls);
}

outcome_t run_stimulus(lockstep_t *ls, driver_t *driver, uint64_t cycles, bool (*on_cycles)(void *, uint64_t),
                       void *context) {
  if (!driver->crashed && _setjmp(driver->crash.jump) == 0) {
    run_guard(ls->dut, &driver->crash);
    driver->guarded = true;
    drive_pair(ls, driver, cycles, on_cycles, context);
  } else run_crashed(ls, &driver->crash);
  driver->guarded = false;
  run_unguard(ls->dut);
  return ls->outcome;
}

/* The model alone, for recording: a stimulus sees nothing but its outputs. An assertion or crash of
 * the model ends the recording. */
typedef struct {
  const dut_t *dut;
  void *model, *out;
  uint64_t *mask; /* inputs are cut like in lockstep_cycle */
  jmp_buf jump;
} solo_t;

static void solo_left(void *context, const char *file, unsigned line, const char *text) {
  (void)file;
  (void)line;
  (void)text;
  _longjmp(((solo_t *)context)->jump, 1);
}

static bool record_solo(solo_t *solo, driver_t *driver, uint64_t cycles, size_t max_bytes, trace_t *trace) {
  const dut_t *dut = solo->dut;
  if (_setjmp(solo->jump)) return true;
  dut->model_reset(solo->model, NULL);
  for (uint64_t i = 0; i < cycles; i++) {
    if (driver->lost || trace->bytes + (driver->note ? driver->note->bytes : 0) > max_bytes) return false;
    if (driver_next(driver, solo->out)) {
      uint64_t only[dut->in_size / 8 + 1];
      const void *in = dut_reset_inputs(dut, driver->in, only);
      if (!trace_add_reset(trace, in)) return false;
      dut->model_reset(solo->model, in);
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
  return !driver->lost;
}

/* Records with an open driver, and closes the driver. */
static bool record_all(const dut_t *dut, driver_t *driver, bool open, uint64_t cycles, size_t max_bytes,
                       trace_t *trace) {
  solo_t solo = {.dut = dut,
                 .model = guard_memory(dut->model_size),
                 .out = guard_memory(dut->out_size),
                 .mask = calloc(1, dut->in_size + 8)};
  bool ok = open && solo.model && solo.out && solo.mask;
  if (ok) {
    dut_input_mask(dut, solo.mask);
    dut->on_model_assert(solo_left, &solo);
    ok = record_solo(&solo, driver, cycles, max_bytes, trace);
  }
  driver_close(driver);
  against_end(dut, solo.model);
  guard_free(solo.model, dut->model_size);
  guard_free(solo.out, dut->out_size);
  free(solo.mask);
  return ok;
}

bool run_record(const dut_t *dut, uint64_t seed, unsigned profile, bool resets, uint64_t cycles, size_t max_bytes,
                trace_t *trace) {
  driver_t driver;
  bool open = driver_open(&driver, dut, seed, profile) && (!resets || driver_inject(&driver));
  return record_all(dut, &driver, open, cycles, max_bytes, trace);
}

bool run_note(const dut_t *dut, uint64_t seed, unsigned profile, bool resets, uint64_t cycles, size_t max_bytes,
              trace_t *trace, tape_t *tape) {
  driver_t driver;
  bool open = driver_note(&driver, dut, seed, profile, tape) && (!resets || driver_inject(&driver));
  return record_all(dut, &driver, open, cycles, max_bytes, trace);
}

bool run_render(const dut_t *dut, const tape_t *tape, trace_t *trace, tape_t *again) {
  driver_t driver;
  bool open = driver_play(&driver, dut, tape, again);
  trace_free(trace);
  trace_init(trace, dut->in_size);
  return record_all(dut, &driver, open, tape->count, SIZE_MAX, trace);
}

static bool play_tape(lockstep_t *ls, driver_t *driver, size_t to, double deadline) {
  for (size_t from = driver->at; driver->at < to;) {
    outcome_t outcome =
        driver_next(driver, lockstep_seen(ls)) ? lockstep_reset(ls, driver->in) : lockstep_ahead(ls, driver->in);
    if (outcome != OUTCOME_PASS) return true;
    if (deadline > 0 && (driver->at - from) % LOOK_EVERY == 0 && clock_seconds() > deadline) return false;
  }
  lockstep_catch_up(ls);
  return true;
}

bool run_tape(lockstep_t *ls, driver_t *driver, size_t to, double deadline) {
  volatile bool in_time = true;
  if (!driver->crashed && _setjmp(driver->crash.jump) == 0) {
    run_guard(ls->dut, &driver->crash);
    driver->guarded = true;
    in_time = play_tape(ls, driver, to, deadline);
  } else run_crashed(ls, &driver->crash);
  driver->guarded = false;
  run_unguard(ls->dut);
  return in_time;
}

bool run_cycles(lockstep_t *ls, const trace_cycle_t *cycles, size_t from, size_t to, double deadline) {
  for (size_t i = from; i < to; i++) {
    outcome_t outcome = cycles[i].reset ? lockstep_reset(ls, cycles[i].in) : lockstep_ahead(ls, cycles[i].in);
    if (outcome != OUTCOME_PASS) return true;
    if (deadline > 0 && (i - from) % LOOK_EVERY == LOOK_EVERY - 1 && clock_seconds() > deadline) return false;
  }
  lockstep_catch_up(ls);
  return true;
}
