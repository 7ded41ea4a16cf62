/* SPDX-License-Identifier: Apache-2.0
 *
 * A use of a macro is replaced by the macro's body with its arguments, and the result is expanded
 * again. A macro that uses itself ends at DEPTH_MOST.
 */
#include "port_macro.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 64, SIZE_MOST = 1 << 20, EXPANSIONS_MOST = 100000 };

/* ---- characters */

size_t port_word(const char *text) {
  size_t n = 0;
  while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
  return n;
}

size_t port_token(const char *text) {
  size_t n = port_word(text);
  if (*text != '"' && *text != '\'') return n ? n : 1;
  for (n = 1; text[n] && text[n] != *text; n++) n += text[n] == '\\' && text[n + 1];
  return n + (text[n] != 0);
}

static bool begins_name(const char *p) {
  return isalpha((unsigned char)*p) || *p == '_';
}

/* Moves to the next character, and counts lines outside of macro bodies. */
static void next_char(port_source_t *s) {
  if (*s->p == '\n') {
    s->begins = true;
    s->line += !s->fixed;
  }
  s->p++;
}

/* Skips a comment. A comment of several lines counts as one blank on its first line. */
static bool skip_comment(port_text_t *text, port_source_t *s) {
  const unsigned line = s->line;
  const bool begins = s->begins;
  if (s->p[1] == '/') {
    while (*s->p && *s->p != '\n') next_char(s);
    return true;
  }
  for (s->p += 2; s->p[0] != '*' || s->p[1] != '/'; next_char(s))
    if (!*s->p)
      return port_text_bad(text, s->file, line, "the comment that begins here is not closed; */ should end it");
  s->p += 2;
  s->begins = begins;
  return true;
}

bool port_blank(port_text_t *text, port_source_t *s) {
  for (;;) {
    if (isspace((unsigned char)*s->p)) next_char(s);
    else if (s->p[0] == '\\' && (s->p[1] == '\n' || (s->p[1] == '\r' && s->p[2] == '\n'))) {
      const bool begins = s->begins;
      while (*s->p != '\n') s->p++;
      next_char(s);
      s->begins = begins;
    } else if (s->p[0] == '/' && (s->p[1] == '/' || s->p[1] == '*')) {
      if (!skip_comment(text, s)) return false;
    } else return true;
  }
}

/* Adds the "text" or 'c' at s to the buffer. */
static bool copy_quoted(port_text_t *text, port_source_t *s, port_buffer_t *to) {
  const char quote = *s->p, *begin = s->p++;
  while (*s->p && *s->p != '\n' && *s->p != quote) s->p += s->p[0] == '\\' && s->p[1] && s->p[1] != '\n' ? 2 : 1;
  const int length = (int)strcspn(begin, "\r\n");
  if (*s->p != quote)
    return port_text_bad(text, s->file, s->line, "%c has no partner on its line: %.*s", quote,
                         length < 40 ? length : 40, begin);
  s->p++;
  port_add(to, begin, (size_t)(s->p - begin));
  return true;
}

/* ---- arguments */

typedef struct {
  port_text_t *text;
  const char *call; /* for messages */
  unsigned line;    /* line where the call begins */
  const char **args;
  unsigned num, room;
  port_buffer_t now; /* the argument that is being read */
} args_t;

/* Ends the argument that is being read. */
static void end_arg(args_t *a) {
  if (a->num == a->room) {
    const char **more = port_take(&a->text->arena, (2 * a->room + 8) * sizeof *more);
    if (a->num) memcpy(more, a->args, a->num * sizeof *more);
    a->args = more;
    a->room = 2 * a->room + 8;
  }
  a->args[a->num++] = port_keep(&a->text->arena, &a->now);
}

static bool refuse_unclosed(args_t *a, const port_source_t *s) {
  return port_text_bad(a->text, s->file, a->line, "%s( is not closed; ) should end it", a->call);
}

/* Adds one word, string or sign to the argument. The name of a kind at a line's begin means that a
 * ) is missing above. */
static bool take_arg_piece(args_t *a, port_source_t *s, bool begins, unsigned depth) {
  if (*s->p == '"' || *s->p == '\'') return copy_quoted(a->text, s, &a->now);
  size_t n = port_word(s->p);
  if (begins && depth == 1 && n && s->p[n] == '(' && port_text_kind(a->text, s->p, n)) return refuse_unclosed(a, s);
  if (!n) n = 1;
  port_add(&a->now, s->p, n);
  s->p += n;
  return true;
}

/* Reads all arguments up to the matching ), with nested parentheses. */
static bool take_all_args(args_t *a, port_source_t *s) {
  unsigned depth = 0;
  for (;;) {
    const char *before = s->p;
    if (!port_blank(a->text, s)) return false;
    if (!*s->p) return refuse_unclosed(a, s);
    const bool begins = s->begins;
    s->begins = false;
    if (*s->p == '(' && depth++ == 0) {
      s->p++;
      continue;
    }
    if (*s->p == ')' && --depth == 0) break;
    if (*s->p == ',' && depth == 1) {
      end_arg(a);
      s->p++;
      continue;
    }
    if (before != s->p && a->now.size) port_add(&a->now, " ", 1);
    if (!take_arg_piece(a, s, begins, depth)) return false;
  }
  s->p++;
  if (a->num || a->now.size) end_arg(a);
  return true;
}

bool port_args(port_text_t *text, port_source_t *s, const char *call, const char ***args, unsigned *num_args) {
  args_t a = {.text = text, .call = call, .line = s->line};
  const bool ok = take_all_args(&a, s);
  free(a.now.at);
  *args = a.args;
  *num_args = a.num;
  return ok;
}

/* ---- definitions */

port_macro_t *port_macro_find(const port_text_t *text, const char *name, size_t length) {
  for (port_macro_t *m = text->macros; m; m = m->next)
    if (strncmp(m->name, name, length) == 0 && !m->name[length]) return m;
  return NULL;
}

/* Forgets a macro, if there is one. */
static void remove_macro(port_text_t *text, const char *name) {
  for (port_macro_t **m = &text->macros; *m; m = &(*m)->next)
    if (strcmp((*m)->name, name) == 0) {
      *m = (*m)->next;
      return;
    }
}

/* Checks the parameters' names; a final "..." becomes m->rest. */
static bool check_params(port_text_t *text, const port_source_t *at, port_macro_t *m) {
  for (unsigned i = 0; i < m->num_params; i++) {
    if (strcmp(m->params[i], "...") == 0 && i + 1 == m->num_params) {
      m->rest = true;
      m->num_params--;
    } else if (!begins_name(m->params[i]) || m->params[i][port_word(m->params[i])])
      return port_text_bad(text, at->file, at->line, "#define %s: `%.40s` is not the name of an argument", m->name,
                           m->params[i]);
  }
  return true;
}

/* A macro without a body declares a kind of entry. The first declaration counts. */
static void add_kind(port_text_t *text, const port_macro_t *m) {
  if (port_text_kind(text, m->name, strlen(m->name))) return;
  port_kind_t *kind = port_take(&text->arena, sizeof *kind);
  *kind = (port_kind_t){.name = m->name, .fields = m->params, .num_fields = m->num_params, .rest = m->rest};
  *(text->last_kind ? text->last_kind : &text->kinds) = kind;
  text->last_kind = &kind->next;
}

bool port_macro_define(port_text_t *text, const port_source_t *at, const char *line) {
  port_macro_t *m = port_take(&text->arena, sizeof *m);
  const size_t n = port_word(line);
  if (!n || !begins_name(line)) return port_text_bad(text, at->file, at->line, "#define should be followed by a name");
  m->name = port_copy(&text->arena, line, n);
  port_source_t s = {.p = line + n, .file = at->file, .line = at->line, .fixed = true};
  m->function = *s.p == '(';
  if (m->function && (!port_args(text, &s, m->name, &m->params, &m->num_params) || !check_params(text, at, m)))
    return false;
  if (*s.p && !isspace((unsigned char)*s.p) && !m->function)
    return port_text_bad(text, at->file, at->line, "#define %s: a blank should follow the name", m->name);
  while (isspace((unsigned char)*s.p)) s.p++;
  m->body = s.p;
  remove_macro(text, m->name);
  if (text->declares && m->function && !*m->body) return add_kind(text, m), true;
  m->next = text->macros;
  text->macros = m;
  return true;
}

bool port_macro_undef(port_text_t *text, const port_source_t *at, const char *line) {
  const size_t n = port_word(line);
  if (!n) return port_text_bad(text, at->file, at->line, "#undef should be followed by a name");
  remove_macro(text, port_copy(&text->arena, line, n));
  return true;
}

/* ---- uses */

/* Index of the parameter `word`; num_params for __VA_ARGS__; -1: none. */
static int param_index(const port_macro_t *m, const char *word, size_t n) {
  for (unsigned i = 0; i < m->num_params; i++)
    if (strncmp(m->params[i], word, n) == 0 && !m->params[i][n]) return (int)i;
  return m->rest && n == 11 && strncmp(word, "__VA_ARGS__", n) == 0 ? (int)m->num_params : -1;
}

/* Adds an argument, or for __VA_ARGS__ all that follow, with commas. */
static void add_arg(port_buffer_t *to, const port_macro_t *m, int index, const char **args, unsigned num_args) {
  const unsigned last = (unsigned)index < m->num_params ? (unsigned)index + 1 : num_args;
  for (unsigned i = (unsigned)index; i < last; i++) {
    if (i > (unsigned)index) port_add_text(to, ", ");
    port_add_text(to, args[i]);
  }
}

/* Adds an argument as a string, with quotes and backslashes escaped (#). */
static void add_string(port_buffer_t *to, const char *arg) {
  port_add_text(to, "\"");
  for (; *arg; arg++) {
    if (*arg == '"' || *arg == '\\') port_add_text(to, "\\");
    port_add(to, arg, 1);
  }
  port_add_text(to, "\"");
}

/* ## joins its two neighbours: drops the blanks around itself. */
static const char *join_pieces(port_buffer_t *to, const char *p) {
  while (to->size && isspace((unsigned char)to->at[to->size - 1])) to->at[--to->size] = 0;
  p += 2;
  return p + strspn(p, " \t");
}

/* Adds one word, string or operator of a body, with parameters replaced. */
static bool add_body_piece(port_text_t *text, const port_macro_t *m, port_source_t *s, const char **args,
                           unsigned num_args, port_buffer_t *to) {
  const size_t n = port_word(s->p), blanks = s->p[0] == '#' ? 1 + strspn(s->p + 1, " ") : 0;
  const int param = m->function && n && begins_name(s->p) ? param_index(m, s->p, n) : -1;
  if (*s->p == '"' || *s->p == '\'') return copy_quoted(text, s, to);
  if (s->p[0] == '#' && s->p[1] == '#') {
    s->p = join_pieces(to, s->p);
    return true;
  }
  if (blanks && m->function) {
    const size_t length = port_word(s->p + blanks);
    const int of = length ? param_index(m, s->p + blanks, length) : -1;
    if (of < 0 || (unsigned)of >= num_args)
      return port_text_bad(text, s->file, s->line, "%s: # should be before an argument's name", m->name);
    add_string(to, args[of]);
    s->p += blanks + length;
    return true;
  }
  if (param >= 0) add_arg(to, m, param, args, num_args);
  else port_add(to, s->p, n ? n : 1);
  s->p += n ? n : 1;
  return true;
}

char *port_macro_body(port_text_t *text, const port_macro_t *m, const port_source_t *at, const char **args,
                      unsigned num_args) {
  port_source_t s = {.p = m->body, .file = at->file, .line = at->line, .fixed = true};
  port_buffer_t to = {0};
  static const char *const none[] = {""};
  if (m->function && m->num_params == 1 && num_args == 0) args = (const char **)none, num_args = 1;
  if (m->function && (num_args < m->num_params || (num_args > m->num_params && !m->rest))) {
    port_text_bad(text, at->file, at->line, "%s takes %u arguments; here are %u", m->name, m->num_params, num_args);
    return NULL;
  }
  port_add(&to, "", 0);
  while (*s.p)
    if (!add_body_piece(text, m, &s, args, num_args, &to)) return free(to.at), NULL;
  if (to.size <= SIZE_MOST) return port_keep(&text->arena, &to);
  port_text_bad(text, at->file, at->line, "%s: its text is longer than %d bytes", m->name, SIZE_MOST);
  return free(to.at), NULL;
}

/* Expands a use of macro m; s is behind the name. */
static char *use_macro(port_text_t *text, const port_macro_t *m, port_source_t *s) {
  const char **args = NULL;
  unsigned num_args = 0;
  if (m->function && !port_args(text, s, m->name, &args, &num_args)) return NULL;
  char *body = port_macro_body(text, m, s, args, num_args);
  return body ? port_macro_expand(text, s, body) : NULL;
}

/* Adds one word or string, expanded if it is a macro. A function-like macro without ( stays a plain
 * word. */
static bool expand_piece(port_text_t *text, port_source_t *s, port_buffer_t *to) {
  const size_t n = port_word(s->p);
  if (*s->p == '"' || *s->p == '\'') return copy_quoted(text, s, to);
  const port_macro_t *m = n && begins_name(s->p) ? port_macro_find(text, s->p, n) : NULL;
  if (!m || (m->function && s->p[n + strspn(s->p + n, " ")] != '(')) {
    port_add(to, s->p, n ? n : 1);
    s->p += n ? n : 1;
    return true;
  }
  s->p += n;
  char *expanded = use_macro(text, m, s);
  if (expanded) port_add_text(to, expanded);
  return expanded;
}

/* Limits depth, size and number of expansions, so that hostile input ends with an error. */
static bool check_bounds(port_text_t *text, const port_source_t *at, const char *bytes, size_t size) {
  if (text->depth > DEPTH_MOST)
    return port_text_bad(text, at->file, at->line, "macros are nested too deeply at `%.60s`", bytes);
  if (size > SIZE_MOST)
    return port_text_bad(text, at->file, at->line, "macros make a text longer than %d bytes", SIZE_MOST);
  return text->expansions < EXPANSIONS_MOST ||
         port_text_bad(text, at->file, at->line, "more than %d uses of macros", EXPANSIONS_MOST);
}

char *port_macro_expand(port_text_t *text, const port_source_t *at, const char *bytes) {
  port_source_t s = {.p = bytes, .file = at->file, .line = at->line, .fixed = true};
  port_buffer_t to = {0};
  bool ok = true;
  text->depth++, text->expansions++;
  port_add(&to, "", 0);
  while ((ok = check_bounds(text, at, bytes, to.size)) && *s.p)
    if (!(ok = expand_piece(text, &s, &to))) break;
  text->depth--;
  char *expanded = ok ? port_keep(&text->arena, &to) : NULL;
  free(to.at);
  return expanded;
}
