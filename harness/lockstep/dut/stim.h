/* SPDX-License-Identifier: Apache-2.0
 *
 * The stimulus of a block: tests/lockstep/X.c defines `const stim_t X_stim`.
 *
 * A stimulus is a stream of typed inputs, a pure function of block, seed and profile. It uses no
 * time, no globals and no heap: only its own state and the MODEL's outputs. It may react to the
 * model's outputs (credits, back-pressure) but never to the RTL's, so the same seed gives the same
 * inputs for any RTL.
 *
 * One cycle: next() makes the inputs of cycle n from the model's outputs of cycle n-1 (all zero at
 * n = 0). RTL and model get the same inputs. The outputs are compared before the clock edge; then
 * both step. A combinational answer to this cycle's inputs reaches the next call.
 *
 *   static void init(void *state, uint64_t seed, unsigned profile);
 *   static void next(void *state, uint64_t cycle, const void *out, void *in);
 *   const stim_t arb_rr_stim = {
 *     .profiles = profiles, .num_profiles = 3, .state_size = sizeof(state_t),
 *     .init = init, .next = next,
 *   };
 *
 * Draw numbers with rng.h. Every profile should reach corners of its own (full, empty,
 * back-pressure, one lane ...).
 */
#ifndef STIM_H
#define STIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *name; /* "full": letters, digits, - and _ */
  const char *text; /* one line: which corner it reaches */
} stim_profile_t;

/* What the block's environment never does, according to the block's page. Shrinking without a
 * stimulus' decisions keeps these rules. */
typedef struct {
  const char *const *rules; /* "a flit without a credit": what is broken, in a few words */
  unsigned num_rules;
  size_t state_size; /* all zero at power-up and after a reset of the block */

  /* The index of the rule that a cycle's inputs break, given the cycles before; -1: none. Called in
   * every cycle until a rule is broken. in: X_in_t. out: const X_out_t of the same cycle, invalid
   * fields zero. */
  int (*broken)(void *state, const void *in, const void *out);
} legal_t;

typedef struct stim {
  const stim_profile_t *profiles;
  unsigned num_profiles; /* at least 1; `check` without --profile runs them all */
  size_t state_size;     /* bytes of state, copied by snapshots: no pointers into itself */

  /* state is all zero before the call. */
  void (*init)(void *state, uint64_t seed, unsigned profile);

  /* in: X_in_t, all zero before the call. out: const X_out_t of the last cycle, invalid fields
   * zero. */
  void (*next)(void *state, uint64_t cycle, const void *out, void *in);

  /* Optional; called after next(). True: reset the block in place of this cycle, and drop its
   * inputs. The model's outputs are then those of a reset block, and the stimulus must forget what
   * was in flight. */
  bool (*reset)(void *state, uint64_t cycle);

  /* Optional, for guided runs. Switches to other random numbers, and to the rates of another
   * profile where they can follow in mid-run. Pending obligations stay. Returns the profile that is
   * now active. */
  unsigned (*turn)(void *state, uint64_t seed, unsigned profile);

  /* Optional. True while the block owes an answer. If it stays true while neither inputs nor
   * outputs change for `patience` cycles (0: 20,000), the outcome is STUCK. Without the function no
   * run is STUCK. */
  bool (*waiting)(const void *state);
  uint64_t patience;

  /* Optional, for `check X --vectors FILE`. A line of FILE has vector_operands hexadecimal numbers
   * and the result. vector_drive puts the operands on the inputs of one cycle. vector_result reads
   * the result vector_latency cycles later (0: the same cycle), before the clock edge. False: no
   * result, an error. */
  unsigned vector_operands;
  unsigned vector_latency;
  const char *vector_text; /* "opcode a b c result" */
  void (*vector_drive)(const uint64_t *operands, void *in);
  bool (*vector_result)(const void *out, uint64_t *result);

  const legal_t *legal; /* optional; NULL: the rules are not written down */
} stim_t;

#endif
