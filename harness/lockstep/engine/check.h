/* SPDX-License-Identifier: Apache-2.0
 *
 * What `lockstack check` and `lockstack replay` do: run, and on a failure report, record, shrink,
 * and write the replay file and the waveform.
 */
#ifndef CHECK_H
#define CHECK_H

#include "build.h"
#include "inside.h"
#include "run.h"
#include "warnings.h"
#include "window.h"

#include <stdio.h>

typedef struct {
  const block_t *block;
  places_t places;
  const char *kind;      /* "rtl" */
  uint64_t seed, cycles; /* cycles in all, over the profiles */
  /* a run of all profiles that is as long must have compared every output, or it is NOT_COMPARED */
  uint64_t full_cycles;
  const char *profile; /* NULL: all of them, one after the other */
  const char *vectors; /* file of outside vectors instead of a stimulus; NULL: none */
  /* stimulus that coverage leads (guide.h), on an object of
   * kind rtl+cov; a failure is shrunk on one of `kind` */
  bool guided;
  const char *wave; /* waveform's file; NULL: one of our choosing, on a failure */
  bool no_wave;     /* none of our choosing; nor is what is inside of the RTL looked at, unless: */
  bool strict;      /* widths that differ and nets that nothing drives (warnings.h) are errors */
  /* look for the first part inside of the RTL that is wrong (inside.h), also without a waveform */
  bool inside;
  const char *folder;                              /* for replay files and waveforms: made when needed */
  double shrink_seconds;                           /* 0: do not shrink */
  const char *commit;                              /* goes into the replay file */
  FILE *out;                                       /* the report */
  bool (*on_cycles)(void *context, uint64_t done); /* now and then; false: stop. May be NULL */
  /* The cycles fall into so many windows, all alike but for one cycle. At the end of each, and of
   * each profile, on_window has the device, which is as far as the model; false: out of memory. Who
   * counts so (kind netlist+toggles) wants no counts of a run that fails: nothing is reported or
   * shrunk, a run on the same device without counts does it. NULL: no windows. */
  bool (*on_window)(void *context, const dut_t *dut, void *dev, unsigned window);
  unsigned windows;
  void *context;
} check_t;

typedef struct {
  outcome_t outcome;
  trouble_t trouble;     /* BAD_INPUT, INFRA */
  trouble_t unwritten;   /* a replay file or a waveform that could not be written, and why; or none */
  bool stopped;          /* on_cycles said so */
  tally_t tally;         /* what was compared before anything was found; the caller closes it (tally_close) */
  bool full;             /* all profiles, for full_cycles or longer */
  const char *profile;   /* of the failure, or the one that was asked for; NULL: all */
  unsigned num_profiles; /* run */
  unsigned points, hit;  /* guided: coverage points */
  uint64_t cycles, probes_compared;
  double seconds; /* of the lockstep run alone */
  const dut_t *dut;
  warnings_t warnings;  /* of the device; the caller frees them (warnings_free) */
  failure_t failure;    /* as found */
  failure_t shrunk;     /* in the replay file */
  uint64_t replay_seed; /* what the replay file was shrunk from: the seed asked for, or one that fails sooner */
  bool was_shrunk;
  bool written;       /* a recording was written and played again: */
  bool repeats;       /* its failure came again; else there is no replay file */
  char unsteady[640]; /* what does not repeat, one line; "": nothing was seen */
  /* RTL instead of the tree's: `tree` is what the
   * tree's own does on the inputs in the replay file */
  bool asked_tree;
  outcome_t tree;
  size_t shrunk_cycles, shrunk_busy;
  char replay[BUILD_PATH], wave[BUILD_PATH], save[BUILD_PATH]; /* "": none */
  /* the object that says what is inside of the RTL (kind rtl+wave); NULL: it was not looked at */
  const dut_t *parts;
  /* where in it the failure of the replay file begins; the caller frees it (inside_free) */
  inside_t inside;
  /* around the failure in the replay file; the caller frees it (window_free) */
  window_t window;
} check_result_t;

void check_run(const check_t *check, check_result_t *result);

/* The outcome of a run that passed, or passed but for what was never
 * compared, by its tally: again when more is known of what is off. */
void check_judge(const check_t *check, check_result_t *result);

/* Plays a replay file: check->block, kind, wave, places, out count. DIVERGED etc.: as recorded, or
 * something else (*same tells); PASS: the failure is gone, if not result->unsteady: block and
 * object are what was recorded, and no longer fail; NOT_COMPARED: it may be gone, but the recorded
 * port, or all, was never compared. */
void check_replay(const check_t *check, const char *path, check_result_t *result, bool *same);

#endif
