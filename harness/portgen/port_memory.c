/* SPDX-License-Identifier: Apache-2.0 */
#include "port_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One allocation of an arena; the bytes follow the link. */
struct port_piece {
  struct port_piece *next;
  max_align_t bytes[];
};

/* Ends the process when there is no memory (exit status 3). */
static void *require_memory(void *memory) {
  if (memory) return memory;
  fprintf(stderr, "out of memory\n");
  exit(3);
}

/* One calloc a piece: an arena has few and short pieces. */
void *port_take(port_arena_t *arena, size_t size) {
  struct port_piece *piece = require_memory(calloc(1, sizeof *piece + size));
  piece->next = arena->pieces;
  arena->pieces = piece;
  return piece->bytes;
}

char *port_copy(port_arena_t *arena, const char *text, size_t length) {
  char *copy = port_take(arena, length + 1);
  return length ? memcpy(copy, text, length) : copy;
}

/* Formats twice: first for the length, then into the arena. */
char *port_format(port_arena_t *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, format, args);
  char *text = port_take(arena, (size_t)n + 1);
  vsnprintf(text, (size_t)n + 1, format, again);
  va_end(args), va_end(again);
  return text;
}

void port_release(port_arena_t *arena) {
  for (struct port_piece *piece = arena->pieces, *next; piece; piece = next) {
    next = piece->next;
    free(piece);
  }
  arena->pieces = NULL;
}

/* Doubles the room as needed, and keeps a zero byte behind the text. */
void port_add(port_buffer_t *buffer, const char *text, size_t length) {
  if (buffer->size + length + 1 > buffer->room) {
    buffer->room = 2 * (buffer->size + length + 32);
    buffer->at = require_memory(realloc(buffer->at, buffer->room));
  }
  memcpy(buffer->at + buffer->size, text, length);
  buffer->size += length;
  buffer->at[buffer->size] = 0;
}

void port_add_text(port_buffer_t *buffer, const char *text) {
  port_add(buffer, text, strlen(text));
}

char *port_keep(port_arena_t *arena, port_buffer_t *buffer) {
  char *kept = port_copy(arena, buffer->at, buffer->size);
  free(buffer->at);
  *buffer = (port_buffer_t){0};
  return kept;
}

char *port_read_text(const char *path, size_t *size) {
  port_buffer_t text = {0};
  char some[4096];
  FILE *file = fopen(path, "r");
  if (!file) return NULL;
  port_add(&text, "", 0);
  for (size_t n; (n = fread(some, 1, sizeof some, file)) > 0;) port_add(&text, some, n);
  const int failed = ferror(file);
  fclose(file);
  *size = text.size;
  if (failed) free(text.at);
  return failed ? NULL : text.at;
}
