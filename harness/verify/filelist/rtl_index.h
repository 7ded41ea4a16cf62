/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilog files of a folder and its folders, and what they declare.
 *
 *   rtl_index_t index;
 *   rtl_index_open(&index, root);
 *   rtl_index_find(&index, UNIT_PACKAGE, "bus_pkg", &paths);
 *   rtl_index_close(&index);
 */
#ifndef RTL_INDEX_H
#define RTL_INDEX_H

#include "rtl_units.h"

enum { RTL_INDEX_FILES = 20000, RTL_INDEX_SECONDS = 5 };

typedef struct {
  char *name;
  unit_t kind;
  unsigned file; /* index of `files` */
} rtl_index_unit_t;

typedef struct {
  words_t files;           /* sources and include files; those nearest to the root first */
  words_t vhdl;            /* .vhd and .vhdl, which are not read */
  words_t lists;           /* .core files and Bender.yml */
  rtl_index_unit_t *units; /* by name */
  size_t count, room;
  bool cut; /* a bound ended the search */
} rtl_index_t;

/* Reads all. A folder whose name begins with a dot is left out, but for Bender's. Links to folders
 * are not followed. */
void rtl_index_open(rtl_index_t *index, const char *root);
void rtl_index_lists(rtl_index_t *index, const char *root); /* names of files only */
void rtl_index_close(rtl_index_t *index);

/* Adds the files that declare the module or package to `paths`, that end in "/NAME" for
 * UNIT_INCLUDES, or that `define it for UNIT_MACRO. Of files with the same bytes the first one
 * counts. */
void rtl_index_find(const rtl_index_t *index, unit_t kind, const char *name, words_t *paths);

/* The project that a file belongs to: the nearest folder above it with .git, else the working
 * folder if the file is in it, else the file's own folder. `root` has 4096 characters. */
void rtl_index_root(const char *file, char *root);

#endif
