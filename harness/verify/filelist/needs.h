/* SPDX-License-Identifier: Apache-2.0
 *
 * What a module needs: of a list of files those that it uses, and what no file has, with the
 * places in a folder where it is declared.
 *
 *   needs_t needs = {.files = &files, .libraries = &libraries, .includes = &includes,
 *                    .defines = &defines, .index = &index};
 *   needs_find(&needs, "top.sv");
 *   needs_free(&needs);
 *
 * The texts alone say it (rtl_units.h), so that what seems missing need not be: ask only when a
 * tool has failed.
 *
 * Of several files that have what is missing, the nearest to the file that names it counts: the one
 * in the innermost folder that the two share, and there the one with the shortest way. Where that
 * leaves several, the one in a folder called *generic* counts, as projects call the one that
 * belongs to no technology.
 */
#ifndef NEEDS_H
#define NEEDS_H

#include "rtl_index.h"

typedef struct {
  unit_t kind; /* UNIT_MODULE, UNIT_PACKAGE, UNIT_INCLUDES or UNIT_MACRO */
  char *name;
  char *place;   /* "top.sv:3", where it is named first */
  words_t in;    /* files of the index that have it; of several the nearest alone, if there is one */
  unsigned more; /* files that have it, too, and are not the nearest */
} need_t;

typedef struct {
  const words_t *files, *spare; /* in the order of reading; of `spare` (NULL: none) only what is needed */
  const words_t *libraries, *includes, *defines;
  const rtl_index_t *index;        /* where missing ones are looked for; NULL: nowhere */
  const char *macro, *macro_place; /* a macro that a tool does not know, and where; NULL: none */

  /* What comes out. */
  words_t used;    /* of files and spare, in their order; what declares nothing counts as used */
  words_t found;   /* files of the index that are needed and the only ones, each behind what it needs */
  words_t order;   /* used and found, each file behind what it needs */
  words_t folders; /* folders of include files of the index, the only ones */
  need_t *missing;
  size_t count, room;
} needs_t;

void needs_find(needs_t *needs, const char *top);
void needs_free(needs_t *needs);

#endif
