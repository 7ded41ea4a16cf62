/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of texts that grows: a command line, folders, files. `at` ends with NULL, as execvp wants
 * it.
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
  char **at;
  size_t count, room;
} words_t;

/* The text that was added; it stays where it is until
 * words_free. Ends the program where there is no memory. */
const char *words_add(words_t *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *words_vadd(words_t *words, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void words_add_all(words_t *words, const words_t *others);
bool words_has(const words_t *words, const char *text);
bool words_add_new(words_t *words, const char *text); /* false: it is there already */
void words_free(words_t *words);

/* Each word of a text, by any of these signs between two. */
void words_split(words_t *words, const char *text, const char *between);

#endif
