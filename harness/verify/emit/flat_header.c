/* SPDX-License-Identifier: Apache-2.0 */
#include "flat_header.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A token: [begin, end). Blanks, comments, attributes and directives are none. */
typedef struct {
  const char *begin, *end;
} token_t;

typedef struct {
  const char *text, *file;
  flat_header_t *h;
  trouble_t *trouble;
} reading_t;

/* The tokens of one port between two commas, the first few of them. */
enum { ITEM_MOST = 8 };
typedef struct {
  token_t at[ITEM_MOST];
  unsigned count;          /* of all tokens before the range */
  const char *range, *end; /* range: its first [; NULL: none. end: behind the last token. */
} item_t;

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The place behind a directive; p: there is none. What `ifdef hides is read as if it were there. */
static const char *skip_directive(const char *p) {
  static const char *const words[] = {"`else", "`endif", "`ifdef", "`ifndef", "`elsif", "`undef", "`line", "`include"};
  for (size_t i = 0; *p == '`' && i < sizeof words / sizeof *words; i++) {
    const char *end = p + strlen(words[i]);
    if (strncmp(p, words[i], strlen(words[i])) || in_name(*end)) continue;
    if (i >= 6) return end + strcspn(end, "\n");
    if (i < 2) return end;
    for (end += strspn(end, " \t"); in_name(*end);) end++;
    return end;
  }
  if (strncmp(p, "`define", 7) == 0)
    while (*p && *p != '\n') p += p[0] == '\\' && p[1] ? 2 : 1;
  return p;
}

static const char *skip_blank(const char *p) {
  for (const char *from = NULL; from != p;) {
    from = p;
    p += strspn(p, " \t\r\n\f\v");
    if (p[0] == '/' && p[1] == '/') p += strcspn(p, "\n");
    else if (p[0] == '/' && p[1] == '*') p = strstr(p + 2, "*/") ? strstr(p + 2, "*/") + 2 : p + strlen(p);
    else if (p[0] == '(' && p[1] == '*' && p[2] != ')' && strstr(p, "*)")) p = strstr(p, "*)") + 2;
    else p = skip_directive(p);
  }
  return p;
}

static token_t next_token(const char *p) {
  p = skip_blank(p);
  const char *end = p;
  if (*p == '"') {
    for (end++; *end && *end != '"'; end++) end += *end == '\\' && end[1];
    end += *end == '"';
  } else if (*p == '\\') end = p + strcspn(p, " \t\r\n");
  else if (in_name(*p) || *p == '`') {
    for (end++; in_name(*end);) end++;
  } else if (p[0] == ':' && p[1] == ':') end = p + 2;
  else if (*p) end = p + 1;
  return (token_t){p, end};
}

static bool is(token_t t, const char *word) {
  const size_t n = strlen(word);
  return (size_t)(t.end - t.begin) == n && strncmp(t.begin, word, n) == 0;
}

static bool is_name(token_t t) {
  return isalpha((unsigned char)*t.begin) || *t.begin == '_' || *t.begin == '\\';
}

static void copy_token(char *to, size_t size, token_t t) {
  const int escaped = *t.begin == '\\';
  snprintf(to, size, "%.*s", (int)(t.end - t.begin) - escaped, t.begin + escaped);
}

static unsigned line_of(const reading_t *r, const char *at) {
  unsigned line = strncmp(r->text, "`line ", 6) != 0;
  for (const char *p = r->text; p < at; p++) line += *p == '\n';
  return line;
}

static bool refuse(const reading_t *r, const char *at, const char *name, const char *what) {
  return trouble_set(r->trouble, TROUBLE_INPUT, "%s:%u: port %s %s", r->file, line_of(r, at), name, what);
}

/* The place behind the bracket that closes the one at `open`; NULL: none. */
static const char *behind(const char *open) {
  unsigned depth = 0;
  for (token_t t = next_token(open); t.begin < t.end; t = next_token(t.end)) {
    if (strchr("([{", *t.begin)) depth++;
    else if (strchr(")]}", *t.begin) && --depth == 0) return t.end;
  }
  return NULL;
}

/* ---- ports */

/* Takes one port: the tokens up to a comma, or to the list's end. */
static item_t read_item(const char *from, const char *list_end) {
  item_t item = {.end = from};
  for (token_t t = next_token(from); t.begin < list_end && t.begin < t.end && !is(t, ","); t = next_token(t.end)) {
    if (strchr("([{", *t.begin)) {
      if (is(t, "[") && item.count && !item.range) item.range = t.begin;
      const char *close = behind(t.begin);
      t.end = close ? close : t.end;
    } else if (item.range && is_name(t)) item.range = NULL; /* of a type: logic [7:0] a */
    if (!strchr("([{", *t.begin)) {
      if (item.count < ITEM_MOST) item.at[item.count] = t;
      item.count++;
    }
    item.end = t.end;
  }
  return item;
}

static bool add_port(reading_t *r, const item_t *item, token_t interface, token_t modport, token_t name) {
  if (r->h->num_ports == FLAT_PORTS) return refuse(r, name.begin, "of an interface", "is one too many: at most 64");
  flat_port_t *p = &r->h->ports[r->h->num_ports++];
  copy_token(p->interface, sizeof p->interface, interface), copy_token(p->modport, sizeof p->modport, modport);
  copy_token(p->name, sizeof p->name, name);
  if (item->range) snprintf(p->range, sizeof p->range, "%.*s", (int)(item->end - item->range), item->range);
  p->begin = (size_t)(item->at[0].begin - r->text), p->end = (size_t)(item->end - r->text);
  p->line = line_of(r, name.begin);
  return true;
}

/* Ports without a type after one of an interface are of the same. */
static bool read_ports(reading_t *r, const char *from, const char *end) {
  token_t interface = {0}, modport = {0};
  for (const char *p = from; p < end;) {
    const item_t item = read_item(p, end);
    const token_t *t = item.at;
    char name[FLAT_NAME] = "";
    if (item.count && item.count <= ITEM_MOST) copy_token(name, sizeof name, t[item.count - 1]);
    if (item.count > 1 && is(t[0], "interface"))
      return refuse(r, t[0].begin, name,
                    "is a generic interface, which can be of any kind: a module around it should name one, as "
                    "bus_if.slave does");
    if (item.count == 4 && is_name(t[0]) && is(t[1], ".")) {
      interface = t[0], modport = t[2];
      if (!add_port(r, &item, interface, modport, t[3])) return false;
    } else if (item.count == 1 && interface.begin) {
      if (!add_port(r, &item, interface, modport, t[0])) return false;
    } else if (item.count) interface = (token_t){0};
    const token_t comma = next_token(item.end);
    p = is(comma, ",") ? comma.end : end;
  }
  return true;
}

/* ---- the head */

/* The module's name behind the word `module`; begin NULL: there is no such module. */
static token_t find_module(const char *text, const char *module) {
  char name[FLAT_NAME];
  token_t last = {text, text};
  for (token_t t = next_token(text); t.begin < t.end; last = t, t = next_token(t.end)) {
    if (is(t, "static") || is(t, "automatic")) t = next_token(t.end);
    if (!is(last, "module") && !is(last, "macromodule")) continue;
    copy_token(name, sizeof name, t);
    if (strcmp(name, module) == 0) return t;
  }
  return (token_t){0};
}

bool flat_header_read(flat_header_t *h, const char *text, const char *module, const char *file, trouble_t *trouble) {
  reading_t r = {.text = text, .file = file, .h = h, .trouble = trouble};
  *h = (flat_header_t){0};
  token_t t = find_module(text, module);
  if (!t.begin) return true;
  const char *name_end = t.end;
  t = next_token(t.end);
  while (is(t, "import")) {
    while (t.begin < t.end && !is(t, ";")) t = next_token(t.end);
    name_end = t.end, t = next_token(t.end);
  }
  h->name_end = (size_t)(name_end - text);
  if (is(t, "#")) {
    const token_t open = next_token(t.end);
    const char *close = is(open, "(") ? behind(open.begin) : NULL;
    if (!close) return true;
    h->params_begin = (size_t)(open.end - text), h->params_end = (size_t)(close - 1 - text);
    t = next_token(close);
  }
  const char *close = is(t, "(") ? behind(t.begin) : NULL;
  const token_t end = close ? next_token(close) : t;
  if (!close || !is(end, ";")) return true;
  h->body = (size_t)(end.end - text), h->body_line = line_of(&r, end.begin);
  return read_ports(&r, t.end, close - 1);
}

bool flat_header_has_param(const flat_header_t *h, const char *text, const char *name) {
  char word[FLAT_NAME];
  if (!h->params_end) return false;
  for (token_t t = next_token(text + h->params_begin); t.begin < text + h->params_end && t.begin < t.end;
       t = next_token(t.end)) {
    copy_token(word, sizeof word, t);
    if (strcmp(word, name) == 0) return true;
  }
  return false;
}
