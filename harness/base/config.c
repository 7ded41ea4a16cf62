/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const config_key_t *config_find(const config_key_t *keys, const char *name) {
  for (; keys && keys->key; keys++)
    if (!strcmp(keys->key, name)) return keys;
  return NULL;
}

double config_value(const config_key_t *key, const void *values) {
  const char *field = (const char *)values + key->offset;
  if (key->type == CONFIG_REAL) return *(const double *)field;
  if (key->type == CONFIG_BOOL) return *(const bool *)field;
  return key->size == 8 ? (double)*(const uint64_t *)field : (double)*(const unsigned *)field;
}

void config_text(const config_key_t *key, const void *values, char *text, size_t size) {
  if (key->type == CONFIG_TEXT) {
    snprintf(text, size, "%s", (const char *)values + key->offset);
    return;
  }
  double value = config_value(key, values);
  if (key->type == CONFIG_BOOL) snprintf(text, size, "%s", value != 0 ? "true" : "false");
  else if (key->type == CONFIG_ENUM) snprintf(text, size, "%s", key->names[(unsigned)value]);
  else snprintf(text, size, "%.10g", value);
}

static void write_field(const config_key_t *key, void *values, double real, uint64_t integer) {
  char *field = (char *)values + key->offset;
  if (key->type == CONFIG_REAL) *(double *)field = real;
  else if (key->type == CONFIG_BOOL) *(bool *)field = integer != 0;
  else if (key->size == 8) *(uint64_t *)field = integer;
  else *(unsigned *)field = (unsigned)integer;
}

static const char *const truth[] = {"false", "true", NULL};

static bool parse_name(const char *const *names, const char *text, uint64_t *integer) {
  for (*integer = 0; names[*integer]; ++*integer)
    if (!strcmp(names[*integer], text)) return true;
  return false;
}

/* Parses a decimal number, a name, or true / false. */
static bool parse_value(const config_key_t *key, const char *text, double *real, uint64_t *integer) {
  char *end;
  errno = 0;
  if (key->type == CONFIG_REAL) {
    *real = strtod(text, &end);
    return end != text && !*end && !errno && isfinite(*real);
  }
  bool good;
  if (key->type == CONFIG_UINT) {
    *integer = strtoull(text, &end, 10);
    good = *text >= '0' && *text <= '9' && !*end && !errno;
  } else {
    good = parse_name(key->type == CONFIG_BOOL ? truth : key->names, text, integer);
  }
  *real = (double)*integer;
  return good;
}

/* Lists the names: "annotated, default, near or far". */
static void list_names(const char *const *names, char *text, size_t size) {
  size_t used = 0;
  for (unsigned i = 0; names[i] && used < size; i++) {
    const char *between = names[i + 1] ? ", " : " or ";
    used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : between, names[i]);
  }
}

/* Says which values would be right. */
static bool refuse_value(const config_key_t *key, const char *text, trouble_t *trouble) {
  char names[160];
  if (key->type == CONFIG_ENUM || key->type == CONFIG_BOOL) {
    list_names(key->type == CONFIG_BOOL ? truth : key->names, names, sizeof names);
    return trouble_set(trouble, TROUBLE_INPUT, "%s: '%.200s' is not %s", key->key, text, names);
  }
  return trouble_set(trouble, TROUBLE_INPUT, "%s: '%.200s' is not %s; from %.10g to %.10g would be right", key->key,
                     text, key->type == CONFIG_UINT ? "a whole number" : "a number", key->least, key->most);
}

static bool out_of_range(const config_key_t *key, const char *text, trouble_t *trouble) {
  return trouble_set(trouble, TROUBLE_INPUT, "%s: %.200s is out of range; from %.10g to %.10g would be right", key->key,
                     text, key->least, key->most);
}

/* Stores a text. The model checks its meaning when all values are set. */
static bool store_text(const config_key_t *key, void *values, const char *text, trouble_t *trouble) {
  if (*text && strlen(text) < key->size && !strpbrk(text, "\n\r\t")) {
    snprintf((char *)values + key->offset, key->size, "%s", text);
    return true;
  }
  return trouble_set(trouble, TROUBLE_INPUT, "%s: '%.200s' is not one line of 1 to %zu characters", key->key, text,
                     key->size - 1);
}

bool config_store(const config_key_t *key, void *values, const char *text, trouble_t *trouble) {
  double real = 0;
  uint64_t integer = 0;
  if (key->type == CONFIG_TEXT) return store_text(key, values, text, trouble);
  if (!parse_value(key, text, &real, &integer)) return refuse_value(key, text, trouble);
  if (real < key->least || real > key->most) return out_of_range(key, text, trouble);
  write_field(key, values, real, integer);
  return true;
}

bool config_check(const config_key_t *keys, const void *values, trouble_t *trouble) {
  for (const config_key_t *key = keys; key->key; key++) {
    if (key->type == CONFIG_TEXT || key->type == CONFIG_BOOL) continue;
    const double value = config_value(key, values);
    if (value >= key->least && value <= key->most) continue;
    char text[32];
    snprintf(text, sizeof text, "%.10g", value);
    return key->type == CONFIG_ENUM ? refuse_value(key, text, trouble) : out_of_range(key, text, trouble);
  }
  return true;
}
