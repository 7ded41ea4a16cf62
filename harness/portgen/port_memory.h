/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of a short run: an arena that is freed as a whole, and a growing text. Running out of
 * memory ends the process with exit status 3.
 */
#ifndef PORT_MEMORY_H
#define PORT_MEMORY_H

#include <stddef.h>

typedef struct port_arena {
  struct port_piece *pieces;
} port_arena_t; /* starts as {0} */

void *port_take(port_arena_t *arena, size_t size); /* zeroed memory */
/* the bytes with a zero byte behind them */
char *port_copy(port_arena_t *arena, const char *text, size_t length);
char *port_format(port_arena_t *arena, const char *format, ...) __attribute__((format(printf, 2, 3), nonnull));
void port_release(port_arena_t *arena); /* frees all memory of the arena */

typedef struct {
  char *at; /* The text, with a zero byte that `size` does not count; NULL while it is empty. */
  size_t size, room;
} port_buffer_t; /* starts as {0} */

void port_add(port_buffer_t *buffer, const char *text, size_t length);
void port_add_text(port_buffer_t *buffer, const char *text);
/* Moves the text into the arena; the buffer is empty then. */
char *port_keep(port_arena_t *arena, port_buffer_t *buffer);

/* The text of a file; the caller frees it. NULL: errno is set. */
char *port_read_text(const char *path, size_t *size);

#endif
