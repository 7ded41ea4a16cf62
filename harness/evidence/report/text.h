/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes text from the database harmless. It may be anything: bytes that are not UTF-8, control
 * characters, markup.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Returns the next character of *text (before end) and moves *text on. U+FFFD stands for invalid
 * bytes, and for characters that would change how the text around them reads (direction marks,
 * non-characters). Control characters but tab and newline become their pictures. */
uint32_t text_next(const char **text, const char *end);

void text_put(FILE *out, uint32_t character); /* as UTF-8 */

/* A copy in valid UTF-8 without control characters; the caller frees it. NULL: out of memory. */
char *text_clean(const char *bytes, size_t size);

enum { TEXT_NUMBER = 48 };

/* "1 234 567" below ten million, then "12.3 M". An en dash stands for what is not a number. All
 * four functions return buf, of TEXT_NUMBER bytes. */
char *text_count(char *buf, double value);
char *text_exact(char *buf, double value);   /* "1 234 567 890" */
char *text_seconds(char *buf, double value); /* "0.42 s", "12.3 s", "5 min 10 s", "2 h 5 min" */
char *text_short(char *buf, double value);   /* three or four digits: "0.0312", "12.5", "1270" */

#endif
