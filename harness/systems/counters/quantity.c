/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions over a run's JSON. Words stand between spaces: numbers, names, "+" and "*". A "*"
 * inside a word is a part of a path.
 */
#include "quantity.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called with each number that a path leads to. */
typedef void each_t(double value, void *context);

static void add_value(double value, void *sum) {
  *(double *)sum += value;
}

static bool walk_path(const json_t *at, const char *path, each_t *each, void *context);

/* "*": all members or elements. In an object the last "*" leaves out members that are no numbers.
 */
static bool walk_children(const json_t *at, const char *path, each_t *each, void *context) {
  const char *key;
  size_t i;
  json_t *one;
  if (json_is_array(at)) {
    json_array_foreach((json_t *)at, i, one) if (!walk_path(one, path, each, context)) return false;
  } else {
    json_object_foreach((json_t *)at, key,
                        one) if ((*path || json_is_number(one)) && !walk_path(one, path, each, context)) return false;
  }
  return json_is_array(at) || json_is_object(at);
}

/* The member of an object, or the element of an array by its number. NULL: there is none. */
static const json_t *find_child(const json_t *at, const char *key) {
  if (!json_is_array(at)) return json_object_get(at, key);
  return *key && strspn(key, "0123456789") == strlen(key) ? json_array_get(at, strtoul(key, NULL, 10)) : NULL;
}

/* "a.b", "a.*", "a.*.b", "a.1", "a.#": calls each with each number there. False: a step of the path
 * is missing, or its end is no number. */
static bool walk_path(const json_t *at, const char *path, each_t *each, void *context) {
  char key[QUANTITY_NAME];
  if (!*path) {
    if (json_is_number(at)) each(json_number_value(at), context);
    return json_is_number(at);
  }
  snprintf(key, sizeof key, "%.*s", (int)strcspn(path, "."), path);
  path += strlen(key);
  path += *path == '.';
  if (!strcmp(key, "*")) return walk_children(at, path, each, context);
  if (strcmp(key, "#")) return walk_path(find_child(at, key), path, each, context);
  each((double)(json_is_array(at) ? json_array_size(at) : json_object_size(at)), context);
  return !*path && (json_is_array(at) || json_is_object(at));
}

/* *value: the sum of all numbers that the path leads to. */
static bool sum_path(const json_t *object, const char *path, double *value) {
  *value = 0;
  return walk_path(object, path, add_value, value);
}

bool quantity_each(const char *name, const json_t *result, void (*each)(double value, void *context), void *context) {
  return walk_path(result, name, each, context);
}

/* KIND:NAME summed over all parts of the kind, or KIND:# for their instances. False: there is no
 * such part. */
static bool sum_counter(const json_t *result, const char *kind, const char *path, double *value) {
  const char *name, *of;
  json_t *part;
  double one;
  bool found = false;
  *value = 0;
  json_object_foreach(json_object_get(result, "parts"), name, part) {
    if (!(of = json_string_value(json_object_get(part, "part"))) || strcmp(of, kind)) continue;
    if (!(strcmp(path, "#") ? sum_path(json_object_get(part, "counters"), path, &one) : sum_path(part, "count", &one)))
      return false;
    *value += one;
    found = true;
  }
  return found;
}

/* A number, a path, or KIND:NAME. */
static bool read_factor(const char *word, const json_t *result, double *value) {
  char kind[QUANTITY_NAME], *end;
  const char *colon = strchr(word, ':');
  if (isdigit((unsigned char)*word)) {
    *value = strtod(word, &end);
    return !*end;
  }
  if (!colon) return sum_path(result, word, value);
  snprintf(kind, sizeof kind, "%.*s", (int)(colon - word), word);
  return sum_counter(result, kind, colon + 1, value);
}

static bool is_operator(const char *word) {
  return !strcmp(word, "+") || !strcmp(word, "*");
}

/* Words alternate between operands and operators; products are added up as they end. */
bool quantity(const char *expression, const json_t *result, double *value, char missing[QUANTITY_NAME]) {
  double sum = 0, product = 1, one;
  bool operand = false; /* the word before was one */
  for (const char *p = expression; *p; p += strspn(p, " ")) {
    snprintf(missing, QUANTITY_NAME, "%.*s", (int)strcspn(p, " "), p);
    p += strcspn(p, " ");
    if (operand != is_operator(missing)) return false;
    operand = !operand;
    if (operand && !read_factor(missing, result, &one)) return false;
    if (operand) product *= one;
    else if (*missing == '+') sum += product, product = 1;
  }
  if (*expression && !operand) return false;
  *value = sum + product;
  return true;
}
