/* SPDX-License-Identifier: Apache-2.0 */
#include "as_simulated.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* A token: [begin, end). Blanks and comments are none;
 * neither is the `\` that goes on with a `define. */
typedef struct {
  char *begin, *end;
} token_t;

typedef struct {
  bool synthesised;
  bool attribute; /* between (* and *) */
  unsigned bind;  /* its place, counted in lines */
  char *text;
} reading_t;

/* ---- tokens */

static bool is_name(int c) {
  return isalnum(c) || c == '_' || c == '$';
}

static char *skip_comment(char *p) {
  if (p[1] == '/') return p + strcspn(p, "\n");
  char *end = strstr(p + 2, "*/");
  return end ? end + 2 : p + strlen(p);
}

static char *skip_string(char *p) {
  for (p++; *p && *p != '"' && *p != '\n'; p++) p += *p == '\\' && p[1];
  return p + (*p == '"');
}

static token_t next_token(char *p) {
  for (;;) {
    p += strspn(p, " \t\r\n\f\v");
    if (*p == '/' && (p[1] == '/' || p[1] == '*')) p = skip_comment(p);
    else if (*p == '\\' && (p[1] == '\n' || p[1] == '\r')) p++;
    else break;
  }
  char *end = p;
  if (*p == '"') end = skip_string(p);
  else if (*p == '\\') end = p + strcspn(p, " \t\r\n");
  else if (*p == '(' && p[1] == '*' && p[2 + strspn(p + 2, " \t\r\n")] != ')') end = p + 2;
  else if (*p == '*' && p[1] == ')') end = p + 2;
  else if (is_name((unsigned char)*p) || (*p == '`' && is_name((unsigned char)p[1])))
    for (end = p + 1; is_name((unsigned char)*end);) end++;
  else if (*p) end = p + 1;
  return (token_t){p, end};
}

static bool is(token_t t, const char *word) {
  const size_t n = strlen(word);
  return (size_t)(t.end - t.begin) == n && strncmp(t.begin, word, n) == 0;
}

static bool is_word(token_t t) {
  return isalpha((unsigned char)*t.begin) || *t.begin == '_' || *t.begin == '\\';
}

static bool is_one_of(token_t t, const char *const *words) {
  for (; *words; words++)
    if (is(t, *words)) return true;
  return false;
}

/* Behind the bracket that belongs to the one that begins here; NULL: none. */
static char *skip_brackets(char *p) {
  unsigned depth = 0;
  for (token_t t = next_token(p); t.begin < t.end; t = next_token(t.end)) {
    if (strchr("([{", *t.begin)) depth++;
    else if (strchr(")]}", *t.begin) || is(t, "*)")) depth--;
    else if (is(t, "endmodule")) return NULL;
    if (!depth) return t.end;
  }
  return NULL;
}

/* Behind the word that ends what begins here, as `endproperty` does; NULL: none. */
static char *skip_to(char *p, const char *word) {
  token_t t = next_token(p);
  while (t.begin < t.end && !is(t, word) && !is(t, "endmodule")) t = next_token(t.end);
  return is(t, word) ? t.end : NULL;
}

/* ---- statements that may be blanked */

/* Does each `ifdef have its `endif, so that what is left is read as before? */
static bool has_whole_branches(char *begin, const char *end) {
  static const char *const opens[] = {"`ifdef", "`ifndef", NULL}, *const turns[] = {"`else", "`elsif", NULL};
  unsigned depth = 0;
  for (token_t t = next_token(begin); t.begin < end && t.begin < t.end; t = next_token(t.end)) {
    if (is_one_of(t, opens)) depth++;
    else if (!depth && (is_one_of(t, turns) || is(t, "`endif"))) return false;
    else if (is(t, "`endif")) depth--;
  }
  return !depth;
}

static bool blank(char *begin, const char *end) {
  if (!has_whole_branches(begin, end)) return false;
  for (char *p = begin; p < end; p++)
    if (*p != '\n' && !(*p == '\\' && (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n')))) *p = ' ';
  return true;
}

static bool assigns(token_t t) {
  return *t.begin == '=' || (*t.begin == '<' && *t.end == '=') || (*t.begin == '+' && *t.end == '+') ||
         (*t.begin == '-' && *t.end == '-');
}

/* Behind a statement that assigns nothing, its `;` or `end` with it; at the end of a macro's text
 * there is no `;`. NULL: it assigns, calls a task, or is no statement. */
static char *skip_silent(char *p) {
  static const char *const words[] = {"begin", "end", "if", "else", "assert", NULL};
  unsigned blocks = 0;
  token_t last = {p, p};
  for (token_t t = next_token(p);; last = t, t = next_token(t.end)) {
    if (t.begin == t.end) return blocks ? NULL : t.begin;
    if (assigns(t) || (is_word(t) && !is_one_of(t, words) && !is(last, ":") && !is(next_token(t.end), ":")))
      return NULL;
    if (is(t, "begin")) blocks++;
    else if (is(t, "end") && (!blocks || --blocks == 0)) return blocks ? NULL : t.end;
    else if (is(t, ";") && !blocks) return t.end;
    if (*t.begin == '(' || *t.begin == '[' || *t.begin == '{') {
      t.end = skip_brackets(t.begin);
      if (!t.end) return NULL;
    }
  }
}

/* Behind what an assertion does, `$info(...); else begin $error(...);
 * end`, which may be nothing. NULL: it assigns, or cannot be told. */
static char *skip_action(char *p) {
  token_t t = next_token(p);
  if (t.begin == t.end || is(t, ";")) return p;
  if (*t.begin == '$' || is(t, "begin")) p = skip_silent(t.begin);
  else if (!is(t, "else")) return NULL;
  if (p) t = next_token(p);
  return p && is(t, "else") ? skip_silent(t.end) : p;
}

/* Was there a `;` of its own among what is blanked?
 * Else it is behind it, or where a macro is used. */
static bool is_closed(const char *action, const char *end) {
  return end > action && (end[-1] == ';' || (end - action > 3 && strncmp(end - 3, "end", 3) == 0));
}

/* `assert property (...) ...;`, with the label before it. */
static char *blank_concurrent(char *begin, token_t property) {
  const token_t open = next_token(property.end);
  char *action = *open.begin == '(' ? skip_brackets(open.begin) : NULL, *end = action ? skip_action(action) : NULL;
  const bool closed = end && is_closed(action, end);
  if (!end || !blank(begin, end)) return property.end;
  if (closed) end[-1] = ';';
  return end;
}

static bool has_macro(char *begin, const char *end) {
  for (token_t t = next_token(begin); t.begin < end && t.begin < t.end; t = next_token(t.end))
    if (*t.begin == '`') return true;
  return false;
}

/* `assert (x) else count(1);` becomes `if   (x); else count(1);`, without the label. */
static void ask_instead(char *begin, token_t kind, char *condition, char *action) {
  if (!blank(begin, kind.end)) return;
  memcpy(kind.begin, "if", 2);
  if (!is(next_token(action), "else")) return;
  memmove(condition - 1, condition, (size_t)(action - condition));
  action[-1] = ';';
}

/* `assert (x) else $error("...");`: what is behind the condition,
 * which stays. What it does may be more than to say something. */
static char *blank_failure(char *begin, token_t kind) {
  token_t open = next_token(kind.end);
  if (is(open, "#")) { /* deferred: #0 */
    const token_t zero = next_token(open.end), after = next_token(zero.end);
    if (!is(zero, "0") || !is(after, "(") || !blank(open.begin, zero.end)) return kind.end;
    open = after;
  }
  char *action = is(open, "(") ? skip_brackets(open.begin) : NULL, *end = action ? skip_action(action) : NULL;
  if (!action) return kind.end;
  const token_t first = next_token(action);
  if (end && !has_macro(action, end)) {
    if (end > action && blank(action, end)) *(char *)memchr(action, ' ', (size_t)(end - action)) = ';';
  } else if (is(first, "else") || is_word(first) || *first.begin == '$') ask_instead(begin, kind, open.begin, action);
  return kind.end;
}

static char *blank_region(char *begin, token_t word, const char *until) {
  char *end = skip_to(word.end, until);
  if (!end) return word.end;
  const token_t colon = next_token(end); /* endproperty : name */
  if (is(colon, ":")) end = next_token(colon.end).end;
  return blank(begin, end) ? end : word.end;
}

/* `default clocking name;` has no end of its own. */
static char *blank_clocking(char *begin, token_t word) {
  const token_t name = next_token(word.end), behind = next_token(name.end);
  if (!is(behind, ";")) return blank_region(begin, word, "endclocking");
  return blank(begin, behind.begin) ? behind.end : word.end;
}

/* `default disable iff (...);` */
static char *blank_disable(char *begin, token_t word) {
  const token_t iff = next_token(word.end), open = next_token(iff.end);
  char *end = is(iff, "iff") && is(open, "(") ? skip_brackets(open.begin) : NULL;
  return end && blank(begin, end) ? end : word.end;
}

/* `$display(...)` as a statement; its `;` stays. */
static char *blank_task(token_t task) {
  const token_t open = next_token(task.end);
  char *end = *open.begin == '(' ? skip_brackets(open.begin) : task.end;
  if (!end) return task.end;
  const token_t behind = next_token(end);
  return (is(behind, ";") || behind.begin == behind.end) && blank(task.begin, end) ? end : task.end;
}

static char *blank_final(token_t word, token_t next) {
  static const char *const begins[] = {"begin", "if", "assert", NULL};
  char *end = is_one_of(next, begins) || *next.begin == '$' ? skip_silent(word.end) : NULL;
  return end && blank(word.begin, end) ? end : word.end;
}

/* ---- words that synthesis alone knows */

static void blank_words(char *begin, const char *end, const char *const *words) {
  for (; *words; words++)
    for (char *p = begin; (p = memmem(p, (size_t)(end - p), *words, strlen(*words))); p += strlen(*words))
      memset(p, 'x', strlen(*words));
}

/* Comments are no tokens: those between two of them. */
static void blank_comments(char *begin, char *end) {
  static const char *const words[] = {"translate_off", "translate_on", "synthesis_off", "synthesis_on", NULL};
  for (char *p = begin; p < end; p++) {
    if (*p != '/' || (p[1] != '/' && p[1] != '*')) continue;
    char *behind = skip_comment(p);
    blank_words(p, behind, words);
    p = behind - 1;
  }
}

static void as_written(reading_t *r, token_t last, token_t t) {
  static const char *const boxes[] = {"blackbox", "whitebox", "lib_whitebox", NULL};
  static const char *const questions[] = {"`ifdef", "`ifndef", "`elsif", NULL};
  if (is(t, "(*")) r->attribute = true;
  else if (is(t, "*)")) r->attribute = false;
  else if (r->attribute && is_one_of(t, boxes)) memset(t.begin, 'x', (size_t)(t.end - t.begin));
  else if (is_one_of(last, questions) && is(t, "YOSYS")) memcpy(t.begin, "YOSYx", 5);
}

/* ---- the text */

static unsigned line_of(const char *text, const char *place) {
  unsigned line = 1;
  for (const char *p = text; p < place; p++) line += *p == '\n';
  return line;
}

/* What goes before it and belongs to it: a label, `default`. */
static char *begins(token_t before, token_t last, token_t t) {
  if (is(last, "default") || is(last, "global")) return last.begin;
  return is(last, ":") && (isalpha((unsigned char)*before.begin) || *before.begin == '_') && !is(before, "default") &&
                 !is(before, "begin")
             ? before.begin
             : t.begin;
}

/* Behind the token, or behind what was blanked. */
static char *take(reading_t *r, token_t before, token_t last, token_t t) {
  static const char *const kinds[] = {"assert", "assume", "cover", "restrict", NULL};
  static const char *const tasks[] = {"$display",    "$displayb",   "$displayh", "$displayo", "$write",    "$writeb",
                                      "$writeh",     "$writeo",     "$monitor",  "$strobe",   "$error",    "$fatal",
                                      "$warning",    "$info",       "$finish",   "$stop",     "$fdisplay", "$fwrite",
                                      "$fclose",     "$fflush",     "$dumpfile", "$dumpvars", "$asserton", "$assertoff",
                                      "$assertkill", "$timeformat", NULL};
  char *begin = begins(before, last, t);
  const token_t next = isalpha((unsigned char)*t.begin) ? next_token(t.end) : t;
  if (is_one_of(t, kinds) && (is(next, "property") || is(next, "sequence"))) return blank_concurrent(begin, next);
  if (is_one_of(t, kinds)) return blank_failure(begin, t);
  if (is(t, "property")) return blank_region(t.begin, t, "endproperty");
  if (is(t, "sequence")) return blank_region(t.begin, t, "endsequence");
  if (is(t, "covergroup")) return blank_region(t.begin, t, "endgroup");
  if (is(t, "clocking")) return blank_clocking(begin, t);
  if (is(t, "disable") && is(last, "default")) return blank_disable(last.begin, t);
  if (is_one_of(t, tasks)) return blank_task(t);
  if (is(t, "final")) return blank_final(t, next);
  if (is(t, "bind") && !r->bind && next.begin < next.end && isalpha((unsigned char)*next.begin))
    r->bind = line_of(r->text, t.begin);
  return t.end;
}

static void read_text(reading_t *r, char *text);

/* A macro's text is one of its own: what is blanked must not reach beyond. Behind it. */
static char *read_macro(reading_t *r, char *body) {
  char *end = body + strcspn(body, "\n");
  while (*end && (end[-1] == '\\' || (end[-1] == '\r' && end[-2] == '\\'))) end += 1 + strcspn(end + 1, "\n");
  const char kept = *end;
  *end = 0;
  read_text(r, body);
  *end = kept;
  return end;
}

static void read_text(reading_t *r, char *text) {
  token_t before = {text, text}, last = before;
  for (char *p = text;;) {
    const token_t t = next_token(p);
    if (!r->synthesised) blank_comments(p, t.begin), as_written(r, last, t);
    if (t.begin == t.end) return;
    p = is(t, "`define") ? read_macro(r, t.end) : take(r, before, last, t);
    before = last, last = t;
  }
}

unsigned as_simulated(char *text, bool synthesised) {
  reading_t r = {.synthesised = synthesised, .text = text};
  read_text(&r, text);
  return r.bind;
}
