/* SPDX-License-Identifier: Apache-2.0
 *
 * A device and its golden model, side by side, cycle by cycle. Knows no block by name: dut.h's
 * table says it all.
 *
 *   dut_load("build/release/dut/nsu.so", &dut, &trouble);
 *   lockstep_open(&ls, dut);                  powered up and reset
 *   while (lockstep_cycle(&ls, &in) == OUTCOME_PASS) ...
 *   lockstep_close(&ls);
 *
 * A system's shell drives one lockstep_t an instance: lockstep_outputs() are the wires a Moore
 * block shows in the coming cycle, lockstep_cycle() applies the inputs, compares and steps both.
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
  OUTCOME_MODEL_CRASH,  /* a call of the golden model crashed, or did not return */
  OUTCOME_STIM_CRASH,   /* the same of the stimulus */
  OUTCOME_STUCK,        /* the block owes an answer and nothing moves */
  OUTCOME_NOT_COMPARED, /* nothing differed, but some of the block, or all of it, was never compared (tally.h) */
  OUTCOME_BAD_INPUT,    /* of a run: the port file says KIND(moore) and the device or the model is not */
  OUTCOME_INFRA,
  OUTCOME_INTERRUPTED /* by the user, before anything was found */
} outcome_t;

enum { MODEL_MOORE_EVERY = 61 }; /* cycles between looks whether a Moore model's outputs take inputs into account */

/* One line of a block whose port file says KIND(moore) and whose outputs, here `other` beside
 * `out`, are not those of its state alone. who: "the model's". */
void lockstep_not_moore(const dut_t *dut, const char *who, const void *out, const void *other, uint64_t cycle,
                        char *text, size_t size);

const char *outcome_name(outcome_t outcome); /* "DIVERGED" */
bool outcome_of_model(outcome_t outcome);    /* the model gave no outputs, or was left before its clock edge */

/* What a run without a verdict is: BAD_INPUT of INPUT, else INFRA; PASS of no trouble. */
outcome_t outcome_of(const trouble_t *trouble);

typedef struct lockstep {
  const dut_t *dut;
  void *dev;   /* the RTL */
  void *model; /* the model's state */
  void *in;    /* inputs of the cycle, trimmed to the ports' widths */
  void *in_mask;
  void *given;    /* what the model gets to see of them: nothing that it writes there reaches the RTL */
  void *out;      /* the model's outputs of the last cycle, canonical */
  void *rtl_out;  /* the RTL's, canonical; filled when they differ */
  void *rtl_x;    /* its undefined bits, in rtl_out shown as wrong; all zero of a two-state device */
  uint64_t cycle; /* cycles (and resets) done since power-up, the failing one not counted */
  bool out_ready; /* Moore: `out` already holds the coming cycle's outputs */

  char *queue; /* cycles the model has done and the device has not: inputs, then canonical outputs */
  uint32_t slot_size;
  unsigned queued;
  pure_t pure;     /* on a sample of cycles: is the model a function of its struct? MODEL_ASSERT if not */
  uint64_t asleep; /* queued cycles in which the model was not stepped, one bit each */

  /* Idle models are not stepped (the RTL is), so that a model that is wrong about it diverges.
   * Quiet: 1-bit inputs that need no valid bit are 0, wider ones are 0 or have been the same since
   * reset. */
  struct quiet *quiet;

  /* NULL: nobody. Told every cycle the model has done: its
   * inputs (NULL: a reset instead) and its outputs. */
  void (*observe)(void *observer, const void *in, const void *out);
  void *observer;

  tally_t tally; /* what was compared since it was opened, through all that powered it up again */

  outcome_t outcome;
  int port;       /* DIVERGED: index of the first wrong probe or else output */
  char text[512]; /* the assertion, the crash, or what is stuck */

  /* STUCK: outputs are sampled every now and then while something
   * is waited for, every cycle while they are the same. */
  void *sample;
  uint64_t sample_cycle, quiet_since;

  jmp_buf jump;
  outcome_t left; /* how the model was left by that jump */
} lockstep_t;

/* False: see ls->outcome (INFRA: out of memory; DUT_ASSERT:
 * the RTL refuses its parameters) and ls->text. */
bool lockstep_open(lockstep_t *ls, const dut_t *dut);
void lockstep_close(lockstep_t *ls);

/* Power-up and reset, so that a run starts as the first one
 * did; a reset in mid-run keeps what reset does not clear. */
bool lockstep_power_up(lockstep_t *ls);
outcome_t lockstep_reset(lockstep_t *ls);

/* One cycle with these inputs (X_in_t; NULL: all zero). After anything
 * but PASS, nothing but power_up, restore and close is legal. */
outcome_t lockstep_cycle(lockstep_t *ls, const void *in);

/* The same for streams of inputs that do not depend on the device: the model goes ahead a few dozen
 * cycles, then the device catches up and is compared. Each runs from its own warm caches, which is
 * faster than turn by turn. Outcomes are those of lockstep_cycle, found up to a batch later; call
 * lockstep_catch_up before looking at the pair. */
outcome_t lockstep_ahead(lockstep_t *ls, const void *in);
outcome_t lockstep_catch_up(lockstep_t *ls);
const void *lockstep_seen(const lockstep_t *ls); /* the model's outputs of the last cycle it has done */

/* Moore blocks: the outputs of the coming cycle (X_out_t, canonical), from the model; equal to the
 * RTL's once lockstep_cycle has passed. */
const void *lockstep_outputs(lockstep_t *ls);

/* Watchdog, now and then after lockstep_cycle or lockstep_catch_up: is something owed? STUCK when
 * no output or probe has changed for `patience` cycles while it is. Quiet: they were the same when
 * it last looked; it should look at every cycle then, since a block that repeats itself may do so
 * in step with the looks. */
outcome_t lockstep_watch(lockstep_t *ls, bool waiting, uint64_t patience);
bool lockstep_quiet(const lockstep_t *ls);

/* Snapshots of model and RTL, to go back to. NULL: out of memory, or the device has none. */
typedef struct lockstep_snapshot lockstep_snapshot_t;
lockstep_snapshot_t *lockstep_save(lockstep_t *ls);
void lockstep_restore(lockstep_t *ls, const lockstep_snapshot_t *snapshot);
void lockstep_restore_model(lockstep_t *ls, const lockstep_snapshot_t *snapshot); /* the device stays as it is */
void lockstep_snapshot_free(lockstep_t *ls, lockstep_snapshot_t *snapshot);

#endif
