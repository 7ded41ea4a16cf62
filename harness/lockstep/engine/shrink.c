/* SPDX-License-Identifier: Apache-2.0
 *
 * First tries the last few cycles alone, then more and more of them, since most faults need little
 * history. Then passes over the run remove chunks of cycles, make cycles idle, and make the rest of
 * each cycle smaller. Rounds repeat until one changes nothing.
 *
 *   keep_tail --> delete_pass (large chunks first) --> idle or quiet cycles --> smaller cycles --+
 *                     ^                                                                          |
 *                     +------------------------ until a round changes nothing -------------------+
 *
 * A pass walks forward. Device, model and stimulus stand at the start of the current chunk with a
 * snapshot of that moment, so an attempt costs only the cycles behind it.
 *
 * A cycle is a stimulus' decisions (tape_cycle_t) or inputs (trace_cycle_t). Both are lists from
 * which cycles can be removed.
 */
#include "shrink.h"

#include "clock.h"
#include "guard.h"
#include "legal.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  lockstep_t *ls;
  lockstep_t *judge;  /* NULL: none; a pair on which the result must pass */
  legal_run_t *legal; /* NULL: none; rules of the block that the result must keep */
  tape_t *tape;       /* decisions; NULL: inputs */
  trace_t *trace;
  driver_t driver; /* with a tape */
  shrink_may_t may;
  failure_t *failure;
  shrink_t *stats;
  double deadline;
  lockstep_snapshot_t *here; /* snapshot at the start of cycle `at` */
  void *stim_here;           /* and the stimulus' state, */
  uint64_t stim_cycle;       /* and its cycle */
  size_t at;
  uint32_t drawn; /* decisions that the first cycle of the last attempt took */
  bool late;
} work_t;

typedef union {
  tape_cycle_t tape;
  trace_cycle_t trace;
} item_t;

static bool is_late(work_t *w) {
  if (!w->late && (clock_seconds() > w->deadline || guard_interrupted())) w->late = true;
  return w->late;
}

/* --- the list: cycles of a tape, or of a trace */

static size_t *count_of(const work_t *w) {
  return w->tape ? &w->tape->count : &w->trace->count;
}
static size_t item_size(const work_t *w) {
  return w->tape ? sizeof(tape_cycle_t) : sizeof(trace_cycle_t);
}
static char *item_at(const work_t *w, size_t at) {
  return (w->tape ? (char *)w->tape->cycles : (char *)w->trace->cycles) + at * item_size(w);
}

/* Skips the first n cycles of the list; a negative n restores them. */
static void skip_items(work_t *w, ptrdiff_t n) {
  if (w->tape) w->tape->cycles += n;
  else w->trace->cycles += n;
  *count_of(w) -= (size_t)n;
}

/* --- tries */

static bool power_up(work_t *w) {
  if (w->tape) driver_restart(&w->driver);
  return lockstep_power_up(w->ls);
}

/* Plays from where the pair stands, the start of cycle `from`. False: the time is over. */
static bool play_cycles(work_t *w, size_t from, size_t to) {
  if (!w->tape) return run_cycles(w->ls, w->trace->cycles, from, to, w->deadline);
  if (from < to && !run_tape(w->ls, &w->driver, from + 1, w->deadline)) return false;
  w->drawn = w->driver.head.at + w->driver.head.beyond;
  return w->ls->outcome != OUTCOME_PASS || run_tape(w->ls, &w->driver, to, w->deadline);
}

/* Drops the snapshot. */
static void drop_snapshot(work_t *w) {
  lockstep_snapshot_free(w->ls, w->here);
  w->here = NULL;
  w->at = 0;
}

/* Takes a snapshot at the start of cycle `at`, in place of the last one. */
static void take_snapshot(work_t *w, size_t at) {
  drop_snapshot(w);
  w->here = lockstep_save(w->ls);
  if (!w->here) return;
  w->at = at;
  if (!w->tape) return;
  memcpy(w->stim_here, w->driver.state, w->driver.stim->state_size);
  w->stim_cycle = w->driver.cycle;
}

/* Restores the snapshot. */
static void go_back(work_t *w) {
  lockstep_restore(w->ls, w->here);
  if (!w->tape) return;
  memcpy(w->driver.state, w->stim_here, w->driver.stim->state_size);
  w->driver.cycle = w->stim_cycle;
  w->driver.at = w->at;
}

/* Moves the pair to the start of cycle `at`, from the snapshot or from power-up. */
static bool go_to(work_t *w, size_t at) {
  if (w->here && w->at <= at) go_back(w);
  else {
    drop_snapshot(w);
    if (!power_up(w)) return false;
  }
  if (!play_cycles(w, w->at, at) || w->ls->outcome != OUTCOME_PASS) return false;
  if (w->at != at || !w->here) take_snapshot(w, at);
  return true;
}

/* True if the first n cycles keep the block's rules, and RTL without the fault passes on them. */
static bool is_taken(work_t *w, size_t n) {
  if (w->legal && !legal_holds(w->legal, w->trace->cycles, n)) return false;
  if (!w->judge) return true;
  if (!lockstep_power_up(w->judge) || !run_cycles(w->judge, w->trace->cycles, 0, n, w->deadline)) return false;
  return w->judge->outcome == OUTCOME_PASS;
}

/* Plays cycles from..count from where the pair stands. On the same failure, cuts the list behind
 * it. */
static bool still_fails(work_t *w, size_t from) {
  failure_t now;
  uint64_t start = w->ls->cycle;
  w->stats->tried++;
  if (!play_cycles(w, from, *count_of(w))) {
    w->late = true;
    return false;
  }
  w->stats->cycles_run += w->ls->cycle - start;
  failure_of(w->ls, &now);
  if (!failure_same(&now, w->failure)) {
    if (now.outcome == OUTCOME_PASS) w->stats->passed++;
    else w->stats->other++;
    return false;
  }
  if (!is_taken(w, from + (size_t)(w->ls->cycle - start) + 1)) return w->stats->illegal++, false;
  *count_of(w) = from + (size_t)(w->ls->cycle - start) + 1;
  w->failure->cycle = *count_of(w) - 1;
  return true;
}

/* Keeps only the last k cycles, straight after power-up; tries ever larger k. */
static bool keep_tail(work_t *w) {
  const size_t count = *count_of(w);
  for (size_t k = 8; k < count && !is_late(w); k *= 4) {
    const ptrdiff_t n = (ptrdiff_t)(count - k);
    skip_items(w, n);
    const bool enough = power_up(w) && still_fails(w, 0);
    const size_t left = *count_of(w);
    skip_items(w, -n);
    if (enough) memmove(item_at(w, 0), item_at(w, (size_t)n), left * item_size(w));
    *count_of(w) = enough ? left : count;
    if (enough) return true;
  }
  return false;
}

/* Removes chunks of cycles from the start on; later cycles move up. */
static bool delete_pass(work_t *w, size_t chunk) {
  bool changed = false;
  const size_t size = item_size(w);
  size_t *length = count_of(w);
  char *saved = malloc(chunk * size);
  for (size_t at = 0; saved && at < *length && !is_late(w);) {
    const size_t count = *length, n = chunk < count - at ? chunk : count - at;
    if (!go_to(w, at)) break;
    memcpy(saved, item_at(w, at), n * size);
    memmove(item_at(w, at), item_at(w, at + n), (count - at - n) * size);
    *length -= n;
    if (*length > at && still_fails(w, at)) changed = true;
    else {
      memmove(item_at(w, at + n), item_at(w, at), (count - n - at) * size);
      memcpy(item_at(w, at), saved, n * size);
      *length = count;
      at += n;
    }
  }
  free(saved);
  return changed;
}

/* Replaces a cycle if the failure stays and, with `less`, takes fewer decisions. */
static bool try_item(work_t *w, size_t at, const item_t *with, bool less) {
  item_t old;
  const size_t count = *count_of(w);
  if (is_late(w) || !go_to(w, at)) return false;
  memcpy(&old, item_at(w, at), item_size(w));
  memcpy(item_at(w, at), with, item_size(w));
  const uint64_t cycle = w->failure->cycle;
  if (still_fails(w, at) && (!less || w->drawn < old.tape.count)) return true;
  *count_of(w) = count;
  w->failure->cycle = cycle;
  memcpy(item_at(w, at), &old, item_size(w));
  return false;
}

/* --- decisions */

/* Replaces cycles by ones without decisions. */
static bool quiet_pass(work_t *w) {
  bool changed = false;
  for (size_t at = 0; at < w->tape->count && !is_late(w); at++) {
    const tape_cycle_t *c = &w->tape->cycles[at];
    for (unsigned rest = TAPE_QUIET; rest <= TAPE_ZERO && at < w->tape->count; rest++) {
      if (!c->count && !c->turn && !c->anew && c->rest <= rest) break; /* already */
      if (!try_item(w, at, &(item_t){.tape = {.rest = (uint8_t)rest}}, false)) continue;
      changed = true;
      break;
    }
  }
  return changed;
}

/* Sets decisions from..from+n of a cycle to a value, if that changes any. */
static bool try_draws(work_t *w, size_t at, uint32_t from, uint32_t n, uint64_t value, bool less) {
  tape_cycle_t c = w->tape->cycles[at];
  bool differs = false;
  for (uint32_t i = from; i < from + n; i++) differs |= c.draws[i] != value;
  if (!differs) return false;
  uint64_t draws[c.count];
  memcpy(draws, c.draws, sizeof draws);
  for (uint32_t i = from; i < from + n; i++) draws[i] = value;
  c.draws = tape_copy(w->tape, draws, c.count);
  return c.draws && try_item(w, at, &(item_t){.tape = c}, less);
}

/* Switches off a cycle's decisions one by one, where they are drawn as small numbers. */
static bool switch_off_draws(work_t *w, size_t at) {
  bool changed = false;
  for (uint32_t i = 0; at < w->tape->count && i < w->tape->cycles[at].count && !is_late(w); i++)
    if (w->tape->cycles[at].draws[i] < 256) changed |= try_draws(w, at, i, 1, ~0ull, true);
  return changed;
}

/* Sets a cycle's decisions to 0: halves, then quarters, and so on. */
static bool lower_draws(work_t *w, size_t at) {
  bool changed = false;
  uint32_t chunk = 1;
  while (chunk * 2 <= w->tape->cycles[at].count) chunk *= 2;
  for (; chunk; chunk /= 2)
    for (uint32_t i = 0; at < w->tape->count && i < w->tape->cycles[at].count && !is_late(w); i += chunk) {
      const uint32_t left = w->tape->cycles[at].count - i;
      if (chunk > 1 || w->tape->cycles[at].draws[i] != ~0ull)
        changed |= try_draws(w, at, i, left < chunk ? left : chunk, 0, false);
    }
  return changed;
}

/* The same for the decisions of init, which hold for the whole run. */
static bool lower_start(work_t *w) {
  tape_cycle_t *start = &w->tape->start;
  bool changed = false;
  for (uint32_t i = 0; i < start->count && !is_late(w); i++) {
    const uint64_t old = start->draws[i];
    const size_t count = w->tape->count;
    if (!old) continue;
    drop_snapshot(w);
    start->draws[i] = 0;
    if (power_up(w) && still_fails(w, 0)) changed = true;
    else {
      start->draws[i] = old;
      w->tape->count = count;
    }
  }
  drop_snapshot(w);
  return changed;
}

/* Makes the decisions of each cycle smaller; the first round switches things off first. */
static bool decision_pass(work_t *w, bool first) {
  bool changed = first && lower_start(w);
  for (size_t at = 0; at < w->tape->count && !is_late(w); at++) {
    if (first) changed |= switch_off_draws(w, at);
    if (at < w->tape->count && w->tape->cycles[at].count) changed |= lower_draws(w, at);
  }
  return changed;
}

/* Turns the answers of `rest` into decisions, so that each can be made smaller. */
static void spell_out(work_t *w) {
  tape_t again;
  if (run_render(w->ls->dut, w->tape, w->trace, &again)) {
    drop_snapshot(w);
    tape_free(w->tape);
    *w->tape = again;
  } else tape_free(&again);
}

/* --- inputs */

/* Replaces cycles by idle ones. */
static bool idle_pass(work_t *w) {
  bool changed = false;
  for (size_t at = 0; at < w->trace->count && !is_late(w); at++)
    if (w->trace->cycles[at].in || w->trace->cycles[at].reset)
      changed |= try_item(w, at, &(item_t){.trace = {NULL, false}}, false);
  return changed;
}

/* Tries a cycle's inputs with some bytes zero; bytes NULL: nothing changes. */
static bool try_zero(work_t *w, size_t at, const uint64_t *bytes) {
  return try_item(w, at, &(item_t){.trace = {trace_copy(w->trace, bytes), w->trace->cycles[at].reset}}, false);
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

/* Clears the fields that this bit qualifies. True: one of them was not 0. */
static bool clear_qualified(const dut_t *dut, char *bytes, const dut_port_t *valid, bool inverted) {
  bool any = false;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir != DUT_IN || !p->valid || !dut_is_term(p, valid, inverted)) continue;
    any |= dut_port_bits(p, bytes) != 0;
    memset(bytes + p->offset, 0, p->size);
  }
  return any;
}

/* Clears a valid bit with the fields that it qualifies: an idle port. One that qualifies by its
 * 0 is set, unless the fields are 0 already. */
static bool clear_transaction(work_t *w, size_t at, uint64_t *buffer, const dut_port_t *valid) {
  char *bytes = (char *)buffer;
  uint64_t on, off;
  memcpy(buffer, w->trace->cycles[at].in, w->trace->in_size);
  memcpy(&on, bytes + valid->offset, sizeof on);
  off = !on;
  const bool any = clear_qualified(w->ls->dut, bytes, valid, off);
  if (off && !any) return false;
  memcpy(bytes + valid->offset, &off, sizeof off);
  return try_zero(w, at, buffer);
}

/* Clears an input: a 1-bit input with the fields that it qualifies, any other one whole, then word
 * by word. */
static bool clear_field(work_t *w, size_t at, uint64_t *buffer, const dut_port_t *port) {
  bool changed = port->width == 1 ? clear_transaction(w, at, buffer, port) : false;
  if (changed || !w->trace->cycles[at].in) return changed;
  changed = clear_bytes(w, at, buffer, port->offset, port->size);
  for (size_t word = 0; port->size > 8 && word < port->size && !is_late(w); word += 4)
    if (at < w->trace->count && w->trace->cycles[at].in) changed |= clear_bytes(w, at, buffer, port->offset + word, 4);
  return changed;
}

/* Makes the inputs of each cycle smaller, field by field. */
static bool field_pass(work_t *w) {
  uint64_t buffer[w->trace->in_size / 8 + 1];
  bool changed = false;
  for (size_t at = 0; at < w->trace->count; at++)
    for (unsigned i = 0; i < w->ls->dut->num_ports && !is_late(w); i++) {
      const dut_port_t *p = &w->ls->dut->ports[i];
      if (p->dir == DUT_IN && at < w->trace->count && w->trace->cycles[at].in) changed |= clear_field(w, at, buffer, p);
    }
  return changed;
}

/* Cycles with any input set. */
static size_t count_busy(const trace_t *trace) {
  size_t n = 0;
  for (size_t i = 0; i < trace->count; i++) n += trace->cycles[i].in || trace->cycles[i].reset;
  return n;
}

/* --- all of it */

static bool begin_shrink(work_t *w, double seconds) {
  memset(w->stats, 0, sizeof *w->stats);
  w->stats->cycles_before = w->trace->count;
  w->stats->busy_before = count_busy(w->trace);
  if (w->tape) {
    if (!driver_play(&w->driver, w->ls->dut, w->tape, NULL)) return false;
    w->stim_here = malloc(w->driver.stim->state_size + 1);
    if (!w->stim_here) return false;
  }
  /* fixed: the first check that the run fails does not use the shrinker's time */
  w->deadline = clock_seconds() + 600;
  const bool fails = power_up(w) && still_fails(w, 0);
  w->deadline = clock_seconds() + seconds;
  return fails;
}

/* One round of passes, from large chunks to small ones. True: another round may find more. */
static bool round_of(work_t *w, bool first) {
  bool changed = false;
  size_t chunk = 1;
  while (chunk * 2 < *count_of(w)) chunk *= 2;
  for (; chunk && !is_late(w); chunk /= 2) changed |= delete_pass(w, chunk);
  if (!w->tape && !is_late(w)) changed |= idle_pass(w);
  if (w->tape && first && !is_late(w)) quiet_pass(w);
  if (w->tape && first && !is_late(w)) spell_out(w);
  if (is_late(w) || (!w->tape && w->may != SHRINK_ANY)) return changed;
  return (w->tape ? decision_pass(w, first) : field_pass(w)) || changed || first;
}

static void end_shrink(work_t *w, bool fails) {
  drop_snapshot(w);
  free(w->stim_here);
  if (w->tape) driver_close(&w->driver);
  if (w->tape && fails) run_render(w->ls->dut, w->tape, w->trace, NULL);
  w->stats->finished = fails && !w->late;
  w->stats->cycles_after = w->trace->count;
  w->stats->busy_after = count_busy(w->trace);
}

static bool shrink_all(work_t *w, double seconds) {
  const bool fails = begin_shrink(w, seconds);
  if (fails && w->may != SHRINK_END) {
    keep_tail(w);
    bool first = true;
    for (bool changed = true; changed && !is_late(w); first = false) changed = round_of(w, first);
  }
  end_shrink(w, fails);
  return fails;
}

bool shrink(lockstep_t *ls, tape_t *tape, trace_t *trace, failure_t *failure, double seconds, shrink_t *stats) {
  return shrink_all(&(work_t){.ls = ls, .tape = tape, .trace = trace, .failure = failure, .stats = stats}, seconds);
}

bool shrink_inputs(lockstep_t *ls, trace_t *trace, failure_t *failure, shrink_may_t may, double seconds,
                   shrink_t *stats) {
  return shrink_all(&(work_t){.ls = ls, .trace = trace, .may = may, .failure = failure, .stats = stats}, seconds);
}

bool shrink_judged(lockstep_t *ls, lockstep_t *judge, trace_t *trace, failure_t *failure, double seconds,
                   shrink_t *stats) {
  legal_run_t legal;
  work_t w = {.ls = ls, .judge = judge, .trace = trace, .may = SHRINK_ANY, .failure = failure, .stats = stats};
  if (legal_open(&legal, ls->dut)) w.legal = &legal;
  const bool may = (w.judge || w.legal) && (!w.legal || legal_take(&legal, trace->cycles, (size_t)failure->cycle + 1));
  const bool fails = may && shrink_all(&w, seconds);
  if (w.legal) legal_close(&legal);
  return fails;
}

bool shrink_tail(lockstep_t *ls, tape_t *tape, trace_t *trace, failure_t *failure, double seconds) {
  shrink_t stats = {0};
  work_t w = {.ls = ls,
              .tape = tape,
              .trace = trace,
              .failure = failure,
              .stats = &stats,
              .deadline = clock_seconds() + seconds};
  if (tape && !driver_play(&w.driver, ls->dut, tape, NULL)) return false;
  const bool enough = keep_tail(&w);
  if (tape) driver_close(&w.driver);
  return tape && enough ? run_render(ls->dut, tape, trace, NULL) : enough;
}
