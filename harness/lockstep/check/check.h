/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements `lockstack check` and `lockstack replay`: run; on a failure report, record, shrink,
 * and write the replay file and the waveform.
 */
#ifndef CHECK_H
#define CHECK_H

#include "against.h"
#include "build.h"
#include "inside.h"
#include "run.h"
#include "slice.h"
#include "warnings.h"
#include "window.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const block_t *block;
  places_t places;  /* where the tree and the objects are */
  const char *kind; /* "rtl" */
  /* The device in the model's place (against.h), and what it is made of: the block, but never with
   * RTL of another folder. NULL: the model. Then nobody looks inside of the RTL. */
  const char *against;
  const block_t *reference;
  uint64_t seed, cycles; /* cycles: of all profiles together */
  uint64_t power_up;     /* of check_replay: what the device begins with (dut.h) */
  /* From this many cycles on, a run of all profiles must have compared every output; else its
   * outcome is NOT_COMPARED. */
  uint64_t full_cycles;
  const char *profile; /* NULL: all profiles in turn */
  bool resets;         /* add resets to those of the stimulus (resets.h) */
  const char *vectors; /* file of outside vectors in place of a stimulus; NULL: none */
  /* Coverage guides the stimulus (guide.h), on an object of kind rtl+cov. A failure is shrunk on an
   * object of `kind`. */
  bool guided;
  const char *wave; /* the waveform's file; NULL: we choose one, on a failure */
  /* Write no waveform of our choosing, and look inside of the RTL only if `inside` is set. */
  bool no_wave;
  bool defaults; /* of the default parameters alone: the verdict says how others are checked */
  bool strict;   /* width mismatches and undriven nets (warnings.h) are errors */
  /* Look for the first part inside of the RTL that is wrong (inside.h), even without a waveform. */
  bool inside;
  const char *folder;    /* For replay files and waveforms; created when needed. */
  double shrink_seconds; /* time limit of the shrinker; 0: do not shrink */
  const char *commit;    /* of the tree, for the replay file; NULL: unknown */
  FILE *out;             /* the report */
  /* Called now and then; false stops the run. May be NULL. */
  bool (*on_cycles)(void *context, uint64_t done);
  /* The cycles fall into `windows` windows, equal but for one cycle. on_window gets the device at
   * the end of each window and each profile; the device then is as far as the model. False: out of
   * memory. NULL: no windows.
   *
   * A caller with windows (kind netlist+toggles) needs no counts of a failing run. Such a run
   * reports and shrinks nothing; the caller runs the same device again without counts. */
  bool (*on_window)(void *context, const dut_t *dut, void *dev, unsigned window);
  unsigned windows;
  void *context;
} check_t;

typedef struct {
  outcome_t outcome;
  trouble_t trouble;     /* with BAD_INPUT and INFRA */
  trouble_t unwritten;   /* why a replay file or a waveform could not be written; or none */
  bool stopped;          /* on_cycles ended the run */
  tally_t tally;         /* What was compared before a failure; the caller closes it (tally_close). */
  against_t *against;    /* of a pair, counts before a failure; the caller frees it (against_free) */
  bool full;             /* all profiles ran, for full_cycles or longer */
  const char *profile;   /* of the failure, or the one asked for; NULL: all */
  unsigned num_profiles; /* profiles that were run */
  unsigned points, hit;  /* guided: coverage points, and those hit */
  uint64_t cycles, probes_compared;
  double seconds; /* of the lockstep run alone */
  const dut_t *dut;
  warnings_t warnings; /* of the device's build; the caller frees them (warnings_free) */
  failure_t failure;   /* as found */
  failure_t shrunk;    /* as in the replay file */
  /* The seed of the run that the shrinker started from: the given one, or one that fails sooner. */
  uint64_t replay_seed, power_up;
  bool was_shrunk;
  bool written;       /* a recording was written and played again */
  bool repeats;       /* its failure came again; false: there is no replay file */
  char unsteady[640]; /* what does not repeat, one line; "": nothing was seen */
  /* With RTL in place of the tree's: `tree` is the outcome of the tree's RTL on the replay file's
   * inputs. */
  bool asked_tree;
  outcome_t tree;
  /* With another device than rtl: the outcome of rtl on these inputs. */
  bool asked_rtl;
  outcome_t on_rtl;
  size_t shrunk_cycles, shrunk_busy; /* length of the shrunk recording; cycles with any input set */
  /* Paths of replay file, waveform and GTKWave save file; "": none. */
  char replay[BUILD_PATH], wave[BUILD_PATH], save[BUILD_PATH];
  /* The object that describes the inside of the RTL (kind rtl+wave); NULL: nobody looked inside. */
  const dut_t *parts;
  /* Where inside of `parts` the replay file's failure begins; the caller frees it (inside_free). */
  inside_t inside;
  /* What decided the wrong output, back to the inputs (slice.h); the caller frees it (slice_free).
   * Empty: nobody looked. */
  slice_t slice;
  /* Cycles around the replay file's failure; the caller frees it (window_free). */
  window_t window;
} check_result_t;

/* True if the device or the reference is made of standard cells. */
static inline bool check_has_gates(const check_t *check) {
  return !strcmp(check->kind, "netlist") || (check->against && !strcmp(check->against, "netlist"));
}

/* Runs the check and fills in `result`, whatever the outcome. */
void check_run(const check_t *check, check_result_t *result);

/* Recomputes the outcome of a run without a failure from its tally, PASS or NOT_COMPARED. Call
 * again when more bits are known to be off. */
void check_judge(const check_t *check, check_result_t *result);

/* Plays a replay file. Of `check`, only block, kind, wave, places and out count. DIVERGED and other
 * failures: *same says whether the failure is the recorded one. PASS: the failure is gone. With
 * result->unsteady, block and object are as recorded and no longer fail. NOT_COMPARED: the failure
 * may be gone, but the recorded port, or every port, was never compared. */
void check_replay(const check_t *check, const char *path, check_result_t *result, bool *same);

#endif
