/* SPDX-License-Identifier: Apache-2.0
 *
 * A LEF file consists of words separated by blanks. A statement ends with a word ";", a group with
 * END. This reader looks into MACRO, and into groups of a MACRO with an END of their own: PIN,
 * PORT, OBS, DENSITY. Keywords may be in any case.
 */
#include "lef.h"

#include "packed.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORD = 256 };

typedef struct {
  const char *file, *at;
  unsigned line;
  char word[WORD];
  trouble_t *trouble;
  bool bad;
  bool lef; /* the file has a MACRO or END LIBRARY */
} scan_t;

static bool wrong_lef(scan_t *s, unsigned line, const char *what, const char *name) {
  if (!s->bad) trouble_set(s->trouble, TROUBLE_INPUT, "%s:%u: %s%s", s->file, line, what, name);
  s->bad = true;
  return false;
}

/* ---- words */

static void skip_blanks(scan_t *s) {
  for (; *s->at; s->at++) {
    if (*s->at == '#') s->at += strcspn(s->at, "\n") - 1;
    else if (*s->at == '\n') s->line++;
    else if (!isspace((unsigned char)*s->at)) return;
  }
}

static bool read_quoted(scan_t *s) {
  const char *end = strchr(s->at + 1, '"');
  if (!end) return wrong_lef(s, s->line, "a text in quotes without an end: the file is cut off", "");
  for (; s->at < end; s->at++) s->line += *s->at == '\n';
  s->at++;
  return true;
}

/* Reads the next word. False: no more words, or s->bad. A quoted text is the word "\"". */
static bool next_lef_word(scan_t *s) {
  skip_blanks(s);
  if (s->bad || !*s->at) return false;
  if (*s->at == '"') return strcpy(s->word, "\""), read_quoted(s);
  size_t n = *s->at == ';' ? 1 : strcspn(s->at, " \t\r\n\f\v;\"");
  snprintf(s->word, sizeof s->word, "%.*s", (int)(n < WORD ? n : WORD - 1), s->at);
  s->at += n;
  return true;
}

static bool is_lef_word(const scan_t *s, const char *keyword) {
  return strcasecmp(s->word, keyword) == 0;
}

/* Skips to the end of this statement. */
static bool to_end(scan_t *s) {
  while (strcmp(s->word, ";"))
    if (!next_lef_word(s)) return false;
  return true;
}

static bool to_word(scan_t *s, const char *keyword) {
  while (next_lef_word(s))
    if (is_lef_word(s, keyword)) return true;
  return false;
}

/* ---- groups */

/* Skips a group of a MACRO, behind "PIN", "PORT", "OBS" or "DENSITY", up to its END. */
static bool skip_group(scan_t *s, bool named) {
  if (named && !next_lef_word(s)) return false;
  while (next_lef_word(s)) {
    if (is_lef_word(s, "END")) return !named || next_lef_word(s);
    if (is_lef_word(s, "PORT")) {
      if (!skip_group(s, false)) return false;
    } else if (!to_end(s)) return false;
  }
  return false;
}

static bool read_size(scan_t *s, double *um2) {
  const unsigned line = s->line;
  double size[2];
  for (unsigned i = 0; i < 2; i++) {
    char *end;
    if ((i && (!next_lef_word(s) || !is_lef_word(s, "BY"))) || !next_lef_word(s))
      return wrong_lef(s, line, "SIZE should be: SIZE width BY height ;", "");
    size[i] = strtod(s->word, &end);
    if (*end || end == s->word || !(size[i] > 0 && size[i] < 1e9))
      return wrong_lef(s, line, "SIZE should be: SIZE width BY height ;, not of ", s->word);
  }
  *um2 = size[0] * size[1];
  return to_end(s);
}

static bool add_lef_macro(lef_t *l, scan_t *s, const lef_macro_t *m) {
  for (const lef_macro_t *o = l->macros; o < l->macros + l->count; o++) {
    if (strcmp(o->name, m->name)) continue;
    const double far = o->um2 - m->um2;
    if (far < 1e-9 && far > -1e-9) return true;
    s->bad = true;
    return trouble_set(s->trouble, TROUBLE_INPUT,
                       "%s: MACRO %s is of another size than at %s: one of each name would be right", m->place, m->name,
                       o->place);
  }
  lef_macro_t *more = realloc(l->macros, (l->count + 1) * sizeof *more);
  if (more) l->macros = more, more[l->count] = *m, more[l->count].name = strdup(m->name);
  if (!more || !more[l->count].name) return s->bad = true, trouble_memory(s->trouble);
  l->count++;
  return true;
}

static bool read_macro(lef_t *l, scan_t *s) {
  char name[WORD];
  lef_macro_t m = {.name = name, .um2 = -1};
  const unsigned line = s->line;
  if (!next_lef_word(s)) return wrong_lef(s, line, "a MACRO without a name: the file is cut off", "");
  strcpy(name, s->word);
  snprintf(m.place, sizeof m.place, "%.560s:%u", s->file, line);
  while (next_lef_word(s)) {
    bool ok = true;
    if (is_lef_word(s, "END"))
      return (next_lef_word(s) && !strcmp(s->word, name) && (m.um2 < 0 || add_lef_macro(l, s, &m))) ||
             wrong_lef(s, line, "MACRO has another END: ", name);
    if (is_lef_word(s, "SIZE")) ok = read_size(s, &m.um2);
    else if (is_lef_word(s, "PIN") || is_lef_word(s, "OBS") || is_lef_word(s, "DENSITY"))
      ok = skip_group(s, is_lef_word(s, "PIN"));
    else ok = to_end(s);
    if (!ok) break;
  }
  return wrong_lef(s, line, "a MACRO without an end, the file is cut off: ", name);
}

/* Reads the whole file. At the top level, END is followed by a group's name or LIBRARY. */
static bool read_all(lef_t *l, scan_t *s) {
  while (next_lef_word(s)) {
    if (is_lef_word(s, "MACRO")) {
      s->lef = true;
      if (!read_macro(l, s)) return false;
    } else if (is_lef_word(s, "PROPERTYDEFINITIONS")) { /* in there, MACRO is the kind of a property */
      const unsigned line = s->line;
      while (to_word(s, "END"))
        if (next_lef_word(s) && is_lef_word(s, "PROPERTYDEFINITIONS")) break;
      if (!is_lef_word(s, "PROPERTYDEFINITIONS"))
        return wrong_lef(s, line, "PROPERTYDEFINITIONS without an END: the file is cut off", "");
    } else if (is_lef_word(s, "BEGINEXT")) {
      const unsigned line = s->line;
      if (!to_word(s, "ENDEXT")) return wrong_lef(s, line, "BEGINEXT without ENDEXT: the file is cut off", "");
    } else if (is_lef_word(s, "END") && next_lef_word(s) && is_lef_word(s, "LIBRARY")) return s->lef = true;
  }
  return !s->bad;
}

bool lef_add(lef_t *l, const char *path, trouble_t *trouble) {
  char *text = packed_read(path, path, "LEF file", trouble);
  scan_t s = {.file = path, .at = text, .line = 1, .trouble = trouble};
  bool ok = text && read_all(l, &s);
  if (ok && !s.lef)
    ok = trouble_set(trouble, TROUBLE_INPUT,
                     "%s: no LEF file: it has no 'MACRO NAME ... SIZE width BY height ; ... END NAME'", path);
  free(text);
  return ok;
}

void lef_free(lef_t *l) {
  for (size_t i = 0; i < l->count; i++) free(l->macros[i].name);
  free(l->macros);
  *l = (lef_t){0};
}

double lef_um2(const lef_t *l, const char *cell) {
  for (const lef_macro_t *m = l->macros; m < l->macros + l->count; m++)
    if (strcmp(m->name, cell) == 0) return m->um2;
  return -1;
}
