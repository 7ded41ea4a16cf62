/* SPDX-License-Identifier: Apache-2.0 */
#include "csv.h"

#include <string.h>

void csv_text(FILE *out, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"') fputc('"', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

char *csv_last(char *field) {
  if (*field != '"') return field;
  char *to = field;
  for (const char *from = field + 1; *from; from++) {
    if (*from == '"' && *++from != '"') return *to = 0, *from ? NULL : field;
    *to++ = *from;
  }
  return NULL;
}
