/* SPDX-License-Identifier: Apache-2.0
 *
 * Yosys makes the problem, abc or z3 (by yosys-smtbmc) solves it. Everything is in a work folder,
 * where scripts and logs remain to be looked at.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "proof.h"
#include "yosys.h"
#include "trouble.h"

typedef struct {
  const char *source; /* the tree, or where its files were installed: rtl/ and tests/formal/ are in it */
  const char *gen;    /* generated packages */
  const char *rtl;    /* folder whose RTL files are taken before the tree's; NULL: none */
  /* of a block outside the tree, and its folder, which
   * has X_proof.sv; NULL: it is one of the tree */
  const rtl_t *own;
  const char *folder;
  double seconds; /* for one answer */
  bool (*stop)(void *context);
  void *context;
} engine_t;

/* NULL, or the program that is needed and not installed. */
const char *engine_missing(void);

/* The wrapper (tests/formal/BLOCK.sv, or X_proof.sv of a block outside the tree) with these
 * parameters, ready for engine_check in `work`, which is made. Of a broken copy: `folder` has its
 * RTL, which comes before all others, and only the properties that it is for are kept; NULL and
 * NULL else. Refuses claims that have no statement in the wrapper, and the other way round. */
answer_t engine_elaborate(const engine_t *engine, const proof_t *proof, const char *params, const char *folder,
                          const broken_t *copy, const char *work, trouble_t *trouble);

/* One claim. depth: of pdr the frames it needed, of a refutation or a reached cover its cycle, else
 * the cycles looked at. */
answer_t engine_check(const engine_t *engine, const claim_t *claim, const char *work, unsigned *depth,
                      trouble_t *trouble);

/* Of an elaborated property: is its condition 0 in every cycle, so that nothing is asked? By what
 * Yosys made of it; and, of one that holds, by what the block can reach: in as many cycles as were
 * looked at, or ever. What has no answer within ENGINE_ASKED seconds is not called so. */
enum { ENGINE_ASKED = 20 };
bool engine_vacuous(const claim_t *claim, const char *work);
answer_t engine_reaches(const engine_t *engine, const claim_t *claim, const char *work, bool *vacuous,
                        trouble_t *trouble);

/* The waveform of a refuted property, work/NAME.vcd; false when z3 finds none in the time given. */
bool engine_trace(const engine_t *engine, const claim_t *claim, const char *work, unsigned depth);

#endif
