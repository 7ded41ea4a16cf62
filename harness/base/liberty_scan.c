/* SPDX-License-Identifier: Apache-2.0 */
#include "liberty_scan.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 32 };

bool liberty_wrong(liberty_scan_t *s, unsigned line, const char *what) {
  if (!s->bad) trouble_set(s->trouble, TROUBLE_INPUT, "%s:%u: %s", s->file, line, what);
  s->bad = true;
  return false;
}

/* ---- text */

void liberty_skip(liberty_scan_t *s) {
  for (; *s->at; s->at++) {
    const bool comment = s->at[0] == '/' && s->at[1] == '*', line = s->at[0] == '/' && s->at[1] == '/';
    const char *end = comment ? strstr(s->at + 2, "*/") : NULL;
    if (line) s->at += strcspn(s->at, "\n") - 1;
    else if (comment && !end) return (void)liberty_wrong(s, s->line, "a comment without an end");
    else if (comment) {
      for (; s->at < end + 1; s->at++) s->line += *s->at == '\n';
    } else if (*s->at == '\n') s->line++;
    else if (!isspace((unsigned char)*s->at) && !(s->at[0] == '\\' && strchr("\r\n", s->at[1])) && *s->at != ';')
      return;
  }
}

/* Skips a quoted text that begins here. */
static void skip_quotes(liberty_scan_t *s) {
  const unsigned line = s->line;
  for (s->at++; *s->at && *s->at != '"'; s->at++) {
    if (*s->at == '\\' && s->at[1]) s->at++;
    s->line += *s->at == '\n';
  }
  if (!*s->at) liberty_wrong(s, line, "a text in quotes without an end: the file is cut off");
  else s->at++;
}

static void take_value(liberty_statement_t *t, const char *from, const char *to) {
  while (from < to && isspace((unsigned char)*from)) from++;
  while (to > from && isspace((unsigned char)to[-1])) to--;
  if (to > from + 1 && *from == '"' && to[-1] == '"') from++, to--;
  t->value = from, t->length = (size_t)(to - from);
}

static bool read_value(liberty_scan_t *s, liberty_statement_t *t) {
  const char *from = ++s->at;
  while (*s->at && !strchr(";}\n", *s->at) && !s->bad) {
    if (*s->at == '"') skip_quotes(s);
    else if (s->at[0] == '\\' && s->at[1] == '\n') s->line++, s->at += 2;
    else s->at++;
  }
  take_value(t, from, s->at);
  return !s->bad;
}

static bool arguments_of(liberty_scan_t *s, liberty_statement_t *t) {
  const char *from = ++s->at;
  while (*s->at && *s->at != ')' && !s->bad) {
    s->line += *s->at == '\n';
    if (*s->at == '"') skip_quotes(s);
    else s->at++;
  }
  if (!*s->at) return liberty_wrong(s, t->line, "a bracket without an end: the file is cut off");
  take_value(t, from, s->at++);
  liberty_skip(s);
  t->group = *s->at == '{';
  if (t->group) s->at++, s->depth++;
  return s->depth < DEEPEST || liberty_wrong(s, t->line, "groups in groups in groups: no Liberty file");
}

bool liberty_next(liberty_scan_t *s, liberty_statement_t *t) {
  size_t n = 0;
  liberty_skip(s);
  *t = (liberty_statement_t){.begin = s->at, .line = s->line, .value = ""};
  if (s->bad) return false;
  if (*s->at == '}') return s->at++, s->depth--, false;
  if (!*s->at) return liberty_wrong(s, s->line, "a group without an end: the file is cut off");
  for (; isalnum((unsigned char)*s->at) || *s->at == '_'; s->at++)
    if (n + 1 < sizeof t->name) t->name[n++] = *s->at;
  liberty_skip(s);
  if (n && *s->at == ':') return read_value(s, t);
  if (n && *s->at == '(') return arguments_of(s, t);
  return liberty_wrong(s, t->line, "no Liberty file: 'name : value;' or 'name (value) {' would be right");
}

bool liberty_is(const liberty_statement_t *t, const char *name) {
  return strcmp(t->name, name) == 0;
}

bool liberty_has(const liberty_statement_t *t, const char *value) {
  return strlen(value) == t->length && strncmp(t->value, value, t->length) == 0;
}
