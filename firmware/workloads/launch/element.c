/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of all element types as bytes, text and values; and when two of them count as equal.
 */
#include "element.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "half.h"

const element_t elements[] = {
#define ELEMENT(name, bytes, kind) {#name, bytes, kind},
#include "element_types.def"
    {0}};

/* The lists are short, so both searches are linear. */
const element_t *element_find(const char *name) {
  for (const element_t *t = elements; t->name; t++)
    if (!strcmp(t->name, name)) return t;
  return NULL;
}

const element_t *element_of(char kind, unsigned bytes) {
  for (const element_t *t = elements; t->name; t++)
    if (t->kind == kind && t->bytes == bytes) return t;
  return NULL;
}

const char *element_names(void) {
  static const char names[] = ""
#define ELEMENT(name, bytes, kind) ", " #name
#include "element_types.def"
      ;
  return names + 2;
}

/* ---- values ---- */

/* The element's bits, zero-extended. Hosts are little endian, as elements are. */
static uint64_t bits_of(const element_t *t, const void *at) {
  uint64_t bits = 0;
  memcpy(&bits, at, t->bytes);
  return bits;
}

/* Signed types are sign-extended by a shift up and down. */
int64_t element_whole(const element_t *t, const void *at) {
  const uint64_t bits = bits_of(t, at);
  const unsigned unused = 64 - 8 * t->bytes;
  return t->kind == 'i' ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
}

double element_real(const element_t *t, const void *at) {
  float single;
  double number;
  if (t->kind == 'u') return (double)bits_of(t, at);
  if (t->kind == 'i') return (double)element_whole(t, at);
  if (t->bytes == 2) return half_value(HALF_F16, (uint16_t)bits_of(t, at));
  if (t->bytes == 4) return memcpy(&single, at, sizeof single), (double)single;
  return memcpy(&number, at, sizeof number), number;
}

void element_put_whole(const element_t *t, int64_t value, void *to) {
  memcpy(to, &value, t->bytes);
}

/* binary16 is rounded from the double itself: rounding twice, by way of binary32, would differ. */
void element_put_real(const element_t *t, double value, void *to) {
  const uint16_t half = half_bits(HALF_F16, value, HALF_NEAREST);
  const float single = (float)value;
  const void *from = &value;
  if (t->bytes == 2) from = &half;
  if (t->bytes == 4) from = &single;
  memcpy(to, from, t->bytes);
}

/* ---- text ---- */

/* "'text' is no TYPE; RIGHT would be right". Always false. */
static bool refuse_number(const element_t *t, const char *text, const char *right, trouble_t *trouble) {
  return trouble_set(trouble, TROUBLE_INPUT, "'%.60s' is no %s; %s would be right", text, t->name, right);
}

/* strtoll also takes leading blanks, which no number of a file has. */
static bool begins_number(const char *text) {
  return isdigit((unsigned char)text[*text == '-' || *text == '+']);
}

/* Reads a whole number in the type's range, decimal, octal or hexadecimal as in C. A minus goes
 * through strtoll, all else through strtoull, so both ends of the range are exact. */
static bool read_whole(const element_t *t, const char *text, bool any_sign, void *to, trouble_t *trouble) {
  const unsigned bits = 8 * t->bytes;
  const int64_t least = t->kind == 'i' || any_sign ? (int64_t)(UINT64_MAX << (bits - 1)) : 0;
  const uint64_t most = t->kind == 'i' ? ((uint64_t)1 << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
  char right[96], *end = NULL;
  snprintf(right, sizeof right, "a whole number from %" PRId64 " to %" PRIu64, least, most);
  if (!begins_number(text)) return refuse_number(t, text, right, trouble);
  errno = 0;
  const bool negative = *text == '-';
  const int64_t below = negative ? strtoll(text, &end, 0) : 0;
  const uint64_t above = negative ? 0 : strtoull(text, &end, 0);
  if (*end || errno || below < least || above > most) return refuse_number(t, text, right, trouble);
  memcpy(to, negative ? (const void *)&below : (const void *)&above, t->bytes);
  return true;
}

/* "inf", ".inf" as YAML has it, or "nan"; each may have a sign. False: another text. */
static bool read_special(const char *text, double *value) {
  const bool negative = *text == '-';
  text += *text == '-' || *text == '+';
  text += *text == '.';
  if (strcasecmp(text, "inf") != 0 && strcasecmp(text, "nan") != 0) return false;
  *value = tolower((unsigned char)*text) == 'i' ? INFINITY : NAN;
  if (negative) *value = -*value;
  return true;
}

/* binary32 is read by strtof, so it is rounded once. A number too large for the type is refused. */
static bool read_real(const element_t *t, const char *text, void *to, trouble_t *trouble) {
  char *end = NULL;
  double value = 0;
  if (read_special(text, &value)) return element_put_real(t, value, to), true;
  const char *digits = text + (*text == '-' || *text == '+');
  digits += *digits == '.';
  if (!isdigit((unsigned char)*digits)) return refuse_number(t, text, "a number such as -1.5e3, inf or nan", trouble);
  const float single = t->bytes == 4 ? strtof(text, &end) : 0; /* rounded once */
  if (t->bytes != 4) value = strtod(text, &end);
  if (*end) return refuse_number(t, text, "a number such as -1.5e3, inf or nan", trouble);
  if (t->bytes == 4) memcpy(to, &single, sizeof single);
  else element_put_real(t, value, to);
  return !isinf(element_real(t, to)) || refuse_number(t, text, "a smaller number, or inf,", trouble);
}

bool element_read(const element_t *t, const char *text, bool any_sign, void *to, trouble_t *trouble) {
  return t->kind == 'f' ? read_real(t, text, to, trouble) : read_whole(t, text, any_sign, to, trouble);
}

/* As many digits as tell each number from its neighbours: 5, 9 or 17. */
void element_print(const element_t *t, const void *at, char text[ELEMENT_TEXT]) {
  static const int digits[] = {[2] = 5, [4] = 9, [8] = 17};
  if (t->kind == 'f') snprintf(text, ELEMENT_TEXT, "%.*g", digits[t->bytes], element_real(t, at));
  else if (t->kind == 'u') snprintf(text, ELEMENT_TEXT, "%" PRIu64, bits_of(t, at));
  else snprintf(text, ELEMENT_TEXT, "%" PRId64, element_whole(t, at));
}

/* ---- distance ---- */

/* a - b|; the difference of two int64_t may need 64 bits. */
static uint64_t whole_distance(int64_t a, int64_t b) {
  return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

/* Numbers a floating type's values in ascending order; both zeros are 0. */
static int64_t place_in_order(const element_t *t, const void *at) {
  const uint64_t bits = bits_of(t, at), sign = (uint64_t)1 << (8 * t->bytes - 1);
  return bits & sign ? -(int64_t)(bits & ~sign) : (int64_t)bits;
}

/* How many steps of the type lie between two numbers. */
static uint64_t steps_between(const element_t *t, const void *a, const void *b) {
  if (t->kind == 'f') return whole_distance(place_in_order(t, a), place_in_order(t, b));
  if (t->kind == 'i') return whole_distance(element_whole(t, a), element_whole(t, b));
  const uint64_t x = bits_of(t, a), y = bits_of(t, b);
  return x < y ? y - x : x - y;
}

/* A NaN equals any NaN. An infinity equals only what is within `ulps` of it. */
bool element_same(const element_t *t, const void *got, const void *want, const element_tolerance_t *allowed) {
  if (!memcmp(got, want, t->bytes)) return true;
  if (allowed->exact) return false;
  const double a = element_real(t, got), b = element_real(t, want);
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  const uint64_t distance = steps_between(t, got, want);
  if (distance <= allowed->ulps) return true;
  if (isinf(a) || isinf(b)) return false;
  const double difference = t->kind == 'f' ? fabs(a - b) : (double)distance;
  return difference <= allowed->absolute || difference <= allowed->relative * fabs(b);
}
