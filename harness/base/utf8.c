/* SPDX-License-Identifier: Apache-2.0
 *
 * Table 3-7 of the Unicode standard: the range of the second byte depends on the first; all later
 * bytes are 80 to BF.
 */
#include "utf8.h"

#include <string.h>

typedef struct {
  unsigned char first, last, second_first, second_last;
  size_t length;
} row_t;

static const row_t rows[] = {{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
                             {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
                             {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};

size_t utf8_length(const char *at, size_t left) {
  const unsigned char *p = (const unsigned char *)at;
  if (!left) return 0;
  if (*p < 0x80) return 1;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const row_t *r = &rows[i];
    if (*p < r->first || *p > r->last) continue;
    bool good = left >= r->length && p[1] >= r->second_first && p[1] <= r->second_last;
    for (size_t k = 2; good && k < r->length; k++) good = p[k] >= 0x80 && p[k] <= 0xbf;
    return good ? r->length : 0;
  }
  return 0;
}

bool utf8_valid(const char *text) {
  size_t left = strlen(text), n = 1;
  for (; left && n; text += n, left -= n) n = utf8_length(text, left);
  return n;
}

char *utf8_clean_bytes(char *text, size_t size) {
  for (size_t at = 0, n; at < size; at += n ? n : 1) {
    n = utf8_length(text + at, size - at);
    if (!n) text[at] = '?';
    else if (!text[at]) text[at] = ' ';
  }
  return text;
}

char *utf8_clean(char *text) {
  return utf8_clean_bytes(text, strlen(text));
}
