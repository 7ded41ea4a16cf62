/* SPDX-License-Identifier: Apache-2.0
 *
 * Appending to a text of limited size, as snprintf would: *used counts what the whole text needs
 * without its final zero. X_describe_waits functions are made of it; a caller whose text was too
 * short sees used >= size.
 */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include <stddef.h>

void describe_add(char *text, size_t size, size_t *used, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Where the next part goes and how much room it has. */
static inline char *describe_end(char *text, size_t size, size_t used) {
  return used < size ? text + used : NULL;
}

static inline size_t describe_room(size_t size, size_t used) {
  return used < size ? size - used : 0;
}

#endif
