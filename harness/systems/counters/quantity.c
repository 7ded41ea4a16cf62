/* SPDX-License-Identifier: Apache-2.0
 *
 * Words between spaces: numbers, names, "+" and "*". A "*" in a word is a part of a name.
 */
#include "quantity.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void each_t(double value, void *context);

static void add(double value, void *sum) {
  *(double *)sum += value;
}

static bool walk(const json_t *at, const char *path, each_t *each, void *context);

/* All members or elements; what is no number at the path's end, of an object, is left out. */
static bool walk_all(const json_t *at, const char *path, each_t *each, void *context) {
  const char *key;
  size_t i;
  json_t *one;
  if (json_is_array(at)) {
    json_array_foreach((json_t *)at, i, one) if (!walk(one, path, each, context)) return false;
  } else {
    json_object_foreach((json_t *)at, key,
                        one) if ((*path || json_is_number(one)) && !walk(one, path, each, context)) return false;
  }
  return json_is_array(at) || json_is_object(at);
}

/* A member of an object, an element of an array by its number; NULL: it is not there. */
static const json_t *below(const json_t *at, const char *key) {
  if (!json_is_array(at)) return json_object_get(at, key);
  return *key && strspn(key, "0123456789") == strlen(key) ? json_array_get(at, strtoul(key, NULL, 10)) : NULL;
}

/* "a.b", "a.*", "a.*.b", "a.1", "a.#": each number there. */
static bool walk(const json_t *at, const char *path, each_t *each, void *context) {
  char key[QUANTITY_NAME];
  if (!*path) {
    if (json_is_number(at)) each(json_number_value(at), context);
    return json_is_number(at);
  }
  snprintf(key, sizeof key, "%.*s", (int)strcspn(path, "."), path);
  path += strlen(key);
  path += *path == '.';
  if (!strcmp(key, "*")) return walk_all(at, path, each, context);
  if (strcmp(key, "#")) return walk(below(at, key), path, each, context);
  each((double)(json_is_array(at) ? json_array_size(at) : json_object_size(at)), context);
  return !*path && (json_is_array(at) || json_is_object(at));
}

static bool member(const json_t *object, const char *path, double *value) {
  *value = 0;
  return walk(object, path, add, value);
}

bool quantity_each(const char *name, const json_t *result, void (*each)(double value, void *context), void *context) {
  return walk(result, name, each, context);
}

/* A counter, or (#) the instances, of all parts of a kind; there must be one. */
static bool counter(const json_t *result, const char *kind, const char *path, double *value) {
  const char *name, *of;
  json_t *part;
  double one;
  bool found = false;
  *value = 0;
  json_object_foreach(json_object_get(result, "parts"), name, part) {
    if (!(of = json_string_value(json_object_get(part, "part"))) || strcmp(of, kind)) continue;
    if (!(strcmp(path, "#") ? member(json_object_get(part, "counters"), path, &one) : member(part, "count", &one)))
      return false;
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
