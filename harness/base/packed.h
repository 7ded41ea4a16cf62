/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a whole text file, plain or gzip. Cell vendors deliver both.
 */
#ifndef PACKED_H
#define PACKED_H

#include "trouble.h"

/* The text of the file; the caller frees it. Messages call the file `shown` and the expected type
 * `kind` ("Liberty file"). NULL: INPUT if the file is missing, cut off or no text; ENVIRONMENT if
 * there is no memory. */
char *packed_read(const char *path, const char *shown, const char *kind, trouble_t *trouble);

/* Checks that the path is a file before anyone opens it: no folder, and no pipe, which can be read
 * only once. INPUT: it is not. */
bool packed_there(const char *path, trouble_t *trouble);

#endif
