/* SPDX-License-Identifier: Apache-2.0
 *
 * Which files of VHDL an entity needs, in the order in which they are analysed, and the library of
 * each. A file is in library NAME where another file says NAME.UNIT; files that name each other
 * through `work` are in one library.
 */
#ifndef VHDL_ORDER_H
#define VHDL_ORDER_H

#include "rtl.h"
#include "trouble.h"
#include "words.h"

typedef struct {
  words_t files, libraries; /* one library a file */
  words_t found;            /* "UNIT PATH", of files around */
  char top[4096];           /* the file that has the entity */
} vhdl_order_t;

/* The project around: its files are read only for what no other file has. */
typedef struct {
  const char *root;
  const words_t *files;
  const words_t *components; /* whose entities are looked for, too: others may be in no netlist */
} vhdl_around_t;

/* Looks in rtl->files, then in all files of rtl->libraries, then in those around, where one file
 * alone must have it; NULL: nowhere else. INPUT: a line with file and line for what is missing, or
 * what two files have. */
bool vhdl_order(const rtl_t *rtl, const vhdl_around_t *around, const char *entity, vhdl_order_t *order,
                trouble_t *trouble);
void vhdl_order_free(vhdl_order_t *order);

#endif
