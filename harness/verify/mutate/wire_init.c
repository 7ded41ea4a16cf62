/* SPDX-License-Identifier: Apache-2.0 */
#include "wire_init.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 4096 };

static const char ATTRIBUTE[] = "attribute \\init ", WIRE[] = "wire ";

/* The last word of a line: the wire's name. */
static const char *last_word(const char *line, char name[NAME]) {
  size_t end = strlen(line);
  while (end && isspace((unsigned char)line[end - 1])) end--;
  size_t from = end;
  while (from && !isspace((unsigned char)line[from - 1])) from--;
  snprintf(name, NAME, "%.*s", (int)(end - from), line + from);
  return name;
}

/* As many x as the wire has bits. NULL: out of memory. */
static char *no_value(const char *line) {
  unsigned width = 1;
  const char *option = strstr(line, " width ");
  if (option) sscanf(option, " width %u", &width);
  char *bits = malloc(width + 1);
  if (bits) memset(bits, 'x', width), bits[width] = 0;
  return bits;
}

/* Keeps the bits of a wire, those of the attribute before it or none. */
static bool keep_bits(wire_init_t *init, const char *line) {
  char name[NAME];
  char *bits = init->next ? init->next : no_value(line);
  const uint32_t at = bits ? nets_add(&init->names, last_word(line, name)) : NETS_NONE;
  init->next = NULL;
  if (at != NETS_NONE && at >= init->room) {
    const unsigned room = 2 * at + 64;
    char **more = realloc(init->bits, room * sizeof *more);
    if (more) memset(more + init->room, 0, (room - init->room) * sizeof *more), init->bits = more, init->room = room;
  }
  if (at == NETS_NONE || at >= init->room) return free(bits), false;
  free(init->bits[at]);
  init->bits[at] = bits;
  return true;
}

bool wire_init_read(wire_init_t *init, const char *line) {
  line += strspn(line, " ");
  if (strncmp(line, ATTRIBUTE, sizeof ATTRIBUTE - 1) == 0) {
    const char *quote = strchr(line, '\'');
    const size_t n = quote ? strspn(quote + 1, "01xz-m") : 0;
    free(init->next);
    return (init->next = strndup(quote ? quote + 1 : "", n)) != NULL;
  }
  if (strncmp(line, WIRE, sizeof WIRE - 1) == 0) return keep_bits(init, line);
  if (strncmp(line, "cell ", 5) == 0) free(init->next), init->next = NULL;
  return true;
}

/* Appends a letter behind the signal's bits. */
static void add_bit(char *bits, unsigned width, unsigned *count, char bit) {
  if (*count < width) bits[(*count)++] = bit == '0' || bit == '1' ? bit : 'x';
}

/* Appends what a wire has, all of it or the bits of the range behind its name, [3:0] or [3].
 * Returns the text behind both. */
static const char *add_wire(const wire_init_t *init, const char *at, char *bits, unsigned width, unsigned *count) {
  char name[NAME];
  const size_t n = strcspn(at, " \t\n");
  snprintf(name, sizeof name, "%.*s", (int)n, at);
  const uint32_t found = nets_find(&init->names, name);
  const char *value = found != NETS_NONE ? init->bits[found] : "";
  const unsigned length = (unsigned)strlen(value);
  unsigned high = length ? length - 1 : 0, low = 0;
  int used = 0;
  at += n + strspn(at + n, " ");
  if (sscanf(at, "[%u:%u]%n", &high, &low, &used) == 2 && used) at += used;
  else if (sscanf(at, "[%u]%n", &high, &used) == 1 && used) low = high, at += used;
  for (unsigned bit = high + 1; bit-- > low;) add_bit(bits, width, count, bit < length ? value[length - 1 - bit] : 'x');
  return at;
}

bool wire_init_of(const wire_init_t *init, const char *signal, unsigned width, char *bits) {
  unsigned count = 0;
  for (const char *at = signal; *at;) {
    at += strspn(at, " \t\n{}");
    if (*at == '\\' || *at == '$') at = add_wire(init, at, bits, width, &count);
    else if (isdigit((unsigned char)*at)) {
      at += strcspn(at, "'");
      for (at += *at == '\''; *at && strchr("01xz-m", *at); at++) add_bit(bits, width, &count, *at);
    } else if (*at) at++;
  }
  bits[count] = 0;
  return count == width && strchr(bits, '1');
}

void wire_init_free(wire_init_t *init) {
  for (unsigned i = 0; i < init->room; i++) free(init->bits[i]);
  free(init->bits);
  free(init->next);
  nets_free(&init->names);
}
