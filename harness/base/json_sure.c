/* SPDX-License-Identifier: Apache-2.0 */
#include "json_sure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "utf8.h"

#undef json_string
#undef json_stringn
#undef json_real
#undef json_pack
#undef json_object_set_new
#undef json_array_append_new
#undef json_object_update_new

typedef struct {
  const char *where, *format, *at;
  va_list args;
} pack_t;

/* Ends the program: a result without this member would look complete, and readers would take the
 * missing part for a pass. */
static _Noreturn void end_with_bug(const char *where, const char *what) {
  fprintf(stderr, "lockstack: internal error at %s: %s; please report it\n", where, what);
  fflush(NULL);
  _exit(3);
}

static json_t *sure_value(const char *where, json_t *value) {
  return value ? value : (end_with_bug(where, "a member of a result is missing, or out of memory"), NULL);
}

json_t *json_sure_stringn(const char *text, size_t size) {
  char *copy = malloc(size + 1);
  if (!copy) return NULL;
  memcpy(copy, text, size);
  for (size_t at = 0, n; at < size; at += n ? n : 1)
    if (!(n = utf8_length(copy + at, size - at))) copy[at] = '?';
  json_t *string = json_stringn_nocheck(copy, size);
  free(copy);
  return string;
}

json_t *json_sure_string(const char *text) {
  return text ? json_sure_stringn(text, strlen(text)) : json_null();
}

json_t *json_sure_real(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

int json_sure_set(const char *where, json_t *object, const char *key, json_t *value) {
  if (!object || !key || !value) end_with_bug(where, "a member of a result is missing, or out of memory");
  if (utf8_valid(key))
    return json_object_set_new_nocheck(object, key, value) ? (end_with_bug(where, "out of memory"), -1) : 0;
  char *copy = strdup(key);
  const int failed = copy ? json_object_set_new_nocheck(object, utf8_clean(copy), value) : -1;
  free(copy);
  return failed ? (end_with_bug(where, "out of memory"), -1) : 0;
}

int json_sure_append(const char *where, json_t *array, json_t *value) {
  if (!array || !value || json_array_append_new(array, value))
    end_with_bug(where, "a member of a list is missing, or out of memory");
  return 0;
}

int json_sure_update(const char *where, json_t *object, json_t *more) {
  const int failed = object && more ? json_object_update(object, more) : -1;
  if (failed) end_with_bug(where, "a part of a result is missing, or out of memory");
  json_decref(more);
  return 0;
}

/* ---- json_pack ---- */

static json_t *pack_value(pack_t *p);

/* The next character of the format; separators between members are skipped. */
static char next_letter(pack_t *p) {
  p->at += strspn(p->at, " ,:");
  return *p->at ? *p->at++ : (end_with_bug(p->where, "a format of JSON has no end"), '\0');
}

static json_t *string_of(pack_t *p) {
  const char *text = va_arg(p->args, const char *), flag = *p->at;
  if (flag == '?' || flag == '#' || flag == '%') p->at++;
  if (flag == '#') return json_sure_stringn(text, (size_t)va_arg(p->args, int));
  if (flag == '%') return json_sure_stringn(text, va_arg(p->args, size_t));
  if (!text && flag != '?') end_with_bug(p->where, "a text of a result is missing");
  return json_sure_string(text);
}

static json_t *object_of(pack_t *p) {
  json_t *object = sure_value(p->where, json_object());
  for (char c; (c = next_letter(p)) != '}';) {
    if (c != 's') end_with_bug(p->where, "a key of a format of JSON is no text");
    const char *key = va_arg(p->args, const char *);
    json_sure_set(p->where, object, key, pack_value(p));
  }
  return object;
}

static json_t *array_of(pack_t *p) {
  json_t *array = sure_value(p->where, json_array());
  for (;; json_sure_append(p->where, array, pack_value(p))) {
    p->at += strspn(p->at, " ,:");
    if (*p->at == ']') return p->at++, array;
  }
}

static json_t *pack_value(pack_t *p) {
  switch (next_letter(p)) {
  case '{': return object_of(p);
  case '[': return array_of(p);
  case 's': return string_of(p);
  case 'b': return json_boolean(va_arg(p->args, int));
  case 'i': return json_integer(va_arg(p->args, int));
  case 'I': return json_integer(va_arg(p->args, json_int_t));
  case 'f': return json_sure_real(va_arg(p->args, double));
  case 'n': return json_null();
  case 'o': return va_arg(p->args, json_t *);
  case 'O': return json_incref(va_arg(p->args, json_t *));
  default: end_with_bug(p->where, "an unknown letter in a format of JSON");
  }
}

json_t *json_sure_pack(const char *where, const char *format, ...) {
  pack_t p = {.where = where, .format = format, .at = format};
  va_start(p.args, format);
  json_t *value = sure_value(where, pack_value(&p));
  va_end(p.args);
  return value;
}
