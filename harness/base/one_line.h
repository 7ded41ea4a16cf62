/* SPDX-License-Identifier: Apache-2.0
 *
 * An error is one line, also where it quotes a file's text that has several, and it says its reason
 * whole, also where it names something long.
 */
#ifndef ONE_LINE_H
#define ONE_LINE_H

#include <stdarg.h>
#include <stddef.h>

/* White space becomes blanks, other control characters become question marks. */
void make_one_line(char *text);

/* The last line that has more than blanks, where it begins in the text; it
 * ends before them. A carriage return, as progress has it, begins one, too. */
const char *last_line(const char *text, size_t *length);

/* printf into line[size]. What does not fit loses the middle of its longest words (names of C++
 * functions, paths): both ends of each word and all that is said around them stay. Only a line of
 * very many words loses its own middle. Returns the line's length. */
size_t line_printf(char *line, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t line_vprintf(char *line, size_t size, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

/* One word of `length` characters in at most `most` (at least 5),
 * "_ZN3foo...vIiEEv"; `to` has most + 1 bytes. Returns its length. */
size_t word_shorten(char *to, size_t most, const char *word, size_t length);

#endif
