/* SPDX-License-Identifier: Apache-2.0
 *
 * The ratchet: what each block may have, synth/budget.csv, a line a cell library, block and set of
 * parameters:
 *   library,block,params,cells,flipflops,area,path,macro_bits,period,reason
 * Area, path and period are in the library's units (cells.h), and compared with those of the same
 * library alone. A file whose line of names has no `period` has none.
 * A block that lies outside of the tree is there by its place, as several may have one name
 * (budget_place). A block that is more than BUDGET_SLACK larger or slower fails, until its line is
 * changed, with a reason.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

enum { BUDGET_LIBRARY = 256, BUDGET_NAME = 4096, BUDGET_PARAMS = 256, BUDGET_REASON = 256 };

#define BUDGET_SLACK (0.05 + 1e-9)

typedef struct {
  char library[BUDGET_LIBRARY], block[BUDGET_NAME], params[BUDGET_PARAMS];
  unsigned long cells, flipflops;
  double area, path; /* path below 0: there is none */
  unsigned long macro_bits;
  double period; /* the shortest of the clock; 0: not measured, and not compared */
  char reason[BUDGET_REASON];
} budget_line_t;

typedef struct {
  budget_line_t *line;
  unsigned count;
} budget_t;

typedef enum { BUDGET_HELD, BUDGET_SMALLER, BUDGET_GROWN, BUDGET_NONE } budget_verdict_t;

/* false with what went wrong when the file is not as
 * it should be; one that is not there is empty. */
bool budget_read(budget_t *budget, const char *path, trouble_t *trouble);
bool budget_write(const budget_t *budget, const char *path, trouble_t *trouble); /* whole or not at all */
void budget_free(budget_t *budget);

/* How the line names a block that lies outside of the tree: FOLDER/BLOCK, the folder as it is found
 * from the budget's, so that both may move together; what a line cannot have is %2C. Of the paths
 * of both files. False: errno. */
bool budget_place(const char *budget, const char *ports, const char *block, char name[BUDGET_NAME]);

/* NULL: none */
budget_line_t *budget_find(const budget_t *budget, const char *library, const char *block, const char *params);

/* `now` against the line (NULL: NONE); `why` says in a
 * few words what grew or shrank, and by how much. */
budget_verdict_t budget_judge(const budget_line_t *line, const budget_line_t *now, char *why, size_t size);

/* The line of this library and block becomes these figures; a new
 * one goes to its place in the alphabet. False: no memory. */
bool budget_set(budget_t *budget, const budget_line_t *now);

#endif
