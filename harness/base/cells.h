/* SPDX-License-Identifier: Apache-2.0
 *
 * The standard cells that blocks are synthesised onto: --cells NAME, or --liberty FILE.
 *
 *   choice ""             ge, our own (synth/cells): gate equivalents, FO4; it needs no package
 *   choice "osu018"       a library by name
 *   choice "/a.lib\n/b"   Liberty files, absolute, a line each (as lists of rtl.h)
 */
#ifndef CELLS_H
#define CELLS_H

#include "liberty.h"
#include "rtl.h"

#define CELLS_DEFAULT "ge"
#define CELLS_LIBRARIES(X) X("ge") X("osu018")
#define CELLS_NAMES "ge or osu018"

typedef struct {
  char name[256];        /* "ge"; the names of files, without folders, with + between */
  const char *lef;       /* areas are those of this file; NULL: of the Liberty file */
  unsigned nm;           /* 0: not known, or none */
  const char *area_unit; /* "GE", "um2" */
  const char *path_unit; /* "FO4", "ns" */
  double path_ps;        /* how many of the Liberty file's picoseconds that is */
  char files[RTL_LIST];  /* Liberty files */
  liberty_t library;
} cells_t;

/* Is this the name of a library? As a constant; NULL: it is none. */
const char *cells_known(const char *name);

/* Which files it has. ENVIRONMENT: its package is not installed. tree: where synth/ is. */
bool cells_choose(cells_t *cells, const char *tree, const char *choice, trouble_t *trouble);

/* Reads them; where `copy` is not NULL, the copy of each (which may be another path). */
bool cells_open(cells_t *cells, const char *(*copy)(void *context, const char *file), void *context, trouble_t *trouble);
void cells_close(cells_t *cells);

/* abc's constraints: what drives the inputs of logic, and with it the outputs of flip-flops, which else drive any load at once. */
bool cells_print_constraints(const cells_t *cells, FILE *file);

#endif
