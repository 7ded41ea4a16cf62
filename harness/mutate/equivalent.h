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

/* EQUIVALENT; SURVIVED with the counterexample's length; UNDECIDED: no answer in the time given, or a difference that is only one
 * if a memory gives what it never would. OPEN: stopped. method: how. */
mutant_status_t equivalent_check(const equivalent_t *e, const fault_t *fault, unsigned number, char *method, unsigned *cycles);

#endif
