/* SPDX-License-Identifier: Apache-2.0
 *
 * First the last few cycles alone, more and more of them (most faults need little history). Then passes over the
 * recording: take chunks of cycles out, make chunks idle, clear fields, clear words of wide fields, until a round
 * changes nothing. A pass walks forward with device and model at the start of the chunk in question and a snapshot of
 * that moment, so that a try costs only the cycles after it.
 */
#include "shrink.h"

#include "guard.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  lockstep_t *ls;
  trace_t *trace;
  failure_t *failure;
  shrink_t *stats;
  double deadline;
  lockstep_snapshot_t *here; /* at the start of cycle `at` */
  size_t at;
  bool late;
} work_t;

static bool late(work_t *w) {
  if (!w->late && (run_clock() > w->deadline || guard_interrupted())) w->late = true;
  return w->late;
}

/* To the start of cycle `at`: from the snapshot, or from power-up. */
static bool go_to(work_t *w, size_t at) {
  if (w->here && w->at <= at) lockstep_restore(w->ls, w->here);
  else {
    lockstep_snapshot_free(w->ls, w->here);
    w->here = NULL;
    w->at = 0;
    if (!lockstep_power_up(w->ls)) return false;
  }
  if (!run_cycles(w->ls, w->trace->cycles, w->at, at, w->deadline) || w->ls->outcome != OUTCOME_PASS) return false;
  if (w->at == at && w->here) return true;
  lockstep_snapshot_free(w->ls, w->here);
  w->here = lockstep_save(w->ls);
  w->at = w->here ? at : 0;
  return true;
}

/* Plays cycles from..count from where the pair stands; on the same failure cuts the recording after it. */
static bool still_fails(work_t *w, size_t from) {
  failure_t now;
  uint64_t start = w->ls->cycle;
  w->stats->tried++;
  if (!run_cycles(w->ls, w->trace->cycles, from, w->trace->count, w->deadline)) {
    w->late = true;
    return false;
  }
  w->stats->cycles_run += w->ls->cycle - start;
  failure_of(w->ls, &now);
  if (!failure_same(&now, w->failure)) return false;
  w->trace->count = from + (size_t)(w->ls->cycle - start) + 1;
  w->failure->cycle = w->trace->count - 1;
  return true;
}

static void remove_cycles(trace_t *trace, size_t from, size_t n) {
  memmove(trace->cycles + from, trace->cycles + from + n, (trace->count - from - n) * sizeof *trace->cycles);
  trace->count -= n;
}

/* The last k cycles alone, straight after power-up. */
static bool keep_tail(work_t *w) {
  trace_t *trace = w->trace;
  trace_cycle_t *cycles = trace->cycles;
  size_t count = trace->count;
  for (size_t k = 8; k < count && !late(w); k *= 4) {
    trace->cycles = cycles + (count - k);
    trace->count = k;
    if (lockstep_power_up(w->ls) && still_fails(w, 0)) {
      memmove(cycles, trace->cycles, trace->count * sizeof *cycles);
      trace->cycles = cycles;
      return true;
    }
  }
  trace->cycles = cycles;
  trace->count = count;
  return false;
}

bool shrink_tail(lockstep_t *ls, trace_t *trace, failure_t *failure, double seconds) {
  shrink_t stats = {0};
  work_t w = {.ls = ls, .trace = trace, .failure = failure, .stats = &stats, .deadline = run_clock() + seconds};
  return keep_tail(&w);
}

/* Takes chunks out (the rest moves up), from the start. */
static bool delete_pass(work_t *w, size_t chunk) {
  bool changed = false;
  trace_t *trace = w->trace;
  trace_cycle_t *saved = malloc(chunk * sizeof *saved);
  for (size_t at = 0; saved && at < trace->count && !late(w);) {
    size_t n = chunk < trace->count - at ? chunk : trace->count - at, count = trace->count;
    if (!go_to(w, at)) break;
    memcpy(saved, trace->cycles + at, n * sizeof *saved);
    remove_cycles(trace, at, n);
    if (trace->count > at && still_fails(w, at)) changed = true;
    else {
      memmove(trace->cycles + at + n, trace->cycles + at, (count - n - at) * sizeof *saved);
      memcpy(trace->cycles + at, saved, n * sizeof *saved);
      trace->count = count;
      at += n;
    }
  }
  free(saved);
  return changed;
}

/* A cycle's inputs replaced, if the failure stays. */
static bool try_cycle(work_t *w, size_t at, trace_cycle_t with) {
  trace_cycle_t old = w->trace->cycles[at];
  if (late(w) || !go_to(w, at)) return false;
  w->trace->cycles[at] = with;
  if (still_fails(w, at)) return true;
  if (at < w->trace->count) w->trace->cycles[at] = old;
  return false;
}

static bool idle_pass(work_t *w) {
  bool changed = false;
  for (size_t at = 0; at < w->trace->count && !late(w); at++)
    if (w->trace->cycles[at].in || w->trace->cycles[at].reset)
      changed |= try_cycle(w, at, (trace_cycle_t){NULL, false});
  return changed;
}

/* A cycle's inputs with some bytes zero; NULL in `in` when nothing changes. */
static bool try_zero(work_t *w, size_t at, const uint64_t *bytes) {
  uint64_t *copy = trace_copy(w->trace, bytes);
  return try_cycle(w, at, (trace_cycle_t){copy, false});
}

static bool clear_bytes(work_t *w, size_t at, uint64_t *buffer, size_t offset, size_t size) {
  char *bytes = (char *)buffer;
  bool any = false;
  memcpy(buffer, w->trace->cycles[at].in, w->trace->in_size);
  for (size_t i = 0; i < size; i++) any |= bytes[offset + i] != 0;
  if (!any) return false;
  memset(bytes + offset, 0, size);
  return try_zero(w, at, buffer);
}

/* A valid bit together with the fields it qualifies: an idle port. */
static bool clear_transaction(work_t *w, size_t at, uint64_t *buffer, const dut_port_t *valid) {
  const dut_t *dut = w->ls->dut;
  uint64_t on;
  memcpy(buffer, w->trace->cycles[at].in, w->trace->in_size);
  memcpy(&on, (char *)buffer + valid->offset, sizeof on);
  if (!on) return false;
  memset((char *)buffer + valid->offset, 0, valid->size);
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir == DUT_IN && p->valid && strcmp(p->valid, valid->name) == 0)
      memset((char *)buffer + p->offset, 0, p->size);
  }
  return try_zero(w, at, buffer);
}

static bool clear_field(work_t *w, size_t at, uint64_t *buffer, const dut_port_t *port) {
  bool changed = port->width == 1 ? clear_transaction(w, at, buffer, port) : false;
  if (changed || !w->trace->cycles[at].in) return changed;
  changed = clear_bytes(w, at, buffer, port->offset, port->size);
  for (size_t word = 0; port->size > 8 && word < port->size && !late(w); word += 4)
    if (w->trace->cycles[at].in && at < w->trace->count)
      changed |= clear_bytes(w, at, buffer, port->offset + word, 4);
  return changed;
}

static bool field_pass(work_t *w) {
  uint64_t buffer[w->trace->in_size / 8 + 1];
  bool changed = false;
  for (size_t at = 0; at < w->trace->count; at++)
    for (unsigned i = 0; i < w->ls->dut->num_ports && !late(w); i++) {
      const dut_port_t *p = &w->ls->dut->ports[i];
      if (p->dir == DUT_IN && at < w->trace->count && w->trace->cycles[at].in) changed |= clear_field(w, at, buffer, p);
    }
  return changed;
}

static size_t busy(const trace_t *trace) {
  size_t n = 0;
  for (size_t i = 0; i < trace->count; i++) n += trace->cycles[i].in || trace->cycles[i].reset;
  return n;
}

bool shrink(lockstep_t *ls, trace_t *trace, failure_t *failure, double seconds, shrink_t *stats) {
  work_t w = {.ls = ls, .trace = trace, .failure = failure, .stats = stats, .deadline = run_clock() + seconds};
  memset(stats, 0, sizeof *stats);
  stats->cycles_before = trace->count;
  stats->busy_before = busy(trace);
  double first = w.deadline;
  w.deadline = run_clock() + 600; /* the check that it fails at all is not bounded by the shrinking's time */
  bool fails = lockstep_power_up(ls) && still_fails(&w, 0);
  w.deadline = first;
  if (fails) {
    keep_tail(&w);
    for (bool changed = true; changed && !late(&w);) {
      changed = false;
      size_t chunk = 1;
      while (chunk * 2 < trace->count) chunk *= 2;
      for (; chunk && !late(&w); chunk /= 2) changed |= delete_pass(&w, chunk);
      if (!late(&w)) changed |= idle_pass(&w);
      if (!late(&w)) changed |= field_pass(&w);
    }
  }
  lockstep_snapshot_free(ls, w.here);
  stats->finished = fails && !w.late;
  stats->cycles_after = trace->count;
  stats->busy_after = busy(trace);
  return fails;
}
