/* SPDX-License-Identifier: Apache-2.0
 *
 * Expands templates. The lines are interpreted directly, not compiled: a template has some hundred
 * lines and a list some hundred entries.
 *
 *   %each IN OUT      for each entry of these kinds, run the lines up to %or or %end
 *   %or PARAM         a further branch of the %each, for other kinds
 *   %end
 *   %if KIND          if there is any entry of the kind
 *   @name@            the entry's argument, struct member or number
 */
#include "port_template.h"
#include "port_names.h"
#include "port_arrived.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RENAMES = 8, DEPTH_MOST = 16 };

typedef struct {
  const char *path;
  const char **lines;
  unsigned num_lines;
  const port_view_t *view;
  const port_entry_t *entry; /* of the innermost %each */
  bool first;                /* the first of its entries */
  bool verilog;
  const char *from[RENAMES], *to[RENAMES];
  unsigned num_renames, depth;
  port_arena_t arena;
  port_text_t fault; /* used for its trouble alone */
  port_buffer_t *out;
} run_t;

#define BAD(r, line, ...) port_text_bad(&(r)->fault, (r)->path, (line) + 1, __VA_ARGS__)

static bool run_lines(run_t *r, unsigned from, unsigned to);

const port_entry_t *port_view_name(const port_view_t *view, const char *kind, const char *word, size_t length) {
  for (unsigned i = 0; i < view->num_names; i++)
    for (const port_entry_t *e = view->names[i]->entries, *end = port_text_end(view->names[i]); e < end; e++)
      if (port_entry_is(e, kind) && strncmp(e->args[0], word, length) == 0 && !e->args[0][length]) return e;
  return NULL;
}

/* ---- substitution */

/* The replacement of a word: %name, in Verilog $clog2 for CLOG2, or a NAME entry. NULL: none. */
static const char *find_renamed(const run_t *r, const char *word, size_t length) {
  for (unsigned i = 0; i < r->num_renames; i++)
    if (strncmp(r->from[i], word, length) == 0 && !r->from[i][length]) return r->to[i];
  if (!r->verilog) return NULL;
  if (length == 5 && strncmp(word, "CLOG2", 5) == 0) return "$clog2";
  const port_entry_t *name = port_view_name(r->view, "NAME", word, length);
  return name ? port_entry_field(name, "verilog", 7) : NULL;
}

/* Writes an argument token by token, with names replaced. */
static void add_value(const run_t *r, const char *value) {
  for (size_t n; *value; value += n) {
    n = port_token(value);
    const char *other = find_renamed(r, value, n);
    if (other) port_add_text(r->out, other);
    else port_add(r->out, value, n);
  }
}

/* The member of a STRUCT entry for a port whose type is that struct; NULL: none. */
static const char *struct_field(const run_t *r, const char *field, size_t n) {
  const char *type = port_entry_field(r->entry, "type", 4);
  const port_entry_t *of = type ? port_view_name(r->view, "STRUCT", type, strlen(type)) : NULL;
  return of ? port_entry_field(of, field, n) : NULL;
}

/* The value of @field@; NULL: unknown. */
static const char *find_field_value(const run_t *r, const char *field, size_t n) {
  const char *value = NULL;
  if (n == 5 && strncmp(field, "block", n) == 0) return r->view->block;
  if (n == 5 && strncmp(field, "ports", n) == 0) return r->view->ports;
  if (n == 4 && strncmp(field, "stem", n) == 0) return r->view->stem;
  if (!r->entry) return NULL;
  if (n == 6 && strncmp(field, "number", n) == 0) return r->entry->number;
  if (n == 3 && strncmp(field, "pin", n) == 0) return r->entry->pin;
  if (n == 4 && strncmp(field, "word", n) == 0) return r->entry->word;
  value = port_entry_field(r->entry, field, n);
  return value ? value : struct_field(r, field, n);
}

/* Writes the value in capitals. */
static void add_upper(const run_t *r, const char *value) {
  for (; *value; value++) {
    const char c = (char)toupper((unsigned char)*value);
    port_add(r->out, &c, 1);
  }
}

/* Writes a number as a C constant. A minus before a number is an operator in C, so negative numbers
 * get parentheses. The smallest number has no literal. */
static void add_constant(const run_t *r, const char *number) {
  const bool smallest = strcmp(number, "-9223372036854775808") == 0;
  port_add_text(r->out, *number == '-' ? "(" : "");
  port_add_text(r->out, smallest ? "-9223372036854775807 - 1" : number);
  port_add_text(r->out, *number == '-' ? ")" : "");
}

/* Writes a name of the RTL for another language; false: no such form. */
static bool add_named(const run_t *r, const char *value, const char *colon, size_t form) {
  static const struct {
    const char *form;
    void (*name)(const char *rtl, char name[PORT_NAME]);
  } forms[] = {{":member", port_name_member},
               {":verilog", port_name_verilog},
               {":quoted", port_name_quoted},
               {":scope", port_name_scope}};
  char name[PORT_NAME];
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (strlen(forms[i].form) != form + 1 || strncmp(colon, forms[i].form, form + 1)) continue;
    forms[i].name(value, name);
    return port_add_text(r->out, name), true;
  }
  return false;
}

/* Expands one @field@ or @field:form@, given without the @ signs. */
static bool substitute(run_t *r, unsigned line, const char *text, size_t length) {
  const char *colon = memchr(text, ':', length);
  const size_t n = colon ? (size_t)(colon - text) : length, form = colon ? length - n - 1 : 0;
  const char *value = find_field_value(r, text, n);
  char literal[PORT_LITERAL];
  if (length == 1 && *text == ',') return port_add_text(r->out, r->first ? " " : ","), true;
  if (!value)
    return BAD(r, line, "@%.*s@ is nothing of %s", (int)length, text,
               r->entry ? r->entry->kind->name : "a line outside of %each");
  if (!colon) add_value(r, value);
  else if (form == 5 && strncmp(colon, ":upper", 6) == 0) add_upper(r, value);
  else if (form == 6 && strncmp(colon, ":digits", 7) == 0)
    port_add_text(r->out, value + (strncmp(value, "0x", 2) ? 0 : 2));
  else if (form == 5 && strncmp(colon, ":plain", 6) == 0)
    port_add(r->out, value + (*value == '"'), strlen(value) - 2 * (*value == '"'));
  else if (form == 5 && strncmp(colon, ":level", 6) == 0) port_add(r->out, strcmp(value, "low") ? "1" : "0", 1);
  else if (form == 7 && strncmp(colon, ":literal", 8) == 0) port_add_text(r->out, port_literal(value, -1, literal));
  else if (form == 8 && strncmp(colon, ":constant", 9) == 0) add_constant(r, value);
  else if (!add_named(r, value, colon, form))
    return BAD(r, line,
               "@%.*s@: a form is upper, digits, plain, level, literal, constant, member, verilog, quoted or scope",
               (int)length, text);
  return true;
}

/* Writes a plain line with its @fields@ expanded. */
static bool expand_literal(run_t *r, unsigned line) {
  const char *p = r->lines[line];
  for (const char *at; (at = strchr(p, '@')); p = at + 1) {
    port_add(r->out, p, (size_t)(at - p));
    p = at + 1;
    if (!(at = strchr(p, '@'))) return BAD(r, line, "@ has no partner on its line");
    if (!substitute(r, line, p, (size_t)(at - p))) return false;
  }
  port_add_text(r->out, p);
  port_add(r->out, "\n", 1);
  return true;
}

/* ---- lines that begin with % */

/* The text behind the directive's name, if the line is this directive; else NULL. */
static const char *directive_words(const run_t *r, unsigned line, const char *name) {
  const char *text = r->lines[line];
  const size_t n = strlen(name);
  if (*text != '%' || strncmp(text + 1, name, n) || (text[1 + n] && text[1 + n] != ' ')) return NULL;
  return text + 1 + n;
}

/* The next %or or %end of the block that `line` is in. */
static unsigned next_branch(const run_t *r, unsigned line) {
  for (unsigned depth = 0; line < r->num_lines; line++) {
    if (!depth && (directive_words(r, line, "or") || directive_words(r, line, "end"))) break;
    if (directive_words(r, line, "each") || directive_words(r, line, "if")) depth++;
    else if (directive_words(r, line, "end")) depth--;
  }
  return line;
}

/* The %end of the block that begins in `line`. */
static unsigned find_end(const run_t *r, unsigned line) {
  do line = next_branch(r, line + 1);
  while (line < r->num_lines && directive_words(r, line, "or"));
  return line;
}

/* True if some list of the view declares this kind. */
static bool has_kind(const port_view_t *view, const char *word, size_t n) {
  for (unsigned i = 0; i < view->num_texts; i++)
    if (port_text_kind(view->texts[i], word, n)) return true;
  for (unsigned i = 0; i < view->num_names; i++)
    if (port_text_kind(view->names[i], word, n)) return true;
  return false;
}

/* Each word of a directive must be a kind that some list of the view declares. */
static bool check_kinds(run_t *r, unsigned line, const char *words) {
  unsigned count = 0;
  for (const char *w = words + strspn(words, " "); *w; w += strspn(w, " "), count++) {
    const size_t n = strcspn(w, " ");
    if (!has_kind(r->view, w, n)) return BAD(r, line, "%.*s is no kind of entry here", (int)n, w);
    w += n;
  }
  return count || BAD(r, line, "kinds of entries should follow");
}

/* True if `kind` is one of the words. */
static bool kind_is_among(const char *words, const char *kind) {
  const size_t length = strlen(kind);
  for (const char *w = words + strspn(words, " "); *w; w += strspn(w, " ")) {
    const size_t n = strcspn(w, " ");
    if (n == length && strncmp(w, kind, n) == 0) return true;
    w += n;
  }
  return false;
}

/* The kinds of an %each or %or. */
static const char *branch_words(const run_t *r, unsigned line) {
  const char *words = directive_words(r, line, "each");
  return words ? words : directive_words(r, line, "or");
}

/* Runs the branch of a %each that names the entry's kind; other entries are skipped. */
static bool expand_entry(run_t *r, unsigned line, unsigned end, const port_entry_t *entry, bool *any) {
  for (unsigned branch = line; branch < end; branch = next_branch(r, branch + 1)) {
    if (!kind_is_among(branch_words(r, branch), entry->kind->name)) continue;
    r->entry = entry;
    r->first = !*any;
    *any = true;
    return run_lines(r, branch + 1, next_branch(r, branch + 1));
  }
  return true;
}

/* Runs a %each over all entries, in the order of the lists. */
static bool expand_each(run_t *r, unsigned line, unsigned end) {
  const port_entry_t *outside = r->entry;
  const bool first = r->first;
  bool any = false, ok = true;
  for (unsigned branch = line; ok && branch < end; branch = next_branch(r, branch + 1))
    ok = check_kinds(r, branch, branch_words(r, branch));
  for (unsigned i = 0; ok && i < r->view->num_texts; i++)
    for (unsigned k = 0; ok && k < r->view->texts[i]->num_entries; k++)
      ok = expand_entry(r, line, end, &r->view->texts[i]->entries[k], &any);
  r->entry = outside;
  r->first = first;
  return ok;
}

/* Runs the lines of an %if if any list has an entry of the kinds. */
static bool expand_if(run_t *r, unsigned line, unsigned end) {
  const char *words = directive_words(r, line, "if");
  if (!check_kinds(r, line, words)) return false;
  if (next_branch(r, line + 1) != end) return BAD(r, line, "%%if has no %%or");
  for (unsigned i = 0; i < r->view->num_texts; i++)
    for (unsigned k = 0; k < r->view->texts[i]->num_entries; k++)
      if (kind_is_among(words, r->view->texts[i]->entries[k].kind->name)) return run_lines(r, line + 1, end);
  return true;
}

/* %name A B: writes B for A from here on. */
static bool rename_word(run_t *r, unsigned line, const char *words) {
  words += strspn(words, " ");
  const size_t n = strcspn(words, " "), to = strspn(words + n, " ");
  if (!n || !to || !words[n + to] || r->num_renames == RENAMES)
    return BAD(r, line, "%%name should be followed by a name and its other name");
  r->from[r->num_renames] = port_copy(&r->arena, words, n);
  r->to[r->num_renames++] = words + n + to;
  return true;
}

/* Runs a whole %each or %if; *line is then its %end. */
static bool expand_block(run_t *r, unsigned *line) {
  const unsigned begin = *line, end = find_end(r, begin);
  if (end >= r->num_lines) return BAD(r, begin, "%.60s has no %%end", r->lines[begin]);
  if (r->depth == DEPTH_MOST) return BAD(r, begin, "more than %d of these inside of each other", DEPTH_MOST);
  r->depth++;
  const bool ok = directive_words(r, begin, "if") ? expand_if(r, begin, end) : expand_each(r, begin, end);
  r->depth--;
  *line = end;
  return ok;
}

static bool run_lines(run_t *r, unsigned from, unsigned to) {
  for (unsigned i = from; i < to; i++) {
    const char *words;
    bool ok = true;
    if (r->lines[i][0] != '%') ok = expand_literal(r, i);
    else if (directive_words(r, i, "each") || directive_words(r, i, "if")) ok = expand_block(r, &i);
    else if (directive_words(r, i, "verilog")) r->verilog = true;
    else if ((words = directive_words(r, i, "name"))) ok = rename_word(r, i, words);
    else if (r->lines[i][1] != '#')
      ok = BAD(r, i, "%.60s: a line that begins with %% is one of %%each, %%or, %%if, %%end, %%verilog, %%name, %%#",
               r->lines[i]);
    if (!ok) return false;
  }
  return true;
}

/* Splits the text into lines, in place. */
static void split_lines(run_t *r, char *text) {
  unsigned room = 2;
  for (const char *p = text; *p; p++) room += *p == '\n';
  r->lines = port_take(&r->arena, room * sizeof *r->lines);
  for (char *p = text, *end; *p; p = end + 1) {
    r->lines[r->num_lines++] = p;
    if (!(end = strchr(p, '\n'))) break;
    *end = 0;
  }
}

bool port_template(const char *path, const port_view_t *view, port_buffer_t *out, trouble_t *trouble) {
  run_t r = {.path = path, .view = view, .out = out};
  size_t size;
  char *text = port_read_text(path, &size);
  if (!text) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  split_lines(&r, text);
  const bool ok = run_lines(&r, 0, r.num_lines);
  if (!ok) *trouble = r.fault.trouble;
  port_release(&r.arena);
  free(text);
  return ok;
}
