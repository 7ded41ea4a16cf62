/* SPDX-License-Identifier: Apache-2.0 */
#include "as_simulated.h"

#include "verilog_token.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

typedef struct {
  bool synthesised;
  bool attribute; /* between (* and *) */
  unsigned bind;  /* offset of the first `bind`, for its line */
  char *text;
} reading_t;

/* The position behind the word that ends this construct, such as `endproperty`; NULL: none. */
static char *skip_to(char *p, const char *word) {
  token_t t = token_next(p);
  while (t.begin < t.end && !token_is(t, word) && !token_is(t, "endmodule")) t = token_next(t.end);
  return token_is(t, word) ? t.end : NULL;
}

/* ---- statements that may be blanked */

/* True if each `ifdef in the range has its `endif, so that blanking leaves the rest as it was. */
static bool has_whole_branches(char *begin, const char *end) {
  static const char *const opens[] = {"`ifdef", "`ifndef", NULL}, *const turns[] = {"`else", "`elsif", NULL};
  unsigned depth = 0;
  for (token_t t = token_next(begin); t.begin < end && t.begin < t.end; t = token_next(t.end)) {
    if (token_is_one(t, opens)) depth++;
    else if (!depth && (token_is_one(t, turns) || token_is(t, "`endif"))) return false;
    else if (token_is(t, "`endif")) depth--;
  }
  return !depth;
}

static bool blank(char *begin, const char *end) {
  if (!has_whole_branches(begin, end)) return false;
  for (char *p = begin; p < end; p++)
    if (*p != '\n' && !(*p == '\\' && (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n')))) *p = ' ';
  return true;
}

/* True for an assignment operator, an increment or a decrement. */
static bool assigns(token_t t) {
  return *t.begin == '=' || (*t.begin == '<' && *t.end == '=') || (*t.begin == '+' && *t.end == '+') ||
         (*t.begin == '-' && *t.end == '-');
}

/* The position behind a statement that assigns nothing, with its `;` or `end`. A macro's text may
 * end without `;`. NULL: the statement assigns, calls a task, or is none. */
static char *skip_silent(char *p) {
  static const char *const words[] = {"begin", "end", "if", "else", "assert", NULL};
  unsigned blocks = 0;
  token_t last = {p, p};
  for (token_t t = token_next(p);; last = t, t = token_next(t.end)) {
    if (t.begin == t.end) return blocks ? NULL : t.begin;
    if (assigns(t) ||
        (token_is_word(t) && !token_is_one(t, words) && !token_is(last, ":") && !token_is(token_next(t.end), ":")))
      return NULL;
    if (token_is(t, "begin")) blocks++;
    else if (token_is(t, "end") && (!blocks || --blocks == 0)) return blocks ? NULL : t.end;
    else if (token_is(t, ";") && !blocks) return t.end;
    if (*t.begin == '(' || *t.begin == '[' || *t.begin == '{') {
      t.end = token_brackets(t.begin);
      if (!t.end) return NULL;
    }
  }
}

/* The position behind an assertion's actions, `$info(...); else begin $error(...); end`, which may
 * be empty. NULL: they assign, or cannot be parsed. */
static char *skip_action(char *p) {
  token_t t = token_next(p);
  if (t.begin == t.end || token_is(t, ";")) return p;
  if (*t.begin == '$' || token_is(t, "begin")) p = skip_silent(t.begin);
  else if (!token_is(t, "else")) return NULL;
  if (p) t = token_next(p);
  return p && token_is(t, "else") ? skip_silent(t.end) : p;
}

/* True if the blanked range has a `;` of its own. Otherwise the `;` follows, or stands where a
 * macro is used. */
static bool is_closed(const char *action, const char *end) {
  return end > action && (end[-1] == ';' || (end - action > 3 && strncmp(end - 3, "end", 3) == 0));
}

/* Blanks `assert property (...) ...;` with its label. */
static char *blank_concurrent(char *begin, token_t property) {
  const token_t open = token_next(property.end);
  char *action = *open.begin == '(' ? token_brackets(open.begin) : NULL, *end = action ? skip_action(action) : NULL;
  const bool closed = end && is_closed(action, end);
  if (!end || !blank(begin, end)) return property.end;
  if (closed) end[-1] = ';';
  return end;
}

static bool has_macro(char *begin, const char *end) {
  for (token_t t = token_next(begin); t.begin < end && t.begin < t.end; t = token_next(t.end))
    if (*t.begin == '`') return true;
  return false;
}

/* Turns `assert (x) else count(1);` into `if   (x); else count(1);`, without the label. */
static void ask_instead(char *begin, token_t kind, char *condition, char *action) {
  if (!blank(begin, kind.end)) return;
  memcpy(kind.begin, "if", 2);
  if (!token_is(token_next(action), "else")) return;
  memmove(condition - 1, condition, (size_t)(action - condition));
  action[-1] = ';';
}

/* Blanks the actions of `assert (x) else $error("...");` and keeps the condition. Actions that do
 * more than print are kept as statements. */
static char *blank_failure(char *begin, token_t kind) {
  token_t open = token_next(kind.end);
  if (token_is(open, "#")) { /* deferred: #0 */
    const token_t zero = token_next(open.end), after = token_next(zero.end);
    if (!token_is(zero, "0") || !token_is(after, "(") || !blank(open.begin, zero.end)) return kind.end;
    open = after;
  }
  char *action = token_is(open, "(") ? token_brackets(open.begin) : NULL, *end = action ? skip_action(action) : NULL;
  if (!action) return kind.end;
  const token_t first = token_next(action);
  if (end && !has_macro(action, end)) {
    if (end > action && blank(action, end)) *(char *)memchr(action, ' ', (size_t)(end - action)) = ';';
  } else if (token_is(first, "else") || token_is_word(first) || *first.begin == '$')
    ask_instead(begin, kind, open.begin, action);
  return kind.end;
}

static char *blank_region(char *begin, token_t word, const char *until) {
  char *end = skip_to(word.end, until);
  if (!end) return word.end;
  const token_t colon = token_next(end); /* endproperty : name */
  if (token_is(colon, ":")) end = token_next(colon.end).end;
  return blank(begin, end) ? end : word.end;
}

/* `default clocking name;` has no end keyword. */
static char *blank_clocking(char *begin, token_t word) {
  const token_t name = token_next(word.end), behind = token_next(name.end);
  if (!token_is(behind, ";")) return blank_region(begin, word, "endclocking");
  return blank(begin, behind.begin) ? behind.end : word.end;
}

/* Blanks `default disable iff (...);` */
static char *blank_disable(char *begin, token_t word) {
  const token_t iff = token_next(word.end), open = token_next(iff.end);
  char *end = token_is(iff, "iff") && token_is(open, "(") ? token_brackets(open.begin) : NULL;
  return end && blank(begin, end) ? end : word.end;
}

/* Blanks `$display(...)` as a statement; its `;` stays. */
static char *blank_task(token_t task) {
  const token_t open = token_next(task.end);
  char *end = *open.begin == '(' ? token_brackets(open.begin) : task.end;
  if (!end) return task.end;
  const token_t behind = token_next(end);
  return (token_is(behind, ";") || behind.begin == behind.end) && blank(task.begin, end) ? end : task.end;
}

static char *blank_final(token_t word, token_t next) {
  static const char *const begins[] = {"begin", "if", "assert", NULL};
  char *end = token_is_one(next, begins) || *next.begin == '$' ? skip_silent(word.end) : NULL;
  return end && blank(word.begin, end) ? end : word.end;
}

/* ---- words that synthesis alone knows */

static void blank_words(char *begin, const char *end, const char *const *words) {
  for (; *words; words++)
    for (char *p = begin; (p = memmem(p, (size_t)(end - p), *words, strlen(*words))); p += strlen(*words))
      memset(p, 'x', strlen(*words));
}

/* Blanks synthesis comments between two tokens; comments are no tokens. */
static void blank_comments(char *begin, char *end) {
  static const char *const words[] = {"translate_off", "translate_on", "synthesis_off", "synthesis_on", NULL};
  for (char *p = begin; p < end; p++) {
    if (*p != '/' || (p[1] != '/' && p[1] != '*')) continue;
    char *behind = token_comment(p);
    blank_words(p, behind, words);
    p = behind - 1;
  }
}

static void as_written(reading_t *r, token_t last, token_t t) {
  static const char *const boxes[] = {"blackbox", "whitebox", "lib_whitebox", NULL};
  static const char *const questions[] = {"`ifdef", "`ifndef", "`elsif", NULL};
  if (token_is(t, "(*")) r->attribute = true;
  else if (token_is(t, "*)")) r->attribute = false;
  else if (r->attribute && token_is_one(t, boxes)) memset(t.begin, 'x', (size_t)(t.end - t.begin));
  else if (token_is_one(last, questions) && token_is(t, "YOSYS")) memcpy(t.begin, "YOSYx", 5);
}

/* ---- the text */

static unsigned line_of(const char *text, const char *place) {
  unsigned line = 1;
  for (const char *p = text; p < place; p++) line += *p == '\n';
  return line;
}

/* The begin of a statement with its label or `default` before it. */
static char *begins(token_t before, token_t last, token_t t) {
  if (token_is(last, "default") || token_is(last, "global")) return last.begin;
  return token_is(last, ":") && (isalpha((unsigned char)*before.begin) || *before.begin == '_') &&
                 !token_is(before, "default") && !token_is(before, "begin")
             ? before.begin
             : t.begin;
}

/* The position behind the token, or behind the text that was blanked. */
static char *take(reading_t *r, token_t before, token_t last, token_t t) {
  static const char *const kinds[] = {"assert", "assume", "cover", "restrict", NULL};
  static const char *const tasks[] = {"$display",    "$displayb",   "$displayh", "$displayo", "$write",    "$writeb",
                                      "$writeh",     "$writeo",     "$monitor",  "$strobe",   "$error",    "$fatal",
                                      "$warning",    "$info",       "$finish",   "$stop",     "$fdisplay", "$fwrite",
                                      "$fclose",     "$fflush",     "$dumpfile", "$dumpvars", "$asserton", "$assertoff",
                                      "$assertkill", "$timeformat", NULL};
  char *begin = begins(before, last, t);
  const token_t next = isalpha((unsigned char)*t.begin) ? token_next(t.end) : t;
  if (token_is_one(t, kinds) && (token_is(next, "property") || token_is(next, "sequence")))
    return blank_concurrent(begin, next);
  if (token_is_one(t, kinds)) return blank_failure(begin, t);
  if (token_is(t, "property")) return blank_region(t.begin, t, "endproperty");
  if (token_is(t, "sequence")) return blank_region(t.begin, t, "endsequence");
  if (token_is(t, "covergroup")) return blank_region(t.begin, t, "endgroup");
  if (token_is(t, "clocking")) return blank_clocking(begin, t);
  if (token_is(t, "disable") && token_is(last, "default")) return blank_disable(last.begin, t);
  if (token_is_one(t, tasks)) return blank_task(t);
  if (token_is(t, "final")) return blank_final(t, next);
  if (token_is(t, "bind") && !r->bind && next.begin < next.end && isalpha((unsigned char)*next.begin))
    r->bind = line_of(r->text, t.begin);
  return t.end;
}

static void read_text(reading_t *r, char *text);

/* Reads a macro's body as a text of its own: blanking must not reach beyond it. Returns the
 * position behind it. */
static char *read_macro(reading_t *r, char *body) {
  char *end = body + strcspn(body, "\n");
  while (*end && (end[-1] == '\\' || (end[-1] == '\r' && end[-2] == '\\'))) end += 1 + strcspn(end + 1, "\n");
  const char kept = *end;
  *end = 0;
  read_text(r, body);
  *end = kept;
  return end;
}

/* Goes through all tokens and blanks what Yosys should not see. */
static void read_text(reading_t *r, char *text) {
  token_t before = {text, text}, last = before;
  for (char *p = text;;) {
    const token_t t = token_next(p);
    if (!r->synthesised) blank_comments(p, t.begin), as_written(r, last, t);
    if (t.begin == t.end) return;
    p = token_is(t, "`define") ? read_macro(r, t.end) : take(r, before, last, t);
    before = last, last = t;
  }
}

unsigned as_simulated(char *text, bool synthesised) {
  reading_t r = {.synthesised = synthesised, .text = text};
  read_text(&r, text);
  return r.bind;
}
