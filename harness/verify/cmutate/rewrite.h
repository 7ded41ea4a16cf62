/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the C file with all its drawn mutants in it: cmutant(17) is true while mutant 17 is on.
 */
#ifndef REWRITE_H
#define REWRITE_H

#include <stdio.h>

#include "points.h"

/* file: the name for #line, so that messages of the compiler name the original. */
void rewrite(const points_t *points, const char *file, FILE *out);

#endif
