/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a device and its golden model side by side and compares them in each cycle. Knows no block
 * by name; the object's table (dut.h) describes the block.
 *
 *   dut_load("build/release/dut/nsu.so", &dut, &trouble);
 *   lockstep_open(&ls, dut);                  powered up and reset
 *   while (lockstep_cycle(&ls, &in) == OUTCOME_PASS) ...
 *   lockstep_close(&ls);
 *
 *   inputs --+--> model --> outputs --+
 *            |                        +--> equal where valid? --> PASS or DIVERGED
 *            +--> RTL ----> outputs --+
 *
 * A system has one lockstep_t for each instance. lockstep_outputs() are the outputs of a Moore
 * block in the coming cycle. lockstep_cycle() applies the inputs, compares, and steps both sides.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include "dut_table.h"
#include "pure.h"
#include "stim.h"
#include "tally.h"
#include "trouble.h"

#include <setjmp.h>

typedef enum {
  OUTCOME_PASS,
  OUTCOME_DIVERGED,     /* an output or probe differs */
  OUTCOME_DUT_ASSERT,   /* an assertion in the RTL failed */
  OUTCOME_MODEL_ASSERT, /* an assertion in the golden model failed */
  OUTCOME_MODEL_CRASH,  /* A call of the golden model crashed or did not return. */
  OUTCOME_STIM_CRASH,   /* the same of the stimulus */
  OUTCOME_STUCK,        /* the block owes an answer and nothing moves */
  OUTCOME_NOT_COMPARED, /* Nothing differed, but some outputs or all were never compared (tally.h). */
  OUTCOME_BAD_INPUT,    /* Of a run: the port file says KIND(moore) and device or model is not Moore. */
  OUTCOME_INFRA,
  OUTCOME_INTERRUPTED /* by the user, before a failure was found */
} outcome_t;

/* Cycles between checks that a Moore model's outputs ignore its inputs. */
enum { MODEL_MOORE_EVERY = 61 };

/* Writes one line about a block with KIND(moore) whose outputs depend on its inputs: `out` and
 * `other` differ for the same state. `who`: "the model's". */
void lockstep_not_moore(const dut_t *dut, const char *who, const void *out, const void *other, uint64_t cycle,
                        char *text, size_t size);

const char *outcome_name(outcome_t outcome); /* "DIVERGED" */
/* The model gave no outputs, or left its call before the clock edge. */
bool outcome_of_model(outcome_t outcome);

/* The outcome of a run without a verdict: INPUT gives BAD_INPUT, no trouble PASS, anything else
 * INFRA. */
outcome_t outcome_of(const trouble_t *trouble);

typedef struct lockstep {
  const dut_t *dut;
  void *dev;   /* the RTL */
  void *model; /* the model's state */
  void *in;    /* inputs of the cycle, cut to the ports' widths */
  void *in_mask;
  void *given;    /* The model's copy of the inputs; a write there cannot reach the RTL. */
  void *reset_in; /* of the last reset: those inputs that count in it, others 0 */
  void *out;      /* the model's outputs of the last cycle, canonical */
  void *rtl_out;  /* the RTL's outputs, canonical; set when they differ */
  void *rtl_x;    /* Undefined bits of the RTL, shown as wrong in rtl_out. All zero for a two-state device. */
  uint64_t cycle; /* Cycles and resets since power-up, without the failing one. */
  bool out_ready; /* Moore: `out` already has the coming cycle's outputs */

  char *queue; /* Cycles that the model has done and the device has not: inputs, then canonical outputs. */
  uint32_t slot_size;
  unsigned queued;
  /* Checks on a sample of cycles that the model is a function of its struct; MODEL_ASSERT
   * if not. */
  pure_t pure;
  uint64_t asleep; /* One bit for each queued cycle in which the model was not stepped. */

  /* Idle models are not stepped, but the RTL is, so a model that is wrong about being idle
   * diverges. Inputs are quiet if 1-bit inputs without a valid bit are 0, and wider ones are 0 or
   * unchanged since reset. */
  struct quiet *quiet;

  /* Called for every cycle of the model with inputs (NULL: a reset) and outputs. NULL:
   * no observer. */
  void (*observe)(void *observer, const void *in, const void *out);
  void *observer;

  tally_t tally; /* What was compared since opening. Power-ups do not clear the tally. */

  outcome_t outcome;
  int port;       /* DIVERGED: index of the first wrong probe, else output */
  char text[512]; /* the assertion, the crash, or what is stuck */

  /* STUCK: outputs are sampled now and then while an answer is due, and in every cycle while they
   * do not change. */
  void *sample;
  uint64_t sample_cycle, quiet_since;

  jmp_buf jump, dev_jump;
  outcome_t left; /* how a jump left the model or the device */
  bool dev_lost;  /* a call into `dev` did not return: it is neither used nor destroyed */
} lockstep_t;

/* False: ls->outcome and ls->text say why (INFRA: out of memory; DUT_ASSERT: the RTL refuses its
 * parameters). */
bool lockstep_open(lockstep_t *ls, const dut_t *dut);
void lockstep_close(lockstep_t *ls);

/* lockstep_power_up: power-up and reset, so that a run starts like the first one.
 * lockstep_reset: a reset in mid-run; state without a reset stays. in: X_in_t, of which the
 * inputs of RESET_IN entries count; NULL: they are 0, as at power-up. */
bool lockstep_power_up(lockstep_t *ls);
outcome_t lockstep_reset(lockstep_t *ls, const void *in);

/* One cycle with these inputs (X_in_t; NULL: all zero). After any outcome but PASS, call only
 * power_up, restore or close. */
outcome_t lockstep_cycle(lockstep_t *ls, const void *in);

/* The same for inputs that do not depend on the device. The model runs a few dozen cycles ahead,
 * then the device catches up and is compared. Each side keeps its caches warm, which is faster than
 * alternating. Outcomes are those of lockstep_cycle, up to a batch later. Call lockstep_catch_up
 * before you look at the pair. */
outcome_t lockstep_ahead(lockstep_t *ls, const void *in);
outcome_t lockstep_catch_up(lockstep_t *ls);
const void *lockstep_seen(const lockstep_t *ls); /* the model's outputs of its last cycle */

/* Moore blocks: the model's outputs of the coming cycle (X_out_t, canonical). After lockstep_cycle
 * has passed they equal the RTL's. */
const void *lockstep_outputs(lockstep_t *ls);

/* Watchdog; call it now and then after lockstep_cycle or lockstep_catch_up. `waiting`: the block
 * owes an answer. STUCK: no output or probe has changed for `patience` cycles while it does.
 * lockstep_quiet: nothing had changed at the last look. Then look in every cycle, since a block may
 * repeat itself in step with the looks. */
outcome_t lockstep_watch(lockstep_t *ls, bool waiting, uint64_t patience);
bool lockstep_quiet(const lockstep_t *ls);

/* Snapshots of model and RTL. NULL: out of memory, or the device has none. */
typedef struct lockstep_snapshot lockstep_snapshot_t;
lockstep_snapshot_t *lockstep_save(lockstep_t *ls);
void lockstep_restore(lockstep_t *ls, const lockstep_snapshot_t *snapshot);
/* restores the model alone */
void lockstep_restore_model(lockstep_t *ls, const lockstep_snapshot_t *snapshot);
void lockstep_snapshot_free(lockstep_t *ls, lockstep_snapshot_t *snapshot);

#endif
