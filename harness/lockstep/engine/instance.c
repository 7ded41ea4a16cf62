/* SPDX-License-Identifier: Apache-2.0
 *
 * The recording is a byte stream with one entry for each cycle whose inputs are not quiet:
 *
 *   +---------------------------+------------------------------+-----------------+
 *   | cycles since last entry   | a bit for each 8-byte word   | these words     |
 *   | 7 bits a byte, low first, | that differs from `quiet`    | 8 bytes each    |
 *   | bit 7: more bytes follow  |                              |                 |
 *   +---------------------------+------------------------------+-----------------+
 */
#include "instance.h"

#include "device_call.h"
#include "dut_failure.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "again.h"
#include "file.h"
#include "guard.h"
#include "replay.h"
#include "shrink.h"
#include "utf8.h"

static const char *const names[] = {"model", "rtl", "lockstep", "firmware"};

const char *engine_name(engine_t engine) {
  return names[engine];
}

bool engine_parse(const char *name, engine_t *engine) {
  for (unsigned e = ENGINE_MODEL; e <= ENGINE_FIRMWARE; e++)
    if (!strcmp(name, names[e])) {
      *engine = (engine_t)e;
      return true;
    }
  return false;
}

bool engine_names(const char *setting, const char *name) {
  size_t length = strlen(name);
  return !strncmp(setting, name, length) && (setting[length] == '=' || setting[length] == '[');
}

/* Parses "3" or "0-3" and moves *text behind it. False: something else, or not below `count`. */
static bool parse_range(const char **text, unsigned count, unsigned long *first, unsigned long *last) {
  char *end;
  *first = *last = strtoul(*text, &end, 10);
  if (end == *text) return false;
  if (*end == '-') {
    *text = end + 1;
    *last = strtoul(*text, &end, 10);
    if (end == *text) return false;
  }
  *text = end;
  return *first <= *last && *last < count;
}

/* Parses "", "[*]" or "[1,4-6]" up to the '='. False: something else; some engines may be set
 * already. */
static bool assign_engines(const char *text, engine_t value, engine_t *engine, unsigned count) {
  bool all = *text == '=' || !strncmp(text, "[*]=", 4);
  for (unsigned i = 0; all && i < count; i++) engine[i] = value;
  if (all || *text != '[') return all;
  do {
    unsigned long first, last;
    text++;
    if (!parse_range(&text, count, &first, &last)) return false;
    for (unsigned long i = first; i <= last; i++) engine[i] = value;
  } while (*text == ',');
  return text[0] == ']' && text[1] == '=';
}

bool engine_assign(const char *setting, const char *name, engine_t *engine, unsigned count, bool firmware,
                   trouble_t *trouble) {
  const char *equals = strchr(setting, '='),
             *right = firmware ? "model, rtl, lockstep or firmware" : "model, rtl or lockstep";
  engine_t value;
  if (!equals)
    return trouble_set(trouble, TROUBLE_INPUT, "'%s' should be INSTANCE=ENGINE, such as %s=lockstep", setting, name);
  if (!engine_parse(equals + 1, &value))
    return trouble_set(trouble, TROUBLE_INPUT, "'%s' should be %s", equals + 1, right);
  if (value == ENGINE_FIRMWARE && !firmware)
    return trouble_set(trouble, TROUBLE_INPUT, "no firmware does what %s does; %s would be right", name, right);
  return (engine_names(setting, name) && assign_engines(setting + strlen(name), value, engine, count)) ||
         trouble_set(trouble, TROUBLE_INPUT, "no instance '%.*s'; %s, or %s[0] to %s[%u] would be right",
                     (int)(equals - setting), setting, name, name, name, count - 1);
}

/* ---- the end of a run ---- */

static instance_ended_t *on_end;
static void *on_end_context;

void instance_on_end(instance_ended_t *ended, void *context) {
  on_end = ended;
  on_end_context = context;
}

/* Ends the run by the handler of instance_on_end, or with a line and the exit code. */
static _Noreturn void end_run(int exit_code, const char *line) {
  if (on_end) on_end(on_end_context, exit_code, line);
  fprintf(stderr, "lockstack: %s\n", line);
  fflush(NULL);
  _exit(exit_code);
}

void instance_model_left(const char *who, uint64_t cycle, const char *file, unsigned line, const char *text) {
  char words[768];
  if (!file && strcmp(text, GUARD_INTERRUPTED) == 0) end_run(3, text);
  const int n = snprintf(words, sizeof words, "%s of %.100s in its cycle %" PRIu64 ": ",
                         file ? "MODEL_ASSERT" : "MODEL_CRASH", who, cycle);
  if (file) snprintf(words + n, sizeof words - (size_t)n, "%s:%u: %s", basename(file), line, text);
  else snprintf(words + n, sizeof words - (size_t)n, "%s", text);
  end_run(1, utf8_clean(words));
}

static void model_left(void *context, const char *file, unsigned line, const char *text) {
  const instance_t *i = context;
  instance_model_left(i->dut->block, i->cycles, file, line, text);
}

bool instance_open(instance_t *i, const dut_t *dut, engine_t engine, const void *quiet) {
  memset(i, 0, sizeof *i);
  i->dut = dut;
  i->engine = engine;
  i->quiet = calloc(1, dut->in_size + 8);
  i->out = calloc(1, dut->out_size + 8);
  if (!i->quiet || !i->out) return false;
  if (quiet) memcpy(i->quiet, quiet, dut->in_size);
  if (engine == ENGINE_LOCKSTEP) {
    return i->open = lockstep_open(&i->ls, dut);
  }
  if (engine == ENGINE_MODEL) {
    if (!(i->model = guard_memory(dut->model_size))) return false;
    dut->on_model_assert(model_left, i);
    dut->model_reset(i->model, NULL);
  } else {
    if (!(i->device = dut->create())) return false;
    i->lost = device_reset(dut, i->device, NULL);
    if (i->lost) return false;
  }
  return true;
}

void instance_close(instance_t *i) {
  i->ls.dev_lost |= i->lost;
  if (i->open) lockstep_close(&i->ls);
  if (i->device && !i->lost) i->dut->destroy(i->device);
  if (i->model) guard_free(i->model, i->dut->model_size);
  free(i->quiet);
  free(i->record);
  free(i->out);
  memset(i, 0, sizeof *i);
}

static void *model_of(const instance_t *i) {
  return i->engine == ENGINE_MODEL ? i->model : i->ls.model;
}

/* ---- the recording ---- */

static bool record_room(instance_t *i, size_t more) {
  if (i->recorded + more <= i->room) return true;
  size_t room = 2 * (i->room + more) + 4096;
  uint8_t *grown = realloc(i->record, room);
  if (!grown) return false;
  i->record = grown;
  i->room = room;
  return true;
}

/* Appends the inputs of this cycle to the recording; quiet cycles add nothing. False: no memory. */
static bool record_inputs(instance_t *i, const void *in) {
  const uint64_t *now = in;
  size_t words = i->dut->in_size / 8, mask = (words + 7) / 8;
  if (!memcmp(in, i->quiet, i->dut->in_size)) return true;
  if (!record_room(i, 10 + mask + i->dut->in_size)) return false;
  uint8_t *to = i->record + i->recorded;
  uint64_t gap = i->cycles - i->record_cycle;
  for (; gap > 127; gap >>= 7) *to++ = (uint8_t)(gap | 128);
  *to++ = (uint8_t)gap;
  uint8_t *bits = to;
  memset(bits, 0, mask);
  to += mask;
  for (size_t w = 0; w < words; w++) {
    if (now[w] == i->quiet[w]) continue;
    bits[w / 8] |= (uint8_t)(1U << w % 8);
    memcpy(to, &now[w], 8);
    to += 8;
  }
  i->recorded = (size_t)(to - i->record);
  i->record_cycle = i->cycles + 1;
  return true;
}

/* Reads the next entry: adds its distance to *cycle, and writes its inputs to `in`. */
static const uint8_t *read_entry(const instance_t *i, const uint8_t *at, uint64_t *cycle, uint64_t *in) {
  size_t words = i->dut->in_size / 8;
  unsigned shift = 0;
  for (; *at & 128; shift += 7) *cycle += (uint64_t)(*at++ & 127) << shift;
  *cycle += (uint64_t)*at++ << shift;
  const uint8_t *bits = at;
  at += (words + 7) / 8;
  memcpy(in, i->quiet, i->dut->in_size);
  for (size_t w = 0; w < words; w++) {
    if (!(bits[w / 8] >> w % 8 & 1)) continue;
    memcpy(&in[w], at, 8);
    at += 8;
  }
  return at;
}

/* Adds quiet cycles up to `until`; all share one copy of the inputs. */
static bool add_quiet(trace_t *trace, uint64_t *shared, uint64_t until) {
  while (trace->count < until) {
    if (!trace_add(trace, NULL)) return false;
    trace->cycles[trace->count - 1].in = shared;
  }
  return true;
}

/* Turns the recording into a trace, up to the last cycle that was compared. */
static bool expand_recording(const instance_t *i, trace_t *trace) {
  uint64_t *in = malloc(i->dut->in_size + 8), *shared = trace_copy(trace, i->quiet), cycle = 0;
  bool good = in != NULL;
  for (const uint8_t *at = i->record; good && at < i->record + i->recorded; cycle++) {
    at = read_entry(i, at, &cycle, in);
    if (cycle >= i->compared) break;
    good = add_quiet(trace, shared, cycle) && trace_add(trace, in);
  }
  free(in);
  return good && add_quiet(trace, shared, i->compared);
}

/* ---- a cycle ---- */

static void eval_model(const instance_t *i, const void *in, void *out) {
  i->dut->on_model_assert(model_left, (void *)(uintptr_t)i);
  i->dut->model_eval(model_of(i), in, out);
  i->dut->canonical(out);
}

static void step_model(const instance_t *i, const void *in) {
  i->dut->on_model_assert(model_left, (void *)(uintptr_t)i);
  i->dut->model_step(model_of(i), in);
}

static void *device_of(const instance_t *i) {
  return i->engine == ENGINE_RTL ? i->device : i->ls.dev;
}

/* One cycle of the RTL. NULL, or the assertion that failed. */
static const char *cycle_of_device(instance_t *i, const void *in, void *out) {
  void *device = device_of(i);
  bool held;
  if (i->lost || i->ls.dev_lost) return "the RTL did not return";
  const char *lost = device_cycle(i->dut, device, in, out, &held);
  if (lost && strcmp(lost, GUARD_INTERRUPTED) == 0) end_run(3, lost);
  i->lost = lost != NULL;
  if (lost) return lost;
  const char *text = held ? NULL : i->dut->failure(device);
  if (text) dut_failure(&text);
  return text;
}

/* One cycle of the remaining side: the model, or the RTL, which then still stands before this
 * cycle's edge. */
static const char *cycle_alone(instance_t *i, const void *in, void *out) {
  if (i->model_gone) return cycle_of_device(i, in, out);
  if (out) eval_model(i, in, out);
  step_model(i, in);
  return NULL;
}

/* Records the first failure; the comparison ends here. */
static void note_failure(instance_t *i) {
  if (i->ls.outcome == OUTCOME_INTERRUPTED) end_run(3, GUARD_INTERRUPTED);
  i->diverged = true;
  i->model_gone = outcome_of_model(i->ls.outcome);
  i->compared = i->ls.cycle + 1;
  failure_of(&i->ls, &i->failure);
}

/* One cycle of both sides. After a failure the remaining side finishes the cycle. */
static const char *cycle_of_both(instance_t *i, const void *in, void *out) {
  if (i->diverged) return cycle_alone(i, in, out);
  if (!record_inputs(i, in)) return "out of memory for the recording";
  outcome_t outcome = lockstep_cycle(&i->ls, in);
  i->compared++;
  memcpy(out, i->ls.out, i->dut->out_size);
  if (outcome == OUTCOME_PASS) return NULL;
  note_failure(i);
  if (i->model_gone) return cycle_of_device(i, in, out);
  if (outcome == OUTCOME_DIVERGED) step_model(i, in); /* the only other outcome that leaves the model before the edge */
  return NULL;
}

const char *instance_cycle(instance_t *i, const void *in, void *out) {
  const char *failed = NULL;
  if (i->engine == ENGINE_MODEL) {
    eval_model(i, in, out);
    step_model(i, in);
  } else if (i->engine == ENGINE_RTL) {
    failed = cycle_of_device(i, in, out);
  } else {
    failed = cycle_of_both(i, in, out);
  }
  i->cycles++;
  return failed;
}

/* The model runs ahead. A failure that the RTL shows when it catches up leaves the model before
 * this cycle's edge. */
static const char *step_of_both(instance_t *i, const void *in) {
  if (i->diverged) return cycle_alone(i, in, NULL);
  if (!record_inputs(i, in)) return "out of memory for the recording";
  outcome_t outcome = lockstep_ahead(&i->ls, in);
  i->compared++;
  if (outcome == OUTCOME_PASS) return NULL;
  note_failure(i);
  return cycle_alone(i, in, NULL);
}

const char *instance_step(instance_t *i, const void *in) {
  const char *failed = NULL;
  if (i->engine == ENGINE_MODEL) step_model(i, in);
  else if (i->engine == ENGINE_RTL) failed = cycle_of_device(i, in, NULL);
  else failed = step_of_both(i, in);
  i->cycles++;
  return failed;
}

const void *instance_outputs(instance_t *i) {
  const void *out = i->engine == ENGINE_LOCKSTEP && !i->diverged ? lockstep_outputs(&i->ls) : NULL;
  if (out && i->ls.outcome == OUTCOME_PASS) return out;
  if (out) note_failure(i);
  if (i->engine == ENGINE_RTL || i->model_gone) i->dut->get_outputs(device_of(i), i->out);
  else eval_model(i, i->quiet, i->out);
  return i->out;
}

void instance_settle(instance_t *i) {
  if (i->engine != ENGINE_LOCKSTEP || i->diverged || lockstep_catch_up(&i->ls) == OUTCOME_PASS) return;
  note_failure(i);
}

bool instance_idle(const instance_t *i) {
  if (i->engine == ENGINE_MODEL) i->dut->on_model_assert(model_left, (void *)(uintptr_t)i);
  return i->engine == ENGINE_MODEL && i->dut->model_idle && i->dut->model_idle(i->model);
}

/* ---- after a divergence ---- */

static void describe_instance(const instance_t *i, const failure_t *failure, const capture_t *capture,
                              replay_t *replay) {
  *replay = (replay_t){.seed = capture->seed, .outcome = failure->outcome, .differs = failure->differs};
  char *rtl = capture->rtl ? file_whole_path(capture->rtl) : NULL;
  snprintf(replay->rtl, sizeof replay->rtl, "%s", rtl ? rtl : "");
  free(rtl);
  snprintf(replay->commit, sizeof replay->commit, "%s", capture->commit ? capture->commit : "");
  snprintf(replay->params, sizeof replay->params, "%s", capture->params ? capture->params : "");
  snprintf(replay->block, sizeof replay->block, "%s", i->dut->block);
  snprintf(replay->profile, sizeof replay->profile, "system");
  if (capture->cells)
    snprintf(replay->dut, sizeof replay->dut, "netlist"),
        snprintf(replay->cells, sizeof replay->cells, "%s", capture->cells);
  if (failure->port >= 0) snprintf(replay->port, sizeof replay->port, "%s", i->dut->ports[failure->port].name);
  else snprintf(replay->text, sizeof replay->text, "%s", failure->text);
}

/* Opens the tree's own RTL beside its model. False: nothing can judge. */
static bool open_judge(const instance_t *i, const capture_t *capture, lockstep_t *judge) {
  char path[BUILD_PATH];
  trouble_t trouble;
  block_t block;
  const dut_t *dut;
  if (!capture->rtl || !capture->places.source) return false;
  if (!block_find(&block, &capture->places, i->dut->block, capture->params, &trouble) ||
      !block_object(&block, &capture->places, "rtl", path, &trouble) || !dut_load(path, &dut, &trouble))
    return false;
  if (lockstep_open(judge, dut)) return true;
  lockstep_close(judge);
  return false;
}

/* Shrinks the inputs. The block's rules say which inputs the system could have given. RTL without
 * the fault, if known, must pass on them. */
static bool make_small(instance_t *i, const capture_t *capture, trace_t *trace, failure_t *failure) {
  lockstep_t judge;
  shrink_t stats;
  const bool judged = open_judge(i, capture, &judge);
  const bool fails = shrink_judged(&i->ls, judged ? &judge : NULL, trace, failure, capture->shrink_seconds, &stats);
  if (judged) lockstep_close(&judge);
  return fails || shrink_inputs(&i->ls, trace, failure, SHRINK_END, capture->shrink_seconds, &stats);
}

/* The content of sources and object; 0: unknown. */
static uint64_t content_of(const instance_t *i, const capture_t *capture) {
  trouble_t trouble;
  block_t block;
  if (!capture->places.source || capture->cells) return 0; /* gates that count are no object that a replay takes */
  if (!block_find(&block, &capture->places, i->dut->block, capture->params, &trouble)) return 0;
  if (capture->rtl && !block_instead(&block, capture->rtl, &trouble)) return 0;
  return again_content(&capture->places, i->dut, REPLAY_VERSION);
}

/* Writes one file, shrunk or whole. `again` says whether the file fails by itself. */
static bool capture_as(instance_t *i, char *path, size_t size, const capture_t *capture, bool small, again_t *again,
                       trouble_t *trouble) {
  trace_t trace;
  failure_t failure = i->failure;
  replay_t replay;
  bool ok = true;
  *again = (again_t){AGAIN_OTHER, "the recording alone does not fail"};
  trace_init(&trace, i->dut->in_size);
  if (!expand_recording(i, &trace)) ok = trouble_set(trouble, TROUBLE_ENVIRONMENT, "out of memory for the recording");
  else if (!small || make_small(i, capture, &trace, &failure)) {
    describe_instance(i, &failure, capture, &replay);
    replay.content = content_of(i, capture);
    ok = again_write(again, path, size, &replay, i->dut, &trace, trouble);
  }
  trace_free(&trace);
  return ok;
}

bool instance_capture(instance_t *i, char *path, size_t size, const capture_t *capture, trouble_t *trouble) {
  again_t again;
  if (!capture_as(i, path, size, capture, true, &again, trouble)) return false;
  if (again.as == AGAIN_OTHER && !capture_as(i, path, size, capture, false, &again, trouble)) return false;
  return again.as == AGAIN_SAME || trouble_set(trouble, TROUBLE_BROKEN, "%s", again.why);
}

uint64_t instance_first_cycle(const instance_t *i) {
  return i->compared - 1;
}

void instance_first(const instance_t *i, char *text, size_t size) {
  const failure_t *failure = &i->failure;
  snprintf(text, size, "%s %.480s", outcome_name(failure->outcome),
           failure->port >= 0 ? i->dut->ports[failure->port].name : failure->text);
}
