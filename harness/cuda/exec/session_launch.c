/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches. What a launch counted is the difference between two moments, before and after.
 */
#include <stdlib.h>
#include <string.h>

#include "session_internal.h"
#include "simt_host.h"

/* All counters and the simulated time at one moment. */
typedef struct {
  uint64_t counts[COMPOSITION_PARTS][SYSTEM_COUNTS];
  double time_ns;
} moment_t;

static void read_moment(const session_t *s, moment_t *m) {
  memset(m->counts, 0, sizeof m->counts);
  system_counts(s->system, m->counts);
  m->time_ns = system_time_ns(s->system);
}

/* *after becomes what came between the two moments. */
static void subtract_moment(moment_t *after, const moment_t *before) {
  for (unsigned p = 0; p < COMPOSITION_PARTS; p++)
    for (unsigned i = 0; i < SYSTEM_COUNTS; i++) after->counts[p][i] -= before->counts[p][i];
  after->time_ns -= before->time_ns;
}

/* exec hears of each launch. The program hears what the launch took if it ended well. */
static wire_status_t note_launch(session_t *s, const wire_launch_t *l, wire_status_t status, const moment_t *before) {
  static moment_t of;
  read_moment(s, &of);
  subtract_moment(&of, before);
  const uint64_t(*counts)[SYSTEM_COUNTS] = (const uint64_t(*)[SYSTEM_COUNTS])of.counts;
  system_facts_t facts;
  system_facts(s->system, &facts);
  note_t note = {.kind = NOTE_LAUNCH,
                 .launch = *l,
                 .status = status,
                 .cycles = system_cycles(s->system, counts),
                 .warp_instructions = system_warp_instructions(s->system, counts),
                 .time_ns = of.time_ns,
                 .begin_ns = before->time_ns,
                 .cores = facts.cores,
                 .parts = s->options->system->composition.parts};
  snprintf(note.text, sizeof note.text, "%s", s->error);
  session_note(s, &note, of.counts, note.parts * sizeof of.counts[0]);
  if (status != WIRE_DONE) return status;
  wire_ran_t *ran = session_answer(s, sizeof *ran);
  if (!ran) return session_fail(s, WIRE_BROKEN, "out of memory");
  *ran = (wire_ran_t){note.cycles, note.warp_instructions, note.begin_ns, note.time_ns};
  return WIRE_DONE;
}

/* Why a launch was refused: the kernel cannot be decoded, a block is too large for a core, or a
 * cooperative grid is too large for the machine. */
static wire_status_t explain_refusal(session_t *s, const rt_launch_t *l, bool cooperative, const trouble_t *err) {
  trouble_t why = {0};
  uint32_t registers = 0;
  const rt_launch_t one = {l->kernel, {1, 1, 1}, {1, 1, 1}, 0, NULL, 0};
  system_occupancy(s->system, &one, &registers, &why);
  if (!registers) return session_refused(s, err, WIRE_UNSUPPORTED); /* it cannot be decoded */
  if (!system_occupancy(s->system, l, &registers, &why)) return session_refused(s, err, WIRE_LIMIT);
  return session_refused(s, err, cooperative && !system_holds(s->system, l, &why) ? WIRE_TOO_MANY : WIRE_REFUSED);
}

/* A kernel that stopped leaves the machine broken. INPUT is a kernel's fault, whose kind its line
 * tells; any other trouble is the end of the simulation. */
static wire_status_t classify_stop(session_t *s, const trouble_t *err) {
  char waits[SYSTEM_WAITS];
  s->broken = true;
  system_describe_waits(s->system, waits, sizeof waits);
  snprintf(s->error, sizeof s->error, "%s%s%.3000s", err->text, *waits ? "\n" : "", waits);
  if (err->kind != TROUBLE_INPUT) return WIRE_BROKEN;
  if (strstr(s->error, ": assertion '")) return WIRE_ASSERTED;
  return strstr(s->error, "misaligned") || strstr(s->error, "aligned to") ? WIRE_MISALIGNED : WIRE_FAULT;
}

/* Appends what the kernel has printed to what is not asked for yet. exec says how much was lost for
 * lack of room. */
static void collect_printed(session_t *s) {
  size_t size;
  uint64_t lost;
  char *text = system_printed(s->system, &size, &lost),
       *more = text ? realloc(s->printed, s->printed_bytes + size) : NULL;
  if (more) memcpy(more + s->printed_bytes, text, size), s->printed = more, s->printed_bytes += size;
  free(text);
  s->answer.value = s->printed_bytes;
  if (!lost) return;
  note_t note = {.kind = NOTE_LINE, .status = WIRE_DONE};
  snprintf(note.text, sizeof note.text, SIMT_HOST_LOST, (unsigned long long)lost, SIMT_HOST_ROOM);
  session_note(s, &note, NULL, 0);
}

/* At most WIRE_MOST bytes; the rest is dropped. */
wire_status_t session_printed(session_t *s) {
  const size_t size = s->printed_bytes < WIRE_MOST ? s->printed_bytes : WIRE_MOST;
  char *out = session_answer(s, size);
  if (!out) return session_fail(s, WIRE_BROKEN, "out of memory");
  if (size) memcpy(out, s->printed, size);
  free(s->printed);
  s->printed = NULL, s->printed_bytes = 0;
  return WIRE_DONE;
}

/* Runs the kernel to its end. */
wire_status_t session_launch(session_t *s) {
  const wire_launch_t *l = (const wire_launch_t *)s->data;
  if (s->request.size < sizeof *l || s->request.size - sizeof *l != l->param_bytes)
    return session_fail(s, WIRE_REFUSED, "a launch of an impossible size");
  const session_module_t *m = session_module(s, l->module);
  if (!m) return WIRE_REFUSED;
  const rt_launch_t launch = {l->kernel,
                              {l->grid[0], l->grid[1], l->grid[2]},
                              {l->block[0], l->block[1], l->block[2]},
                              l->shared_bytes,
                              s->data + sizeof *l,
                              l->param_bytes};
  static moment_t before;
  trouble_t err = {0};
  wire_status_t status = WIRE_DONE;
  read_moment(s, &before);
  if (system_select(s->system, m->ptx, &err)) status = session_refused(s, &err, WIRE_UNSUPPORTED);
  else if ((l->cooperative ? system_launch_cooperative : system_launch)(s->system, &launch, &err))
    status = explain_refusal(s, &launch, l->cooperative, &err);
  else {
    if (!system_run(s->system, &err)) status = classify_stop(s, &err);
    collect_printed(s);
  }
  return note_launch(s, l, status, &before);
}
