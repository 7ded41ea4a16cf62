/* SPDX-License-Identifier: Apache-2.0
 *
 * The standard cells that blocks are synthesised onto: --cells NAME, or --liberty FILE.
 *
 *   choice ""             ge, our own (synth/cells): gate equivalents, FO4; it needs no package
 *   choice "osu018"       a library by name: synth/cells.d/osu018.yaml, or the user's
 *                         ~/.config/lockstack/cells.d/osu018.yaml
 *   choice "/a.lib\n/b"   Liberty files, absolute, a line each (as lists of rtl.h)
 *
 * A library's file, synth/cells.d/README.md says what its keys mean:
 *
 *   liberty: /opt/pdk/typical.lib.gz
 *   corners: {slow: /opt/pdk/slow.lib.gz}
 */
#ifndef CELLS_H
#define CELLS_H

#include "lef.h"
#include "liberty.h"
#include "plain.h"
#include "rtl.h"

#define CELLS_DEFAULT "ge"

enum { CELLS_CORNERS = 16, CELLS_WORD = 64 };

/* The same cells at another process, voltage and temperature: for timing alone. */
typedef struct {
  char name[CELLS_WORD];
  char files[RTL_LIST]; /* Liberty files */
} cells_corner_t;

typedef struct {
  char name[256];        /* "ge"; the names of files, without folders, with + between */
  char file[PLAIN_PATH]; /* which says what the library is; "": it has none */
  unsigned nm;           /* 0: not known, or none */
  const char *area_unit; /* "GE", "um2" */
  const char *path_unit; /* "FO4", "ns" */
  double path_ps;        /* how many of the Liberty file's picoseconds that is */
  char files[RTL_LIST];  /* Liberty files: logic is mapped onto them, and areas are theirs */
  char lefs[RTL_LIST];   /* areas are those of these files; "": of the Liberty files */
  cells_corner_t corners[CELLS_CORNERS];
  unsigned num_corners;
  liberty_t library;
} cells_t;

/* Is this choice the name of a library, and not files? */
bool cells_is_name(const char *choice);

/* The library's file. INPUT: there is none of that name, or the
 * user has one of the tree's name. tree: where synth/ is. */
bool cells_find(const char *tree, const char *name, char path[PLAIN_PATH], trouble_t *trouble);

/* The pattern (glob) of the libraries' files: of the tree,
 * or of the user; false: there is no such folder. */
bool cells_pattern(const char *tree, bool user, char pattern[PLAIN_PATH]);

/* Which files it has. ENVIRONMENT: its package is not installed. */
bool cells_choose(cells_t *cells, const char *tree, const char *choice, trouble_t *trouble);

/* One more file (absolute): of areas, of this corner. */
bool cells_add_lef(cells_t *cells, const char *file, trouble_t *trouble);
bool cells_add_corner(cells_t *cells, const char *name, const char *file, trouble_t *trouble);

/* Reads them; where `copy` is not NULL, the copy of each
 * Liberty file (which may be another path), and no LEF file. */
bool cells_open(cells_t *cells, const char *(*copy)(void *context, const char *file), void *context,
                trouble_t *trouble);

/* Has each corner the units of the library, and each cell that is used? After cells_open. */
bool cells_check_corners(const cells_t *cells, trouble_t *trouble);
void cells_close(cells_t *cells);

/* abc's constraints: what drives the inputs of logic, and with it
 * the outputs of flip-flops, which else drive any load at once. */
bool cells_print_constraints(const cells_t *cells, FILE *file);

#endif
