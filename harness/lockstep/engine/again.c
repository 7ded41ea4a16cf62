/* SPDX-License-Identifier: Apache-2.0
 *
 * The process is a fork with a copy of the object in memory under a name of its own. So model,
 * stimulus and RTL start with fresh static variables, and the C library's random numbers start
 * again. The child reports through shared memory.
 *
 *   parent --fork--> play_in_child: load_copy --> read the file --> judge_replay
 *      '---------------- again_t in shared memory <------------------------'
 *
 * To find what does not repeat, two models run side by side, one a cycle behind the other; then two
 * devices do. Shared state, or input from outside, makes one of them behave differently.
 */
#include "again.h"

#include "device_call.h"
#include "against.h"
#include "file.h"
#include "files.h"
#include "guard.h"
#include "hash.h"
#include "object.h"
#include "process.h"
#include "whole.h"
#include "workers.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { AT_ONCE = 1 << 14, QUIET_CYCLES = 1000 };

static bool not_interrupted(void *context, uint64_t done) {
  (void)context;
  (void)done;
  return !guard_interrupted();
}

/* --- playing */

static void run_stuck(lockstep_t *ls, const trace_t *trace, bool (*on_cycles)(void *, uint64_t), void *context,
                      bool *stopped) {
  uint64_t quiet = 0;
  char last[ls->dut->out_size + 1];
  memset(last, 0xff, sizeof last);
  for (size_t i = 0; i < trace->count && ls->outcome == OUTCOME_PASS; i++) {
    if (i % AT_ONCE == 0 && (*stopped = !on_cycles(context, i))) return;
    run_cycles(ls, trace->cycles, i, i + 1, 0);
    quiet = memcmp(last, ls->out, ls->dut->out_size) ? 0 : quiet + 1;
    memcpy(last, ls->out, ls->dut->out_size);
  }
  if (ls->outcome != OUTCOME_PASS || quiet < QUIET_CYCLES) return;
  ls->outcome = OUTCOME_STUCK;
  snprintf(ls->text, sizeof ls->text, "no output or probe has changed for the last %" PRIu64 " cycles", quiet);
}

void again_run(lockstep_t *ls, const replay_t *replay, const trace_t *trace, bool (*on_cycles)(void *, uint64_t),
               void *context, bool *stopped) {
  *stopped = false;
  if (replay->outcome == OUTCOME_STUCK) {
    run_stuck(ls, trace, on_cycles, context, stopped);
    return;
  }
  for (size_t at = 0, end; at < trace->count && ls->outcome == OUTCOME_PASS; at = end) {
    if ((*stopped = !on_cycles(context, at))) return;
    end = trace->count - at < AT_ONCE ? trace->count : at + AT_ONCE;
    run_cycles(ls, trace->cycles, at, end, 0);
  }
}

/* --- what does not repeat */

static jmp_buf failed;

static void on_failed(void *context, const char *file, unsigned line, const char *text) {
  (void)context, (void)file, (void)line, (void)text;
  _longjmp(failed, 1);
}

/* One of two models or devices, with its outputs. */
typedef struct {
  void *state, *out;
} side_t;

static void model_cycle(const dut_t *dut, const side_t *side, const trace_cycle_t *cycle, void *in) {
  memset(in, 0, dut->in_size);
  memset(side->out, 0, dut->out_size);
  if (cycle->reset) {
    dut->model_reset(side->state, cycle->in);
    return;
  }
  if (cycle->in) memcpy(in, cycle->in, dut->in_size);
  dut->model_eval(side->state, in, side->out);
  dut->canonical(side->out);
  dut->model_step(side->state, in);
}

/* A device that does not return says nothing more, as a model that fails. */
static void play_device(const dut_t *dut, const side_t *side, const trace_cycle_t *cycle, void *in) {
  memset(in, 0, dut->in_size);
  memset(side->out, 0, dut->out_size);
  if (cycle->in) memcpy(in, cycle->in, dut->in_size);
  const char *lost =
      cycle->reset ? device_reset(dut, side->state, cycle->in) : device_cycle(dut, side->state, in, side->out, NULL);
  if (lost) _longjmp(failed, 1);
}

/* Plays the recording on both sides, the second one cycle behind. A failing model ends the run, as
 * it may have ended the recording. */
static bool side_by_side(const dut_t *dut, const side_t side[2], const trace_t *trace,
                         void (*cycle)(const dut_t *, const side_t *, const trace_cycle_t *, void *)) {
  uint64_t in[dut->in_size / 8 + 1], shown[dut->out_size / 8 + 1];
  dut->on_model_assert(on_failed, NULL);
  if (_setjmp(failed)) return true;
  for (size_t i = 0; i <= trace->count; i++) {
    memcpy(shown, side[0].out, dut->out_size);
    if (i < trace->count) cycle(dut, &side[0], &trace->cycles[i], in);
    if (i) cycle(dut, &side[1], &trace->cycles[i - 1], in);
    if (i && memcmp(shown, side[1].out, dut->out_size)) return false;
  }
  return true;
}

/* Runs two models side by side; false: their outputs differ, so the model has hidden state. */
static bool model_repeats(const dut_t *dut, const trace_t *trace) {
  side_t side[2];
  bool made = true;
  for (int k = 0; k < 2; k++) {
    side[k] = (side_t){guard_memory(dut->model_size), guard_memory(dut->out_size)};
    made &= side[k].state && side[k].out;
  }
  dut->on_model_assert(on_failed, NULL);
  if (!made || _setjmp(failed)) return true;
  for (int k = 0; k < 2; k++) dut->model_reset(side[k].state, NULL);
  return side_by_side(dut, side, trace, model_cycle);
}

/* The same with two devices. */
static bool device_repeats(const dut_t *dut, const trace_t *trace) {
  side_t side[2];
  for (int k = 0; k < 2; k++) {
    side[k] = (side_t){dut->create(), guard_memory(dut->out_size)};
    if (!side[k].state || !side[k].out) return true;
    if (device_reset(dut, side[k].state, NULL)) return true;
  }
  return side_by_side(dut, side, trace, play_device);
}

/* Says whether model or RTL does not repeat, or that neither could be singled out. */
static void find_cause(again_t *again, const dut_t *dut, const trace_t *trace) {
  const char *why = AGAIN_NOBODY ", or keep state that no snapshot holds";
  if (!model_repeats(dut, trace))
    why = against_reference(dut)
              ? "the reference does not repeat: it keeps state of its own between runs, or takes something from outside"
              : "the model does not repeat: it keeps state outside of its struct (static variables?)";
  else if (!device_repeats(dut, trace))
    why = "the RTL does not repeat: it keeps state of its own between runs, or takes something from outside";
  snprintf(again->why, sizeof again->why, "%s", why);
}

/* --- a process of its own */

/* Loads a copy of the object from an anonymous file. Returns the object itself if it has no file (a
 * table in the program). */
static const dut_t *load_one(const dut_t *dut) {
  Dl_info info;
  char path[64], buffer[1 << 16];
  trouble_t trouble;
  const dut_t *copy;
  FILE *from = dladdr(dut, &info) && info.dli_fname ? fopen(info.dli_fname, "rb") : NULL;
  const int to = from ? memfd_create("lockstack", MFD_CLOEXEC) : -1;
  bool whole = to >= 0;
  for (size_t n; whole && (n = fread(buffer, 1, sizeof buffer, from)) > 0;) whole = file_put(to, buffer, n);
  if (from) fclose(from);
  snprintf(path, sizeof path, "/proc/self/fd/%d", to);
  const bool loaded = whole && dut_load(path, &copy, &trouble) && strcmp(copy->block, dut->block) == 0;
  return loaded ? copy : dut;
}

/* The same for both sides of a pair. */
static const dut_t *load_copy(const dut_t *dut) {
  trouble_t trouble;
  if (!against_reference(dut)) return load_one(dut);
  const dut_t *copy = against_pair(load_one(against_device(dut)), load_one(against_reference(dut)), &trouble);
  return copy ? copy : dut;
}

static void like_a_new_process(void) {
  unsigned short first[3] = {0x330e, 0xabcd, 0x1234};
  srand(1);
  seed48(first);
}

static void set_unknown(again_t *again, const char *why) {
  again->as = AGAIN_UNKNOWN;
  snprintf(again->why, sizeof again->why, "%s", why);
}

/* Compares the failure of the replay with the recorded one. */
static void judge_replay(again_t *again, lockstep_t *ls, const replay_t *replay, const trace_t *trace,
                         const char *kind) {
  failure_t failure;
  bool stopped;
  again_run(ls, replay, trace, not_interrupted, NULL, &stopped);
  failure_of(ls, &failure);
  if (stopped || ls->outcome == OUTCOME_INTERRUPTED) set_unknown(again, GUARD_INTERRUPTED);
  else if (ls->outcome == OUTCOME_INFRA) set_unknown(again, ls->text);
  else if (ls->outcome != OUTCOME_PASS && replay_same(replay, ls->dut, kind, &failure)) again->as = AGAIN_SAME;
  else again->as = AGAIN_OTHER;
}

/* The model failed at once, although the recording goes further. */
static void nothing_recorded(again_t *again) {
  again->as = AGAIN_OTHER;
  snprintf(again->why, sizeof again->why, "the model does not repeat: run again, it fails before the first cycle");
}

static _Noreturn void play_in_child(again_t *again, const char *path, const dut_t *loaded) {
  lockstep_t ls;
  replay_t replay;
  trace_t trace;
  guard_be_silent();
  like_a_new_process();
  const dut_t *dut = load_copy(loaded);
  trace_init(&trace, dut->in_size);
  trouble_t trouble;
  const bool read = replay_read(path, &replay, dut, &trace, &trouble);
  if (!read) snprintf(again->why, sizeof again->why, "%s", trouble.text);
  dut_seed(dut, replay.seed);
  dut_power_up(dut, replay.power_up);
  if (read && (lockstep_open(&ls, dut) || outcome_of_model(ls.outcome))) {
    judge_replay(again, &ls, &replay, &trace, replay_kind(&replay));
    if (again->as == AGAIN_OTHER) find_cause(again, dut, &trace);
  } else if (read) set_unknown(again, ls.text);
  else if (!trace.count) nothing_recorded(again);
  _exit(0);
}

void again_play(again_t *again, const char *path, const dut_t *dut) {
  again_t *shared = workers_memory(sizeof *shared);
  fflush(NULL);
  if (shared) set_unknown(shared, "the process that played it was ended"); /* before there are two writers */
  const pid_t child = shared ? process_fork(0) : -1;
  if (child == 0) play_in_child(shared, path, dut);
  if (child > 0) process_wait(child);
  if (child > 0) *again = *shared;
  else set_unknown(again, "no process could be started for it");
  workers_memory_free(shared, sizeof *shared);
}

/* --- the file */

/* Replaces the temporary file's name in an error by the name that was asked for. */
static void by_its_name(const char *path, const char *beside, trouble_t *trouble) {
  const trouble_t was = *trouble;
  const size_t n = strlen(beside);
  if (!strncmp(was.text, beside, n)) trouble_set(trouble, was.kind, "%s%s", path, was.text + n);
}

bool again_write(again_t *again, char *path, size_t path_size, const replay_t *replay, const dut_t *dut,
                 const trace_t *trace, trouble_t *trouble) {
  char beside[WHOLE_PATH];
  snprintf(beside, sizeof beside, "%.4060s.new%u", path, (unsigned)getpid());
  if (!replay_write(beside, replay, dut, trace, trouble)) return by_its_name(path, beside, trouble), false;
  again_play(again, beside, dut);
  const int wrong = again->as == AGAIN_OTHER ? (unlink(beside), 0) : whole_keep(beside, path, path_size, ".fst .gtkw");
  if (!wrong) return true;
  unlink(beside);
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(wrong));
}

/* Adds what an object was made of; of a version before REPLAY_PORTABLE, its key. False: unknown. */
static bool add_object(const places_t *places, const dut_t *dut, unsigned version, uint64_t *content) {
  Dl_info info;
  char key[CONTENT_SUM], *tools = NULL;
  if (!dladdr(dut, &info) || !info.dli_fname) return false;
  const bool known = version < REPLAY_PORTABLE ? object_key(info.dli_fname, places->source, key, &tools)
                                               : object_content(info.dli_fname, places->source, key);
  free(tools);
  if (known) *content = hash_text(*content, key);
  return known;
}

uint64_t again_content(const places_t *places, const dut_t *dut, unsigned version) {
  uint64_t content = HASH_EMPTY;
  const dut_t *reference = against_reference(dut);
  if (!add_object(places, against_device(dut), version, &content) ||
      (reference && !add_object(places, reference, version, &content)))
    return 0;
  const content_t *images = files_read();
  for (size_t i = 0; i < images->count; i++) {
    const char *path = images->files[i].path, *slash = strrchr(path, '/');
    const char *name = version < REPLAY_PORTABLE || !slash ? path : slash + 1;
    content = hash_text(hash_byte(hash_text(content, name), 0), images->files[i].sum);
  }
  return content ? content : 1;
}
