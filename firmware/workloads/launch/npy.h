/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays in .npy files, as NumPy Enhancement Proposal 1 has them: versions 1.0 and 2.0, little
 * endian, C order, elements of element_types.def.
 *
 *   npy_t n;
 *   if (!npy_parse(&n, file, size, &trouble)) ...           the elements are at file + n.at,
 *   n.count of them npy_head(out, type, dims, shape);                          the elements follow
 */
#ifndef NPY_H
#define NPY_H

#include <stddef.h>
#include <stdio.h>

#include "element.h"

enum { NPY_DIMS = 8 };

typedef struct {
  const element_t *type;
  unsigned dims; /* 0: one element */
  uint64_t shape[NPY_DIMS], count;
  size_t at; /* of the first element in the file */
} npy_t;

/* All of a file. False: what is wrong and what would be right. */
bool npy_parse(npy_t *npy, const void *file, size_t size, trouble_t *trouble);

void npy_head(FILE *out, const element_t *type, unsigned dims, const uint64_t *shape); /* version 1.0 */

#endif
