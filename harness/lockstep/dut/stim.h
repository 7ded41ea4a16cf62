/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of a block: tests/lockstep/X.c defines `const stim_t X_stim`.
 *
 * A stimulus is a typed stream of inputs, a pure function of (block, seed, profile): no time, no
 * globals, no heap, nothing but its own state and the MODEL's outputs. It may react to those
 * (credits, back-pressure), never to the RTL's, so that the same seed gives the same inputs
 * whatever the RTL does.
 *
 * The order of one cycle: next() makes the inputs of cycle n from the model's outputs of cycle n-1
 * (all zero at n = 0); RTL and model see the same inputs; outputs are compared before the clock
 * edge; both step. (A combinational answer to this cycle's inputs is seen in the next call.)
 *
 *   static void init(void *state, uint64_t seed, unsigned profile);
 *   static void next(void *state, uint64_t cycle, const void *out, void *in);
 *   const stim_t arb_rr_stim = {
 *     .profiles = profiles, .num_profiles = 3, .state_size = sizeof(state_t), .init = init, .next =
 *     next,
 *   };
 *
 * Use rng.h for numbers. Every profile should reach corners of its own (full, empty, back-pressure,
 * one lane ...).
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

/* What the block's environment never does, as the block's page has it:
 * what is made smaller without a stimulus' decisions must keep to it. */
typedef struct {
  const char *const *rules; /* "a flit without a credit": what is broken, in a few words */
  unsigned num_rules;
  size_t state_size; /* all zero at power-up and after a reset of the block */

  /* The number of the rule that a cycle's inputs break, after those before it; -1: none. Asked in
   * every cycle; nothing is asked after a broken one. in: X_in_t. out: const X_out_t of the same
   * cycle, invalid fields zero. */
  int (*broken)(void *state, const void *in, const void *out);
} legal_t;

typedef struct stim {
  const stim_profile_t *profiles;
  unsigned num_profiles; /* at least 1; `check` without --profile runs them all */
  size_t state_size;     /* bytes of state, copied by snapshots: no pointers into itself */

  /* state is all zero before the call. */
  void (*init)(void *state, uint64_t seed, unsigned profile);

  /* out: const X_out_t of the last cycle, invalid fields
   * zero. in: X_in_t, all zero before the call. */
  void (*next)(void *state, uint64_t cycle, const void *out, void *in);

  /* Optional. True: pull the reset now, instead of this cycle (its inputs are not applied). Asked
   * after next(). After a reset the model's outputs are those of a reset block; the stimulus must
   * forget what was in flight. */
  bool (*reset)(void *state, uint64_t cycle);

  /* Optional, for guided runs. Other random numbers from now on, and the rates of another profile
   * where they may follow on what is under way; all that is owed stays owed. Returns the profile
   * that it is then. */
  unsigned (*turn)(void *state, uint64_t seed, unsigned profile);

  /* Optional. True while the block owes an answer. When it stays true and neither inputs nor
   * outputs change for `patience` cycles (0: 20,000), the outcome is STUCK. Without it, nothing is
   * ever STUCK. */
  bool (*waiting)(const void *state);
  uint64_t patience;

  /* Optional: `check X --vectors FILE`. A line of FILE has vector_operands hexadecimal numbers and
   * the result. vector_drive puts a line's operands on the inputs of one cycle; vector_result reads
   * the result vector_latency cycles later (0: same cycle), before the clock edge; false: there is
   * no result, which is an error. */
  unsigned vector_operands;
  unsigned vector_latency;
  const char *vector_text; /* "opcode a b c result" */
  void (*vector_drive)(const uint64_t *operands, void *in);
  bool (*vector_result)(const void *out, uint64_t *result);

  const legal_t *legal; /* optional; NULL: nobody has written the rules down */
} stim_t;

#endif
