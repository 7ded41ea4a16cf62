/* SPDX-License-Identifier: Apache-2.0
 *
 * Long file: a run from its first cycle to the files of its failure, step by step on one pair and one result.
 */
#include "check.h"

#include "again.h"
#include "clock.h"
#include "compared.h"
#include "file.h"
#include "guide.h"
#include "image_check.h"
#include "plain.h"
#include "replay.h"
#include "report.h"
#include "shrink.h"
#include "stim_default.h"
#include "vectors.h"
#include "wave.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

static const size_t most_recorded = (size_t)3 << 30; /* bytes of inputs kept in memory */
static const size_t most_kept = (size_t)1 << 30;     /* of these, beside what is shrunk */
enum { WAVE_CYCLES = 1000, LONG = 5000, INSIDE_SECONDS = 20 };

typedef struct {
  const check_t *check;
  check_result_t *result;
  lockstep_t ls;
  uint64_t before; /* cycles of the profiles done */
} work_t;

static outcome_t fail(check_result_t *r, outcome_t outcome, const char *format, ...) __attribute__((format(printf, 3, 4)));

static outcome_t fail(check_result_t *r, outcome_t outcome, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(r->error, sizeof r->error, format, args);
  va_end(args);
  return r->outcome = outcome;
}

static outcome_t load_warned(const check_t *check, const char *kind, const dut_t **dut, warnings_t *warnings, char *error, size_t size) {
  char path[BUILD_PATH], warned[BUILD_PATH];
  outcome_t outcome = block_object_warned(check->block, &check->places, kind, path, warned, error, size);
  if (outcome != OUTCOME_PASS) return outcome;
  if (warnings) warnings_read(warnings, warned);
  if (!dut_load(path, dut, error, size)) return OUTCOME_INFRA;
  dut_seed(*dut, check->seed);
  char *partial = NULL;
  if (warnings) images_judge(*dut, &partial), warnings_add(warnings, partial ? partial : "");
  free(partial);
  return OUTCOME_PASS;
}

static outcome_t load(const check_t *check, const char *kind, const dut_t **dut, char *error, size_t size) {
  return load_warned(check, kind, dut, NULL, error, size);
}

static const char *command_options(const check_t *check, char *buf, size_t size) {
  size_t n = 0;
  buf[0] = 0;
  const char *p = check->block->params;
  while (*p && n < size) {
    const char *end = strchrnul(p, ',');
    n += (size_t)snprintf(buf + n, size - n, " --set %.*s", (int)(end - p), p);
    p = *end ? end + 1 : end;
  }
  if (*check->block->instead && n < size) n += (size_t)snprintf(buf + n, size - n, " --rtl %s", plain_word(check->block->instead, (char[PLAIN_WORD]){0}));
  if (strcmp(check->kind, "rtl") && n < size) snprintf(buf + n, size - n, " --dut %s", check->kind);
  return buf;
}

static const char *block_words(const block_t *block) {
  return *block->folder ? block->folder : block->name;
}

/* --- after a failure */

static void describe(const check_t *check, const check_result_t *r, replay_t *replay) {
  memset(replay, 0, sizeof *replay);
  snprintf(replay->block, sizeof replay->block, "%s", check->block->name);
  snprintf(replay->folder, sizeof replay->folder, "%s", check->block->folder);
  snprintf(replay->rtl, sizeof replay->rtl, "%s", check->block->instead);
  snprintf(replay->dut, sizeof replay->dut, "%s", check->kind);
  snprintf(replay->params, sizeof replay->params, "%s", check->block->params);
  snprintf(replay->profile, sizeof replay->profile, "%s", r->profile ? r->profile : "vectors");
  snprintf(replay->commit, sizeof replay->commit, "%s", check->commit ? check->commit : "");
  replay->seed = r->replay_seed;
  replay->outcome = r->shrunk.outcome;
  replay->differs = r->shrunk.differs;
  replay->content = again_content(&check->places, r->dut);
  if (r->shrunk.port >= 0) snprintf(replay->port, sizeof replay->port, "%s", r->dut->ports[r->shrunk.port].name);
  else snprintf(replay->text, sizeof replay->text, "%s", r->shrunk.text);
}

/* The failure is reported all the same; the first file that is missing through no fault of the input is what the command ends with. */
static void not_written(const check_t *check, check_result_t *r, const char *what, outcome_t outcome, const char *error) {
  fprintf(check->out, "  no %s: %s\n", what, error);
  if (outcome == OUTCOME_INFRA && !*r->unwritten) snprintf(r->unwritten, sizeof r->unwritten, "%s", error);
}

/* Where in the RTL it begins: what drives the wrong port, and the first part that is wrong. */
static void look_inside(const check_t *check, check_result_t *r, const dut_t *dut, const trace_t *trace) {
  const int port = r->shrunk.port;
  r->parts = dut;
  dut_seed(dut, r->replay_seed);
  if (port >= 0) inside_print_drivers(check->out, dut, &r->dut->ports[port]);
  inside_find(&r->inside, dut, check->block, &check->places, trace, INSIDE_SECONDS);
  inside_print(check->out, &r->inside, dut, r->shrunk.outcome == OUTCOME_DIVERGED);
}

/* The object with waveforms knows what is inside of the RTL, too. */
static void look_and_draw(const check_t *check, check_result_t *r, const trace_t *trace, const char *path) {
  const dut_t *dut;
  char error[2048];
  outcome_t outcome = load(check, "rtl+wave", &dut, error, sizeof error);
  if (outcome == OUTCOME_PASS && r->shrunk.outcome != OUTCOME_PASS && strcmp(check->kind, "rtl") == 0) look_inside(check, r, dut, trace);
  if (!path) {
    if (outcome != OUTCOME_PASS) fprintf(check->out, "  not looked inside: %s\n", error);
    return;
  }
  if (outcome == OUTCOME_PASS) dut_seed(dut, r->replay_seed), outcome = wave_write(dut, trace, r->shrunk.port, WAVE_BEFORE, path, r->save, error, sizeof error);
  if (outcome == OUTCOME_PASS) snprintf(r->wave, sizeof r->wave, "%s", path);
  else not_written(check, r, "waveform", outcome, error);
}

static void stem_of(const check_t *check, const check_result_t *r, char stem[BUILD_PATH]) {
  const size_t n = strlen(r->replay), ending = strlen(".replay");
  if (n) snprintf(stem, BUILD_PATH, "%.*s", (int)(n - ending), r->replay);
  else snprintf(stem, BUILD_PATH, "%s/%s-%s-%" PRIu64, check->folder, check->block->name, r->profile ? r->profile : "vectors", check->seed);
}

/* The recording becomes a replay file if it fails again from it. False: it does not, for what r->unsteady says. */
static bool write_replay(const check_t *check, check_result_t *r, const trace_t *trace) {
  char stem[BUILD_PATH], path[BUILD_PATH], error[2048];
  replay_t replay;
  again_t again;
  file_folder(check->folder); /* that it cannot be made is said when the file is written */
  stem_of(check, r, stem);
  snprintf(path, sizeof path, "%s.replay", stem);
  describe(check, r, &replay);
  const outcome_t outcome = again_write(&again, path, sizeof path, &replay, r->dut, trace, error, sizeof error);
  if (outcome != OUTCOME_PASS) return not_written(check, r, "replay file", outcome, error), true;
  r->written = true;
  r->repeats = again.as == AGAIN_SAME;
  if (again.as == AGAIN_OTHER) return snprintf(r->unsteady, sizeof r->unsteady, "%s", again.why), false;
  if (again.as == AGAIN_UNKNOWN) not_written(check, r, "proof that the replay file shows the failure", OUTCOME_INFRA, again.why);
  snprintf(r->replay, sizeof r->replay, "%s", path);
  return true;
}

static void draw(const check_t *check, check_result_t *r, const trace_t *trace) {
  char stem[BUILD_PATH], path[BUILD_PATH];
  stem_of(check, r, stem);
  snprintf(path, sizeof path, "%s.fst", stem);
  if (check->wave || !check->no_wave) look_and_draw(check, r, trace, check->wave ? check->wave : path);
  else if (check->inside) look_and_draw(check, r, trace, NULL);
}

static void report_files(const check_t *check, const check_result_t *r) {
  if (*r->replay) fprintf(check->out, "  replay     lockstack replay %s\n", plain_word(r->replay, (char[PLAIN_WORD]){0}));
  if (*r->wave) fprintf(check->out, "  waveform   gtkwave %s\n", plain_word(*r->save ? r->save : r->wave, (char[PLAIN_WORD]){0}));
}

/* --- a long recording whose last cycles alone do not fail: the same failure, sooner, from other seeds */

typedef struct {
  double deadline;
} hunt_t;

static bool hunting(void *context, uint64_t done) {
  (void)done;
  return clock_seconds() < ((const hunt_t *)context)->deadline;
}

/* One other seed, at most `cycles` of it. True: the same failure, at `*cycle`. */
static bool fails_sooner(work_t *w, uint64_t seed, unsigned profile, uint64_t cycles, hunt_t *hunt, uint64_t *cycle) {
  driver_t driver;
  failure_t now;
  bool same = false;
  dut_seed(w->result->dut, seed);
  if (!lockstep_power_up(&w->ls)) return false;
  if (driver_open(&driver, w->result->dut, seed, profile) && run_stimulus(&w->ls, &driver, cycles, hunting, hunt) != OUTCOME_PASS) {
    failure_of(&w->ls, &now);
    same = failure_same(&now, &w->result->failure);
    *cycle = now.cycle;
  }
  driver_close(&driver);
  return same;
}

/* What is shrunk: inputs, and the decisions they come from. */
typedef struct {
  trace_t trace;
  tape_t tape;
  bool taped;       /* there are decisions */
  shrink_may_t may; /* otherwise: what may be done to the inputs */
} run_t;

static void run_free(run_t *run) {
  trace_free(&run->trace);
  if (run->taped) tape_free(&run->tape);
}

/* Of the default stimulus, which knows no rules, the inputs alone; so too when there is no room for decisions. False: nor for inputs. */
static bool record(const dut_t *dut, uint64_t seed, unsigned profile, uint64_t cycles, run_t *run) {
  *run = (run_t){.may = dut->stim ? SHRINK_END : SHRINK_ANY};
  trace_init(&run->trace, dut->in_size);
  run->taped = dut->stim && dut->tape && run_note(dut, seed, profile, cycles, most_recorded, &run->trace, &run->tape);
  if (run->taped) return true;
  if (dut->stim) {
    tape_free(&run->tape);
    trace_free(&run->trace);
    trace_init(&run->trace, dut->in_size);
  }
  return run_record(dut, seed, profile, cycles, most_recorded, &run->trace);
}

/* Replaces the recording when another seed gets there in a quarter of the cycles; again and again while time is left. */
static void hunt_shorter(work_t *w, unsigned profile, run_t *run, double seconds) {
  check_result_t *r = w->result;
  hunt_t hunt = {clock_seconds() + seconds};
  uint64_t best = r->failure.cycle + 1, best_seed = w->check->seed, cycle;
  for (uint64_t k = 1; best > LONG && clock_seconds() < hunt.deadline; k++)
    if (fails_sooner(w, w->check->seed + k, profile, best / 4, &hunt, &cycle)) best = cycle + 1, best_seed = w->check->seed + k;
  dut_seed(r->dut, w->check->seed);
  if (best_seed == w->check->seed) return;
  run_t shorter;
  if (!record(r->dut, best_seed, profile, best, &shorter)) {
    run_free(&shorter);
    return;
  }
  dut_seed(r->dut, best_seed);
  run_free(run);
  *run = shorter;
  r->shrunk.cycle = best - 1;
  r->replay_seed = best_seed;
  fprintf(w->check->out, "  seed %" PRIu64 " has it already in cycle %" PRIu64 ": that one is shrunk\n", best_seed, best - 1);
}

static void report_shrunk(const check_t *check, const check_result_t *r, const run_t *run, const shrink_t *stats) {
  if (!r->was_shrunk) fprintf(check->out, "  not shrunk: %s\n", r->unsteady);
  else if (!run->taped && run->may == SHRINK_END)
    fprintf(check->out, "  %zu cycles (%zu with inputs) as they were: without the stimulus' decisions nothing says which others are legal\n",
            stats->cycles_after, stats->busy_after);
  else
    fprintf(check->out, "  shrunk from %zu cycles (%zu with inputs) to %zu (%zu)%s\n", stats->cycles_before, stats->busy_before, stats->cycles_after,
            stats->busy_after, stats->finished ? "" : "; time was over, more --shrink-seconds may give less");
}

static void make_small(work_t *w, int profile, run_t *run, shrink_t *stats) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  if (profile >= 0 && run->trace.count > LONG && !shrink_tail(&w->ls, run->taped ? &run->tape : NULL, &run->trace, &r->shrunk, check->shrink_seconds / 10))
    hunt_shorter(w, (unsigned)profile, run, check->shrink_seconds / 3);
  if (run->taped) r->was_shrunk = shrink(&w->ls, &run->tape, &run->trace, &r->shrunk, check->shrink_seconds, stats);
  else if (run->may == SHRINK_END && shrink_judged(&w->ls, NULL, &run->trace, &r->shrunk, check->shrink_seconds, stats)) {
    r->was_shrunk = true;
    run->may = SHRINK_ANY;
  } else r->was_shrunk = shrink_inputs(&w->ls, &run->trace, &r->shrunk, run->may, check->shrink_seconds, stats);
}

/* The recording as it was, after what was made of it did not fail again. */
static void unshrink(work_t *w, run_t *run, trace_t *kept) {
  check_result_t *r = w->result;
  const trace_t swapped = run->trace;
  run->trace = *kept;
  *kept = swapped;
  r->was_shrunk = false;
  r->shrunk = r->failure;
  r->replay_seed = w->check->seed;
  dut_seed(r->dut, w->check->seed);
}

/* Does the stimulus make the inputs that it made before? */
static void ask_stimulus(const work_t *w, unsigned profile, const trace_t *trace) {
  check_result_t *r = w->result;
  trace_t again;
  trace_init(&again, trace->in_size);
  bool same = run_record(r->dut, r->replay_seed, profile, trace->count, most_kept, &again) && again.count == trace->count;
  for (size_t i = 0; same && i < trace->count; i++) {
    const trace_cycle_t *a = &trace->cycles[i], *b = &again.cycles[i];
    same = a->reset == b->reset && !a->in == !b->in && (!a->in || memcmp(a->in, b->in, trace->in_size) == 0);
  }
  if (!same) snprintf(r->unsteady, sizeof r->unsteady, "the stimulus does not repeat: the same seed gives other inputs (static variables?)");
  trace_free(&again);
}

/* Makes the recording small and a replay file of what is left; of the recording as it was, if what is left does not fail again by itself. */
static void make_replay(work_t *w, int profile, run_t *run) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  shrink_t stats = {0};
  trace_t kept;
  const bool small = check->shrink_seconds > 0 && r->failure.outcome != OUTCOME_STUCK;
  trace_init(&kept, run->trace.in_size);
  const bool have = small && run->trace.bytes <= most_kept && trace_add_all(&kept, &run->trace);
  if (small) make_small(w, profile, run, &stats);
  const bool shown = write_replay(check, r, &run->trace);
  if (small && shown && !r->was_shrunk)
    snprintf(r->unsteady, sizeof r->unsteady, AGAIN_NOBODY ": here the recorded inputs do not fail again%s",
             r->repeats ? ", in a new process they do (static variables?)" : "");
  if (small && shown) report_shrunk(check, r, run, &stats);
  if (!shown && have && r->was_shrunk) {
    unshrink(w, run, &kept);
    write_replay(check, r, &run->trace);
  }
  if (!shown && profile >= 0 && !strncmp(r->unsteady, AGAIN_NOBODY, strlen(AGAIN_NOBODY))) ask_stimulus(w, (unsigned)profile, &run->trace);
  if (!shown && *r->replay) fprintf(check->out, "  not shrunk, as the smaller run does not fail by itself: %s\n", r->unsteady);
  if (r->written && !*r->replay) fprintf(check->out, "  no replay file: the recorded inputs do not fail again by themselves: %s\n", r->unsteady);
  r->shrunk_cycles = r->was_shrunk ? stats.cycles_after : 0;
  r->shrunk_busy = r->was_shrunk ? stats.busy_after : 0;
  trace_free(&kept);
}

/* RTL that stands in for the tree's (--rtl): what does the tree's own say to the inputs that are left? */
static void ask_tree(const check_t *check, check_result_t *r, const trace_t *trace) {
  block_t own = *check->block;
  check_t tree = *check;
  lockstep_t ls;
  const dut_t *dut;
  char error[2048];
  own.instead[0] = 0;
  snprintf(own.rtl, sizeof own.rtl, "%s%s", check->block->beside, strrchr(check->block->rtl, '/'));
  tree.block = &own;
  const outcome_t outcome = load(&tree, check->kind, &dut, error, sizeof error);
  if (outcome == OUTCOME_PASS) dut_seed(dut, r->replay_seed);
  if (outcome == OUTCOME_PASS && lockstep_open(&ls, dut)) {
    run_cycles(&ls, trace->cycles, 0, trace->count, 0);
    r->tree = ls.outcome;
    r->asked_tree = true;
    lockstep_close(&ls);
    fprintf(check->out, "  the tree's own RTL, on the same inputs: %s\n", outcome_name(r->tree));
  } else fprintf(check->out, "  the tree's own RTL was not asked: %s\n", outcome == OUTCOME_PASS ? "it could not be opened" : error);
}

/* The failure of the smaller run. */
static void report_smaller(work_t *w, const trace_t *trace) {
  const check_result_t *r = w->result;
  if (!r->was_shrunk || !lockstep_power_up(&w->ls)) return;
  run_cycles(&w->ls, trace->cycles, 0, trace->count, 0);
  if (r->shrunk.outcome != OUTCOME_DIVERGED || w->ls.outcome != OUTCOME_DIVERGED) return;
  fprintf(w->check->out, "  then: ");
  report_failure(w->check->out, &w->ls, &r->shrunk);
}

/* Shrinks the recording, writes the files, reports what is left. */
static void pursue(work_t *w, int profile, run_t *run) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  trace_t *trace = &run->trace;
  r->shrunk = r->failure;
  r->replay_seed = check->seed;
  make_replay(w, profile, run);
  if (r->written && !*r->replay) return; /* what comes of these inputs says nothing of the failure */
  report_smaller(w, trace);
  fprintf(check->out, "  last inputs before it:\n");
  if (window_take(&r->window, &w->ls, trace, &r->shrunk)) window_print(check->out, &r->window);
  if (*check->block->instead) ask_tree(check, r, trace);
  draw(check, r, trace);
  report_files(check, r);
}

/* The stimulus crashed: what it would have done next is not known. */
static bool no_inputs(const check_t *check, const check_result_t *r) {
  if (r->failure.outcome != OUTCOME_STIM_CRASH) return false;
  return fprintf(check->out, "  no replay file: it would hold inputs, and here they were still to be made\n"), true;
}

static void after_failure(work_t *w, unsigned profile) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  char options[2 * BUILD_PATH], word[PLAIN_WORD];
  run_t recorded;
  failure_of(&w->ls, &r->failure);
  fprintf(check->out, "%s: ", block_words(check->block));
  report_failure(check->out, &w->ls, &r->failure);
  fprintf(check->out, "  seed %" PRIu64 ", profile %s; again with:\n    lockstack check %s%s --seed %" PRIu64 " --profile %s --cycles %" PRIu64 "\n",
          check->seed, r->profile, plain_word(block_words(check->block), word), command_options(check, options, sizeof options), check->seed, r->profile,
          r->failure.cycle + 1);
  fflush(check->out);
  if (no_inputs(check, r)) return;
  if (record(r->dut, check->seed, profile, r->failure.cycle + 1, &recorded)) pursue(w, (int)profile, &recorded);
  else fprintf(check->out, "  the inputs do not fit into memory: no replay file\n");
  run_free(&recorded);
}

/* --- running */

static bool on_cycles(void *context, uint64_t done) {
  work_t *w = context;
  if (!w->check->on_cycles || w->check->on_cycles(w->check->context, w->before + done)) return true;
  w->result->stopped = true;
  return false;
}

/* What was compared in the run itself: shrinking compares more. */
static void keep_tally(work_t *w) {
  if (!w->result->tally.dut) w->result->tally = tally_take(&w->ls.tally);
}

/* Stopped before anything was found: then the cycles that held say nothing of the rest. */
static bool unfinished(work_t *w) {
  check_result_t *r = w->result;
  if (r->outcome == OUTCOME_INTERRUPTED) r->stopped = true;
  if (r->stopped && r->outcome == OUTCOME_PASS) r->outcome = OUTCOME_INTERRUPTED;
  return r->outcome == OUTCOME_INTERRUPTED;
}

static outcome_t run_profile(work_t *w, unsigned profile, uint64_t cycles) {
  check_result_t *r = w->result;
  driver_t driver;
  const uint64_t compared = w->ls.tally.cycles;
  if (!lockstep_power_up(&w->ls)) return fail(r, OUTCOME_INFRA, "%s: %s", r->dut->block, w->ls.text);
  if (!driver_open(&driver, r->dut, w->check->seed, profile)) return fail(r, OUTCOME_INFRA, "out of memory");
  double start = clock_seconds();
  r->outcome = run_stimulus(&w->ls, &driver, cycles, on_cycles, w);
  r->seconds += clock_seconds() - start;
  r->cycles += w->ls.cycle;
  w->before += w->ls.cycle;
  driver_close(&driver);
  if (r->outcome == OUTCOME_INFRA) return fail(r, OUTCOME_INFRA, "%s: %s", r->dut->block, w->ls.text); /* a device's process is gone */
  if (r->outcome == OUTCOME_BAD_INPUT) return fail(r, OUTCOME_BAD_INPUT, "%s: %s", w->check->block->ports, w->ls.text);
  if (unfinished(w)) return r->outcome;
  if (r->outcome == OUTCOME_PASS && compared == w->ls.tally.cycles)
    fprintf(w->check->out, "profile %s: " COMPARED_NOTHING "\n", stim_of(r->dut)->profiles[profile].name);
  if (r->outcome != OUTCOME_PASS) {
    r->profile = stim_of(r->dut)->profiles[profile].name;
    keep_tally(w);
    after_failure(w, profile);
  }
  return r->outcome;
}

/* The index of the profile asked for, or -1 with an error that names them all. */
static int find_profile(const check_t *check, const stim_t *stim, check_result_t *r) {
  size_t n;
  for (unsigned i = 0; i < stim->num_profiles; i++)
    if (strcmp(stim->profiles[i].name, check->profile) == 0) return (int)i;
  fail(r, OUTCOME_BAD_INPUT, "block %s has no profile '%s'; it has:", check->block->name, check->profile);
  for (unsigned i = 0; i < stim->num_profiles; i++) {
    n = strlen(r->error);
    snprintf(r->error + n, sizeof r->error - n, "%s %s", i ? "," : "", stim->profiles[i].name);
  }
  return -1;
}

static void run_profiles(work_t *w) {
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

static void run_vectors(work_t *w) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  const stim_t *stim = stim_of(r->dut);
  vectors_t vectors;
  vectors_result_t result;
  run_t recorded = {.may = SHRINK_CYCLES};
  if (!stim->vector_drive || !stim->vector_result) {
    fail(r, OUTCOME_BAD_INPUT, "block %s takes no vectors: its stimulus has no vector_drive", check->block->name);
    return;
  }
  r->outcome = vectors_read(&vectors, check->vectors, stim, r->error, sizeof r->error);
  if (r->outcome == OUTCOME_PASS) {
    trace_init(&recorded.trace, r->dut->in_size);
    double start = clock_seconds();
    vectors_run(&w->ls, stim, &vectors, check->vectors, check->out, &recorded.trace, &result);
    r->seconds = clock_seconds() - start;
    r->cycles = w->ls.cycle;
    r->outcome = result.outcome;
    keep_tally(w);
    if (result.wrong) fprintf(check->out, "  %zu of %zu vectors wrong\n", result.wrong, vectors.count);
    r->failure = result.failure;
    if (!unfinished(w) && result.failure.outcome != OUTCOME_PASS) {
      fprintf(check->out, "%s, %s:%u: ", block_words(check->block), check->vectors, result.failure_line);
      report_failure(check->out, &w->ls, &result.failure);
      if (!no_inputs(check, r)) pursue(w, -1, &recorded);
    } else if (result.failure.outcome == OUTCOME_PASS && result.wrong) r->failure = result.first;
    run_free(&recorded);
  }
  vectors_free(&vectors);
}

/* --wave when all held: the first cycles of the (first) profile. */
static void wave_of_pass(work_t *w) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  trace_t trace;
  unsigned profile = 0;
  if (check->profile) profile = (unsigned)find_profile(check, stim_of(r->dut), r);
  trace_init(&trace, r->dut->in_size);
  r->shrunk.port = -1;
  uint64_t cycles = check->cycles < WAVE_CYCLES ? check->cycles : WAVE_CYCLES;
  if (run_record(r->dut, check->seed, profile, cycles, most_recorded, &trace)) {
    const dut_t *dut;
    r->outcome = load(check, "rtl+wave", &dut, r->error, sizeof r->error);
    if (r->outcome == OUTCOME_PASS) r->outcome = wave_write(dut, &trace, -1, WAVE_CYCLES, check->wave, r->save, r->error, sizeof r->error);
    if (r->outcome == OUTCOME_PASS) snprintf(r->wave, sizeof r->wave, "%s", check->wave);
  }
  trace_free(&trace);
}

/* --strict: what is only counted else is an error. */
static bool refuse_warnings(const check_t *check, check_result_t *r) {
  char first[1024];
  const unsigned all = warnings_all(&r->warnings);
  if (!check->strict || !all) return false;
  warnings_first(&r->warnings, first, sizeof first);
  if (all == 1) fail(r, OUTCOME_BAD_INPUT, "%s", first);
  else fail(r, OUTCOME_BAD_INPUT, "%s (and %u more warnings; without --strict they are listed)", first, all - 1);
  return true;
}

static bool open_pair(work_t *w) {
  check_result_t *r = w->result;
  const char *kind = w->check->guided ? "rtl+cov" : w->check->kind;
  r->outcome = load_warned(w->check, kind, &r->dut, &r->warnings, r->error, sizeof r->error);
  if (r->outcome != OUTCOME_PASS || refuse_warnings(w->check, r)) return false;
  if (lockstep_open(&w->ls, r->dut)) return true;
  if (w->ls.outcome == OUTCOME_DUT_ASSERT) fail(r, OUTCOME_BAD_INPUT, "the RTL refuses its parameters: %s", w->ls.text);
  else if (outcome_of_model(w->ls.outcome)) {
    r->outcome = w->ls.outcome;
    failure_of(&w->ls, &r->failure);
    fprintf(w->check->out, "%s: ", block_words(w->check->block));
    report_failure(w->check->out, &w->ls, &r->failure);
  } else fail(r, w->ls.outcome == OUTCOME_BAD_INPUT ? OUTCOME_BAD_INPUT : OUTCOME_INFRA, "%s", w->ls.text);
  lockstep_close(&w->ls);
  return false;
}

/* --- stimulus that coverage leads */

static bool on_guided(void *context, uint64_t done) {
  return on_cycles(context, done);
}

/* The failing inputs on an object of the kind asked for, to be reported and shrunk there. */
static void pursue_guided(work_t *w, run_t *run) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  lockstep_close(&w->ls);
  r->outcome = load(check, check->kind, &r->dut, r->error, sizeof r->error);
  if (r->outcome != OUTCOME_PASS) return;
  if (lockstep_open(&w->ls, r->dut)) run_cycles(&w->ls, run->trace.cycles, 0, run->trace.count, 0);
  r->outcome = w->ls.outcome;
  if (r->outcome == OUTCOME_PASS || r->outcome == OUTCOME_INFRA) {
    fail(r, OUTCOME_INFRA, "%s fails with counters of coverage and not without: %s", check->block->name, w->ls.text);
    return;
  }
  failure_of(&w->ls, &r->failure);
  r->profile = "guided";
  fprintf(check->out, "%s: ", block_words(check->block));
  report_failure(check->out, &w->ls, &r->failure);
  pursue(w, -1, run);
}

static void stim_crashed(work_t *w) {
  failure_of(&w->ls, &w->result->failure);
  w->result->profile = "guided";
  fprintf(w->check->out, "%s: ", block_words(w->check->block));
  report_failure(w->check->out, &w->ls, &w->result->failure);
}

static void run_guided(work_t *w) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  char path[BUILD_PATH];
  cover_watch_t watch = {0};
  cover_map_t map = {0};
  cover_table_t table = {0};
  guide_result_t g = {0};
  const char *root = *check->block->folder ? check->block->folder : check->places.source;
  r->outcome = block_object(check->block, &check->places, "rtl+cov", path, r->error, sizeof r->error);
  if (r->outcome != OUTCOME_PASS) return;
  if (!cover_watch(&watch, &w->ls)) fail(r, OUTCOME_INFRA, "out of memory");
  else if (!cover_map(&map, &table, r->dut, path, check->block->ports, root, r->error, sizeof r->error)) r->outcome = OUTCOME_INFRA;
  else {
    const guide_t guide = {.ls = &w->ls, .map = &map, .watch = &watch, .seed = check->seed, .cycles = check->cycles, .on_cycles = on_guided, .context = w};
    double start = clock_seconds();
    guide_run(&guide, &g);
    r->seconds = clock_seconds() - start;
    r->outcome = g.outcome;
    keep_tally(w);
    r->cycles = g.cycles;
    r->hit = g.hit;
    r->points = table.count;
    r->num_profiles = stim_of(r->dut)->num_profiles;
    run_t found = {.trace = g.trace, .tape = g.tape, .taped = g.taped, .may = r->dut->stim ? SHRINK_END : SHRINK_ANY};
    if (r->outcome == OUTCOME_INFRA) fail(r, OUTCOME_INFRA, "out of memory");
    else if (r->outcome == OUTCOME_STIM_CRASH) stim_crashed(w);
    else if (!unfinished(w) && r->outcome != OUTCOME_PASS) pursue_guided(w, &found);
    run_free(&found);
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
    fail(r, OUTCOME_BAD_INPUT, "%s:%u: OFF(%s, ...) says that these parameters hold %s at 0, but it was not in %" PRIu64 " cycles; correct or remove the entry",
         check->block->ports, p->off_line, p->name, p->name, on->cycles);
  } else r->outcome = compared_outcome(&r->tally, r->full);
}

void check_run(const check_t *check, check_result_t *result) {
  work_t w = {.check = check, .result = result};
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
  lockstep_close(&w.ls);
}

/* --- replay */

/* Block and object are what was recorded, and do something else now. */
static void look_for_cause(work_t *w, const char *path, const replay_t *replay) {
  check_result_t *r = w->result;
  again_t again;
  if (!replay->content || replay->content != again_content(&w->check->places, r->dut)) return;
  again_play(&again, path, r->dut);
  snprintf(r->unsteady, sizeof r->unsteady, "%s", again.as == AGAIN_OTHER ? again.why : AGAIN_NOBODY ": the next run of the same file fails as recorded");
}

/* Assertions are in the Verilated RTL, $error and $fatal in Icarus too. What Icarus alone shows may be an X, which has no value elsewhere. */
static bool could_show(const char *kind, const replay_t *replay) {
  const char *recorded = replay_kind(replay);
  if (strcmp(kind, recorded) == 0) return true;
  return replay->outcome == OUTCOME_DUT_ASSERT ? strcmp(kind, "rtl") == 0 : strcmp(recorded, "icarus") || outcome_of_model(replay->outcome);
}

static void play(work_t *w, const char *path, bool *same) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  replay_t replay;
  trace_t trace;
  trace_init(&trace, r->dut->in_size);
  r->outcome = replay_read(path, &replay, r->dut, &trace, r->error, sizeof r->error);
  if (r->outcome == OUTCOME_PASS) {
    double start = clock_seconds();
    bool stopped;
    again_run(&w->ls, &replay, &trace, on_cycles, w, &stopped);
    r->seconds = clock_seconds() - start;
    r->cycles = w->ls.cycle;
    r->outcome = w->ls.outcome;
    keep_tally(w);
    if (r->outcome == OUTCOME_INFRA) fail(r, OUTCOME_INFRA, "%s: %s", r->dut->block, w->ls.text);
    if (unfinished(w)) {
      trace_free(&trace);
      return;
    }
    failure_of(&w->ls, &r->failure);
    r->shrunk = r->failure;
    if (r->outcome == OUTCOME_PASS) r->outcome = could_show(check->kind, &replay) ? compared_again(&r->tally, replay.port) : OUTCOME_NOT_COMPARED;
    *same = r->failure.outcome != OUTCOME_PASS && replay_same(&replay, r->dut, check->kind, &r->failure);
    if (r->failure.outcome != OUTCOME_PASS) {
      fprintf(check->out, "%s: ", block_words(check->block));
      report_failure(check->out, &w->ls, &r->failure);
      if (w->ls.cycle + 1 < trace.count) trace.count = w->ls.cycle + 1;
      fprintf(check->out, "  last inputs before it:\n");
      if (window_take(&r->window, &w->ls, &trace, &r->failure)) window_print(check->out, &r->window);
    }
    if (!*same && r->outcome != OUTCOME_INFRA) look_for_cause(w, path, &replay);
    r->replay_seed = replay.seed;
    if (check->wave || (check->inside && r->failure.outcome != OUTCOME_PASS)) look_and_draw(check, r, &trace, check->wave);
    report_files(check, r);
  }
  trace_free(&trace);
}

void check_replay(const check_t *check, const char *path, check_result_t *result, bool *same) {
  work_t w = {.check = check, .result = result};
  memset(result, 0, sizeof *result);
  result->failure.port = result->shrunk.port = -1;
  *same = false;
  if (!open_pair(&w)) return;
  play(&w, path, same);
  keep_tally(&w);
  result->probes_compared = tally_probe_values(&result->tally);
  lockstep_close(&w.ls);
}
