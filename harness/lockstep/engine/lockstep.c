/* SPDX-License-Identifier: Apache-2.0
 *
 * The pair of model and RTL. A model that asserts or crashes longjmps out of its call (guard.h). An
 * RTL assertion only sets a flag, read after each clock edge. If an output is wrong in the same
 * cycle, the wrong output is reported: it is more specific.
 *
 * lockstep_ahead runs in batches:
 *
 *   model   cycle 0 .. 31 ----> queue: inputs, outputs      follow_queue   cycle 32 ..
 *   RTL                           +------> cycle 0 .. 31, compared with the queue
 */
#include "lockstep.h"

#include "against.h"
#include "dut_failure.h"
#include "image_check.h"
#include "guard.h"
#include "lockstep_device.h"
#include "quiet.h"
#include "utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cycles of a batch. Inputs and outputs of the largest block then take some ten kilobytes. */
enum { AHEAD = 32 };
enum { SAMPLE_EVERY = 251 }; /* cycles between looks at a block that moves */
enum { MOORE_EVERY = 7 };    /* Cycles between checks that a Moore device's outputs ignore its inputs. */

const char *outcome_name(outcome_t outcome) {
  static const char *const names[] = {"PASS",        "DIVERGED",   "DUT_ASSERT", "MODEL_ASSERT",
                                      "MODEL_CRASH", "STIM_CRASH", "STUCK",      "NOT_COMPARED",
                                      "BAD_INPUT",   "INFRA",      "INTERRUPTED"};
  return names[outcome];
}

bool outcome_of_model(outcome_t outcome) {
  return outcome == OUTCOME_MODEL_ASSERT || outcome == OUTCOME_MODEL_CRASH;
}

outcome_t outcome_of(const trouble_t *trouble) {
  if (!trouble->kind) return OUTCOME_PASS;
  return trouble->kind == TROUBLE_INPUT ? OUTCOME_BAD_INPUT : OUTCOME_INFRA;
}

/* Ends the run with an outcome and its text. The prefixes of dut.h change the outcome: they are no
 * assertions. */
static outcome_t fail_run(lockstep_t *ls, outcome_t outcome, const char *text) {
  switch (dut_failure(&text)) {
  case DUT_FAILS_ENVIRONMENT: outcome = OUTCOME_INFRA; break;
  case DUT_FAILS_INPUT: outcome = OUTCOME_BAD_INPUT; break;
  case DUT_FAILS_INTERRUPTED: outcome = OUTCOME_INTERRUPTED; break;
  default: break;
  }
  ls->outcome = outcome;
  snprintf(ls->text, sizeof ls->text, "%s", text);
  utf8_clean(ls->text);
  return outcome;
}

/* Handler of a model's failure: stores outcome and text, and jumps out of the model. A reference
 * (against.h) is left when its device is lost. */
static void model_left(void *context, const char *file, unsigned line, const char *text) {
  lockstep_t *ls = context;
  if (against_reference(ls->dut)) {
    ls->left = fail_run(ls, OUTCOME_DUT_ASSERT, text);
    ls->outcome = OUTCOME_PASS; /* an earlier difference takes precedence */
    _longjmp(ls->jump, 1);
  }
  const char *slash = file ? strrchr(file, '/') : NULL;
  if (file) snprintf(ls->text, sizeof ls->text, "%s:%u: %s", slash ? slash + 1 : file, line, text);
  else snprintf(ls->text, sizeof ls->text, "%s", text);
  utf8_clean(ls->text);
  if (file) ls->left = OUTCOME_MODEL_ASSERT;
  else ls->left = strcmp(text, GUARD_INTERRUPTED) ? OUTCOME_MODEL_CRASH : OUTCOME_INTERRUPTED;
  _longjmp(ls->jump, 1);
}

/* Copies the inputs without bits above the ports' widths. */
static void trim_inputs(const lockstep_t *ls, const void *in, void *trimmed) {
  const uint64_t *from = in, *mask = ls->in_mask;
  uint64_t *to = trimmed;
  if (!in) memset(to, 0, ls->dut->in_size);
  else
    for (uint32_t i = 0; i < ls->dut->in_size / 8; i++) to[i] = from[i] & mask[i];
}

bool lockstep_power_up(lockstep_t *ls) {
  lockstep_destroy_device(ls);
  ls->outcome = OUTCOME_PASS;
  ls->port = -1;
  ls->queued = 0;
  pure_power_up(&ls->pure);
  ls->cycle = ls->sample_cycle = ls->quiet_since = 0;
  against_end(ls->dut, ls->model);
  memset(ls->model, 0, ls->dut->model_size);
  memset(ls->sample, 0xff, ls->dut->out_size);
  trouble_t trouble;
  const bool good = images_judge(ls->dut, NULL, &trouble);
  if (good) lockstep_create_device(ls);
  if (ls->outcome != OUTCOME_PASS) return false;
  if (!good) return fail_run(ls, OUTCOME_BAD_INPUT, trouble.text), false;
  if (!ls->dev) {
    const char *why = ls->dut->failure(NULL);
    fail_run(ls, why ? OUTCOME_DUT_ASSERT : OUTCOME_INFRA, why ? why : "out of memory");
    return false;
  }
  bool held = lockstep_reset(ls, NULL) == OUTCOME_PASS;
  ls->cycle = 0;
  return held;
}

static size_t queue_bytes(const lockstep_t *ls) {
  return (size_t)AHEAD * ls->slot_size;
}

bool lockstep_open(lockstep_t *ls, const dut_t *dut) {
  memset(ls, 0, sizeof *ls);
  ls->dut = dut;
  ls->model = guard_memory(dut->model_size);
  ls->in = calloc(1, dut->in_size + 8);
  ls->in_mask = calloc(1, dut->in_size + 8);
  ls->given = calloc(1, dut->in_size + 8);
  ls->reset_in = calloc(1, dut->in_size + 8);
  ls->out = guard_memory(dut->out_size);
  ls->rtl_out = calloc(1, dut->out_size + 8);
  ls->rtl_x = calloc(1, dut->out_size + 8);
  ls->sample = calloc(1, dut->out_size + 8);
  ls->slot_size = (dut->in_size + dut->out_size + 63) / 64 * 64;
  ls->queue = guard_memory(queue_bytes(ls));
  const bool counts = tally_open(&ls->tally, dut);
  if (dut->model_idle) ls->quiet = quiet_new(dut);
  const bool pure_ok = pure_open(&ls->pure, dut);
  bool quiet_ok = pure_ok && (!dut->model_idle || (ls->quiet && ls->quiet->events && ls->quiet->wide));
  if (!counts || !quiet_ok || !ls->queue || !ls->model || !ls->in || !ls->in_mask || !ls->given || !ls->reset_in ||
      !ls->out || !ls->rtl_out || !ls->rtl_x || !ls->sample) {
    fail_run(ls, OUTCOME_INFRA, "out of memory");
    return false;
  }
  dut_input_mask(dut, ls->in_mask);
  return lockstep_power_up(ls);
}

void lockstep_close(lockstep_t *ls) {
  if (ls->dut) lockstep_destroy_device(ls);
  if (ls->dut) against_end(ls->dut, ls->model);
  if (ls->dut) guard_free(ls->model, ls->dut->model_size);
  free(ls->in);
  free(ls->in_mask);
  free(ls->given);
  free(ls->reset_in);
  if (ls->dut) guard_free(ls->out, ls->dut->out_size);
  free(ls->rtl_out);
  free(ls->rtl_x);
  free(ls->sample);
  if (ls->dut) guard_free(ls->queue, queue_bytes(ls));
  quiet_free(ls->quiet);
  tally_close(&ls->tally);
  pure_close(&ls->pure);
  memset(ls, 0, sizeof *ls);
}

outcome_t lockstep_reset(lockstep_t *ls, const void *in) {
  if (lockstep_catch_up(ls) != OUTCOME_PASS) return ls->outcome;
  dut_reset_inputs(ls->dut, in, ls->reset_in);
  lockstep_reset_device(ls);
  if (ls->outcome != OUTCOME_PASS) return ls->outcome;
  ls->dut->on_model_assert(model_left, ls);
  if (_setjmp(ls->jump)) return ls->outcome = ls->left;
  memcpy(ls->given, ls->reset_in, ls->dut->in_size);
  ls->dut->model_reset(ls->model, ls->given);
  memset(ls->out, 0, ls->dut->out_size);
  ls->out_ready = false;
  if (ls->quiet) ls->quiet->age = 0;
  if (ls->observe) ls->observe(ls->observer, NULL, NULL);
  const char *why = ls->dut->failure(ls->dev);
  ls->cycle++;
  return why ? fail_run(ls, OUTCOME_DUT_ASSERT, why) : OUTCOME_PASS;
}

static outcome_t model_failed(lockstep_t *ls, bool evaluated);

/* The model's outputs for these inputs, canonical. The model gets a copy of the inputs. */
static void evaluate_model(const lockstep_t *ls, const void *in, void *out) {
  memset(out, 0, ls->dut->out_size);
  memcpy(ls->given, in, ls->dut->in_size);
  ls->dut->model_eval(ls->model, ls->given, out);
  ls->dut->canonical(out);
}

/* Steps the model unless it is idle and the inputs are quiet. False: the model was left asleep. */
static bool step_model(lockstep_t *ls, const void *in) {
  bool asleep = ls->quiet && quiet_cycle(ls->quiet, in) && ls->dut->model_idle(ls->model);
  memcpy(ls->given, in, ls->dut->in_size);
  if (!asleep) ls->dut->model_step(ls->model, ls->given);
  return !asleep;
}

const void *lockstep_outputs(lockstep_t *ls) {
  if (ls->out_ready || ls->outcome != OUTCOME_PASS) return ls->out;
  ls->dut->on_model_assert(model_left, ls);
  if (_setjmp(ls->jump)) {
    model_failed(ls, false);
    return ls->out;
  }
  evaluate_model(ls, ls->in, ls->out);
  ls->out_ready = !ls->dut->mealy;
  return ls->out;
}

static int first_different(const dut_t *dut, dut_dir_t dir, const void *a, const void *b) {
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir == dir && memcmp((const char *)a + p->offset, (const char *)b + p->offset, p->size)) return (int)i;
  }
  return -1;
}

static int first_wrong(lockstep_t *ls, dut_dir_t dir) {
  return first_different(ls->dut, dir, ls->out, ls->rtl_out);
}

/* Undefined bits always count as wrong: they become the inverse of the model's. */
static void mark_undefined(lockstep_t *ls) {
  uint64_t *rtl = ls->rtl_out, *x = ls->rtl_x;
  const uint64_t *model = ls->out;
  ls->dut->get_undefined(ls->dev, x);
  for (uint32_t i = 0; i < ls->dut->out_size / 8; i++) rtl[i] = (rtl[i] & ~x[i]) | (~model[i] & x[i]);
}

/* Finds the first wrong port. Probes come first, because they are nearer to the cause. Probes that
 * the device lacks equal the model's. */
static __attribute__((noinline)) outcome_t find_wrong_port(lockstep_t *ls) {
  memcpy(ls->rtl_out, ls->out, ls->dut->out_size);
  ls->dut->get_outputs(ls->dev, ls->rtl_out);
  if (ls->dut->get_undefined) mark_undefined(ls);
  ls->port = first_wrong(ls, DUT_PROBE);
  if (ls->port < 0) ls->port = first_wrong(ls, DUT_OUT);
  return ls->outcome = OUTCOME_DIVERGED;
}

/* --- models that are no function of struct and inputs */

static bool kept_inputs(lockstep_t *ls, const char *call, const void *in, char *text) {
  trim_inputs(ls, in, ls->pure.in);
  return pure_kept_inputs(&ls->pure, call, ls->pure.in, ls->given, text);
}

/* Checks eval in a cycle that was not queued. */
static bool is_pure(lockstep_t *ls, const void *in, bool evaluated) {
  char text[PURE_TEXT];
  ls->pure.open = false;
  if (pure_kept_state(&ls->pure, "eval", ls->model, text) && (!evaluated || kept_inputs(ls, "eval", in, text)))
    return true;
  fail_run(ls, OUTCOME_MODEL_ASSERT, text);
  return false;
}

static outcome_t one_cycle(lockstep_t *ls, const void *in) {
  const dut_t *dut = ls->dut;
  dut->on_model_assert(model_left, ls);
  if (_setjmp(ls->jump)) return ls->outcome = ls->left;
  trim_inputs(ls, in, ls->in);
  const bool look = pure_due(&ls->pure, ls->cycle);
  if (look) pure_begin(&ls->pure, ls->model, ls->cycle);
  dut->set_inputs(ls->dev, ls->in);
  bool held = dut->eval(ls->dev);
  const bool evaluated = !ls->out_ready;
  if (evaluated) evaluate_model(ls, ls->in, ls->out);
  ls->out_ready = false;
  tally_count(&ls->tally, ls->in, ls->out, 0, 1);
  if (!dut->matches(ls->dev, ls->out)) return find_wrong_port(ls);
  if (look && !is_pure(ls, in, evaluated)) return ls->outcome;
  if (ls->observe) ls->observe(ls->observer, ls->in, ls->out);
  step_model(ls, ls->in); /* also when an assertion failed: a system goes on with the model */
  if (held) held = dut->step(ls->dev);
  if (!held) return fail_run(ls, OUTCOME_DUT_ASSERT, dut->failure(ls->dev));
  ls->cycle++;
  return OUTCOME_PASS;
}

outcome_t lockstep_cycle(lockstep_t *ls, const void *in) {
  if (ls->outcome != OUTCOME_PASS) return ls->outcome;
  guard_enter_device(ls->dut, lockstep_device_left, ls);
  if (_setjmp(ls->dev_jump)) return ls->outcome = ls->left;
  one_cycle(ls, in);
  guard_left_device();
  return ls->outcome;
}

static char *slot_in(const lockstep_t *ls, unsigned i) {
  return ls->queue + (size_t)i * ls->slot_size;
}

static char *slot_out(const lockstep_t *ls, unsigned i) {
  return slot_in(ls, i) + ls->dut->in_size;
}

const void *lockstep_seen(const lockstep_t *ls) {
  return ls->queued ? slot_out(ls, ls->queued - 1) : ls->out;
}

void lockstep_not_moore(const dut_t *dut, const char *who, const void *out, const void *other, uint64_t cycle,
                        char *text, size_t size) {
  int port = first_different(dut, DUT_OUT, out, other);
  if (port < 0) port = first_different(dut, DUT_PROBE, out, other);
  snprintf(
      text, size,
      "the port file says KIND(moore), but %s output %s changes with the inputs within cycle %llu: write KIND(mealy), "
      "or have it depend on state alone",
      who, port < 0 ? "" : dut->ports[port].pin, (unsigned long long)cycle);
}

static __attribute__((noinline)) outcome_t not_moore(lockstep_t *ls, const char *who, const void *out,
                                                     const void *other) {
  char text[sizeof ls->text];
  lockstep_not_moore(ls->dut, who, out, other, ls->cycle, text, sizeof text);
  return fail_run(ls, OUTCOME_BAD_INPUT, text);
}

/* A Moore device shows its next outputs right after the clock edge, before new inputs. False: it
 * does not, and rtl_out has what it shows. */
static bool shows_state(lockstep_t *ls, unsigned i) {
  const dut_t *dut = ls->dut;
  if (dut->mealy || !i || ls->cycle % MOORE_EVERY) return true;
  if (strncmp(dut->kind, "rtl", 3)) dut->eval(ls->dev); /* others show outputs after eval alone */
  if (dut->matches(ls->dev, slot_out(ls, i))) return true;
  memcpy(ls->rtl_out, slot_out(ls, i), dut->out_size);
  dut->get_outputs(ls->dev, ls->rtl_out);
  return false;
}

static void take_slot(lockstep_t *ls, unsigned i) {
  memcpy(ls->in, slot_in(ls, i), ls->dut->in_size);
  memcpy(ls->out, slot_out(ls, i), ls->dut->out_size);
  ls->out_ready = false; /* they are of a cycle that is over */
}

/* The device did not return in the cycle behind the first `done` queued ones. */
static outcome_t lost_in_queue(lockstep_t *ls, unsigned done) {
  tally_count(&ls->tally, slot_in(ls, 0), slot_out(ls, 0), ls->slot_size, done);
  take_slot(ls, done);
  ls->queued = 0;
  return ls->outcome = ls->left;
}

static __attribute__((noinline)) outcome_t follow_cycles(lockstep_t *ls, unsigned n, bool last_edge) {
  const dut_t *dut = ls->dut;
  bool held = true, equal = true;
  unsigned i = 0;
  for (; i < n; i++) {
    bool moore = shows_state(ls, i);
    dut->set_inputs(ls->dev, slot_in(ls, i));
    held = dut->eval(ls->dev);
    equal = dut->matches(ls->dev, slot_out(ls, i));
    if (equal && !moore) return not_moore(ls, "the RTL's", slot_out(ls, i), ls->rtl_out);
    if (!equal || (i + 1 == n && !last_edge)) break;
    if (held) held = dut->step(ls->dev);
    if (!held) break;
    ls->cycle++;
  }
  tally_count(&ls->tally, slot_in(ls, 0), slot_out(ls, 0), ls->slot_size, i < n ? i + 1 : n);
  if (n) take_slot(ls, i < n ? i : n - 1);
  ls->queued = 0;
  if (!equal) return find_wrong_port(ls);
  if (!held && (last_edge || i + 1 < n)) return fail_run(ls, OUTCOME_DUT_ASSERT, dut->failure(ls->dev));
  return OUTCOME_PASS;
}

/* The device does the first n queued cycles, the last one without its clock edge unless last_edge.
 * ls->in and ls->out are then of the last cycle compared. */
static outcome_t follow_queue(lockstep_t *ls, unsigned n, bool last_edge) {
  const uint64_t first = ls->cycle;
  guard_enter_device(ls->dut, lockstep_device_left, ls);
  if (_setjmp(ls->dev_jump)) return lost_in_queue(ls, (unsigned)(ls->cycle - first));
  const outcome_t outcome = follow_cycles(ls, n, last_edge);
  guard_left_device();
  return outcome;
}

/* Repeats the queued cycles on a copy of the model; returns as pure_again. A copy that fails counts
 * as not repeating. */
static unsigned model_again(lockstep_t *ls, char text[PURE_TEXT]) {
  const pure_stretch_t stretch = {ls->queue, ls->slot_size, ls->queued, ls->asleep};
  ls->dut->on_model_assert(model_left, ls);
  ls->left = OUTCOME_PASS;
  if (_setjmp(ls->jump) == 0) return pure_again(&ls->pure, &stretch, text);
  snprintf(text, PURE_TEXT, "the model does not repeat: from the same struct and inputs it fails, %.120s", ls->text);
  return ls->queued - 1;
}

/* The device does all queued cycles. If the model does not repeat, the device stops there; an
 * earlier difference takes precedence. */
static outcome_t follow_all(lockstep_t *ls) {
  char text[PURE_TEXT];
  const unsigned count = ls->queued, held = ls->pure.open ? model_again(ls, text) : count;
  if (held == count) return follow_queue(ls, count, true);
  if (ls->left == OUTCOME_INTERRUPTED) return ls->outcome = ls->left;
  return follow_queue(ls, held + 1, false) == OUTCOME_PASS ? fail_run(ls, OUTCOME_MODEL_ASSERT, text) : ls->outcome;
}

outcome_t lockstep_catch_up(lockstep_t *ls) {
  return ls->outcome == OUTCOME_PASS && ls->queued ? follow_all(ls) : ls->outcome;
}

/* The model failed in the cycle behind the queue. `evaluated`: in its clock edge, so its outputs
 * can still be compared. An earlier difference takes precedence. */
static outcome_t model_failed(lockstep_t *ls, bool evaluated) {
  ls->pure.open = false;
  if (follow_queue(ls, ls->queued + evaluated, !evaluated) != OUTCOME_PASS) return ls->outcome;
  return ls->outcome = ls->left;
}

/* The observer also gets the failing cycle, with zero outputs. */
static void tell_of_failure(lockstep_t *ls) {
  memset(slot_out(ls, ls->queued), 0, ls->dut->out_size);
  if (ls->observe) ls->observe(ls->observer, slot_in(ls, ls->queued), slot_out(ls, ls->queued));
}

/* The same check for the model: its outputs with the last cycle's inputs. Not for a reference in
 * its place: a device takes its inputs once in a cycle. */
static bool model_shows_state(lockstep_t *ls) {
  if (ls->dut->mealy || against_reference(ls->dut) || (ls->cycle + ls->queued) % MODEL_MOORE_EVERY) return true;
  evaluate_model(ls, ls->queued ? slot_in(ls, ls->queued - 1) : ls->in, ls->rtl_out);
  return memcmp(ls->rtl_out, slot_out(ls, ls->queued), ls->dut->out_size) == 0;
}

/* The model's outputs depend on the inputs, or its `eval` writes the state: finds out which. */
static outcome_t not_a_function(lockstep_t *ls) {
  char other[ls->dut->out_size];
  memcpy(other, ls->rtl_out, sizeof other);
  memcpy(ls->pure.before, ls->model, ls->dut->model_size);
  evaluate_model(ls, slot_in(ls, ls->queued), ls->rtl_out);
  if (!memcmp(ls->pure.before, ls->model, ls->dut->model_size))
    return not_moore(ls, "the model's", slot_out(ls, ls->queued), other);
  snprintf(ls->text, sizeof ls->text, "%.100s_eval writes its state: " PURE_EVAL, ls->dut->block);
  ls->left = OUTCOME_MODEL_ASSERT;
  return model_failed(ls, true);
}

/* The model changed the inputs of the cycle behind the queue. */
static outcome_t wrote_inputs(lockstep_t *ls, const char *text) {
  snprintf(ls->text, sizeof ls->text, "%s", text);
  ls->left = OUTCOME_MODEL_ASSERT;
  return model_failed(ls, true);
}

/* In a stretch that pure.c repeats later: eval, then the rest of the cycle. */
static __attribute__((noinline)) bool eval_wrote_inputs(lockstep_t *ls, const void *in) {
  char text[PURE_TEXT];
  if (kept_inputs(ls, "eval", in, text)) return false;
  if (ls->observe) ls->observe(ls->observer, slot_in(ls, ls->queued), slot_out(ls, ls->queued));
  return wrote_inputs(ls, text) != OUTCOME_PASS;
}

static __attribute__((noinline)) outcome_t step_and_look(lockstep_t *ls, const void *in) {
  const uint64_t bit = UINT64_C(1) << ls->queued;
  char text[PURE_TEXT];
  ls->asleep = step_model(ls, slot_in(ls, ls->queued)) ? ls->asleep & ~bit : ls->asleep | bit;
  if (!kept_inputs(ls, "step", in, text)) return wrote_inputs(ls, text);
  ls->queued++;
  return OUTCOME_PASS;
}

outcome_t lockstep_ahead(lockstep_t *ls, const void *in) {
  volatile bool evaluated = false;
  /* lockstep_outputs was asked; following would overwrite them */
  const bool have_out = ls->out_ready && ls->queued < AHEAD;
  if (ls->outcome != OUTCOME_PASS) return ls->outcome;
  if (ls->queued == AHEAD && follow_all(ls) != OUTCOME_PASS) return ls->outcome;
  if (!ls->queued && pure_due(&ls->pure, ls->cycle)) pure_begin(&ls->pure, ls->model, ls->cycle);
  ls->out_ready = false;
  ls->dut->on_model_assert(model_left, ls);
  if (_setjmp(ls->jump)) {
    if (!evaluated) tell_of_failure(ls);
    return model_failed(ls, evaluated);
  }
  trim_inputs(ls, in, slot_in(ls, ls->queued));
  if (have_out) memcpy(slot_out(ls, ls->queued), ls->out, ls->dut->out_size);
  else evaluate_model(ls, slot_in(ls, ls->queued), slot_out(ls, ls->queued));
  evaluated = true;
  if (__builtin_expect(ls->pure.open, 0) && !have_out && eval_wrote_inputs(ls, in)) return ls->outcome;
  if (!model_shows_state(ls)) return not_a_function(ls);
  if (ls->observe) ls->observe(ls->observer, slot_in(ls, ls->queued), slot_out(ls, ls->queued));
  if (__builtin_expect(ls->pure.open, 0)) return step_and_look(ls, in);
  step_model(ls, slot_in(ls, ls->queued));
  ls->queued++;
  return OUTCOME_PASS;
}

outcome_t lockstep_watch(lockstep_t *ls, bool waiting, uint64_t patience) {
  if (ls->outcome != OUTCOME_PASS) return ls->outcome;
  if (!waiting) {
    ls->quiet_since = ls->cycle;
    return OUTCOME_PASS;
  }
  if (ls->cycle < ls->sample_cycle) return OUTCOME_PASS;
  ls->sample_cycle = ls->cycle + 1;
  if (memcmp(ls->sample, ls->out, ls->dut->out_size)) {
    memcpy(ls->sample, ls->out, ls->dut->out_size);
    ls->quiet_since = ls->cycle;
    ls->sample_cycle = ls->cycle + SAMPLE_EVERY;
  }
  if (ls->cycle - ls->quiet_since < patience) return OUTCOME_PASS;
  snprintf(ls->text, sizeof ls->text, "the block owes an answer, but no output or probe has changed for %llu cycles",
           (unsigned long long)(ls->cycle - ls->quiet_since));
  return ls->outcome = OUTCOME_STUCK;
}

bool lockstep_quiet(const lockstep_t *ls) {
  return ls->sample_cycle == ls->cycle + 1;
}

struct lockstep_snapshot {
  void *dev;
  void *reference; /* of a pair (against.h), whose model's struct only points to a device */
  uint64_t cycle, pure;
  char bytes[]; /* the model's struct, then its outputs */
};

lockstep_snapshot_t *lockstep_save(lockstep_t *ls) {
  const dut_t *dut = ls->dut;
  if (!dut->save) return NULL;
  lockstep_snapshot_t *s = malloc(sizeof *s + dut->model_size + dut->out_size);
  if (!s) return NULL;
  s->dev = dut->save(ls->dev);
  s->reference = s->dev ? against_save(dut, ls->model) : NULL;
  if (!s->dev || (against_reference(dut) && !s->reference)) {
    if (s->dev) dut->snapshot_free(s->dev);
    free(s);
    return NULL;
  }
  s->cycle = ls->cycle;
  s->pure = ls->pure.next;
  memcpy(s->bytes, ls->model, dut->model_size);
  memcpy(s->bytes + dut->model_size, ls->out, dut->out_size);
  return s;
}

void lockstep_restore(lockstep_t *ls, const lockstep_snapshot_t *s) {
  if (ls->dev_lost) lockstep_destroy_device(ls), lockstep_create_device(ls);
  if (!ls->dev) return;
  ls->dut->restore(ls->dev, s->dev);
  lockstep_restore_model(ls, s);
}

void lockstep_restore_model(lockstep_t *ls, const lockstep_snapshot_t *s) {
  const dut_t *dut = ls->dut;
  if (s->reference) against_restore(dut, ls->model, s->reference);
  else memcpy(ls->model, s->bytes, dut->model_size);
  memcpy(ls->out, s->bytes + dut->model_size, dut->out_size);
  ls->cycle = s->cycle;
  ls->pure.next = s->pure;
  ls->pure.open = false;
  ls->out_ready = false;
  ls->outcome = OUTCOME_PASS;
  ls->port = -1;
  ls->sample_cycle = ls->quiet_since = s->cycle;
  if (ls->quiet) ls->quiet->age = 0;
}

void lockstep_snapshot_free(lockstep_t *ls, lockstep_snapshot_t *s) {
  if (!s) return;
  ls->dut->snapshot_free(s->dev);
  against_snapshot_free(ls->dut, s->reference);
  free(s);
}
