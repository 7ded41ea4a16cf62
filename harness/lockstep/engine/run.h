/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a stimulus, or recorded inputs, on a device and its model.
 */
#ifndef RUN_H
#define RUN_H

#include "lockstep.h"
#include "tape.h"
#include "trace.h"

/* What failed, and where. Two failures are the same if outcome, text, and all that differs in the
 * cycle (ports, and fields of struct ports) agree. Of a crash's text only the function at its
 * beginning counts. The cycle and the wrong values may be others. */
typedef struct {
  outcome_t outcome;
  int port;           /* DIVERGED: the first wrong port, index into dut->ports */
  uint64_t differs;   /* DIVERGED: checksum of the names of all ports and fields that differ; never 0. */
  unsigned undefined; /* bits of the port that are X or Z */
  uint64_t cycle;     /* from power-up, resets counted */
  char text[512];
} failure_t;

/* takes the failure from a pair that stands at it */
void failure_of(const lockstep_t *ls, failure_t *failure);
bool failure_same(const failure_t *a, const failure_t *b);
/* Compares two texts of failures with this outcome. */
bool failure_same_text(outcome_t outcome, const char *a, const char *b);

/* Where a crash of the stimulus jumps to, and its description. */
typedef struct {
  jmp_buf jump;
  char how[512];
} stim_crash_t;

/* Between run_guard and run_unguard, a stimulus call that crashes or does not return jumps to
 * crash->jump. Without a guard it ends the program. */
void run_guard(const dut_t *dut, stim_crash_t *crash);
void run_unguard(const dut_t *dut);

/* Call this after the jump: lets the device catch up with the model, because an earlier divergence
 * takes precedence. Returns that outcome, or STIM_CRASH, or INTERRUPTED. */
outcome_t run_crashed(lockstep_t *ls, const stim_crash_t *crash);

/* A running stimulus. */
typedef struct {
  const stim_t *stim;
  void *state;
  uint64_t *in;
  uint64_t in_size, cycle;
  stim_crash_t crash;
  bool crashed; /* in its init: the next run on a pair ends with the crash */
  const dut_t *dut;
  unsigned profile;
  uint64_t seed;
  const tape_t *play; /* tape that supplies the draws; NULL: the generator */
  tape_t *note;       /* tape that gets the draws; NULL: none */
  tape_head_t head;   /* in use with play or note */
  size_t at;          /* of play: the coming cycle */
  /* Before the coming cycle, turn to profile turn - 1 with `seed`; 0: no turn. A stimulus that
   * cannot turn gets a reset and a new start. */
  unsigned turn;
  struct resets *resets; /* resets that the stimulus has not asked for; NULL: none */
  uint64_t anew;         /* how many there were */
  bool lost;             /* out of memory while noting */
  bool guarded;          /* `crash` may be jumped to */
  void *shown;           /* The outputs before a checked call, to see whether the stimulus changes them. */
} driver_t;

/* The seed of one profile: each profile of a check has its own numbers. */
uint64_t driver_seed(uint64_t seed, unsigned profile);

/* What the devices of a profile begin with (dut.h: power_up): zeros for one half of the seeds and
 * profiles, anything for the other half. */
uint64_t run_power_up(const dut_t *dut, uint64_t seed, unsigned profile);

/* Allocates memory only; `notes`: the driver may get a tape to note on. The caller sets profile,
 * seed and tape, starts with driver_restart, and always calls driver_close. False: out
 * of memory. */
bool driver_make(driver_t *driver, const dut_t *dut, bool notes);

/* Starts a stimulus. False: out of memory. A crash in its init is reported by the next run_stimulus
 * or run_tape. */
bool driver_open(driver_t *driver, const dut_t *dut, uint64_t seed, unsigned profile);
void driver_close(driver_t *driver);

/* driver_open with all draws noted on a tape (driver_note), or played from a tape (driver_play), or
 * both. A tape that is played supplies profile and start, and must stay where it is. */
bool driver_note(driver_t *driver, const dut_t *dut, uint64_t seed, unsigned profile, tape_t *note);
bool driver_play(driver_t *driver, const dut_t *dut, const tape_t *play, tape_t *note);

/* Adds resets to those of the stimulus (resets.h), which begins anew at each. Call it once, after
 * opening. Not for a driver that plays: the tape has them. False: out of memory. */
bool driver_inject(driver_t *driver);

void driver_restart(driver_t *driver); /* to the state after opening; not while the driver notes */

/* Makes driver->in from the model's last outputs. True: this cycle is a reset instead. */
bool driver_next(driver_t *driver, const void *out);

/* Runs up to `cycles` cycles of stimulus on a freshly powered-up pair. On STIM_CRASH, the cycles
 * before the crash are compared. on_cycles (may be NULL) is called now and then with the cycles
 * done; false stops the run. */
outcome_t run_stimulus(lockstep_t *ls, driver_t *driver, uint64_t cycles, bool (*on_cycles)(void *, uint64_t),
                       void *context);

/* Records the first `cycles` inputs of a stimulus; uses the model alone. resets: as of
 * driver_inject. False: out of memory, or more than max_bytes. */
bool run_record(const dut_t *dut, uint64_t seed, unsigned profile, bool resets, uint64_t cycles, size_t max_bytes,
                trace_t *trace);

/* run_note: the same, with the decisions noted on a fresh tape. run_render: the inputs that a
 * tape's decisions make. `again`, fresh, gets the decisions as taken, none left to a `rest`. Both
 * make the trace anew. */
bool run_note(const dut_t *dut, uint64_t seed, unsigned profile, bool resets, uint64_t cycles, size_t max_bytes,
              trace_t *trace, tape_t *tape);
bool run_render(const dut_t *dut, const tape_t *tape, trace_t *trace, tape_t *again);

/* Runs a playing driver's cycles up to `to` of its tape on the pair as it stands. Returns as
 * run_cycles does. */
bool run_tape(lockstep_t *ls, driver_t *driver, size_t to, double deadline);

/* Runs recorded inputs from..to-1 on the pair as it stands. `deadline`: clock_seconds() to give up
 * at; 0: never. False: the time was over. */
bool run_cycles(lockstep_t *ls, const trace_cycle_t *cycles, size_t from, size_t to, double deadline);

#endif
