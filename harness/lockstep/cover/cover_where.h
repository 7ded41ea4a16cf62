/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds where an object's signals are declared, from Verilator's signals.xml in the object file.
 * Also: a set of strings, each stored once.
 */
#ifndef COVER_WHERE_H
#define COVER_WHERE_H

#include "top_xml.h"
#include "trouble.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of strings: a hash table with open addressing. */
typedef struct {
  char **slots;
  unsigned count, num_slots;
} cover_strings_t;

/* the stored copy; "" when out of memory */
const char *cover_string(cover_strings_t *strings, const char *text);
void cover_strings_free(cover_strings_t *strings);

typedef struct {
  const char *module, *name, *file;
  unsigned line;
  bool counts; /* false: an `int`, the counter of a loop and no signal */
} cover_var_t;

typedef struct {
  const char *hierarchy, *module; /* "lsu.i_coalesce", "lsu_coalesce" */
} cover_cell_t;

typedef struct {
  cover_var_t *vars;
  cover_cell_t *cells;
  unsigned num_vars, num_cells;
  const char *files[TOP_XML_FILES]; /* Files by the number that the letters of a location spell. */
  cover_strings_t strings;
} cover_where_t;

typedef struct {
  const char *module, *file;
  unsigned line;
  char scope[512]; /* scope inside of the module: "gen_byte[3]." */
} cover_place_t;

/* Reads the list in the object file. False: trouble says why. */
bool cover_where_read(cover_where_t *where, const char *object, trouble_t *trouble);
void cover_where_free(cover_where_t *where);

/* Finds a signal by scope ("TOP.lsu.i_coalesce.") and name. False: unknown, or a signal that does
 * not count. */
bool cover_place(const cover_where_t *where, const char *scope, const char *name, cover_place_t *place);

#endif
