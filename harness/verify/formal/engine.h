/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks one claim: Yosys makes the problem, abc or z3 (through yosys-smtbmc) solves it.
 * Scripts, problems and logs stay in a work folder, so that a reader can repeat each step.
 *
 *   engine_elaborate --> words.il, bits.il     once for a set of parameters, or for a broken copy
 *   engine_check     --> HOLDS / REFUTED       for each claim
 *   engine_vacuous, engine_reaches             is the condition of a property ever 1?
 *   engine_trace     --> NAME.vcd              the counterexample of a refuted property
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "proof.h"
#include "yosys.h"
#include "trouble.h"

typedef struct {
  const char *source; /* the tree, or its installed copy with rtl/ and tests/formal/ */
  const char *gen;    /* generated packages */
  const char *rtl;    /* folder with RTL that replaces the tree's; NULL: none */
  /* RTL of a block outside the tree, and its folder with X_proof.sv; NULL: a block of the tree */
  const rtl_t *own;
  /* What Yosys reads of it for these parameters and, if not NULL, with a broken copy in `folder`;
   * NULL: `own`. False: `trouble`. */
  bool (*text)(const void *block, const char *params, const char *folder, rtl_t *read, trouble_t *trouble);
  const void *block;
  const char *folder;
  double seconds; /* limit for one answer */
  bool (*stop)(void *context);
  void *context;
} engine_t;

/* The first program of yosys, yosys-abc, yosys-smtbmc, z3 that is not installed; NULL: all are
 * there. */
const char *engine_missing(void);

/* Reads the wrapper with these parameters (tests/formal/BLOCK.sv, or X_proof.sv of a block
 * outside the tree) and makes `work`, ready for engine_check. `folder` and `copy` are both NULL,
 * or both of a broken copy: RTL in `folder` comes before all other RTL, and only the properties
 * that the copy must not pass are kept. BAD: the sources are wrong, or a claim has no statement
 * in the wrapper, or a statement no claim. */
answer_t engine_elaborate(const engine_t *engine, const proof_t *proof, const char *params, const char *folder,
                          const broken_t *copy, const char *work, trouble_t *trouble);

/* Checks one claim of the elaborated design. HOLDS, REFUTED or UNKNOWN; else trouble (BAD,
 * INFRA) or STOPPED. *depth: the frames that pdr needed, the cycle of a refutation or of a
 * reached cover, else the cycles looked at. */
answer_t engine_check(const engine_t *engine, const claim_t *claim, const char *work, unsigned *depth,
                      trouble_t *trouble);

/* Is the condition of an elaborated property 0 in every cycle? Then nothing was asked of the
 * design. engine_vacuous reads what Yosys made of the condition; it costs no solver.
 * engine_reaches asks abc about a property that holds: over the cycles looked at (bmc), else
 * over all. No answer within ENGINE_ASKED seconds counts as not vacuous. */
enum { ENGINE_ASKED = 20 };
bool engine_vacuous(const claim_t *claim, const char *work);
answer_t engine_reaches(const engine_t *engine, const claim_t *claim, const char *work, bool *vacuous,
                        trouble_t *trouble);

/* Writes the waveform of a refuted property, work/NAME.vcd. False: z3 found none in time. depth:
 * the cycle of the refutation, as engine_check said. */
bool engine_trace(const engine_t *engine, const claim_t *claim, const char *work, unsigned depth);

#endif
