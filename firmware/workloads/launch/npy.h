/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays in .npy files, as NumPy Enhancement Proposal 1 has them: versions 1.0 and 2.0, little
 * endian, C order, elements of element_types.def.
 *
 *    npy_t n;
 *    if (!npy_parse(&n, file, size, &trouble)) ...       n.count elements are at file + n.at
 *
 *    npy_head(out, type, dims, shape);                   the elements follow
 */
#ifndef NPY_H
#define NPY_H

#include <stddef.h>
#include <stdio.h>

#include "element.h"

enum { NPY_DIMS = 8 };

/* An array's type, shape and place in its file. */
typedef struct {
  const element_t *type;
  unsigned dims; /* 0: one element */
  uint64_t shape[NPY_DIMS], count;
  size_t at; /* of the first element in the file */
} npy_t;

/* Parses a whole file in memory. False: *trouble says what is wrong and what would be right. */
bool npy_parse(npy_t *npy, const void *file, size_t size, trouble_t *trouble);

/* Writes the head of version 1.0 for a shape of at most NPY_DIMS dimensions. */
void npy_head(FILE *out, const element_t *type, unsigned dims, const uint64_t *shape); /* version 1.0 */

#endif
