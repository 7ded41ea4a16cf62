/* SPDX-License-Identifier: Apache-2.0
 *
 * The standard cells that synthesis maps blocks onto: --cells NAME, or --liberty FILE.
 *
 *   choice ""             ge, our own (synth/cells): gate equivalents, FO4; needs no package
 *   choice "osu018"       a library by name: synth/cells.d/osu018.yaml, or the user's
 *                         ~/.config/lockstack/cells.d/osu018.yaml
 *   choice "/a.lib\n/b"   Liberty files, absolute, one a line (lists of rtl.h)
 *
 * The file of a library (synth/cells.d/README.md explains its keys):
 *
 *   liberty: /opt/pdk/typical.lib.gz
 *   corners: {slow: /opt/pdk/slow.lib.gz}
 *
 * Order of calls: cells_choose, cells_add_lef and cells_add_corner, cells_open,
 * cells_check_corners, cells_close.
 */
#ifndef CELLS_H
#define CELLS_H

#include "lef.h"
#include "liberty.h"
#include "plain.h"
#include "rtl.h"

#define CELLS_DEFAULT "ge"

enum { CELLS_CORNERS = 16, CELLS_WORD = 64 };

/* The same cells at another process, voltage and temperature. Only timing uses a corner. */
typedef struct {
  char name[CELLS_WORD];
  char files[RTL_LIST]; /* Liberty files, a list of rtl.h */
} cells_corner_t;

typedef struct {
  char name[256];        /* "ge", or the files' names without folders, joined by + */
  char file[PLAIN_PATH]; /* the library's YAML file; "": the library has none */
  unsigned nm;           /* process node in nm; 0: unknown */
  const char *area_unit; /* "GE", "um2" */
  const char *path_unit; /* "FO4", "ns" */
  double path_ps;        /* picoseconds of the Liberty file in one path_unit */
  char files[RTL_LIST];  /* Liberty files: synthesis maps logic onto their cells */
  char lefs[RTL_LIST];   /* LEF files that give the areas; "": the Liberty files give them */
  cells_corner_t corners[CELLS_CORNERS];
  unsigned num_corners;
  liberty_t library;
} cells_t;

/* True if `choice` is the name of a library; false if `choice` lists files or is empty. */
bool cells_is_name(const char *choice);

/* Finds the file of the library `name` and writes its path. `tree` is the folder that has synth/.
 * INPUT: no library has this name, or a user's library has the name of a library in the tree. */
bool cells_find(const char *tree, const char *name, char path[PLAIN_PATH], trouble_t *trouble);

/* Writes the glob pattern of the library files of the tree or (`user`) of the user. False: there is
 * no such folder. */
bool cells_pattern(const char *tree, bool user, char pattern[PLAIN_PATH]);

/* Fills in `cells` with the files of the choice; opens none of the Liberty files. ENVIRONMENT: the
 * library's package is not installed. */
bool cells_choose(cells_t *cells, const char *tree, const char *choice, trouble_t *trouble);

/* Adds a file (absolute path): a LEF file with areas, or a Liberty file of the corner `name`. */
bool cells_add_lef(cells_t *cells, const char *file, trouble_t *trouble);
bool cells_add_corner(cells_t *cells, const char *name, const char *file, trouble_t *trouble);

/* Reads the Liberty and LEF files. If `copy` is not NULL, cells_open reads the path that copy()
 * returns for each Liberty file, and no LEF file. */
bool cells_open(cells_t *cells, const char *(*copy)(void *context, const char *file), void *context,
                trouble_t *trouble);

/* Checks each corner against the library: same units, and every cell that synthesis may use. Call
 * cells_open first. */
bool cells_check_corners(const cells_t *cells, trouble_t *trouble);
void cells_close(cells_t *cells); /* frees what cells_open allocated */

/* Prints abc's constraints: the cell that drives the inputs of combinational logic. Without a
 * driver abc assumes that inputs and flip-flop outputs drive any load at once. */
bool cells_print_constraints(const cells_t *cells, FILE *file);

#endif
