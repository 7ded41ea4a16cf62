/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads lists and ranges. Values stay texts, because a setting may be a word.
 */
#include "sweep_values.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 9, NUMBER = 64 };

typedef struct {
  char **value;
  unsigned values, most;
  trouble_t *trouble;
} list_t;

/* Always false. */
static bool refuse_value(list_t *l, const char *what, const char *text) {
  return trouble_set(l->trouble, TROUBLE_INPUT, "'%.80s' %s", text, what);
}

/* Adds a value without blanks around it. False: empty, twice, or too many. */
static bool add_value(list_t *l, const char *text, size_t length) {
  while (length && isspace((unsigned char)*text)) text++, length--;
  while (length && isspace((unsigned char)text[length - 1])) length--;
  char **more = realloc(l->value, (l->values + 1) * sizeof *more), *copy = strndup(text, length);
  if (more) l->value = more;
  if (!more || !copy)
    return free(copy), trouble_set(l->trouble, TROUBLE_ENVIRONMENT, "'%.80s' is too much for the memory", text);
  l->value[l->values++] = copy;
  if (!length) return refuse_value(l, "should be a value, as in 16,32,64", copy);
  for (unsigned i = 0; i + 1 < l->values; i++)
    if (!strcmp(l->value[i], copy)) return refuse_value(l, "is there twice", copy);
  return l->values <= l->most || refuse_value(l, "are too many values", text);
}

/* ---- ranges ---- */

typedef struct {
  double from, to, step; /* step: added, or multiplied by */
  bool factor;
  unsigned digits; /* most digits behind the point */
  const char *unit;
} range_t;

/* Reads a decimal number and moves *text behind it. It ends before the dots of "1..16", and has
 * no exponent. *digits grows to the number of its decimals. */
static bool scan_number(const char **text, double *value, unsigned *digits) {
  char copy[NUMBER];
  size_t sign = **text == '-', n = sign;
  unsigned whole = 0, part = 0;
  while (isdigit((unsigned char)(*text)[n])) n++, whole++;
  if ((*text)[n] == '.' && isdigit((unsigned char)(*text)[n + 1]))
    for (n++; isdigit((unsigned char)(*text)[n]);) n++, part++;
  if (!(whole + part) || n >= sizeof copy) return false;
  snprintf(copy, sizeof copy, "%.*s", (int)n, *text);
  *value = strtod(copy, NULL);
  if (part > *digits) *digits = part;
  *text += n;
  return true;
}

/* False: the text is a value, not a range. */
static bool read_range(const char *text, range_t *r) {
  *r = (range_t){.step = 1};
  if (!scan_number(&text, &r->from, &r->digits) || strncmp(text, "..", 2)) return false;
  text += 2;
  if (!scan_number(&text, &r->to, &r->digits)) return false;
  const char *step = text + 1;
  if ((*text == '/' || *text == '*') && scan_number(&step, &r->step, &r->digits)) r->factor = *text == '*', text = step;
  r->unit = text;
  return !*text || *text == '%' || *text == ' ';
}

/* With as many decimals as the range has, without zeros at the end, and with the unit. */
static void print_number(const range_t *r, double value, char *text, size_t size) {
  const unsigned digits = r->factor ? DIGITS : r->digits;
  int n = snprintf(text, size, "%.*f", (int)digits, value);
  while (digits && n > 0 && text[n - 1] == '0') n--;
  if (n > 0 && text[n - 1] == '.') n--;
  snprintf(text + n, size - (size_t)n, "%.20s", r->unit);
}

/* Adds the values of a range that goes up. A little slack keeps the last value in spite of
 * rounding. */
static bool add_range(list_t *l, const char *text, const range_t *r) {
  char value[2 * NUMBER];
  if (r->factor ? !(r->step > 1 && r->from > 0) : !(r->step > 0))
    return refuse_value(l, "should go up, as in 1..16, .1..1/.1 or 1..64*2", text);
  if (r->to < r->from) return refuse_value(l, "should go from the lesser to the greater number", text);
  const double steps = floor((r->factor ? log(r->to / r->from) / log(r->step) : (r->to - r->from) / r->step) + 1e-9);
  if (steps >= l->most) return refuse_value(l, "are too many values", text);
  for (unsigned i = 0; i <= steps; i++) {
    print_number(r, r->factor ? r->from * pow(r->step, i) : r->from + i * r->step, value, sizeof value);
    if (!add_value(l, value, strlen(value))) return false;
  }
  return true;
}

/* ---- lists ---- */

/* Up to the next comma outside of brackets. */
static size_t length_of(const char *text) {
  size_t n = 0;
  for (int depth = 0; text[n] && (depth > 0 || text[n] != ','); n++) depth += (text[n] == '[') - (text[n] == ']');
  return n;
}

static bool read_list(list_t *l, const char *text) {
  for (;;) {
    const size_t n = length_of(text);
    char *item = strndup(text, n);
    range_t range;
    const bool good = item && (read_range(item, &range) ? add_range(l, item, &range) : add_value(l, item, n));
    free(item);
    if (!good || !text[n]) return good;
    text += n + 1;
  }
}

/* After an error there is nothing to free. */
bool sweep_values(const char *text, unsigned most, char ***value, unsigned *values, trouble_t *trouble) {
  list_t list = {.most = most, .trouble = trouble};
  const bool good =
      *text ? read_list(&list, text) : refuse_value(&list, "is an empty list; 16,32,64 or 1..16 would be right", text);
  *value = list.value;
  *values = list.values;
  if (good) return true;
  sweep_values_free(list.value, list.values);
  *value = NULL;
  *values = 0;
  return false;
}

void sweep_values_free(char **value, unsigned values) {
  for (unsigned i = 0; i < values; i++) free(value[i]);
  free(value);
}
