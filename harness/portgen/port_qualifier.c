/* SPDX-License-Identifier: Apache-2.0 */
#include "port_qualifier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text */

static const char *skip_blanks(const char *at) {
  return at + strspn(at, " \t");
}

/* The letters of an element's number, [2]; 0: there is none. */
static size_t element_number(const char *at) {
  const size_t digits = *at == '[' ? strspn(at + 1, "0123456789") : 0;
  return digits && at[digits + 1] == ']' ? digits + 2 : 0;
}

/* A name of a port, of a field or of an element of one: head.valid, all[2].valid. */
static size_t dotted_name(const char *at) {
  size_t n = port_word(at);
  for (size_t more = n; more; n += more) {
    more = element_number(at + n);
    if (!more && at[n] == '.' && port_word(at + n + 1)) more = 1 + port_word(at + n + 1);
    if (!more) break;
  }
  return n;
}

int port_terms(const char *qualifier, port_term_t terms[PORT_TERMS_MOST]) {
  const char *at = skip_blanks(qualifier);
  int num = 0;
  if (strcmp(at, "always") == 0) return 0;
  for (;; at = skip_blanks(at + 1)) {
    const bool inverted = *at == '!';
    if (inverted) at = skip_blanks(at + 1);
    const size_t n = dotted_name(at);
    if (!n || (*at >= '0' && *at <= '9') || num == PORT_TERMS_MOST) return -1;
    terms[num++] = (port_term_t){at, n, inverted};
    at = skip_blanks(at + n);
    if (!*at) return num;
    if (*at != '&') return -1;
  }
}

bool port_term_is(const port_term_t *term, const char *name) {
  return strncmp(term->name, name, term->length) == 0 && !name[term->length];
}

bool port_is_term(const port_entry_t *e, const char *name, bool inverted) {
  port_term_t terms[PORT_TERMS_MOST];
  const int num = port_terms(port_field(e, "valid"), terms);
  for (int i = 0; i < num; i++)
    if (terms[i].inverted == inverted && port_term_is(&terms[i], name)) return true;
  return false;
}

const char *port_both(port_arena_t *arena, const char *a, const char *b) {
  if (strcmp(a, "always") == 0) return b;
  return strcmp(b, "always") ? port_format(arena, "%s & %s", a, b) : a;
}

const char *port_within(port_arena_t *arena, const char *qualifier, const char *before) {
  port_term_t terms[PORT_TERMS_MOST];
  const int num = port_terms(qualifier, terms);
  port_buffer_t all = {0};
  if (num <= 0) return qualifier;
  for (int i = 0; i < num; i++) {
    port_add_text(&all, i ? " & " : ""), port_add_text(&all, terms[i].inverted ? "!" : "");
    port_add_text(&all, before), port_add_text(&all, "."), port_add(&all, terms[i].name, terms[i].length);
  }
  return port_keep(arena, &all);
}

bool port_bad_qualifier(port_reading_t *c, const port_entry_t *e, const char *of, const char *qualifier) {
  return BAD(c, e,
             "%s is qualified by `%.80s`; up to %d names joined by &, each with or without ! in front of it, would be "
             "right (valid & !err), or always",
             of, qualifier, PORT_TERMS_MOST);
}

/* ---- checks */

static bool is_scalar_port(const port_entry_t *e) {
  const char *const ending = strchr(e->kind->name, '_');
  return !ending || strcmp(ending, "_FIELD") == 0;
}

/* The port of the same direction that a term names; NULL: none. */
static const port_entry_t *find_term(port_reading_t *c, const port_entry_t *of, const port_term_t *term) {
  for
    EACH(e, c)
  if (port_is_port(e) && port_is_input(e) == port_is_input(of) && port_term_is(term, e->args[0])) return e;
  return NULL;
}

/* The qualifying port has 1 bit, or one bit for each element. */
static bool check_term(port_reading_t *c, const port_entry_t *e, const port_term_t *term) {
  const port_entry_t *v = find_term(c, e, term);
  const int length = term->length < 80 ? (int)term->length : 80;
  long long n = 1;
  if (!v)
    return BAD(c, e, "%s is qualified by %.*s, which is no port of that direction; name a 1-bit port or write always",
               e->args[0], length, term->name);
  if (port_field(e, "n") && !port_eval_number(c, e, "number of elements", port_field(e, "n"), &n)) return false;
  if (is_scalar_port(v) && atoll(v->number) == n) return true;
  if (port_field(e, "n"))
    return BAD(c, e,
               "%s is qualified by %.*s, which has %s bits; a scalar port with a bit for each of %lld elements should "
               "be named",
               e->args[0], length, term->name, v->number, n);
  return BAD(c, e, "%s is qualified by %.*s, which has %s bits; name a 1-bit port or write always", e->args[0], length,
             term->name, v->number);
}

static bool check_qualifier(port_reading_t *c, const port_entry_t *e) {
  const char *qualifier = port_field(e, "valid");
  port_term_t terms[PORT_TERMS_MOST];
  const int num = port_terms(qualifier, terms);
  if (num < 0) return port_bad_qualifier(c, e, e->args[0], qualifier);
  for (int i = 0; i < num; i++) {
    if (!check_term(c, e, &terms[i])) return false;
    for (int k = 0; k < i; k++)
      if (terms[k].length == terms[i].length && !strncmp(terms[k].name, terms[i].name, terms[i].length))
        return BAD(c, e, "%s is qualified by `%.80s`, where %.*s is twice", e->args[0], qualifier, (int)terms[i].length,
                   terms[i].name);
  }
  return true;
}

typedef struct {
  port_reading_t *c;
  const port_entry_t *from;
  bool *seen; /* by entry */
} walk_t;

/* Does `at` depend on w->from? */
static bool leads_back(walk_t *w, const port_entry_t *at) {
  port_term_t terms[PORT_TERMS_MOST];
  const int num = port_terms(port_field(at, "valid"), terms);
  for (int i = 0; i < num; i++) {
    const port_entry_t *v = find_term(w->c, at, &terms[i]);
    if (v == w->from) return true;
    if (!v || w->seen[v - w->c->file->text.entries]) continue;
    w->seen[v - w->c->file->text.entries] = true;
    if (leads_back(w, v)) return true;
  }
  return false;
}

/* Rejects ports that qualify each other in a circle: nothing could be compared for ever. */
static bool check_circle(port_reading_t *c, const port_entry_t *e) {
  if (strcmp(port_field(e, "valid"), "always") == 0) return true;
  walk_t w = {c, e, port_take(&c->file->text.arena, c->file->text.num_entries * sizeof(bool))};
  return !leads_back(&w, e) || BAD(c, e, "%s is qualified by itself, by way of %s; one of them should be always valid",
                                   e->args[0], port_field(e, "valid"));
}

bool port_check_qualifiers(port_reading_t *c) {
  for
    EACH(e, c)
  if (port_is_port(e) && !check_qualifier(c, e)) return false;
  for
    EACH(e, c)
  if (port_is_port(e) && !check_circle(c, e)) return false;
  return true;
}

/* ---- for C */

bool port_is_plain(const char *qualifier) {
  port_term_t terms[PORT_TERMS_MOST];
  const int num = port_terms(qualifier, terms);
  return num <= 0 || (num == 1 && !terms[0].inverted);
}

void port_when_print(const port_entry_t *e, unsigned number, port_buffer_t *out) {
  const char *qualifier = port_field(e, "valid");
  port_term_t terms[PORT_TERMS_MOST];
  char head[64];
  const int num = port_terms(qualifier, terms);
  const bool each = port_field(e, "n") != NULL;
  snprintf(head, sizeof head, "%s(%u, \"", port_is_input(e) ? "WHEN_IN" : "WHEN_OUT", number);
  port_add_text(out, head);
  for (int i = 0; i < num; i++) {
    port_add_text(out, i ? " & " : ""), port_add_text(out, terms[i].inverted ? "!" : "");
    port_add(out, terms[i].name, terms[i].length);
  }
  port_add_text(out, "\", ");
  const char *both = each ? " & " : " && ", *none = each ? "~" : "!";
  for (int i = 0; i < num; i++) {
    port_add_text(out, i ? both : ""), port_add_text(out, terms[i].inverted ? none : "");
    port_add_text(out, terms[i].inverted ? "no_" : "is_"), port_add(out, terms[i].name, terms[i].length);
  }
  port_add_text(out, ")\n");
}
