/* SPDX-License-Identifier: Apache-2.0
 *
 * A growing list of strings: a command line, folders, files. `at` ends with NULL, as execvp
 * requires.
 *
 *   words_t command = {0};
 *   words_add(&command, "-I%s", folder);
 *   words_free(&command);
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char **at; /* owned strings */
  size_t count, room;
} words_t;

/* Appends a formatted string and returns it; the string stays at its address until words_free. Ends
 * the program when there is no memory. */
const char *words_add(words_t *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *words_vadd(words_t *words, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void words_add_all(words_t *words, const words_t *others);
bool words_has(const words_t *words, const char *text);
/* appends unless present; false: it is there already */
bool words_add_new(words_t *words, const char *text);
void words_free(words_t *words);

/* Appends each word of a text; any character of `between` separates words. */
void words_split(words_t *words, const char *text, const char *between);

#endif
