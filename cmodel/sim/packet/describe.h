/* SPDX-License-Identifier: Apache-2.0
 *
 * Appends to a text of limited size, for functions X_describe_waits. As with snprintf, *used counts
 * the bytes that the whole text needs, without the final zero: used >= size means that the text
 * was cut.
 */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include <stddef.h>

/* Appends a formatted part, as much of it as fits. *used: 0 before the first part. */
void describe_add(char *text, size_t size, size_t *used, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Place and room of the next part; NULL and 0: the text is full. For snprintf. */
static inline char *describe_end(char *text, size_t size, size_t used) {
  return used < size ? text + used : NULL;
}

static inline size_t describe_room(size_t size, size_t used) {
  return used < size ? size - used : 0;
}

#endif
