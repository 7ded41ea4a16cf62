/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of others are UTF-8 from where they enter: what a model or RTL says, file names, output of
 * tools. JSON, XML and a page refuse a text that is not, and a failure that cannot be written is a
 * failure that nobody sees.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character that begins here, of at most `left`: 1 to 4. 0: none does (a lone or
 * missing byte, one that is longer than it need be, half of a pair of UTF-16, or over U+10FFFF). */
size_t utf8_length(const char *at, size_t left);

bool utf8_valid(const char *text);

/* In place: each byte that is part of no character becomes
 * '?', of text[size] each zero byte a blank. Returns text. */
char *utf8_clean(char *text);
char *utf8_clean_bytes(char *text, size_t size);

#endif
