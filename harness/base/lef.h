/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads cell sizes from LEF files: "MACRO NAME ... SIZE width BY height ; ... END NAME", in
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
  double um2;      /* area in square micrometres */
  char place[600]; /* "FILE:LINE" of the MACRO */
} lef_macro_t;

typedef struct {
  lef_macro_t *macros;
  size_t count;
} lef_t;

/* Adds a file, plain or gzip. INPUT: the file cannot be read, is cut off, is no LEF file, has no
 * MACRO, or gives a MACRO another size than an earlier file. */
bool lef_add(lef_t *lef, const char *path, trouble_t *trouble);
void lef_free(lef_t *lef);

double lef_um2(const lef_t *lef, const char *cell); /* below 0: no MACRO of this name has a SIZE */

#endif
