/* SPDX-License-Identifier: Apache-2.0 */
#include "vhdl_scan.h"

#include "file.h"
#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words */

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0xa0;
}

static void skip_to(vhdl_text_t *t, const char *end) {
  for (; t->at < end; t->at++) t->line += *t->at == '\n';
}

/* Skips blanks and comments. */
static void skip_space(vhdl_text_t *t) {
  while (*t->at) {
    const char *end = NULL;
    if (isspace((unsigned char)*t->at)) end = t->at + 1;
    else if (strncmp(t->at, "--", 2) == 0) end = strchrnul(t->at, '\n');
    else if (strncmp(t->at, "/*", 2) == 0) end = strstr(t->at, "*/") ? strstr(t->at, "*/") + 2 : strchr(t->at, 0);
    if (!end) return;
    skip_to(t, end);
  }
}

/* The end of the word that begins at `p`. */
static const char *word_end(const char *p) {
  const char *end = p + 1;
  if (is_name(*p)) {
    while (is_name(*end)) end++;
  } else if (*p == '"' || *p == '\\') {
    end += strcspn(end, *p == '"' ? "\"\n" : "\\\n");
    end += *end == *p;
  } else if (*p == '\'' && p[1] && p[2] == '\'') end = p + 3; /* '0'; an attribute's tick stands alone */
  return end;
}

bool vhdl_word(vhdl_text_t *t) {
  skip_space(t);
  if (!*t->at) return false;
  t->begin = t->at;
  const char *end = word_end(t->at);
  snprintf(t->word, sizeof t->word, "%.*s", (int)(end - t->at), t->at);
  if (*t->begin != '\\')
    for (char *p = t->word; *p; p++) *p = (char)tolower((unsigned char)*p);
  if (*t->begin == '"') snprintf(t->word, sizeof t->word, "\"");
  t->at = end;
  return true;
}

/* ---- units */

enum { BACK = 3 }; /* words that are remembered */

typedef struct {
  vhdl_see_t *see;
  void *context;
  words_t libraries; /* that the file names, and "work" */
  char before[BACK][VHDL_WORD];
  bool in_library; /* within `library a, b;` */
} scan_t;

static bool is(const scan_t *s, unsigned back, const char *word) {
  return strcmp(s->before[back], word) == 0;
}

/* Is the word behind `entity`, `package` ... the name of a declaration? */
static bool declares(const scan_t *s, const char *kind) {
  return is(s, 0, kind) && !is(s, 1, "end") && !is(s, 1, ":") && !is(s, 1, "use");
}

/* `name`: the word at which `t` stands. What follows says whether LIBRARY.UNIT or a declaration. */
static void see_declared(scan_t *s, vhdl_unit_t kind, const vhdl_text_t *t) {
  vhdl_text_t next = *t;
  if (vhdl_word(&next) && strcmp(next.word, "is") == 0) s->see(s->context, kind, "", t->word, t->line);
}

/* `label : name port map`, `generic map`, or `label : component name`. */
static void see_instance(scan_t *s, const vhdl_text_t *t) {
  vhdl_text_t next = *t;
  if (is(s, 0, "component") && is(s, 1, ":")) s->see(s->context, VHDL_COMPONENT, "", t->word, t->line);
  if (!is(s, 0, ":") || !vhdl_word(&next)) return;
  const bool maps = strcmp(next.word, "port") == 0 || strcmp(next.word, "generic") == 0;
  if (maps && vhdl_word(&next) && strcmp(next.word, "map") == 0)
    s->see(s->context, VHDL_COMPONENT, "", t->word, t->line);
}

static void see_word(scan_t *s, const vhdl_text_t *t) {
  if (!is_name(*t->word) && *t->word != '\\') return;
  if (s->in_library) words_add_new(&s->libraries, t->word);
  if (declares(s, "entity")) see_declared(s, VHDL_ENTITY, t);
  if (declares(s, "package") || declares(s, "context")) see_declared(s, VHDL_PACKAGE, t);
  if (is(s, 0, "body") && is(s, 1, "package") && !is(s, 2, "end")) s->see(s->context, VHDL_BODY, "", t->word, t->line);
  if (is(s, 0, "of") && is(s, 2, "architecture")) s->see(s->context, VHDL_BODY, "", t->word, t->line);
  if (is(s, 0, ".") && words_has(&s->libraries, s->before[1]))
    s->see(s->context, VHDL_NAMES, s->before[1], t->word, t->line);
  see_instance(s, t);
}

bool vhdl_scan(const char *path, vhdl_see_t *see, void *context) {
  char *text = file_read(path);
  if (!text) return false;
  scan_t s = {.see = see, .context = context};
  vhdl_text_t t = {.at = text, .line = 1};
  words_add(&s.libraries, "work");
  while (vhdl_word(&t)) {
    if (strcmp(t.word, ";") == 0) s.in_library = false;
    see_word(&s, &t);
    if (strcmp(t.word, "library") == 0) s.in_library = true;
    memmove(s.before[1], s.before[0], sizeof s.before - sizeof *s.before);
    snprintf(s.before[0], sizeof s.before[0], "%s", t.word);
  }
  words_free(&s.libraries);
  free(text);
  return true;
}
