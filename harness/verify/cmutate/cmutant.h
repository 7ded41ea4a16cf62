/* SPDX-License-Identifier: Apache-2.0
 *
 * Which mutant is on, and which have been reached. Included by what cmutate writes; cmutant.c is
 * linked to it.
 *
 * A cmocka program with CMUTANT_SERVER in its environment does not run its tests: it serves them, a
 * process each, on file descriptors CMUTANT_IN and CMUTANT_OUT. It writes its number of tests
 * (uint32_t) for each group; then, for each cmutant_ask_t, a cmutant_answer_t and, if no mutant was
 * on, CMUTANTS_MOST bytes: which were reached. An ask of test CMUTANT_NEXT goes on to the program's
 * next group.
 */
#ifndef CMUTANT_H
#define CMUTANT_H

#include <stddef.h>
#include <stdint.h>

enum { CMUTANTS_MOST = 65536, CMUTANT_IN = 200, CMUTANT_OUT = 201 };
#define CMUTANT_NEXT UINT32_MAX

extern unsigned cmutant_on; /* 0: none */
extern unsigned char cmutant_reached[CMUTANTS_MOST];

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
