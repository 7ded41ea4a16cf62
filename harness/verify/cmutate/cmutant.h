/* SPDX-License-Identifier: Apache-2.0
 *
 * Which mutant is on, and which mutants were reached. The sources that cmutate writes include
 * this header, and cmutant.c is linked to them.
 *
 * A cmocka program with CMUTANT_SERVER in its environment serves its tests instead of running
 * them. Each test runs in a process of its own. The protocol, on descriptors CMUTANT_IN and
 * CMUTANT_OUT, for each group:
 *
 *   program --> uint32_t: number of tests in the group
 *   program <-- cmutant_ask_t: a test and a mutant (0: none), or CMUTANT_NEXT for the next group
 *   program --> cmutant_answer_t, and for mutant 0 also CMUTANTS_MOST bytes: which were reached
 */
#ifndef CMUTANT_H
#define CMUTANT_H

#include <stddef.h>
#include <stdint.h>

enum { CMUTANTS_MOST = 1 << 17, CMUTANT_IN = 200, CMUTANT_OUT = 201 };
#define CMUTANT_NEXT UINT32_MAX

extern unsigned cmutant_on; /* 0: none */
extern unsigned char cmutant_reached[CMUTANTS_MOST];

/* The condition in a mutated source: notes that the mutant is reached, and says whether it is
 * on. */
#define cmutant(id) (cmutant_reached[id] = 1, cmutant_on == (id))

typedef struct {
  uint32_t test, mutant;
  uint32_t limit_ms; /* CPU time */
} cmutant_ask_t;

typedef enum { CMUTANT_PASSED, CMUTANT_FAILED, CMUTANT_TIMEOUT, CMUTANT_CRASHED } cmutant_how_t;

typedef struct {
  uint32_t how, cpu_us;
} cmutant_answer_t;

#endif
