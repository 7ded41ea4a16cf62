/* SPDX-License-Identifier: Apache-2.0
 *
 * After a failure: records the run, shrinks the recording, writes the files, reports the smaller
 * failure and where it begins.
 *
 *   failure --> record --> shrink --> again_write --> replay file --> waveform, report
 *                 |                       |fails no more
 *                 +-- hunt other seeds    +--> the recording unshrunk
 */
#include "pursue.h"

#include "again.h"
#include "against.h"
#include "clock.h"
#include "file.h"
#include "image_check.h"
#include "object.h"
#include "own.h"
#include "plain.h"
#include "port_label.h"
#include "replay.h"
#include "report.h"
#include "shrunk_report.h"
#include "unreset.h"
#include "wave.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

static const size_t most_recorded = (size_t)3 << 30; /* bytes of inputs kept in memory */
/* bytes of a copy of the recording, beside the one that is shrunk */
static const size_t most_kept = (size_t)1 << 30;
enum { LONG = 5000, INSIDE_SECONDS = 20, SLICE_SECONDS = 3 };

/* Puts the reference in the model's place. A waveform draws the RTL already: beside it stands the
 * device, if the reference is the same RTL. */
static bool load_reference(const check_t *check, const char *kind, const dut_t **dut, trouble_t *trouble) {
  char path[BUILD_PATH];
  const dut_t *reference;
  const bool drawn = strcmp(kind, check->kind) && !strcmp(check->against, "rtl") && !*check->block->instead;
  if (!block_object(drawn ? check->block : check->reference, &check->places, drawn ? check->kind : check->against, path,
                    trouble) ||
      !dut_load(path, &reference, trouble))
    return false;
  const dut_t *pair = against_pair(*dut, reference, trouble);
  if (pair) *dut = pair;
  return pair != NULL;
}

/* Devices from now on are as in the replay file's run. */
static void begin_alike(const dut_t *dut, const check_result_t *r) {
  dut_seed(dut, r->replay_seed);
  dut_power_up(dut, r->power_up);
}

uint64_t pursue_power_up(const check_t *check, const dut_t *dut, uint64_t seed, unsigned profile) {
  return *check->block->folder ? run_power_up(dut, seed, profile) : 0;
}

/* The same for the run of a profile. */
static void begin_as(const check_t *check, const dut_t *dut, uint64_t seed, unsigned profile) {
  dut_seed(dut, seed);
  dut_power_up(dut, pursue_power_up(check, dut, seed, profile));
}

bool pursue_load(const check_t *check, const char *kind, const dut_t **dut, warnings_t *warnings, trouble_t *trouble) {
  char path[BUILD_PATH], warned[BUILD_PATH];
  if (!block_object_warned(check->block, &check->places, kind, path, warned, trouble)) return false;
  if (warnings) warnings_read(warnings, warned);
  if (!dut_load(path, dut, trouble)) return false;
  if (check->against && !load_reference(check, kind, dut, trouble)) return false;
  dut_seed(*dut, check->seed);
  dut_power_up(*dut, check->power_up);
  char *partial = NULL;
  trouble_t unfit; /* lockstep says so */
  if (warnings) images_judge(*dut, &partial, &unfit), warnings_add(warnings, partial ? partial : "");
  free(partial);
  return true;
}

/* Options that a printed command needs to repeat this check. */
static const char *command_options(const check_t *check, char *buf, size_t size) {
  size_t n = 0;
  buf[0] = 0;
  const char *p = check->block->params;
  while (*p && n < size) {
    const char *end = strchrnul(p, ',');
    n += (size_t)snprintf(buf + n, size - n, " --set %.*s", (int)(end - p), p);
    p = *end ? end + 1 : end;
  }
  if (*check->block->instead && n < size)
    n += (size_t)snprintf(buf + n, size - n, " --rtl %s", plain_word(check->block->instead, (char[PLAIN_WORD]){0}));
  if (strcmp(check->kind, "rtl") && n < size) n += (size_t)snprintf(buf + n, size - n, " --dut %s", check->kind);
  if (check->against && n < size) n += (size_t)snprintf(buf + n, size - n, " --against %s", check->against);
  if (!check->resets && n < size) snprintf(buf + n, size - n, " --resets none");
  return buf;
}

const char *pursue_words(const block_t *block) {
  return *block->folder ? block->folder : block->name;
}

/* --- its files */

/* Fills in the head of a replay file from the check and its (shrunk) failure. */
static void describe_replay(const check_t *check, const check_result_t *r, replay_t *replay) {
  memset(replay, 0, sizeof *replay);
  snprintf(replay->block, sizeof replay->block, "%s", check->block->name);
  snprintf(replay->folder, sizeof replay->folder, "%s", check->block->folder);
  snprintf(replay->rtl, sizeof replay->rtl, "%s", check->block->instead);
  snprintf(replay->dut, sizeof replay->dut, "%s", check->kind);
  snprintf(replay->against, sizeof replay->against, "%s", check->against ? check->against : "");
  snprintf(replay->params, sizeof replay->params, "%s", check->block->params);
  if (check_has_gates(check)) snprintf(replay->cells, sizeof replay->cells, "%s", check->block->cells);
  snprintf(replay->profile, sizeof replay->profile, "%s", r->profile ? r->profile : "vectors");
  snprintf(replay->commit, sizeof replay->commit, "%s", check->commit ? check->commit : "");
  replay->seed = r->replay_seed;
  replay->power_up = r->power_up;
  replay->outcome = r->shrunk.outcome;
  replay->differs = r->shrunk.differs;
  replay->content = again_content(&check->places, r->dut, REPLAY_VERSION);
  if (r->shrunk.port >= 0) snprintf(replay->port, sizeof replay->port, "%s", r->dut->ports[r->shrunk.port].name);
  else snprintf(replay->text, sizeof replay->text, "%s", r->shrunk.text);
}

/* A file could not be written. The failure is reported anyway. The command's exit status follows
 * the first file that is missing for a reason other than the input. */
static void not_written(const check_t *check, check_result_t *r, const char *what, const trouble_t *trouble) {
  fprintf(check->out, "  no %s: %s\n", what, trouble->text);
  if (trouble->kind == TROUBLE_ENVIRONMENT && !r->unwritten.kind) r->unwritten = *trouble;
}

/* The bits in which RTL and model differ, of all outputs; NULL: unknown. The caller frees it. */
static unsigned char *wrong_bits(const check_result_t *r, const dut_port_t *port) {
  const window_t *window = &r->window;
  const unsigned char *rtl = window->count ? window_fields(window, port, window->count - 1, true) : NULL,
                      *model = window->count ? window_fields(window, port, window->count - 1, false) : NULL;
  unsigned char *wrong = rtl && model ? calloc(1, r->dut->out_size + 8) : NULL;
  for (uint32_t i = 0; wrong && i < r->dut->out_size; i++) wrong[i] = rtl[i] ^ model[i];
  return wrong;
}

static bool is_wrong(const dut_port_t *port, const unsigned char *wrong) {
  bool differs = false;
  for (uint32_t k = 0; k < port->size; k++) differs |= wrong[port->offset + k] != 0;
  return differs;
}

/* The wrong port, or the wrong output that says when it has a meaning. */
static const dut_port_t *port_to_follow(const check_result_t *r, const unsigned char *wrong) {
  const dut_port_t *port = &r->dut->ports[r->shrunk.port];
  for (const dut_port_t *next = wrong ? port : NULL; next;) {
    dut_term_t terms[DUT_TERMS_MOST];
    const unsigned count = dut_terms(r->dut, next, terms);
    next = NULL;
    for (unsigned i = 0; !next && i < count; i++)
      if (is_wrong(&r->dut->ports[terms[i].port], wrong)) port = next = &r->dut->ports[terms[i].port];
  }
  return port;
}

/* Goes from the wrong port back through the registers to the inputs that decided. */
static void follow_back(const check_t *check, check_result_t *r, const dut_t *dut, const trace_t *trace) {
  Dl_info info;
  const dut_t *object = against_reference(dut) ? against_device(dut) : dut;
  unsigned char *wrong = wrong_bits(r, &r->dut->ports[r->shrunk.port]);
  const dut_port_t *port = port_to_follow(r, wrong);
  char *lines = dladdr(object, &info) && info.dli_fname ? object_side(info.dli_fname, "lines.txt") : NULL;
  if (wrong && lines) {
    char label[PORT_NAME];
    if (port != &r->dut->ports[r->shrunk.port])
      fprintf(check->out, "  and %s, which says when it counts, from\n", port_label(port, label));
    begin_alike(object, r);
    slice_free(&r->slice);
    slice_find(&r->slice, object, lines, trace, port, wrong, SLICE_SECONDS);
    slice_print(check->out, &r->slice);
  }
  free(wrong), free(lines);
}

/* Finds where in the RTL the failure begins: the drivers of the wrong port, and the first wrong
 * part. */
static void look_inside(const check_t *check, check_result_t *r, const dut_t *dut, const trace_t *trace) {
  const int port = r->shrunk.port;
  if (port >= 0) inside_print_drivers(check->out, dut, &r->dut->ports[port]);
  if (port >= 0 && r->shrunk.outcome == OUTCOME_DIVERGED) follow_back(check, r, dut, trace);
  if (r->shrunk.outcome == OUTCOME_DIVERGED) unreset_print(check->out, dut);
  if (check->against) return; /* the parts' models would judge what no model has judged */
  r->parts = dut;
  begin_alike(dut, r);
  inside_find(&r->inside, dut, check->block, &check->places, trace, INSIDE_SECONDS);
  inside_print(check->out, &r->inside, dut, r->shrunk.outcome == OUTCOME_DIVERGED);
}

/* The object with waveforms also describes the inside of the RTL. */
void pursue_look(const check_t *check, check_result_t *r, const trace_t *trace, const char *path) {
  const dut_t *dut;
  trouble_t trouble;
  const bool loaded = pursue_load(check, "rtl+wave", &dut, NULL, &trouble);
  if (loaded && r->shrunk.outcome != OUTCOME_PASS && strcmp(check->kind, "rtl") == 0) look_inside(check, r, dut, trace);
  if (!path) {
    if (!loaded) fprintf(check->out, "  not looked inside: %s\n", trouble.text);
    return;
  }
  if (loaded) begin_alike(dut, r);
  if (loaded && wave_write(dut, trace, r->shrunk.port, WAVE_BEFORE, path, r->save, &trouble))
    snprintf(r->wave, sizeof r->wave, "%s", path);
  else not_written(check, r, "waveform", &trouble);
}

/* The stem of the waveform's name: the replay file's, else FOLDER/BLOCK-PROFILE-SEED. */
static void stem_of(const check_t *check, const check_result_t *r, char stem[BUILD_PATH]) {
  const size_t n = strlen(r->replay), ending = strlen(".replay");
  if (n) snprintf(stem, BUILD_PATH, "%.*s", (int)(n - ending), r->replay);
  else
    snprintf(stem, BUILD_PATH, "%s/%s-%s-%" PRIu64, check->folder, check->block->name,
             r->profile ? r->profile : "vectors", check->seed);
}

/* Writes the replay file if the failure comes again from it. False: it does not, and r->unsteady
 * says why. */
static bool write_replay(const check_t *check, check_result_t *r, const trace_t *trace) {
  char stem[BUILD_PATH], path[BUILD_PATH];
  trouble_t trouble;
  replay_t replay;
  again_t again;
  file_folder(check->folder); /* an error shows when the file is written */
  stem_of(check, r, stem);
  snprintf(path, sizeof path, "%s.replay", stem);
  describe_replay(check, r, &replay);
  if (!again_write(&again, path, sizeof path, &replay, r->dut, trace, &trouble))
    return not_written(check, r, "replay file", &trouble), true;
  r->written = true;
  r->repeats = again.as == AGAIN_SAME;
  if (again.as == AGAIN_OTHER) return snprintf(r->unsteady, sizeof r->unsteady, "%s", again.why), false;
  if (again.as == AGAIN_UNKNOWN) {
    trouble_set(&trouble, TROUBLE_ENVIRONMENT, "%s", again.why);
    not_written(check, r, "proof that the replay file shows the failure", &trouble);
  }
  snprintf(r->replay, sizeof r->replay, "%s", path);
  return true;
}

/* The waveform, and a look inside of the RTL, as far as the options want them. */
static void draw_failure(const check_t *check, check_result_t *r, const trace_t *trace) {
  char stem[BUILD_PATH], path[BUILD_PATH];
  stem_of(check, r, stem);
  snprintf(path, sizeof path, "%s.fst", stem);
  if (check->wave || !check->no_wave) pursue_look(check, r, trace, check->wave ? check->wave : path);
  else if (check->inside) pursue_look(check, r, trace, NULL);
}

void pursue_files(const check_t *check, const check_result_t *r) {
  if (*r->replay)
    fprintf(check->out, "  replay     lockstack replay %s\n", plain_word(r->replay, (char[PLAIN_WORD]){0}));
  if (*r->wave)
    fprintf(check->out, "  waveform   gtkwave %s\n", plain_word(*r->save ? r->save : r->wave, (char[PLAIN_WORD]){0}));
}

/* --- a long recording whose last cycles alone do not fail: look for the same failure sooner, with
 * other seeds */

/* The end of a hunt, in seconds of clock_seconds. */
typedef struct {
  double deadline;
} hunt_t;

/* Goes on while there is time. */
static bool hunting(void *context, uint64_t done) {
  (void)done;
  return clock_seconds() < ((const hunt_t *)context)->deadline;
}

/* Runs one other seed for at most `cycles`. True: the same failure, at *cycle. */
static bool fails_sooner(check_work_t *w, uint64_t seed, unsigned profile, uint64_t cycles, hunt_t *hunt,
                         uint64_t *cycle) {
  driver_t driver;
  failure_t now;
  bool same = false;
  begin_as(w->check, w->result->dut, seed, profile);
  if (!lockstep_power_up(&w->ls)) return false;
  if (driver_open(&driver, w->result->dut, seed, profile) && (!w->check->resets || driver_inject(&driver)) &&
      run_stimulus(&w->ls, &driver, cycles, hunting, hunt) != OUTCOME_PASS) {
    failure_of(&w->ls, &now);
    same = failure_same(&now, &w->result->failure);
    *cycle = now.cycle;
  }
  driver_close(&driver);
  return same;
}

void pursue_run_free(pursue_run_t *run) {
  trace_free(&run->trace);
  if (run->taped) tape_free(&run->tape);
}

/* Records inputs and decisions. Only inputs for the default stimulus, which has no rules to keep,
 * and when decisions do not fit into memory. False: the inputs do not fit either. */
static bool record_run(const check_t *check, const dut_t *dut, uint64_t seed, unsigned profile, uint64_t cycles,
                       pursue_run_t *run) {
  *run = (pursue_run_t){.may = dut->stim ? SHRINK_END : SHRINK_ANY};
  trace_init(&run->trace, dut->in_size);
  run->taped = dut->stim && dut->tape &&
               run_note(dut, seed, profile, check->resets, cycles, most_recorded, &run->trace, &run->tape);
  if (run->taped) return true;
  if (dut->stim) {
    tape_free(&run->tape);
    trace_free(&run->trace);
    trace_init(&run->trace, dut->in_size);
  }
  return run_record(dut, seed, profile, check->resets, cycles, most_recorded, &run->trace);
}

/* Replaces the recording by another seed's that fails in a quarter of the cycles. Repeats while
 * time is left. */
static void hunt_shorter(check_work_t *w, unsigned profile, pursue_run_t *run, double seconds) {
  check_result_t *r = w->result;
  hunt_t hunt = {clock_seconds() + seconds};
  uint64_t best = r->failure.cycle + 1, best_seed = w->check->seed, cycle;
  for (uint64_t k = 1; best > LONG && clock_seconds() < hunt.deadline; k++)
    if (fails_sooner(w, w->check->seed + k, profile, best / 4, &hunt, &cycle))
      best = cycle + 1, best_seed = w->check->seed + k;
  begin_as(w->check, r->dut, w->check->seed, profile);
  if (best_seed == w->check->seed) return;
  pursue_run_t shorter;
  if (!record_run(w->check, r->dut, best_seed, profile, best, &shorter)) {
    pursue_run_free(&shorter);
    return;
  }
  begin_as(w->check, r->dut, best_seed, profile);
  pursue_run_free(run);
  *run = shorter;
  r->shrunk.cycle = best - 1;
  r->replay_seed = best_seed;
  r->power_up = pursue_power_up(w->check, r->dut, best_seed, profile);
  fprintf(w->check->out, "  seed %" PRIu64 " has it already in cycle %" PRIu64 ": that one is shrunk\n", best_seed,
          best - 1);
}

/* The length of the same failure with inputs that the stimulus would not make; 0: not shorter. */
static size_t free_cycles(check_work_t *w, const pursue_run_t *run, const shrink_t *stats) {
  enum { SECONDS = 2 };
  failure_t failure = w->result->shrunk;
  shrink_t free_stats;
  trace_t copy;
  if (!run->taped || !stats->finished || !shrunk_is_same(stats) || run->trace.bytes > most_kept) return 0;
  trace_init(&copy, run->trace.in_size);
  const bool fails =
      trace_add_all(&copy, &run->trace) && shrink_inputs(&w->ls, &copy, &failure, SHRINK_ANY, SECONDS, &free_stats);
  trace_free(&copy);
  return fails && free_stats.cycles_after < stats->cycles_after ? free_stats.cycles_after : 0;
}

static void report_shrunk(check_work_t *w, const pursue_run_t *run, const shrink_t *stats) {
  const check_result_t *r = w->result;
  const shrunk_t shrunk = {.stats = stats,
                           .unsteady = r->was_shrunk ? NULL : r->unsteady,
                           .as_it_was = !run->taped && run->may == SHRINK_END,
                           .free_cycles = r->was_shrunk ? free_cycles(w, run, stats) : 0};
  shrunk_report(w->check->out, &shrunk);
}

/* Shrinks the recording. A long one is first cut to its end, or replaced by a seed that fails
 * sooner. Decisions are shrunk if there are any; else inputs, under the block's rules if it has
 * some. */
static void make_small(check_work_t *w, int profile, pursue_run_t *run, shrink_t *stats) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  if (profile >= 0 && run->trace.count > LONG &&
      !shrink_tail(&w->ls, run->taped ? &run->tape : NULL, &run->trace, &r->shrunk, check->shrink_seconds / 10))
    hunt_shorter(w, (unsigned)profile, run, check->shrink_seconds / 3);
  if (run->taped) r->was_shrunk = shrink(&w->ls, &run->tape, &run->trace, &r->shrunk, check->shrink_seconds, stats);
  else if (run->may == SHRINK_END &&
           shrink_judged(&w->ls, NULL, &run->trace, &r->shrunk, check->shrink_seconds, stats)) {
    r->was_shrunk = true;
    run->may = SHRINK_ANY;
  } else r->was_shrunk = shrink_inputs(&w->ls, &run->trace, &r->shrunk, run->may, check->shrink_seconds, stats);
}

/* Restores the original recording after the shrunk one did not fail again. */
static void unshrink(check_work_t *w, int profile, pursue_run_t *run, trace_t *kept) {
  check_result_t *r = w->result;
  const trace_t swapped = run->trace;
  run->trace = *kept;
  *kept = swapped;
  r->was_shrunk = false;
  r->shrunk = r->failure;
  r->replay_seed = w->check->seed;
  if (profile >= 0) r->power_up = pursue_power_up(w->check, r->dut, r->replay_seed, (unsigned)profile);
  begin_alike(r->dut, r);
}

/* Checks whether the stimulus makes the same inputs again. */
static void ask_stimulus(const check_work_t *w, unsigned profile, const trace_t *trace) {
  check_result_t *r = w->result;
  trace_t again;
  trace_init(&again, trace->in_size);
  bool same = run_record(r->dut, r->replay_seed, profile, w->check->resets, trace->count, most_kept, &again) &&
              again.count == trace->count;
  for (size_t i = 0; same && i < trace->count; i++) {
    const trace_cycle_t *a = &trace->cycles[i], *b = &again.cycles[i];
    same = a->reset == b->reset && !a->in == !b->in && (!a->in || memcmp(a->in, b->in, trace->in_size) == 0);
  }
  if (!same)
    snprintf(r->unsteady, sizeof r->unsteady,
             "the stimulus does not repeat: the same seed gives other inputs (static variables?)");
  trace_free(&again);
}

static const char *why_not_tried(const check_t *check, const check_result_t *r) {
  return check->shrink_seconds > 0 && r->failure.outcome == OUTCOME_STUCK
             ? "what stands still has no cycle in which it fails"
             : "--shrink-seconds 0 leaves no time";
}

/* Shrinks the recording and writes the replay file. If the shrunk recording does not fail again by
 * itself, writes the original one. */
static void make_replay(check_work_t *w, int profile, pursue_run_t *run) {
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
  if (!small) fprintf(check->out, "  not shrunk: %s\n", why_not_tried(check, r));
  if (small && shown) report_shrunk(w, run, &stats);
  if (!shown && have && r->was_shrunk) {
    unshrink(w, profile, run, &kept);
    write_replay(check, r, &run->trace);
  }
  if (!shown && profile >= 0 && !strncmp(r->unsteady, AGAIN_NOBODY, strlen(AGAIN_NOBODY)))
    ask_stimulus(w, (unsigned)profile, &run->trace);
  if (!shown && *r->replay)
    fprintf(check->out, "  not shrunk, as the smaller run does not fail by itself: %s\n", r->unsteady);
  if (r->written && !*r->replay)
    fprintf(check->out, "  no replay file: the recorded inputs do not fail again by themselves: %s\n", r->unsteady);
  r->shrunk_cycles = r->was_shrunk ? stats.cycles_after : 0;
  r->shrunk_busy = r->was_shrunk ? stats.busy_after : 0;
  trace_free(&kept);
}

/* What another object of the block makes of the shrunk inputs. False: nothing, and *trouble says
 * why. */
static bool ask_other(const check_t *other, const check_result_t *r, const trace_t *trace, outcome_t *outcome,
                      trouble_t *trouble) {
  lockstep_t ls;
  const dut_t *dut;
  if (!pursue_load(other, other->kind, &dut, NULL, trouble)) return false;
  begin_alike(dut, r);
  if (!lockstep_open(&ls, dut)) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "it could not be opened");
  run_cycles(&ls, trace->cycles, 0, trace->count, 0);
  *outcome = ls.outcome;
  if (ls.outcome == OUTCOME_INFRA) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s", ls.text);
  lockstep_close(&ls);
  return *outcome != OUTCOME_INFRA;
}

/* With RTL in place of the tree's (--rtl): asks the tree's own RTL. */
static void ask_tree(const check_t *check, check_result_t *r, const trace_t *trace) {
  block_t own = *check->block;
  check_t tree = *check;
  trouble_t trouble;
  own.instead[0] = 0;
  snprintf(own.rtl, sizeof own.rtl, "%s%s", check->block->beside, strrchr(check->block->rtl, '/'));
  tree.block = &own;
  if (*own.folder) own.read = (rtl_t){0};
  const bool known = !*own.folder || own_read(&own, &check->places, &trouble); /* its list has the other files */
  r->asked_tree = known && ask_other(&tree, r, trace, &r->tree, &trouble);
  const char *whose = *own.folder ? "block" : "tree";
  if (r->asked_tree) fprintf(check->out, "  the %s's own RTL, on the same inputs: %s\n", whose, outcome_name(r->tree));
  else fprintf(check->out, "  the %s's own RTL was not asked: %s\n", whose, trouble.text);
}

/* A device that differs from the model where the device rtl does not has read the RTL in a way of
 * its own. An X is one: the other devices have none. */
static void ask_rtl(const check_t *check, check_result_t *r, const trace_t *trace) {
  check_t rtl = *check;
  trouble_t trouble;
  rtl.kind = "rtl";
  r->asked_rtl = ask_other(&rtl, r, trace, &r->on_rtl, &trouble);
  if (!r->asked_rtl) fprintf(check->out, "  the device rtl was not asked: %s\n", trouble.text);
  else if (r->on_rtl != OUTCOME_PASS)
    fprintf(check->out, "  the device rtl, on the same inputs: %s, too\n", outcome_name(r->on_rtl));
  else
    fprintf(check->out, "  fault of the device %s%s: the device rtl agrees with the model on the same inputs\n",
            check->kind,
            strcmp(check->kind, "icarus") ? ", or RTL that leaves its meaning open"
                                          : ", or an X, which only this one has");
}

/* Reports the failure of the smaller run. */
static void report_smaller(check_work_t *w, const trace_t *trace) {
  const check_result_t *r = w->result;
  if (!r->was_shrunk || !lockstep_power_up(&w->ls)) return;
  run_cycles(&w->ls, trace->cycles, 0, trace->count, 0);
  if (r->shrunk.outcome != OUTCOME_DIVERGED || w->ls.outcome != OUTCOME_DIVERGED) return;
  fprintf(w->check->out, "  then: ");
  report_failure(w->check->out, &w->ls, &r->shrunk);
}

/* Where registers began with anything: do the same inputs pass when they begin with 0? */
static void ask_zeros(check_work_t *w, const trace_t *trace) {
  check_result_t *r = w->result;
  if (!r->power_up) return;
  dut_power_up(r->dut, 0);
  const bool ran = lockstep_power_up(&w->ls);
  if (ran) run_cycles(&w->ls, trace->cycles, 0, trace->count, 0);
  begin_alike(r->dut, r);
  if (ran && w->ls.outcome == OUTCOME_PASS)
    fprintf(w->check->out, "  power-up   decides: where registers that no reset reaches begin with 0, it passes\n");
}

/* Shrinks, writes the files, and reports the result. */
void pursue(check_work_t *w, int profile, pursue_run_t *run) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  trace_t *trace = &run->trace;
  r->shrunk = r->failure;
  r->replay_seed = check->seed;
  make_replay(w, profile, run);
  /* without a replay file, further looks at these inputs prove nothing */
  if (r->written && !*r->replay) return;
  report_smaller(w, trace);
  if (window_take(&r->window, &w->ls, trace, &r->shrunk)) window_print(check->out, &r->window);
  ask_zeros(w, trace);
  if (*check->block->instead && !check->against) ask_tree(check, r, trace);
  if (strcmp(check->kind, "rtl") && !check->against && !outcome_of_model(r->shrunk.outcome)) ask_rtl(check, r, trace);
  draw_failure(check, r, trace);
  pursue_files(check, r);
}

/* The stimulus crashed, so its further inputs are unknown. */
bool pursue_none(const check_t *check, const check_result_t *r) {
  if (r->failure.outcome != OUTCOME_STIM_CRASH) return false;
  return fprintf(check->out, "  no replay file: it would hold inputs, and here they were still to be made\n"), true;
}

void pursue_profile(check_work_t *w, unsigned profile) {
  const check_t *check = w->check;
  check_result_t *r = w->result;
  char options[2 * BUILD_PATH], word[PLAIN_WORD];
  pursue_run_t recorded;
  failure_of(&w->ls, &r->failure);
  fprintf(check->out, "%s: ", pursue_words(check->block));
  report_failure(check->out, &w->ls, &r->failure);
  fprintf(check->out,
          "  seed %" PRIu64 ", profile %s; again with:\n    lockstack check %s%s --seed %" PRIu64
          " --profile %s --cycles %" PRIu64 "\n",
          check->seed, r->profile, plain_word(pursue_words(check->block), word),
          command_options(check, options, sizeof options), check->seed, r->profile, r->failure.cycle + 1);
  fflush(check->out);
  if (pursue_none(check, r)) return;
  if (record_run(check, r->dut, check->seed, profile, r->failure.cycle + 1, &recorded))
    pursue(w, (int)profile, &recorded);
  else fprintf(check->out, "  the inputs do not fit into memory: no replay file\n");
  pursue_run_free(&recorded);
}
