/* SPDX-License-Identifier: Apache-2.0
 *
 * The C file with all its drawn mutants in it: cmutant(17) is whether mutant 17 is on.
 */
#ifndef REWRITE_H
#define REWRITE_H

#include <stdio.h>

#include "points.h"

void rewrite(const points_t *points, const char *file, FILE *out);

#endif
