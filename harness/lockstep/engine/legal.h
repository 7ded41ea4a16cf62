/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks recorded inputs against the rules of the block's environment (stim.h: legal_t). Only the
 * golden model runs, because credits and answers follow its outputs. One more rule: no error output
 * (ERROR in the port file) rises that did not rise in the recording given to legal_take.
 *
 *   if (legal_open(&legal, dut)) ...
 *   legal_take(&legal, trace->cycles, trace->count);
 *   if (legal_holds(&legal, fewer, n)) ...
 *   legal_close(&legal);
 */
#ifndef LEGAL_H
#define LEGAL_H

#include "dut.h"
#include "trace.h"

#include <setjmp.h>

typedef struct {
  const dut_t *dut;
  void *state, *model, *in, *out, *mask;
  char *errors; /* Error outputs that may rise: a mask over the bytes of X_out_t. */
  bool taking;  /* legal_take is running */
  jmp_buf jump;
  const char *rule; /* the rule that was broken last; NULL: none */
  size_t cycle;     /* the cycle in which it was broken */
} legal_run_t;

bool legal_open(legal_run_t *legal, const dut_t *dut); /* false: the block has no rules, or out of memory */
void legal_close(legal_run_t *legal);

/* False: a rule is broken (legal->rule, legal->cycle). If the model fails, the cycles before count
 * as legal. legal_take: an original recording, whose error outputs may rise again. */
bool legal_take(legal_run_t *legal, const trace_cycle_t *cycles, size_t count);
bool legal_holds(legal_run_t *legal, const trace_cycle_t *cycles, size_t count);

#endif
