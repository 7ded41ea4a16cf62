/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a check from its first cycle, with one pair and one result. pursue.c handles failures.
 *
 *   open_pair --> run_profiles / run_vectors / run_guided --failure--> pursue.c
 *                        |no failure
 *                        v
 *                 check_judge: PASS or NOT_COMPARED
 */
#include "check.h"

#include "again.h"
#include "clock.h"
#include "compared.h"
#include "file.h"
#include "guide.h"
#include "object.h"
#include "pursue.h"
#include "replay.h"
#include "report.h"
#include "shrink.h"
#include "stim_default.h"
#include "vectors.h"
#include "wave.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

static const size_t most_recorded = (size_t)3 << 30; /* bytes of recorded inputs */
enum { WAVE_CYCLES = 1000 };

/* Ends the run with BAD_INPUT or INFRA. */
#define FAIL(r, ...) (trouble_set(&(r)->trouble, __VA_ARGS__), (r)->outcome = outcome_of(&(r)->trouble))

/* Gives BAD_INPUT and INFRA a line, if lockstep alone set them. */
static void say_why(check_work_t *w) {
  check_result_t *r = w->result;
  if (r->outcome == OUTCOME_BAD_INPUT || r->outcome == OUTCOME_INFRA)
    trouble_fail(&r->trouble, r->outcome == OUTCOME_INFRA ? TROUBLE_ENVIRONMENT : TROUBLE_INPUT, "%s: %s",
                 w->check->block->ports, *r->failure.text ? r->failure.text : w->ls.text);
}

/* --- running */

/* Passes progress on, over all profiles; false stops, and result->stopped says so. */
static bool on_cycles(void *context, uint64_t done) {
  check_work_t *w = context;
  if (!w->check->on_cycles || w->check->on_cycles(w->check->context, w->before + done)) return true;
  w->result->stopped = true;
  return false;
}

/* Keeps the tally of the run itself: shrinking would add its own cycles. */
static void keep_tally(check_work_t *w) {
  if (w->result->tally.dut) return;
  w->result->tally = tally_take(&w->ls.tally);
  w->result->against = against_take(w->result->dut);
}

/* A run that was stopped before a failure has no verdict: INTERRUPTED. */
static bool unfinished(check_work_t *w) {
  check_result_t *r = w->result;
  if (r->outcome == OUTCOME_INTERRUPTED) r->stopped = true;
  if (r->stopped && r->outcome == OUTCOME_PASS) r->outcome = OUTCOME_INTERRUPTED;
  return r->outcome == OUTCOME_INTERRUPTED;
}

/* The first cycle behind the window of the coming cycle. */
static uint64_t window_end(check_work_t *w) {
  const check_t *c = w->check;
  const uint64_t whole = c->cycles / c->windows, more = c->cycles % c->windows;
  for (;; w->window++) {
    const uint64_t n = w->window + 1, end = n * whole + (n < more ? n : more);
    if (end > w->driven || n == c->windows) return end;
  }
}

/* Runs a profile window by window, and calls on_window at the end of each. */
static outcome_t run_windows(check_work_t *w, driver_t *driver, uint64_t cycles) {
  outcome_t outcome = OUTCOME_PASS;
  const uint64_t before = w->before;
  while (cycles && outcome == OUTCOME_PASS && !w->result->stopped) {
    const uint64_t left = window_end(w) - w->driven, n = left < cycles ? left : cycles;
    outcome = run_stimulus(&w->ls, driver, n, on_cycles, w);
    w->driven += n, cycles -= n;
    w->before = before + w->ls.cycle;
    if (outcome == OUTCOME_PASS && !w->check->on_window(w->check->context, w->result->dut, w->ls.dev, w->window)) {
      snprintf(w->ls.text, sizeof w->ls.text, "out of memory");
      outcome = OUTCOME_INFRA;
    }
  }
  w->before = before;
  return outcome;
}

/* One profile from power-up. A failure is pursued at once, except in a run with windows. */
static outcome_t run_profile(check_work_t *w, unsigned profile, uint64_t cycles) {
  check_result_t *r = w->result;
  driver_t driver;
  const uint64_t compared = w->ls.tally.cycles;
  r->power_up = pursue_power_up(w->check, r->dut, w->check->seed, profile);
  dut_power_up(r->dut, r->power_up);
  if (!lockstep_power_up(&w->ls)) return FAIL(r, TROUBLE_ENVIRONMENT, "%s: %s", r->dut->block, w->ls.text);
  if (!driver_open(&driver, r->dut, w->check->seed, profile) || (w->check->resets && !driver_inject(&driver)))
    return FAIL(r, TROUBLE_ENVIRONMENT, "out of memory");
  double start = clock_seconds();
  r->outcome =
      w->check->on_window ? run_windows(w, &driver, cycles) : run_stimulus(&w->ls, &driver, cycles, on_cycles, w);
  r->seconds += clock_seconds() - start;
  r->cycles += w->ls.cycle;
  w->before += w->ls.cycle;
  driver_close(&driver);
  /* a device's process is gone */
  if (r->outcome == OUTCOME_INFRA) return FAIL(r, TROUBLE_ENVIRONMENT, "%s: %s", r->dut->block, w->ls.text);
  if (r->outcome == OUTCOME_BAD_INPUT) return FAIL(r, TROUBLE_INPUT, "%s: %s", w->check->block->ports, w->ls.text);
  if (unfinished(w)) return r->outcome;
  if (r->outcome == OUTCOME_PASS && compared == w->ls.tally.cycles)
    fprintf(w->check->out, "profile %s: " COMPARED_NOTHING "\n", stim_of(r->dut)->profiles[profile].name);
  if (r->outcome != OUTCOME_PASS) {
    r->profile = stim_of(r->dut)->profiles[profile].name;
    keep_tally(w);
    if (!w->check->on_window) pursue_profile(w, profile);
  }
  return r->outcome;
}

/* The index of the requested profile; -1: unknown, with an error that names all profiles. */
static int find_profile(const check_t *check, const stim_t *stim, check_result_t *r) {
  for (unsigned i = 0; i < stim->num_profiles; i++)
    if (strcmp(stim->profiles[i].name, check->profile) == 0) return (int)i;
  char names[TROUBLE_TEXT] = "";
  for (unsigned i = 0; i < stim->num_profiles; i++)
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s %s", i ? "," : "", stim->profiles[i].name);
  FAIL(r, TROUBLE_INPUT, "block %s has no profile '%s'; it has:%s", check->block->name, check->profile, names);
  return -1;
}

/* All profiles in turn, with equal shares of the cycles; or one profile with all cycles. */
static void run_profiles(check_work_t *w) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  const stim_t *stim = stim_of(r->dut);
  int only = check->profile ? find_profile(check, stim, r) : -1;
  if (check->profile && only < 0) return;
  unsigned share = check->profile ? 1 : stim->num_profiles;
  for (unsigned i = 0; i < stim->num_profiles && r->outcome == OUTCOME_PASS && !r->stopped; i++) {
    if (check->profile && (int)i != only) continue;
    uint64_t cycles = check->cycles / share + (!check->profile && i < check->cycles % share);
    if (!cycles) continue;
    r->num_profiles++;
    run_profile(w, i, cycles);
  }
  if (check->profile) r->profile = stim->profiles[only].name;
}

/* Outside vectors in place of a stimulus (vectors.h). */
static void run_vectors(check_work_t *w) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  const stim_t *stim = stim_of(r->dut);
  vectors_t vectors;
  vectors_result_t result;
  pursue_run_t recorded = {.may = SHRINK_CYCLES};
  if (!stim->vector_drive || !stim->vector_result) {
    FAIL(r, TROUBLE_INPUT, "block %s takes no vectors: its stimulus has no vector_drive", check->block->name);
    return;
  }
  if (!vectors_read(&vectors, check->vectors, stim, &r->trouble)) r->outcome = outcome_of(&r->trouble);
  else {
    trace_init(&recorded.trace, r->dut->in_size);
    double start = clock_seconds();
    r->outcome = vectors_run(&w->ls, stim, &vectors, check->vectors, check->out, &recorded.trace, &result, &r->trouble);
    r->seconds = clock_seconds() - start;
    r->cycles = w->ls.cycle;
    keep_tally(w);
    if (result.wrong) fprintf(check->out, "  %zu of %zu vectors wrong\n", result.wrong, vectors.count);
    r->failure = result.failure;
    if (!unfinished(w) && result.failure.outcome != OUTCOME_PASS) {
      fprintf(check->out, "%s, %s:%u: ", pursue_words(check->block), check->vectors, result.failure_line);
      report_failure(check->out, &w->ls, &result.failure);
      if (!pursue_none(check, r)) pursue(w, -1, &recorded);
    } else if (result.failure.outcome == OUTCOME_PASS && result.wrong) r->failure = result.first;
    pursue_run_free(&recorded);
  }
  vectors_free(&vectors);
}

/* --wave on a run that passes: the first cycles of the first profile. */
static void wave_of_pass(check_work_t *w) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  trace_t trace;
  unsigned profile = 0;
  if (check->profile) profile = (unsigned)find_profile(check, stim_of(r->dut), r);
  trace_init(&trace, r->dut->in_size);
  r->shrunk.port = -1;
  uint64_t cycles = check->cycles < WAVE_CYCLES ? check->cycles : WAVE_CYCLES;
  if (run_record(r->dut, check->seed, profile, check->resets, cycles, most_recorded, &trace)) {
    const dut_t *dut;
    if (pursue_load(check, "rtl+wave", &dut, NULL, &r->trouble) &&
        wave_write(dut, &trace, -1, WAVE_CYCLES, check->wave, r->save, &r->trouble))
      snprintf(r->wave, sizeof r->wave, "%s", check->wave);
    else r->outcome = outcome_of(&r->trouble);
  }
  trace_free(&trace);
}

/* --strict: warnings are errors. */
static bool refuse_warnings(const check_t *check, check_result_t *r) {
  char first[1024];
  const unsigned all = warnings_all(&r->warnings);
  if (!check->strict || !all) return false;
  warnings_first(&r->warnings, first, sizeof first);
  if (all == 1) FAIL(r, TROUBLE_INPUT, "%s", first);
  else FAIL(r, TROUBLE_INPUT, "%s (and %u more warnings; without --strict they are listed)", first, all - 1);
  return true;
}

/* The RTL does not take parameters that the port file allows. */
static void refused_by_rtl(check_work_t *w, const char *said) {
  const block_t *b = w->check->block;
  check_result_t *r = w->result;
  r->outcome = r->failure.outcome = OUTCOME_DUT_ASSERT;
  snprintf(r->failure.text, sizeof r->failure.text, "the RTL refuses %s, which %s allows: %s",
           *b->params ? b->params : "its default parameters", basename(b->ports), said);
  fprintf(w->check->out, "%s: %s\n  a PARAM_RULE or another range in the port file would be right, or other RTL\n",
          pursue_words(b), r->failure.text);
}

/* An error at elaboration that --set asks for is the RTL's word on these parameters. */
static bool is_refused_build(const check_t *check, const trouble_t *trouble) {
  const size_t n = strlen(trouble->text), end = strlen(OBJECT_REFUSED);
  return *check->block->params && trouble->kind == TROUBLE_INPUT && n > end &&
         strcmp(trouble->text + n - end, OBJECT_REFUSED) == 0;
}

/* Loads the object and powers up the pair. False: the result says why. */
static bool open_pair(check_work_t *w) {
  check_result_t *r = w->result;
  const char *kind = w->check->guided ? "rtl+cov" : w->check->kind;
  if (!pursue_load(w->check, kind, &r->dut, &r->warnings, &r->trouble)) {
    r->outcome = outcome_of(&r->trouble);
    if (is_refused_build(w->check, &r->trouble)) refused_by_rtl(w, r->trouble.text);
    return false;
  }
  if (refuse_warnings(w->check, r)) return false;
  if (lockstep_open(&w->ls, r->dut)) return true;
  if (w->ls.outcome == OUTCOME_DUT_ASSERT) refused_by_rtl(w, w->ls.text);
  else if (outcome_of_model(w->ls.outcome)) {
    r->outcome = w->ls.outcome;
    failure_of(&w->ls, &r->failure);
    fprintf(w->check->out, "%s: ", pursue_words(w->check->block));
    report_failure(w->check->out, &w->ls, &r->failure);
    fprintf(w->check->out, "  not shrunk, and no replay file: it fails in the reset, before there are inputs\n");
  } else FAIL(r, w->ls.outcome == OUTCOME_BAD_INPUT ? TROUBLE_INPUT : TROUBLE_ENVIRONMENT, "%s", w->ls.text);
  lockstep_close(&w->ls);
  return false;
}

/* --- coverage-guided stimulus */

/* Repeats the failing inputs on an object of the requested kind, which reports and shrinks. */
static void pursue_guided(check_work_t *w, pursue_run_t *run) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  lockstep_close(&w->ls);
  if (!pursue_load(check, check->kind, &r->dut, NULL, &r->trouble)) {
    r->outcome = outcome_of(&r->trouble);
    return;
  }
  if (lockstep_open(&w->ls, r->dut)) run_cycles(&w->ls, run->trace.cycles, 0, run->trace.count, 0);
  r->outcome = w->ls.outcome;
  if (r->outcome == OUTCOME_PASS || r->outcome == OUTCOME_INFRA) {
    FAIL(r, TROUBLE_ENVIRONMENT, "%s fails with counters of coverage and not without: %s", check->block->name,
         w->ls.text);
    return;
  }
  failure_of(&w->ls, &r->failure);
  r->profile = "guided";
  fprintf(check->out, "%s: ", pursue_words(check->block));
  report_failure(check->out, &w->ls, &r->failure);
  pursue(w, -1, run);
}

/* A crash of the stimulus in a guided run: only the report, because its further inputs are
 * unknown. */
static void stim_crashed(check_work_t *w) {
  failure_of(&w->ls, &w->result->failure);
  w->result->profile = "guided";
  fprintf(w->check->out, "%s: ", pursue_words(w->check->block));
  report_failure(w->check->out, &w->ls, &w->result->failure);
}

/* A guided run on the object rtl+cov; a failure moves to the requested kind. */
static void run_guided(check_work_t *w) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  char path[BUILD_PATH];
  cover_watch_t watch = {0};
  cover_map_t map = {0};
  cover_table_t table = {0};
  guide_result_t g = {0};
  const char *root = *check->block->folder ? check->block->folder : check->places.source;
  if (!block_object(check->block, &check->places, "rtl+cov", path, &r->trouble)) r->outcome = outcome_of(&r->trouble);
  else if (!cover_watch(&watch, &w->ls)) FAIL(r, TROUBLE_ENVIRONMENT, "out of memory");
  else if (!cover_map(&map, &table, r->dut, path, check->block->ports, root, &r->trouble)) r->outcome = OUTCOME_INFRA;
  else {
    const guide_t guide = {.ls = &w->ls,
                           .map = &map,
                           .watch = &watch,
                           .seed = check->seed,
                           .cycles = check->cycles,
                           .on_cycles = on_cycles,
                           .context = w};
    double start = clock_seconds();
    guide_run(&guide, &g);
    r->seconds = clock_seconds() - start;
    r->outcome = g.outcome;
    keep_tally(w);
    r->cycles = g.cycles;
    r->hit = g.hit;
    r->points = table.count;
    r->num_profiles = stim_of(r->dut)->num_profiles;
    pursue_run_t found = {
        .trace = g.trace, .tape = g.tape, .taped = g.taped, .may = r->dut->stim ? SHRINK_END : SHRINK_ANY};
    if (r->outcome == OUTCOME_INFRA) FAIL(r, TROUBLE_ENVIRONMENT, "out of memory");
    else if (r->outcome == OUTCOME_STIM_CRASH) stim_crashed(w);
    else if (!unfinished(w) && r->outcome != OUTCOME_PASS) pursue_guided(w, &found);
    pursue_run_free(&found);
  }
  w->ls.observe = NULL;
  cover_unwatch(&watch);
  cover_map_free(&map);
  cover_table_free(&table);
}

void check_judge(const check_t *check, check_result_t *r) {
  if ((r->outcome != OUTCOME_PASS && r->outcome != OUTCOME_NOT_COMPARED) || r->stopped) return;
  const tally_valid_t *on = tally_on(&r->tally);
  if (on) {
    const dut_port_t *p = &r->dut->ports[on->port];
    FAIL(r, TROUBLE_INPUT,
         "%s:%u: OFF(%s, ...) says that these parameters hold %s at 0, but it was not in %" PRIu64
         " cycles; correct or remove the entry",
         check->block->ports, p->off_line, p->name, p->name, on->cycles);
  } else if (r->against && !against_was_compared(r->against, r->full)) r->outcome = OUTCOME_NOT_COMPARED;
  else r->outcome = compared_outcome(&r->tally, r->full);
}

void check_run(const check_t *check, check_result_t *result) {
  check_work_t w = {.check = check, .result = result};
  memset(result, 0, sizeof *result);
  result->failure.port = result->shrunk.port = -1;
  if (!open_pair(&w)) return;
  if (check->guided) run_guided(&w);
  else if (check->vectors) run_vectors(&w);
  else run_profiles(&w);
  if (result->outcome == OUTCOME_PASS && check->wave && !check->vectors && !check->guided) wave_of_pass(&w);
  keep_tally(&w);
  result->probes_compared = tally_probe_values(&result->tally);
  result->full = !check->profile && !check->vectors && check->full_cycles && check->cycles >= check->full_cycles;
  check_judge(check, result);
  say_why(&w);
  lockstep_close(&w.ls);
}

/* --- replay */

/* The file no longer fails though block and object are as recorded: plays it again to see whether
 * it is unsteady. */
static void look_for_cause(check_work_t *w, const char *path, const replay_t *replay) {
  check_result_t *r = w->result;
  again_t again;
  if (!replay->content || replay->content != again_content(&w->check->places, r->dut, replay->version)) return;
  again_play(&again, path, r->dut);
  snprintf(r->unsteady, sizeof r->unsteady, "%s",
           again.as == AGAIN_OTHER ? again.why : AGAIN_NOBODY ": the next run of the same file fails as recorded");
}

/* True if this kind of device could show the recorded failure. RTL assertions exist in Verilated
 * RTL; Icarus also has $error and $fatal. A failure that only Icarus shows may be an X, which other
 * devices lack. */
static bool could_show(const char *kind, const replay_t *replay) {
  const char *recorded = replay_kind(replay);
  if (strcmp(kind, recorded) == 0) return true;
  return replay->outcome == OUTCOME_DUT_ASSERT ? strcmp(kind, "rtl") == 0
                                               : strcmp(recorded, "icarus") || outcome_of_model(replay->outcome);
}

/* Plays the replay file, compares the failure with the recorded one, and reports. */
static void play_replay(check_work_t *w, const char *path, bool *same) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  replay_t replay;
  trace_t trace;
  trace_init(&trace, r->dut->in_size);
  if (!replay_read(path, &replay, r->dut, &trace, &r->trouble)) r->outcome = outcome_of(&r->trouble);
  else {
    double start = clock_seconds();
    bool stopped;
    again_run(&w->ls, &replay, &trace, on_cycles, w, &stopped);
    r->seconds = clock_seconds() - start;
    r->cycles = w->ls.cycle;
    r->outcome = w->ls.outcome;
    keep_tally(w);
    if (r->outcome == OUTCOME_INFRA) FAIL(r, TROUBLE_ENVIRONMENT, "%s: %s", r->dut->block, w->ls.text);
    if (unfinished(w)) {
      trace_free(&trace);
      return;
    }
    failure_of(&w->ls, &r->failure);
    r->shrunk = r->failure;
    if (r->outcome == OUTCOME_PASS)
      r->outcome = could_show(check->kind, &replay) ? compared_again(&r->tally, replay.port) : OUTCOME_NOT_COMPARED;
    if (r->outcome == OUTCOME_PASS && r->against && !against_was_compared(r->against, false))
      r->outcome = OUTCOME_NOT_COMPARED;
    *same = r->failure.outcome != OUTCOME_PASS && replay_same(&replay, r->dut, check->kind, &r->failure);
    if (r->failure.outcome != OUTCOME_PASS) {
      fprintf(check->out, "%s: ", pursue_words(check->block));
      report_failure(check->out, &w->ls, &r->failure);
      if (w->ls.cycle + 1 < trace.count) trace.count = w->ls.cycle + 1;
      if (window_take(&r->window, &w->ls, &trace, &r->failure)) window_print(check->out, &r->window);
    }
    if (!*same && r->outcome != OUTCOME_INFRA) look_for_cause(w, path, &replay);
    r->replay_seed = replay.seed, r->power_up = replay.power_up;
    if (check->wave || (check->inside && r->failure.outcome != OUTCOME_PASS))
      pursue_look(check, r, &trace, check->wave);
    pursue_files(check, r);
  }
  trace_free(&trace);
}

void check_replay(const check_t *check, const char *path, check_result_t *result, bool *same) {
  check_work_t w = {.check = check, .result = result};
  memset(result, 0, sizeof *result);
  result->failure.port = result->shrunk.port = -1;
  *same = false;
  if (!open_pair(&w)) return;
  play_replay(&w, path, same);
  keep_tally(&w);
  result->probes_compared = tally_probe_values(&result->tally);
  say_why(&w);
  lockstep_close(&w.ls);
}
