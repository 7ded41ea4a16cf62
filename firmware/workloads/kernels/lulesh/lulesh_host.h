/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of LULESH: the problem, the steps of time, and the reference. The problem is a
 * Sedov explosion in a corner of a cube of edge x edge x edge elements.
 *
 *    lulesh_t *l = ...;                                  zeroed, begins with a data_t
 *    if (lulesh_make(l, edge, block)) ...                false: out of memory
 *    lulesh_clock_t clock = lulesh_start(l);
 *    lulesh_tick(&clock);                                the length of this step
 *    lulesh_step(l, clock.step);                         the reference: a step of all arrays
 *    lulesh_ask(l, courant, hydro, &clock);              how long the next step may be
 */
#ifndef LULESH_HOST_H
#define LULESH_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data.h"

typedef enum {
#define LULESH_REAL(name, of, numbers) LULESH_##name,
#include "lulesh/lulesh_lists.def"
  LULESH_REALS,
  LULESH_LAST_REAL = LULESH_REALS - 1,
#define LULESH_INT(name, of, numbers) LULESH_##name,
#include "lulesh/lulesh_lists.def"
  LULESH_ARRAYS
} lulesh_array_t;

typedef enum { LULESH_ELEMENTS, LULESH_NODES, LULESH_PLANE, LULESH_BLOCKS, LULESH_THINGS } lulesh_thing_t;

typedef struct {
  data_t data;
  uint32_t edge, block, count[LULESH_THINGS]; /* block: threads of one */
  double *real[LULESH_REALS];                 /* the reference's; at first what both begin with */
  int32_t *number[LULESH_ARRAYS];             /* of the integers */
} lulesh_t;

typedef struct {
  double time, step, courant, hydro; /* courant, hydro: the longest steps that these allow */
  uint32_t steps;
} lulesh_clock_t;

/* Makes arrays and mesh, and begins. `block`: threads of a block. False: out of memory. */
bool lulesh_make(lulesh_t *l, uint32_t edge, uint32_t block);
void lulesh_begin(const lulesh_t *l);                           /* as it was made */
size_t lulesh_numbers(const lulesh_t *l, lulesh_array_t array); /* of an array */

/* The clock of a run; a run ends when lulesh_done says so, or after as many steps as wanted. */
lulesh_clock_t lulesh_start(const lulesh_t *l);
bool lulesh_done(const lulesh_clock_t *clock);
void lulesh_tick(lulesh_clock_t *clock);
void lulesh_step(lulesh_t *l, double step);
/* Takes the longest steps that all blocks allow from their arrays. */
void lulesh_ask(const lulesh_t *l, const double *courant, const double *hydro, lulesh_clock_t *clock);

#endif
