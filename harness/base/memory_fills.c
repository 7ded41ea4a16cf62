/* SPDX-License-Identifier: Apache-2.0 */
#include "memory_fills.h"

#include "verilog_token.h"

#include <stddef.h>
#include <string.h>

static bool is_same(token_t a, token_t b) {
  return a.end - a.begin == b.end - b.begin && memcmp(a.begin, b.begin, (size_t)(a.end - a.begin)) == 0;
}

/* ---- statements */

/* The position behind the token `last` that closes `first`; NULL: none. */
static char *behind_block(char *p, const char *first, const char *last) {
  unsigned depth = 1;
  for (token_t t = token_next(p); t.begin < t.end; t = token_next(t.end)) {
    if (token_is(t, first)) depth++;
    else if (token_is(t, last) && --depth == 0) return t.end;
  }
  return NULL;
}

/* The position behind the next `;` outside of brackets; NULL: none. */
static char *behind_semicolon(char *p) {
  for (token_t t = token_next(p); p && t.begin < t.end; t = token_next(p)) {
    if (token_is(t, ";")) return t.end;
    p = strchr("([{", *t.begin) ? token_brackets(t.begin) : t.end;
    if (!p) return NULL;
  }
  return NULL;
}

/* The position behind a statement of `initial`; NULL: it cannot be followed. */
static char *behind_statement(char *p) {
  static const char *const loops[] = {"for", "while", "repeat", NULL}, *const cases[] = {"case", "casez", "casex",
                                                                                         NULL};
  const token_t t = token_next(p);
  if (token_is(t, "begin")) return behind_block(t.end, "begin", "end");
  if (token_is_one(t, cases)) return behind_block(t.end, "\1", "endcase");
  if (token_is(t, "forever")) return behind_statement(t.end);
  if (!token_is_one(t, loops) && !token_is(t, "if")) return behind_semicolon(t.begin);
  char *body = token_brackets(token_next(t.end).begin), *end = body ? behind_statement(body) : NULL;
  if (!end || !token_is(t, "if")) return end;
  const token_t next = token_next(end);
  return token_is(next, "else") ? behind_statement(next.end) : end;
}

/* ---- memories */

/* Behind the indices of `name[i][j]`; `name` without an index: NULL. */
static char *behind_indices(token_t name) {
  token_t t = token_next(name.end);
  char *end = NULL;
  while (token_is(t, "[")) {
    end = token_brackets(t.begin);
    if (!end) return NULL;
    t = token_next(end);
  }
  return end;
}

/* Is the token at `end` an assignment's `=` or `<=`? */
static bool is_assigned(char *end) {
  const token_t t = token_next(end);
  if (token_is(t, "<")) return *t.end == '=';
  return token_is(t, "=") && *t.end != '=';
}

/* `reg [7:0] name [0:15];`, with another declaration before or behind it. An expression that ends
 * with the name has an operator before it. */
static bool is_declared(token_t before, char *end) {
  const token_t t = token_next(end);
  return (token_is(t, ";") || token_is(t, ",") || token_is(t, "=")) && (token_is(before, "]") || token_is_word(before));
}

/* What the text says of a name: it is declared as an array, and written outside of `initial`. */
static bool is_memory(char *text, token_t name) {
  bool declared = false, written = false;
  token_t before = {text, text};
  for (token_t t = token_next(text); t.begin < t.end;) {
    char *end = token_is(t, "initial") ? behind_statement(t.end) : NULL;
    char *indices = !end && is_same(t, name) ? behind_indices(t) : NULL;
    if (indices) declared |= is_declared(before, indices), written |= is_assigned(indices);
    before = t, t = token_next(end ? end : t.end);
  }
  return declared && written;
}

/* ---- loops */

static char *behind_fill(char *text, char *p);

/* Behind `begin ... end` of fills alone. */
static char *behind_fills(char *text, char *p) {
  token_t t = token_next(p);
  if (token_is(t, ":")) p = token_next(t.end).end, t = token_next(p);
  while (p && !token_is(t, "end")) {
    p = behind_fill(text, t.begin);
    t = p ? token_next(p) : t;
  }
  return p ? t.end : NULL;
}

/* Behind a statement that does no more than to fill memories; NULL: it does more. */
static char *behind_fill(char *text, char *p) {
  const token_t t = token_next(p);
  if (t.begin == t.end) return NULL;
  if (token_is(t, "begin")) return behind_fills(text, t.end);
  if (token_is(t, "for")) {
    char *body = token_brackets(token_next(t.end).begin);
    return body ? behind_fill(text, body) : NULL;
  }
  char *indices = token_is_word(t) ? behind_indices(t) : NULL;
  return indices && is_assigned(indices) && is_memory(text, t) ? behind_semicolon(indices) : NULL;
}

/* Leaves an empty statement. */
static void blank_loop(char *begin, const char *end) {
  for (char *p = begin; p < end; p++)
    if (*p != '\n' && !(*p == '\\' && (p[1] == '\n' || p[1] == '\r'))) *p = ' ';
  *begin = ';';
}

/* The loops of a statement of `initial`. */
static bool drop_loops(char *text, char *begin, const char *end) {
  bool some = false;
  for (token_t t = token_next(begin); t.begin < end && t.begin < t.end;) {
    char *behind = token_is(t, "for") ? behind_fill(text, t.begin) : NULL;
    if (behind) blank_loop(t.begin, behind), some = true;
    t = token_next(behind ? behind : t.end);
  }
  return some;
}

bool memory_fills_drop(char *text) {
  bool some = false;
  for (token_t t = token_next(text); t.begin < t.end; t = token_next(t.end)) {
    char *end = token_is(t, "initial") ? behind_statement(t.end) : NULL;
    if (end && drop_loops(text, t.end, end)) some = true;
  }
  return some;
}
