/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs: a stimulus against device and model, or recorded inputs against them.
 */
#ifndef RUN_H
#define RUN_H

#include "lockstep.h"
#include "tape.h"
#include "trace.h"

/* What went wrong, and where. Two failures are the same when outcome, text (of a crash the function
 * that it begins with) and all that differs in the cycle agree (ports, and the fields of struct
 * ports); the cycle, and by how much they differ, may be another. */
typedef struct {
  outcome_t outcome;
  int port;           /* DIVERGED: index into dut->ports of the first */
  uint64_t differs;   /* DIVERGED: a checksum of the names of all ports and fields that differ, not 0 */
  unsigned undefined; /* of its bits are X or Z, of a device that has such */
  uint64_t cycle;     /* from power-up, resets counted */
  char text[512];
} failure_t;

void failure_of(const lockstep_t *ls, failure_t *failure);
bool failure_same(const failure_t *a, const failure_t *b);
bool failure_same_text(outcome_t outcome, const char *a, const char *b); /* of this outcome both */

/* Where a stimulus that crashed is left to. */
typedef struct {
  jmp_buf jump;
  char how[512];
} stim_crash_t;

/* Calls of the stimulus from here to run_unguard that crash, or do not
 * return, jump to crash->jump. Without a guard they end the program. */
void run_guard(const dut_t *dut, stim_crash_t *crash);
void run_unguard(const dut_t *dut);

/* After the jump: device and model together again, for what was found
 * in the cycles before goes first; else STIM_CRASH, or INTERRUPTED. */
outcome_t run_crashed(lockstep_t *ls, const stim_crash_t *crash);

/* A stimulus under way. */
typedef struct {
  const stim_t *stim;
  void *state;
  uint64_t *in;
  uint64_t in_size, cycle;
  stim_crash_t crash;
  bool crashed; /* in its init: the next run on a pair ends with that */
  const dut_t *dut;
  unsigned profile;
  uint64_t seed;
  const tape_t *play; /* its draws come from there; NULL: from the generator */
  tape_t *note;       /* they go there; NULL: nowhere */
  tape_head_t head;   /* with play or note */
  size_t at;          /* of play: the coming cycle */
  /* before the coming cycle, to profile turn - 1 with `seed`;
   * 0: none. Of a stimulus that cannot: a reset, and a start */
  unsigned turn;
  bool lost;    /* out of memory while noting */
  bool guarded; /* `crash` can be jumped to */
  void *shown;  /* the outputs as they were before a call that is looked at */
} driver_t;

/* The seed a profile really gets: each profile of a check has numbers of its own. */
uint64_t driver_seed(uint64_t seed, unsigned profile);

/* Its memory alone; `notes`: it may be given a tape to note on. Profile, seed and tape are then the
 * caller's, who starts it by driver_restart and ends it by driver_close, in any case. False: out of
 * memory. */
bool driver_make(driver_t *driver, const dut_t *dut, bool notes);

/* False: out of memory. An init that crashes is told
 * by the run that follows: run_stimulus, run_tape. */
bool driver_open(driver_t *driver, const dut_t *dut, uint64_t seed, unsigned profile);
void driver_close(driver_t *driver);

/* The same with all draws noted, or played from a tape (its
 * profile, its start; which must stay there), or both. */
bool driver_note(driver_t *driver, const dut_t *dut, uint64_t seed, unsigned profile, tape_t *note);
bool driver_play(driver_t *driver, const dut_t *dut, const tape_t *play, tape_t *note);

void driver_restart(driver_t *driver); /* as it was when opened; not while it notes */

/* Makes driver->in from the model's last outputs; true: a reset instead. */
bool driver_next(driver_t *driver, const void *out);

/* Up to `cycles` cycles of stimulus on a freshly powered-up pair. STIM_CRASH: what device and model
 * did before it is compared. on_cycles (may be NULL) is called now and then with the cycles done;
 * it returns false to stop early. */
outcome_t run_stimulus(lockstep_t *ls, driver_t *driver, uint64_t cycles, bool (*on_cycles)(void *, uint64_t),
                       void *context);

/* Records the first `cycles` inputs of a stimulus; needs the
 * model alone. False: out of memory, or over max_bytes. */
bool run_record(const dut_t *dut, uint64_t seed, unsigned profile, uint64_t cycles, size_t max_bytes, trace_t *trace);

/* The same with the decisions noted on a fresh tape. Then: the inputs that a tape's decisions make
 * (`again`, fresh: the decisions as they were taken, none left to a `rest`). The trace is made
 * anew. */
bool run_note(const dut_t *dut, uint64_t seed, unsigned profile, uint64_t cycles, size_t max_bytes, trace_t *trace,
              tape_t *tape);
bool run_render(const dut_t *dut, const tape_t *tape, trace_t *trace, tape_t *again);

/* A playing driver's cycles up to `to` of its tape on the pair as it stands. As run_cycles. */
bool run_tape(lockstep_t *ls, driver_t *driver, size_t to, double deadline);

/* Recorded inputs from..to on the pair as it stands. deadline: clock_seconds() to give up at (0:
 * never). Returns false when the time is over. */
bool run_cycles(lockstep_t *ls, const trace_cycle_t *cycles, size_t from, size_t to, double deadline);

#endif
