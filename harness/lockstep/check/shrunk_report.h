/* SPDX-License-Identifier: Apache-2.0
 *
 * What a report says of a recording that was shrunk, or could not be.
 */
#ifndef SHRUNK_REPORT_H
#define SHRUNK_REPORT_H

#include "shrink.h"

#include <stdio.h>

typedef struct {
  const shrink_t *stats;
  const char *unsteady; /* the recording did not fail again, and why; NULL: it did */
  bool as_it_was;       /* only cycles behind the failure could go (SHRINK_END) */
  /* Cycles that inputs which the stimulus would not make need for the same failure; 0: unknown, or
   * not fewer. */
  size_t free_cycles;
} shrunk_t;

/* One line: how much smaller the recording became, and if it did not, why. */
void shrunk_report(FILE *out, const shrunk_t *shrunk);

/* True if nothing could be taken out of it. */
bool shrunk_is_same(const shrink_t *stats);

#endif
