/* SPDX-License-Identifier: Apache-2.0 */
#include "port_choice.h"

#include <ctype.h>
#include <string.h>

static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-/";

/* Word i of the list of values, which is in quotes; NULL: there are fewer. */
static const char *value_at(const port_entry_t *e, unsigned i, size_t *length) {
  const char *at = port_field(e, "values") + 1;
  for (;; at += *length, i--) {
    at += strspn(at, " ");
    *length = strcspn(at, " \"");
    if (!*length || !i) return *length ? at : NULL;
  }
}

long long port_choice_count(const port_entry_t *e) {
  size_t length;
  unsigned n = 0;
  while (value_at(e, n, &length)) n++;
  return n;
}

/* The text without its quotes, if it has some. */
static const char *unquoted(const char *text, size_t *length) {
  *length = strlen(text);
  const bool quoted = *length >= 2 && *text == '"' && text[*length - 1] == '"';
  *length -= 2 * quoted;
  return text + quoted;
}

static int find_value(const port_entry_t *e, const char *text) {
  size_t wanted, length;
  const char *value = unquoted(text, &wanted);
  for (unsigned i = 0;; i++) {
    const char *at = value_at(e, i, &length);
    if (!at) return -1;
    if (length == wanted && strncmp(at, value, length) == 0) return (int)i;
  }
}

/* A copy of value i; NULL: no further one. */
static char *copy_value(port_arena_t *arena, const port_entry_t *e, unsigned i) {
  size_t length;
  const char *at = value_at(e, i, &length);
  return at ? port_copy(arena, at, length) : NULL;
}

const char *port_choice_text(port_arena_t *arena, const port_entry_t *e, unsigned i) {
  return copy_value(arena, e, i);
}

const char *port_choice_name(port_arena_t *arena, const port_entry_t *e, unsigned i) {
  char *name = copy_value(arena, e, i);
  for (char *p = name; p && *p; p++)
    if (!isalnum((unsigned char)*p)) *p = '_';
  return name;
}

/* The list: texts that tools, lists of parameters and C can carry, each once. */
static bool check_values(port_reading_t *c, const port_entry_t *e) {
  port_arena_t *arena = &c->file->text.arena;
  const char *values = port_field(e, "values"), *name, *text = values + 1;
  if (*values != '"' || !port_choice_count(e) || strchr(text, '"') != values + strlen(values) - 1)
    return BAD(c, e, "PARAM_TEXT(%s, ...): the values %.80s should be words in quotes: \"FAST SLOW\"", e->args[0],
               values);
  for (unsigned i = 0; (name = port_choice_name(arena, e, i)); i++) {
    size_t length;
    text = value_at(e, i, &length);
    if (strspn(text, allowed) < length || length > PORT_CHOICE_MOST)
      return BAD(c, e, "PARAM_TEXT(%s, ...): the value %.*s should have up to %d letters, digits and _.+-/", e->args[0],
                 length < 80 ? (int)length : 80, text, PORT_CHOICE_MOST);
    for (unsigned k = 0; k < i; k++)
      if (strcmp(port_choice_name(arena, e, k), name) == 0)
        return BAD(c, e, "PARAM_TEXT(%s, ...): two values are %s_%s for the model", e->args[0], e->args[0], name);
  }
  return true;
}

bool port_choice_check(port_reading_t *c, port_entry_t *e, const char *set) {
  const char *values = port_field(e, "values"), *value = port_field(e, "value");
  size_t length;
  if (!check_values(c, e)) return false;
  if (*value != '"' || find_value(e, value) < 0)
    return BAD(c, e, "PARAM_TEXT(%s, ...): the value %.80s should be one of %.200s, in quotes", e->args[0], value,
               values);
  const int i = find_value(e, set ? set : value);
  if (i < 0)
    return trouble_set(&c->file->text.trouble, TROUBLE_INPUT, "%s = %.200s: one of %.200s (%.200s)", e->args[0], set,
                       values, port_field(e, "text"));
  const char *text = value_at(e, (unsigned)i, &length);
  e->number = port_format(&c->file->text.arena, "%d", i);
  e->word = port_format(&c->file->text.arena, "\"%.*s\"", (int)length, text);
  return true;
}
