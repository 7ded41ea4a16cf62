/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of a run that ends soon: an arena whose parts go together, and text that grows. Out of
 * memory ends the process, exit status 3.
 */
#ifndef PORT_MEMORY_H
#define PORT_MEMORY_H

#include <stddef.h>

typedef struct port_arena {
  struct port_piece *pieces;
} port_arena_t; /* starts as {0} */

void *port_take(port_arena_t *arena, size_t size); /* zeroed */
char *port_copy(port_arena_t *arena, const char *text, size_t length);
char *port_format(port_arena_t *arena, const char *format, ...) __attribute__((format(printf, 2, 3), nonnull));
void port_release(port_arena_t *arena);

typedef struct {
  char *at; /* ends with a 0 that is not counted; NULL while nothing was added */
  size_t size, room;
} port_buffer_t; /* starts as {0} */

void port_add(port_buffer_t *buffer, const char *text, size_t length);
void port_add_text(port_buffer_t *buffer, const char *text);
/* its text, moved into the arena; the buffer is empty then */
char *port_keep(port_arena_t *arena, port_buffer_t *buffer);

/* The file's text; NULL with errno set. To be freed. */
char *port_read_text(const char *path, size_t *size);

#endif
