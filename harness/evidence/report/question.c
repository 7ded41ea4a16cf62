/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows are untrusted: the database has what tools and users wrote.
 */
#include "question.h"

#include "text.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char parsed[] = "_json";

/* *length: the name without `_json`. */
static bool ends_parsed(const char *name, size_t *length) {
  size_t n = strlen(name), ending = sizeof parsed - 1;
  bool yes = n > ending && strcmp(name + n - ending, parsed) == 0;
  *length = yes ? n - ending : n;
  return yes;
}

/* Jansson cuts a string at a NUL, or refuses the document. An escaped NUL becomes U+2400, the
 * picture of one. */
static void without_nul(char *json) {
  for (char *p = json; (p = strstr(p, "\\u0000"));) p[2] = '2', p[3] = '4';
}

/* Reads the bytes as a blob, because a text may contain NULs and bytes that are not UTF-8. */
static json_t *text_value(sqlite3_stmt *s, int column, bool parse) {
  const char *bytes = sqlite3_column_blob(s, column);
  char *text = text_clean(bytes ? bytes : "", (size_t)sqlite3_column_bytes(s, column));
  if (!text) return json_null();
  if (parse) without_nul(text);
  json_t *value = parse ? json_loads(text, 0, NULL) : json_string(text);
  free(text);
  return value ? value : json_null();
}

/* Infinities become null. */
static json_t *column_json(sqlite3_stmt *s, int column, bool parse) {
  switch (sqlite3_column_type(s, column)) {
  case SQLITE_INTEGER: return json_integer(sqlite3_column_int64(s, column));
  case SQLITE_FLOAT: {
    json_t *number = json_real(sqlite3_column_double(s, column)); /* NULL: an infinity */
    return number ? number : json_null();
  }
  case SQLITE_NULL: return json_null();
  default: return text_value(s, column, parse);
  }
}

/* Numbers keep their type: an integer stays one in JSON. */
static json_t *row_json(sqlite3_stmt *s) {
  json_t *object = json_object();
  for (int i = 0; i < sqlite3_column_count(s); i++) {
    char name[64];
    size_t length;
    bool parse = ends_parsed(sqlite3_column_name(s, i), &length);
    snprintf(name, sizeof name, "%.*s", (int)length, sqlite3_column_name(s, i));
    json_object_set_new(object, name, column_json(s, i, parse));
  }
  return object;
}

/* All rows are in memory at once, so a question about documents should take only members it
 * needs. */
json_t *question(sqlite3 *db, const char *sql) {
  sqlite3_stmt *s = NULL;
  json_t *list = json_array();
  int step = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
  while (step == SQLITE_OK || step == SQLITE_ROW) {
    step = sqlite3_step(s);
    if (step == SQLITE_ROW) json_array_append_new(list, row_json(s));
  }
  sqlite3_finalize(s);
  if (step == SQLITE_DONE) return list;
  json_decref(list);
  return NULL;
}
