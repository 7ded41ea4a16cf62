/* SPDX-License-Identifier: Apache-2.0
 *
 * The ratchet, synth/budget.csv: the area and speed that each block had when somebody last
 * accepted them. A line is a cell library, a block and a set of parameters:
 *
 *   library,block,params,cells,flipflops,area,path,macro_bits,period,reason
 *
 * Area, path and period are in the library's units (cells.h), and compare with the same library
 * only. A file without `period` in its line of names has no periods. A block outside the tree
 * has its place as its name (budget_place), because several such blocks may share a name. A
 * block that is more than BUDGET_SLACK larger or slower fails until somebody changes its line,
 * with a reason.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

enum { BUDGET_LIBRARY = 256, BUDGET_NAME = 4096, BUDGET_PARAMS = 256, BUDGET_REASON = 256 };

/* 5 %, and a little for rounding: a figure exactly at the limit passes. */
#define BUDGET_SLACK (0.05 + 1e-9)

typedef struct {
  char library[BUDGET_LIBRARY], block[BUDGET_NAME], params[BUDGET_PARAMS];
  unsigned long cells, flipflops;
  double area, path; /* path below 0: no path */
  unsigned long macro_bits;
  double period; /* shortest clock period; 0: not measured, not compared */
  char reason[BUDGET_REASON];
} budget_line_t;

typedef struct {
  budget_line_t *line;
  unsigned count;
} budget_t;

typedef enum { BUDGET_HELD, BUDGET_SMALLER, BUDGET_GROWN, BUDGET_NONE } budget_verdict_t;

/* False: INPUT, "FILE:LINE: should be ..."; the budget is empty then. A file that does not exist
 * is empty, too. */
bool budget_read(budget_t *budget, const char *path, trouble_t *trouble);
bool budget_write(const budget_t *budget, const char *path, trouble_t *trouble); /* whole or not at all */
void budget_free(budget_t *budget);

/* Writes a name for a block outside the tree, FOLDER/BLOCK. FOLDER is relative to the budget's
 * folder, so that both may move together. Characters that a line cannot hold are written as %2C.
 * budget and ports are paths of files. False: errno. */
bool budget_place(const char *budget, const char *ports, const char *block, char name[BUDGET_NAME]);

/* The budget's own line; the next budget_set may move it. NULL: none. */
budget_line_t *budget_find(const budget_t *budget, const char *library, const char *block, const char *params);

/* Compares `now` with the line (NULL: BUDGET_NONE). why says what grew or shrank, and by how
 * much. Growth of any figure is GROWN, even when another figure shrank. */
budget_verdict_t budget_judge(const budget_line_t *line, const budget_line_t *now, char *why, size_t size);

/* Replaces the line of this library, block and parameters, or adds one in alphabetical place.
 * False: no memory. */
bool budget_set(budget_t *budget, const budget_line_t *now);

#endif
