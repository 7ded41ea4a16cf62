/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a whole proof: each property and cover for each set of parameters, then each broken copy.
 */
#ifndef PROVE_H
#define PROVE_H

#include "engine.h"

typedef enum { CHECK_PROPERTY, CHECK_COVER, CHECK_BROKEN } check_kind_t;

typedef struct {
  check_kind_t kind;
  const proof_t *proof;
  const broken_t *copy; /* the broken copy; NULL: the RTL itself */
  char name[PROOF_NAME];
  char property[PROOF_NAME]; /* the property that the broken copy must fail; "" else */
  const char *params;
  method_t method;
  unsigned depth;  /* as engine_check says */
  answer_t answer; /* HOLDS, REFUTED or UNKNOWN; for a broken copy, of its property */
  /* proved, reached, or, for a broken copy, refuted; a stale copy of changed RTL (engine.rtl) is
   * good, too */
  bool good;
  bool vacuous;      /* a property whose condition is 0 in every cycle: nothing was asked, and `answer` is UNKNOWN */
  const char *stale; /* why the broken copy does not apply to this RTL, so that `answer` is UNKNOWN; NULL: it does */
  double seconds;
  char trace[PROOF_PATH]; /* waveform of a refuted property; "": none */
} prove_result_t;

typedef struct {
  const proof_t *proof;
  engine_t engine;
  const char *work; /* folder, made if need be */
  void (*on_result)(void *context, const prove_result_t *result);
  void *context;
} prove_t;

/* How many results prove_run will report, and how many sets of parameters have a property but no
 * cover. */
unsigned prove_count(const proof_t *proof);
unsigned prove_uncovered(const proof_t *proof);

/* HOLDS: all is checked, whatever the results are. Else STOPPED, BAD or INFRA, and the run ends
 * early. A broken copy that no longer fits the RTL is a stale result, not an error. Two cases
 * make it stale: its text is not in the file exactly once, or Yosys refuses the changed file. */
answer_t prove_run(const prove_t *prove, trouble_t *trouble);

#endif
