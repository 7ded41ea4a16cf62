/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a mutant the same circuit as far as lockstep can see? abc proves it or gives inputs that show the difference.
 */
#ifndef EQUIVALENT_H
#define EQUIVALENT_H

#include "miter.h"
#include "mutant.h"

typedef struct {
  const bed_t *bed;
  const char *work;
  double seconds; /* of processor time for one mutant */
  bool blind;     /* miter.h */
  bool (*stop)(void *context);
  void *context;
} equivalent_t;

typedef struct {
  mutant_status_t status;
  char method[16];     /* how */
  const char *reason;  /* UNDECIDED: why */
  unsigned cycles;     /* SURVIVED: of the inputs that show it */
} verdict_t;

/* EQUIVALENT; SURVIVED: inputs show it beside the golden model (replay.h), and are in the file mNUMBER.inputs of the working folder;
 * UNDECIDED: no answer in the time given, or inputs that do not show it there. OPEN: stopped. */
verdict_t equivalent_check(const equivalent_t *e, const fault_t *fault, unsigned number);

#endif
