/* SPDX-License-Identifier: Apache-2.0
 *
 * LEF files: the size of each cell, "MACRO NAME ... SIZE width BY height ; ... END NAME", in
 * micrometres.
 *
 *   lef_t l = {0};
 *   if (!lef_add(&l, "/home/me/stdcells.lef", &trouble)) ...
 *   const double um2 = lef_um2(&l, "NAND2X1");
 *   lef_free(&l);
 */
#ifndef LEF_H
#define LEF_H

#include "trouble.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *name;
  double um2;
  char place[600]; /* "FILE:LINE" */
} lef_macro_t;

typedef struct {
  lef_macro_t *macros;
  size_t count;
} lef_t;

/* One more file, plain or gzip. INPUT: it cannot be read, is cut off
 * or no LEF file, has no MACRO, or one of another size than before. */
bool lef_add(lef_t *lef, const char *path, trouble_t *trouble);
void lef_free(lef_t *lef);

double lef_um2(const lef_t *lef, const char *cell); /* below 0: no MACRO of that name has a SIZE */

#endif
