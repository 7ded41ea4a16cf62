/* SPDX-License-Identifier: Apache-2.0
 *
 * Fits an error into one line. An error may quote text of several lines, or name something very
 * long; its reason must stay whole.
 */
#ifndef ONE_LINE_H
#define ONE_LINE_H

#include <stdarg.h>
#include <stddef.h>

/* Replaces white space by blanks and other control characters by question marks, in place. */
void make_one_line(char *text);

/* The last line that is not blank; trailing blanks are not counted in *length. A carriage return
 * (progress output) begins a line, too. */
const char *last_line(const char *text, size_t *length);

/* printf into line[size]. A line that does not fit loses the middle of its longest words (paths,
 * names of C++ functions), so the text around them stays whole. Only a line of very many words
 * loses its own middle. Returns the length of the line. */
size_t line_printf(char *line, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t line_vprintf(char *line, size_t size, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

/* Shortens one word of `length` characters to at most `most` (5 or more): "_ZN3foo...vIiEEv". `to`
 * has most + 1 bytes. Returns the new length. */
size_t word_shorten(char *to, size_t most, const char *word, size_t length);

#endif
