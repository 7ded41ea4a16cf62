/* SPDX-License-Identifier: Apache-2.0
 *
 * A text file, plain or gzip, whole: what vendors of cells deliver.
 */
#ifndef PACKED_H
#define PACKED_H

#include "trouble.h"

/* To be freed; `shown` is its name in what is said, `kind` what it should be ("Liberty file").
 * NULL: INPUT, it is not there, cut off or no text; ENVIRONMENT, there is no memory. */
char *packed_read(const char *path, const char *shown, const char *kind, trouble_t *trouble);

/* Is it a file, and no folder, and no pipe, which nobody can read
 * twice? Before somebody opens it. INPUT: it is none, or not there. */
bool packed_there(const char *path, trouble_t *trouble);

#endif
