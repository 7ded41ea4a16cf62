/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding is strict: overlong forms, surrogates and cut sequences are invalid, one U+FFFD for
 * each bad first byte.
 */
#include "text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { REPLACEMENT = 0xfffd, PICTURES = 0x2400, PICTURE_OF_DELETE = 0x2421 };

/* Moves *p behind the character; an invalid byte counts alone. */
static uint32_t decode_utf8(const unsigned char **p, const unsigned char *end) {
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  unsigned char first = *(*p)++;
  if (first < 0x80) return first;
  unsigned more = 0;
  if (first >= 0xf0 && first < 0xf5) more = 3;
  else if (first >= 0xe0 && first < 0xf0) more = 2;
  else if (first >= 0xc2 && first < 0xe0) more = 1;
  uint32_t c = more ? first & (0x3fu >> more) : REPLACEMENT;
  const unsigned char *q = *p;
  for (unsigned i = 0; i < more; i++, q++) {
    if (q == end || (*q & 0xc0) != 0x80) return REPLACEMENT;
    c = c << 6 | (*q & 0x3f);
  }
  if (more && (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))) return REPLACEMENT;
  *p = q;
  return c;
}

/* Direction marks and controls could make a line read as another one. */
static bool is_misleading(uint32_t c) {
  bool direction =
      c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  return direction || c == 0xfeff || (c >= 0x80 && c < 0xa0) || (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c < 0xfdf0);
}

/* Control characters become U+2400 to U+2421, their pictures: the reader sees that they are
 * there. */
uint32_t text_next(const char **text, const char *end) {
  const unsigned char *p = (const unsigned char *)*text;
  uint32_t c = decode_utf8(&p, (const unsigned char *)end);
  *text = (const char *)p;
  if (c < 0x20 && c != '\n' && c != '\t') return PICTURES + c;
  if (c == 0x7f) return PICTURE_OF_DELETE;
  return is_misleading(c) ? REPLACEMENT : c;
}

void text_put(FILE *out, uint32_t c) {
  if (c < 0x80) fputc((int)c, out);
  else if (c < 0x800) fprintf(out, "%c%c", (int)(0xc0 | c >> 6), (int)(0x80 | (c & 63)));
  else if (c < 0x10000)
    fprintf(out, "%c%c%c", (int)(0xe0 | c >> 12), (int)(0x80 | (c >> 6 & 63)), (int)(0x80 | (c & 63)));
  else
    fprintf(out, "%c%c%c%c", (int)(0xf0 | c >> 18), (int)(0x80 | (c >> 12 & 63)), (int)(0x80 | (c >> 6 & 63)),
            (int)(0x80 | (c & 63)));
}

char *text_clean(const char *bytes, size_t size) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out) return NULL;
  for (const char *p = bytes; p < bytes + size;) text_put(out, text_next(&p, bytes + size));
  if (fclose(out) == 0) return text;
  free(text);
  return NULL;
}

/* Puts narrow no-break spaces between groups of three digits. */
static char *group_digits(char *buf, const char *digits) {
  static const char space[] = "\u202f";
  size_t n = 0, length = strlen(digits);
  for (size_t i = 0; i < length && n + 8 < TEXT_NUMBER; i++) {
    if (i && digits[i - 1] != '-' && (length - i) % 3 == 0) n += (size_t)sprintf(buf + n, "%s", space);
    buf[n++] = digits[i];
  }
  buf[n] = 0;
  return buf;
}

/* From 1e18 on, a double has no exact units any more, so four digits and an exponent do. */
char *text_exact(char *buf, double value) {
  char digits[TEXT_NUMBER];
  if (!isfinite(value)) return strcpy(buf, "\u2013");
  if (fabs(value) >= 1e18) snprintf(digits, sizeof digits, "%.4g", value);
  else {
    snprintf(digits, sizeof digits, "%.0f", value);
    return group_digits(buf, digits);
  }
  return strcpy(buf, digits);
}

/* Three digits with a unit: "12.3 M". The limits 9.995 and 99.95 keep rounding from a fourth
 * digit. */
char *text_count(char *buf, double value) {
  static const char *const unit[] = {"M", "G", "T", "P", "E"};
  if (!isfinite(value) || fabs(value) < 1e7 || fabs(value) >= 1e21) return text_exact(buf, value);
  unsigned i = 0;
  for (value /= 1e6; fabs(value) >= 999.5 && i < 4; value /= 1e3) i++;
  int digits = fabs(value) < 99.95 ? 1 : 0;
  if (fabs(value) < 9.995) digits = 2;
  snprintf(buf, TEXT_NUMBER, "%.*f\u202f%s", digits, value, unit[i]);
  return buf;
}

/* Two units at most. Over 1e9 seconds (30 years) is no duration. */
char *text_seconds(char *buf, double value) {
  if (!isfinite(value) || value < 0 || value > 1e9) return strcpy(buf, "\u2013");
  long whole = lround(value);
  if (value < 99.5) snprintf(buf, TEXT_NUMBER, "%.*f\u202fs", value < 9.995 ? 2 : 1, value);
  else if (whole < 3600) snprintf(buf, TEXT_NUMBER, "%ld\u202fmin %ld\u202fs", whole / 60, whole % 60);
  else snprintf(buf, TEXT_NUMBER, "%ld\u202fh %ld\u202fmin", whole / 3600, whole / 60 % 60);
  return buf;
}

/* Whole numbers keep all digits. Very large and very small ones get an exponent. */
char *text_short(char *buf, double value) {
  double size = fabs(value);
  if (!isfinite(value)) return strcpy(buf, "\u2013");
  if (value == floor(value) && size < 1e15) return text_count(buf, value);
  if (size >= 1e7 || size < 1e-4) {
    snprintf(buf, TEXT_NUMBER, "%.3g", value);
    return buf;
  }
  if (size >= 1000) return text_count(buf, round(value));
  int digits = 5;
  if (size >= 100) digits = 1;
  else if (size >= 10) digits = 2;
  else if (size >= 0.1) digits = 3;
  snprintf(buf, TEXT_NUMBER, "%.*f", digits, value);
  return buf;
}
