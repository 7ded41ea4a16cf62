/* SPDX-License-Identifier: Apache-2.0
 *
 * A scanner of tokens (next_token) that leaves out what `ifdef excludes, and rules about two or
 * three tokens in a row (see_word).
 */
#include "rtl_units.h"

#include "file.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256, DEPTH = 64 };

typedef enum { TOKEN_END, TOKEN_WORD, TOKEN_SCOPE, TOKEN_OTHER } token_kind_t;

typedef struct {
  token_kind_t kind;
  char text[NAME]; /* TOKEN_OTHER: one character */
  unsigned line;
} token_t;

/* One `ifdef that is open: whether its text counts, and whether an earlier branch did. */
typedef struct {
  bool on, done;
} branch_t;

typedef struct {
  const char *at;
  unsigned line, depth;
  branch_t branches[DEPTH];
  bool ahead; /* looks ahead: what stands here is seen again, and defined then */
  words_t *macros;
  unit_see_t *see;
  void *context;
} scan_t;

static bool is_name_character(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Moves over n characters and counts their lines. */
static void skip(scan_t *s, size_t n) {
  for (; n && *s->at; n--) s->line += *s->at++ == '\n';
}

static void take_name(scan_t *s, char name[NAME]) {
  size_t n = 0;
  while (is_name_character(s->at[n])) n++;
  snprintf(name, NAME, "%.*s", (int)n, s->at);
  s->at += n;
}

static void skip_blanks(scan_t *s) {
  while (*s->at == ' ' || *s->at == '\t') s->at++;
}

/* ---- directives */

static bool is_on(const scan_t *s) {
  for (unsigned i = 0; i < s->depth && i < DEPTH; i++)
    if (!s->branches[i].on) return false;
  return true;
}

static void open_branch(scan_t *s, bool on) {
  if (s->depth < DEPTH) s->branches[s->depth] = (branch_t){on, on};
  s->depth++;
}

/* `elsif and `else. */
static void next_branch(scan_t *s, bool holds) {
  if (!s->depth || s->depth > DEPTH) return;
  branch_t *b = &s->branches[s->depth - 1];
  b->on = holds && !b->done;
  b->done = b->done || b->on;
}

/* Moves behind the line, and behind lines that a \ continues. */
static void skip_line(scan_t *s) {
  do {
    const size_t n = strcspn(s->at, "\n");
    const bool goes_on = n && s->at[n] && (s->at[n - 1] == '\\' || (n > 1 && s->at[n - 2] == '\\'));
    skip(s, n + (goes_on ? 1 : 0));
    if (!goes_on) return;
  } while (*s->at);
}

static void include(scan_t *s) {
  char name[NAME];
  skip_blanks(s);
  if (*s->at != '"') return;
  const size_t n = strcspn(s->at + 1, "\"\n");
  snprintf(name, sizeof name, "%.*s", (int)n, s->at + 1);
  if (is_on(s) && !s->ahead) s->see(s->context, UNIT_INCLUDES, name, s->line);
  skip(s, n + 2);
}

static void undefine(scan_t *s, const char *name) {
  for (size_t i = 0; i < s->macros->count; i++)
    if (strcmp(s->macros->at[i], name) == 0) s->macros->at[i][0] = 0;
}

/* `s->at` is behind the `. Other names are macros: what they stand for is not seen. */
static void directive(scan_t *s) {
  char word[NAME], name[NAME] = "";
  take_name(s, word);
  skip_blanks(s);
  const bool names = strcmp(word, "ifdef") == 0 || strcmp(word, "ifndef") == 0 || strcmp(word, "elsif") == 0 ||
                     strcmp(word, "define") == 0 || strcmp(word, "undef") == 0;
  if (names) take_name(s, name);
  const bool known = *name && words_has(s->macros, name);
  if (strcmp(word, "ifdef") == 0) open_branch(s, known);
  else if (strcmp(word, "ifndef") == 0) open_branch(s, !known);
  else if (strcmp(word, "elsif") == 0) next_branch(s, known);
  else if (strcmp(word, "else") == 0) next_branch(s, true);
  else if (strcmp(word, "endif") == 0) s->depth -= s->depth > 0;
  else if (strcmp(word, "include") == 0) include(s);
  else if (strcmp(word, "undef") == 0 && is_on(s) && !s->ahead) undefine(s, name);
  else if (strcmp(word, "define") == 0) {
    if (is_on(s) && !s->ahead) words_add_new(s->macros, name);
    skip_line(s);
  }
}

/* ---- tokens */

/* Moves over blanks, comments, strings, attributes and directives. */
static void skip_to_token(scan_t *s) {
  while (*s->at) {
    if (isspace((unsigned char)*s->at)) skip(s, 1);
    else if (strncmp(s->at, "//", 2) == 0) skip(s, strcspn(s->at, "\n"));
    else if (strncmp(s->at, "/*", 2) == 0)
      skip(s, strstr(s->at, "*/") ? (size_t)(strstr(s->at, "*/") + 2 - s->at) : SIZE_MAX);
    else if (strncmp(s->at, "(*", 2) == 0 && s->at[2] != ')' && strstr(s->at, "*)"))
      skip(s, (size_t)(strstr(s->at, "*)") + 2 - s->at));
    else if (*s->at == '`') s->at++, directive(s);
    else if (*s->at == '"') {
      size_t n = 1;
      while (s->at[n] && s->at[n] != '"' && s->at[n] != '\n') n += s->at[n] == '\\' && s->at[n + 1] ? 2 : 1;
      skip(s, n + 1);
    } else if (is_on(s)) return;
    else skip(s, 1);
  }
}

static token_t next_token(scan_t *s) {
  token_t t = {TOKEN_END, "", 0};
  skip_to_token(s);
  t.line = s->line;
  if (!*s->at) return t;
  if (*s->at == '\\') { /* an escaped name ends at a blank */
    const size_t n = strcspn(++s->at, " \t\r\n");
    snprintf(t.text, NAME, "%.*s", (int)n, s->at);
    skip(s, n);
    return t.kind = TOKEN_WORD, t;
  }
  if (is_name_character(*s->at)) return take_name(s, t.text), t.kind = TOKEN_WORD, t;
  t.kind = strncmp(s->at, "::", 2) ? TOKEN_OTHER : TOKEN_SCOPE;
  t.text[0] = *s->at;
  skip(s, t.kind == TOKEN_SCOPE ? 2 : 1);
  return t;
}

/* ---- rules */

static bool is_among(const char *word, const char *const *words) {
  for (; *words; words++)
    if (strcmp(word, *words) == 0) return true;
  return false;
}

/* Words after which, or in the place of which, no name of a module stands. */
bool rtl_is_keyword(const char *word) {
  static const char *const words[] = {
      "accept_on",  "alias",       "always",      "always_comb",  "always_ff",  "always_latch", "and",
      "assert",     "assign",      "assume",      "automatic",    "before",     "begin",        "bind",
      "bins",       "bit",         "break",       "buf",          "bufif0",     "bufif1",       "byte",
      "case",       "casex",       "casez",       "cell",         "chandle",    "checker",      "class",
      "clocking",   "cmos",        "config",      "const",        "constraint", "context",      "continue",
      "cover",      "covergroup",  "coverpoint",  "cross",        "deassign",   "default",      "defparam",
      "disable",    "dist",        "do",          "edge",         "else",       "end",          "endcase",
      "endclass",   "endfunction", "endgenerate", "endinterface", "endmodule",  "endpackage",   "endprimitive",
      "endprogram", "endtask",     "enum",        "event",        "expect",     "export",       "extends",
      "extern",     "final",       "for",         "force",        "foreach",    "forever",      "fork",
      "function",   "generate",    "genvar",      "global",       "if",         "iff",          "import",
      "initial",    "inout",       "input",       "inside",       "int",        "integer",      "interface",
      "join",       "let",         "local",       "localparam",   "logic",      "longint",      "macromodule",
      "modport",    "module",      "nand",        "negedge",      "new",        "nmos",         "nor",
      "not",        "notif0",      "notif1",      "or",           "output",     "package",      "packed",
      "parameter",  "pmos",        "posedge",     "primitive",    "priority",   "program",      "property",
      "protected",  "pulldown",    "pullup",      "pure",         "rand",       "real",         "realtime",
      "ref",        "reg",         "release",     "repeat",       "restrict",   "return",       "sequence",
      "shortint",   "shortreal",   "signed",      "specify",      "specparam",  "static",       "string",
      "struct",     "super",       "supply0",     "supply1",      "table",      "task",         "this",
      "time",       "tran",        "tri",         "tri0",         "tri1",       "triand",       "trior",
      "type",       "typedef",     "union",       "unique",       "unique0",    "unsigned",     "use",
      "var",        "virtual",     "void",        "wait",         "wand",       "while",        "wire",
      "with",       "wor",         "xnor",        "xor",          NULL};
  return is_among(word, words);
}

/* Moves behind the bracket that closes; the opening one was taken. */
static void skip_brackets(scan_t *s, char open, char close) {
  token_t t = {TOKEN_OTHER, "", 0};
  for (unsigned depth = 1; depth && t.kind != TOKEN_END;) {
    t = next_token(s);
    if (t.kind == TOKEN_SCOPE) continue;
    if (t.kind == TOKEN_OTHER && *t.text == open) depth++;
    if (t.kind == TOKEN_OTHER && *t.text == close) depth--;
  }
}

static bool is_sign(const token_t *t, char sign) {
  return t->kind == TOKEN_OTHER && *t->text == sign;
}

/* Is what follows the word `#(...) name (` or `name (`? */
static bool is_instance(scan_t ahead) {
  token_t t = next_token(&ahead);
  if (is_sign(&t, '#')) {
    t = next_token(&ahead);
    if (!is_sign(&t, '(')) return false;
    skip_brackets(&ahead, '(', ')');
    t = next_token(&ahead);
  }
  if (t.kind != TOKEN_WORD || rtl_is_keyword(t.text) || isdigit((unsigned char)*t.text) || *t.text == '$') return false;
  t = next_token(&ahead);
  while (is_sign(&t, '[')) skip_brackets(&ahead, '[', ']'), t = next_token(&ahead);
  return is_sign(&t, '(');
}

/* Is what follows the word `.slave s`, as in a list of ports? */
static bool is_interface_port(scan_t ahead) {
  token_t t = next_token(&ahead);
  if (!is_sign(&t, '.')) return false;
  for (unsigned words = 0; words < 2; words++) {
    t = next_token(&ahead);
    if (t.kind != TOKEN_WORD || rtl_is_keyword(t.text) || isdigit((unsigned char)*t.text)) return false;
  }
  return true;
}

/* Can an instance begin behind this token? */
static bool may_begin_instance(const token_t *before) {
  static const char *const beginnings[] = {"begin", "else", "generate", NULL};
  if (before->kind == TOKEN_OTHER) return *before->text != '.' && *before->text != '#';
  return !rtl_is_keyword(before->text) || is_among(before->text, beginnings) || strncmp(before->text, "end", 3) == 0;
}

/* Takes the name that a `module` or `package` declares. `interface class` and `virtual interface`
 * declare none. */
static void declare(scan_t *s, unit_t kind) {
  token_t t = next_token(s);
  while (t.kind == TOKEN_WORD && (strcmp(t.text, "automatic") == 0 || strcmp(t.text, "static") == 0)) t = next_token(s);
  if (t.kind == TOKEN_WORD && !rtl_is_keyword(t.text)) s->see(s->context, kind, t.text, t.line);
}

/* Looks at a word; `before` is the token before it. */
static void see_word(scan_t *s, const token_t *before, const token_t *word) {
  static const char *const modules[] = {"module", "macromodule", "interface", "program", "primitive", NULL},
                           *const packages[] = {"package", "class", NULL}, *const ours[] = {"std",  "local", "super",
                                                                                            "this", "unit",  "$unit",
                                                                                            NULL},
                           *const none[] = {"virtual", "extern", "import", "export", "typedef", NULL};
  const bool after = before->kind == TOKEN_WORD, odd = after && is_among(before->text, none);
  if (is_among(word->text, modules)) {
    if (!odd) declare(s, UNIT_MODULE);
    return;
  }
  if (is_among(word->text, packages)) {
    if (!odd || strcmp(before->text, "virtual") == 0) declare(s, UNIT_PACKAGE);
    return;
  }
  if (rtl_is_keyword(word->text) || isdigit((unsigned char)*word->text) || *word->text == '$') return;
  scan_t ahead = *s;
  ahead.ahead = true;
  const token_t next = next_token(&ahead);
  if (before->kind == TOKEN_SCOPE) return;
  if (next.kind == TOKEN_SCOPE) {
    if (!is_among(word->text, ours)) s->see(s->context, UNIT_NAMES_PACKAGE, word->text, word->line);
    return;
  }
  if (is_sign(&next, '.') && (is_sign(before, '(') || is_sign(before, ','))) {
    ahead = *s, ahead.ahead = true;
    if (is_interface_port(ahead)) s->see(s->context, UNIT_NAMES_MODULE, word->text, word->line);
    return;
  }
  if (!is_sign(&next, '#') && next.kind != TOKEN_WORD) return;
  ahead = *s, ahead.ahead = true;
  if (may_begin_instance(before) && is_instance(ahead)) s->see(s->context, UNIT_NAMES_MODULE, word->text, word->line);
}

bool rtl_units_read(const char *path, words_t *macros, unit_see_t *see, void *context) {
  char *text = file_read(path);
  if (!text) return false;
  scan_t s = {.at = text, .line = 1, .macros = macros, .see = see, .context = context};
  token_t before = {TOKEN_OTHER, ";", 1};
  for (token_t t = next_token(&s); t.kind != TOKEN_END; before = t, t = next_token(&s))
    if (t.kind == TOKEN_WORD) see_word(&s, &before, &t);
  free(text);
  return true;
}
