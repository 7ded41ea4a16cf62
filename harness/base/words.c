/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list without memory ends the program: command lines are short, and no caller could go on. */
static void *must_have(void *memory) {
  if (memory) return memory;
  fputs("lockstack: out of memory\n", stderr);
  exit(3);
}

/* Appends a text that the list owns from here on. The array keeps room for the final NULL. */
static const char *add_own(words_t *words, char *text) {
  if (words->count + 2 > words->room) {
    words->room = words->room ? 2 * words->room : 32;
    words->at = must_have(reallocarray(words->at, words->room, sizeof *words->at));
  }
  words->at[words->count++] = text;
  words->at[words->count] = NULL;
  return text;
}

const char *words_vadd(words_t *words, const char *format, va_list args) {
  char *text = NULL;
  if (vasprintf(&text, format, args) < 0) must_have(NULL);
  return add_own(words, text);
}

const char *words_add(words_t *words, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = words_vadd(words, format, args);
  va_end(args);
  return text;
}

void words_add_all(words_t *words, const words_t *others) {
  for (size_t i = 0; i < others->count; i++) words_add(words, "%s", others->at[i]);
}

bool words_has(const words_t *words, const char *text) {
  for (size_t i = 0; i < words->count; i++)
    if (strcmp(words->at[i], text) == 0) return true;
  return false;
}

bool words_add_new(words_t *words, const char *text) {
  if (words_has(words, text)) return false;
  words_add(words, "%s", text);
  return true;
}

void words_free(words_t *words) {
  for (size_t i = 0; i < words->count; i++) free(words->at[i]);
  free(words->at);
  *words = (words_t){0};
}

void words_split(words_t *words, const char *text, const char *between) {
  for (text += strspn(text, between); *text; text += strspn(text, between)) {
    const size_t n = strcspn(text, between);
    words_add(words, "%.*s", (int)n, text);
    text += n;
  }
}
