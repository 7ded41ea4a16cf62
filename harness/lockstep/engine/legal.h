/* SPDX-License-Identifier: Apache-2.0
 *
 * Do recorded inputs keep to the rules of their block's environment (stim.h: legal_t)? The golden
 * model alone is run on them, since credits and answers follow its outputs. Besides the block's own
 * rules: no error output (ERROR in the port file) rises that did not rise in the recording that
 * legal_take was given.
 *
 *   if (legal_open(&legal, dut)) ... legal_take(&legal, trace->cycles, trace->count) ...
 *   legal_holds(&legal, fewer, n) ... legal_close(&legal);
 */
#ifndef LEGAL_H
#define LEGAL_H

#include "dut.h"
#include "trace.h"

#include <setjmp.h>

typedef struct {
  const dut_t *dut;
  void *state, *model, *in, *out, *mask;
  char *errors; /* error outputs that may rise: bytes of X_out_t */
  bool taking;
  jmp_buf jump;
  const char *rule; /* that was broken last; NULL: none */
  size_t cycle;     /* where */
} legal_run_t;

bool legal_open(legal_run_t *legal, const dut_t *dut); /* false: the block has no rules, or out of memory */
void legal_close(legal_run_t *legal);

/* False: a rule is broken (legal->rule, legal->cycle). What
 * the model does not come through holds up to there. */
/* a recording as it was: its errors may rise again */
bool legal_take(legal_run_t *legal, const trace_cycle_t *cycles, size_t count);
bool legal_holds(legal_run_t *legal, const trace_cycle_t *cycles, size_t count);

#endif
