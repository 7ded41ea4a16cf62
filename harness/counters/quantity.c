/* SPDX-License-Identifier: Apache-2.0
 *
 * Words between spaces: numbers, names, "+" and "*". A word that ends in ".*" is a name.
 */
#include "quantity.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool sum_of(const json_t *object, double *value) {
  const char *key;
  const json_t *one;
  *value = 0;
  json_object_foreach((json_t *)object, key, one) *value += json_number_value(one);
  return json_is_object(object);
}

/* "a.b" or "a.*" of an object. */
static bool member(const json_t *object, const char *path, double *value) {
  for (char key[QUANTITY_NAME]; object && *path && strcmp(path, "*");) {
    snprintf(key, sizeof key, "%.*s", (int)strcspn(path, "."), path);
    object = json_object_get(object, key);
    path += strlen(key);
    path += *path == '.';
  }
  if (*path) return sum_of(object, value);
  *value = json_number_value(object);
  return json_is_number(object);
}

/* A counter of all parts of a kind; there must be one. */
static bool counter(const json_t *result, const char *kind, const char *path, double *value) {
  const char *name, *of;
  json_t *part;
  double one;
  bool found = false;
  *value = 0;
  json_object_foreach(json_object_get(result, "parts"), name, part) {
    if (!(of = json_string_value(json_object_get(part, "part"))) || strcmp(of, kind)) continue;
    if (!member(json_object_get(part, "counters"), path, &one)) return false;
    *value += one;
    found = true;
  }
  return found;
}

static bool factor(const char *word, const json_t *result, double *value) {
  char kind[QUANTITY_NAME], *end;
  const char *colon = strchr(word, ':');
  if (isdigit((unsigned char)*word)) {
    *value = strtod(word, &end);
    return !*end;
  }
  if (!colon) return member(result, word, value);
  snprintf(kind, sizeof kind, "%.*s", (int)(colon - word), word);
  return counter(result, kind, colon + 1, value);
}

static bool is_operator(const char *word) {
  return !strcmp(word, "+") || !strcmp(word, "*");
}

bool quantity(const char *expression, const json_t *result, double *value, char missing[QUANTITY_NAME]) {
  double sum = 0, product = 1, one;
  bool operand = false; /* the word before was one */
  for (const char *p = expression; *p; p += strspn(p, " ")) {
    snprintf(missing, QUANTITY_NAME, "%.*s", (int)strcspn(p, " "), p);
    p += strcspn(p, " ");
    if (operand != is_operator(missing)) return false;
    operand = !operand;
    if (operand && !factor(missing, result, &one)) return false;
    if (operand) product *= one;
    else if (*missing == '+') sum += product, product = 1;
  }
  if (*expression && !operand) return false;
  *value = sum + product;
  return true;
}
