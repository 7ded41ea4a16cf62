/* SPDX-License-Identifier: Apache-2.0
 *
 * What is to be measured, blocks times the values of sweeps, and the curve over a sweep.
 */
#ifndef AREA_TASKS_H
#define AREA_TASKS_H

#include "json_sure.h"

#include "area_report.h"
#include "build.h"

/* At most so many --sweep, and values of each. */
enum { AREA_SWEEPS = 4, AREA_VALUES = 64 };

/* A block to measure. */
typedef struct {
  /* path from the tree's root; of a block outside the tree, whose family is "", its own */
  const char *name, *family, *ports;
  const block_t *own; /* outside of the tree; NULL: of the tree */
} area_block_t;

typedef struct {
  char name[PROOF_NAME];
  char value[AREA_VALUES][PROOF_NAME];
  unsigned count;
} area_sweep_t;

typedef struct {
  const area_block_t *block;
  char params[PROOF_TEXT];
} area_task_t;

typedef struct {
  area_task_t *task;
  unsigned count;
} area_tasks_t;

/* "Lanes=1,2,4"; false when it is not like that. */
bool area_parse_sweep(area_sweep_t *sweep, const char *text);

/* One more block, with every combination of the sweeps' values on top of the settings. 0, or the
 * exit code after a line. */
int area_add_tasks(area_tasks_t *tasks, const area_block_t *block, const char *const *sets, unsigned num_sets,
                   const area_sweep_t *sweeps, unsigned num_sweeps);

/* Area over the first sweep's values, a curve a block and combination of the others: area.svg,
 * area.png and area.csv in the folder. Rows are as in the JSON. 0, or the exit code after a
 * line. */
int area_draw(const char *folder, const area_sweep_t *sweep, const json_t *rows);

#endif
