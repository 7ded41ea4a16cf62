/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilator says in which line an assertion stands, not what it says: the statement is read from
 * there on, up to the parenthesis that closes its condition.
 */
#include "source_text.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* a report quotes what fits */

enum { STATEMENT_LINES = 20, STATEMENT = 4096 };

const char *source_short(const char *path) {
  static _Thread_local char real[PATH_MAX];
  char here[SOURCE_PATH];
  if (realpath(path, real)) path = real; /* a folder may have been built by a link to it (build.c) */
  size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
  return n && strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* Lines `line` and up to `more` after it, one after the other. */
static bool read_lines(const char *path, unsigned line, unsigned more, char *text, size_t size) {
  FILE *file = fopen(path, "r");
  char *row = NULL;
  size_t room = 0, n = 0;
  unsigned at = 0;
  text[0] = 0;
  while (file && at < line + more && getline(&row, &room, file) > 0)
    if (++at >= line && n < size) n += (size_t)snprintf(text + n, size - n, "%s", row);
  free(row);
  if (file) fclose(file);
  return at >= line && line > 0;
}

bool source_line(const char *path, unsigned line, char text[SOURCE_TEXT]) {
  if (!path || !read_lines(path, line, 0, text, SOURCE_TEXT)) return false;
  size_t from = strspn(text, " \t"), n = strlen(text);
  while (n > from && isspace((unsigned char)text[n - 1])) n--;
  memmove(text, text + from, n - from);
  text[n - from] = 0;
  return n > from;
}

/* A line's comment becomes blanks. */
static void without_comments(char *text) {
  for (char *p = text; (p = strstr(p, "//"));) {
    size_t n = strcspn(p, "\n");
    memset(p, ' ', n);
  }
}

static bool word_at(const char *text, const char *p, const char *word) {
  size_t n = strlen(word);
  bool before = p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_');
  return !before && strncmp(p, word, n) == 0 && !isalnum((unsigned char)p[n]) && p[n] != '_';
}

static const char *find_assert(const char *text) {
  for (const char *p = text; (p = strstr(p, "assert")); p++)
    if (word_at(text, p, "assert")) return p;
  return NULL;
}

/* The condition between its parentheses, blanks and line ends as one blank each. */
static bool condition(const char *p, char text[SOURCE_TEXT]) {
  size_t n = 0;
  int open = 0;
  for (p += strcspn(p, "(;"); *p; p++) {
    if (*p == ')' && --open == 0) break;
    bool blank = isspace((unsigned char)*p);
    if (open > 0 && n + 1 < SOURCE_TEXT && !(blank && (!n || text[n - 1] == ' '))) text[n++] = blank ? ' ' : *p;
    if (*p == '(') open++;
    if (*p == ';' && open == 0) break;
  }
  while (n && text[n - 1] == ' ') n--;
  text[n] = 0;
  return n > 0;
}

/* "name" of "name: assert (...)". */
static void label_before(const char *text, const char *at, char label[SOURCE_TEXT]) {
  const char *end = at;
  label[0] = 0;
  while (end > text && isspace((unsigned char)end[-1])) end--;
  if (end == text || *--end != ':') return;
  while (end > text && isspace((unsigned char)end[-1])) end--;
  const char *from = end;
  while (from > text && (isalnum((unsigned char)from[-1]) || from[-1] == '_' || from[-1] == '$')) from--;
  snprintf(label, SOURCE_TEXT, "%.*s", (int)(end - from), from);
}

/* "FILE:LINE: Assertion failed in INSTANCE: ..." */
static bool take_apart(const char *text, source_assertion_t *a) {
  static const char says[] = ": Assertion failed in ";
  const char *failed = strstr(text, says), *colon = failed;
  if (!failed) return false;
  while (colon > text && colon[-1] != ':') colon--;
  if (colon == text) return false;
  a->line = (unsigned)strtoul(colon, NULL, 10);
  snprintf(a->file, sizeof a->file, "%.*s", (int)(colon - 1 - text), text);
  const char *instance = failed + strlen(says);
  snprintf(a->instance, sizeof a->instance, "%.*s", (int)strcspn(instance, ": "), instance);
  return true;
}

/* The label and blocks without a name, which Verilator counts as scopes, are not instances. */
static void without_scopes(source_assertion_t *a) {
  char *dot;
  while ((dot = strrchr(a->instance, '.')) &&
         (strncmp(dot + 1, "unnamedblk", 10) == 0 || (*a->label && strcmp(dot + 1, a->label) == 0)))
    *dot = 0;
}

bool source_assertion(const char *text, source_assertion_t *a) {
  char lines[STATEMENT];
  memset(a, 0, sizeof *a);
  if (!take_apart(text, a) || !read_lines(a->file, a->line, STATEMENT_LINES, lines, sizeof lines)) return false;
  without_comments(lines);
  const char *at = find_assert(lines);
  if (!at || at > lines + strcspn(lines, "\n") || !condition(at, a->text)) return false;
  label_before(lines, at, a->label);
  without_scopes(a);
  return true;
}
