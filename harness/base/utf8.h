/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes foreign text valid UTF-8 where it enters: messages of models and RTL, file names, output of
 * tools. JSON, XML and HTML reject other text, and a failure that cannot be written would be lost.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Length in bytes (1 to 4) of the character at `at`, of at most `left` bytes. 0: no valid character
 * begins here (stray or missing byte, overlong form, UTF-16 surrogate, or above U+10FFFF). */
size_t utf8_length(const char *at, size_t left);

bool utf8_valid(const char *text);

/* Replaces each byte that belongs to no character by '?', in place. In text[size], utf8_clean_bytes
 * also replaces zero bytes by blanks. Both return `text`. */
char *utf8_clean(char *text);
char *utf8_clean_bytes(char *text, size_t size);

#endif
