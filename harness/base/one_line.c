/* SPDX-License-Identifier: Apache-2.0 */
#include "one_line.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *last_line(const char *text, size_t *length) {
  size_t end = strlen(text);
  while (end && strchr(" \t\r\n", text[end - 1])) end--;
  size_t from = end;
  while (from && !strchr("\r\n", text[from - 1])) from--;
  *length = end - from;
  return text + from;
}

void make_one_line(char *text) {
  for (; *text; text++)
    if (iscntrl((unsigned char)*text)) *text = isspace((unsigned char)*text) ? ' ' : '?';
}

size_t word_shorten(char *to, size_t most, const char *word, size_t length) {
  static const char gap[] = "...";
  const size_t kept = most - strlen(gap), tail = kept / 2, head = kept - tail;
  assert(most >= 5);
  if (length <= most) {
    memcpy(to, word, length);
    to[length] = 0;
    return length;
  }
  memcpy(to, word, head);
  memcpy(to + head, gap, strlen(gap));
  memcpy(to + head + strlen(gap), word + length - tail, tail);
  to[most] = 0;
  return most;
}

enum { LEAST = 16 }; /* least length of a shortened word */

/* Length of the line if no word has more than `limit` characters. */
static size_t length_with(const char *line, size_t limit) {
  size_t sum = 0;
  for (const char *at = line; *at;) {
    const size_t blanks = strspn(at, " "), word = strcspn(at + blanks, " ");
    sum += blanks + (word < limit ? word : limit);
    at += blanks + word;
  }
  return sum;
}

static size_t print_with(char *to, const char *line, size_t limit) {
  char *end = to;
  for (const char *at = line; *at;) {
    const size_t blanks = strspn(at, " "), word = strcspn(at + blanks, " ");
    memcpy(end, at, blanks);
    end += blanks + word_shorten(end + blanks, limit, at + blanks, word);
    at += blanks + word;
  }
  *end = 0;
  return (size_t)(end - to);
}

/* Shortens words to the largest limit with which the line fits. */
static size_t fit(char *to, size_t room, const char *line, size_t length) {
  size_t low = LEAST, high = length;
  if (length_with(line, LEAST) > room) return word_shorten(to, room, line, length);
  while (low < high) {
    const size_t middle = low + (high - low + 1) / 2;
    if (length_with(line, middle) <= room) low = middle;
    else high = middle - 1;
  }
  return print_with(to, line, low);
}

size_t line_vprintf(char *line, size_t size, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  const int printed = vsnprintf(line, size, format, args);
  size_t length = printed > 0 ? (size_t)printed : 0;
  /* The whole line, if it is too long. In a very small buffer, shortening words does not help. */
  char *whole = length >= size && size > LEAST ? malloc(length + 1) : NULL;
  if (whole) {
    vsnprintf(whole, length + 1, format, again);
    length = fit(line, size - 1, whole, length);
    free(whole);
  }
  va_end(again);
  return length < size ? length : size - 1;
}

size_t line_printf(char *line, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const size_t length = line_vprintf(line, size, format, args);
  va_end(args);
  return length;
}
