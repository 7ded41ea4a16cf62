/* SPDX-License-Identifier: Apache-2.0
 *
 * Ports whose type is a struct or an enum of the port file. Such a port is one vector in the RTL,
 * and one value a field everywhere else. Its entry is replaced by entries that have numbers only:
 *
 *   FIELD(req_t, op, op_e, always)        ENUM(op_e, 2)  LABEL(op_e, READ, 0)
 *   FIELD(req_t, addr, Width, always)
 *   IN_S(req, req_t, push)
 *
 *   TYPE_BEGIN(req_t)  TYPE_FIELD(req_t, op)  TYPE_FIELD(req_t, addr)  TYPE_END(req_t)
 *   IN_FIELDS(req, req_t, 10, push)
 *   IN_FIELD(req.op, req, op, 8, 2, push)  NAMED(req.op, READ, 0)
 *   IN_FIELD(req.addr, req, addr, 0, 8, push)
 *   IN_FIELDS_END(req)
 *
 * An array is such a type, too. Its elements are fields in brackets, element 0 in the lowest bits:
 *
 *   ARRAY(words_a, 2, 8)
 *   IN_S(data, words_a, always)
 *
 *   TYPE_ARRAY(words_a, 2, 8)
 *   IN_FIELDS(data, words_a, 16, always)
 *   IN_FIELD(data[0], data, [0], 0, 8, always)
 *   IN_FIELD(data[1], data, [1], 8, 8, always)
 *   IN_FIELDS_END(data)
 */
#include "port_choice.h"
#include "port_qualifier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MOST = 4096, INSIDE_MOST = 16, STEPS_MOST = 1 << 18, ENTRIES_MOST = 1 << 16, BITS_MOST = 1 << 20 };

/* The port that is replaced, and the entries so far. */
typedef struct {
  port_reading_t *c;
  const port_entry_t *port;
  const char *dir; /* "IN", "OUT" or "PROBE" */
  port_entry_t *list;
  unsigned num, room;
} expand_t;

static bool is_field(const port_entry_t *e) {
  return port_entry_is(e, "FIELD") || port_entry_is(e, "FIELD_V");
}

static bool is_array(const port_entry_t *e) {
  return port_entry_is(e, "ARRAY") || port_entry_is(e, "ARRAY_V");
}

bool port_kind_is_made(const char *kind) {
  static const char *const endings[] = {"_FIELDS", "_FIELD", "_FIELD_V", "_PART",    "_PART_END", "_FIELDS_END",
                                        "_BEGIN",  "_END",   "_ARRAY",   "_ARRAY_V", "_ARRAY_S"};
  if (strncmp(kind, "WHEN_", 5) == 0 || strcmp(kind, "TEXT_VALUE") == 0) return true;
  const char *ending = strchr(kind, '_');
  for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
    if (strcmp(ending, endings[i]) == 0) return true;
  return strcmp(kind, "NAMED") == 0;
}

/* The first field of the struct, the ENUM or the ARRAY of this name; NULL: the file has none. */
static const port_entry_t *find_type(port_reading_t *c, const char *name) {
  for
    EACH(e, c)
  if ((is_field(e) || is_array(e) || port_entry_is(e, "ENUM")) && strcmp(e->args[0], name) == 0) return e;
  return NULL;
}

/* True for a struct or an array, whose fields or elements are values of their own. */
static bool has_parts(const port_entry_t *type) {
  return type && (is_field(type) || is_array(type));
}

/* ---- widths */

static bool type_width(port_reading_t *c, const port_entry_t *type, unsigned depth, long long *width);

static bool field_width(port_reading_t *c, const port_entry_t *e, unsigned depth, long long *width) {
  const char *of = port_field(e, "of");
  const port_entry_t *type = find_type(c, of);
  if (++c->steps > STEPS_MOST)
    return BAD(c, e, "%s(%s, %s, ...): types are inside of each other too often", e->kind->name, e->args[0],
               e->args[1]);
  if (depth > INSIDE_MOST)
    return BAD(c, e, "%s(%s, %s, ...): %s is made of itself", e->kind->name, e->args[0], e->args[1], of);
  if (type) return type_width(c, type, depth + 1, width);
  if (!port_eval_number(c, e, "width", of, width)) return false;
  return (*width >= 1 && *width <= BITS_MOST) || BAD(c, e, "%s(%s, %s, ...): %.80s is %lld: a field has 1 to %d bits",
                                                     e->kind->name, e->args[0], e->args[1], of, *width, BITS_MOST);
}

/* Bits of the fields of `of` from entry `from` on. */
static bool fields_width(port_reading_t *c, const char *of, const port_entry_t *from, unsigned depth,
                         long long *width) {
  long long one;
  *width = 0;
  for (const port_entry_t *e = from; e < port_text_end(&c->file->text); e++) {
    if (!is_field(e) || strcmp(e->args[0], of)) continue;
    if (!field_width(c, e, depth, &one)) return false;
    *width += one;
  }
  return true;
}

/* How many elements an array has, and how many bits each. */
static bool array_shape(port_reading_t *c, const port_entry_t *type, unsigned depth, long long *n, long long *each) {
  if (!port_eval_number(c, type, "number of elements", port_field(type, "n"), n)) return false;
  if (*n < 1 || *n > ELEMENTS_MOST)
    return BAD(c, type, "%s(%s, ...): %.80s is %lld: from 1 to %d elements", type->kind->name, type->args[0],
               port_field(type, "n"), *n, ELEMENTS_MOST);
  if (!field_width(c, type, depth, each)) return false;
  return *each <= BITS_MOST / *n || BAD(c, type, "%s(%s, ...): %lld elements of %lld bits: a port has 1 to %d bits",
                                        type->kind->name, type->args[0], *n, *each, BITS_MOST);
}

static bool type_width(port_reading_t *c, const port_entry_t *type, unsigned depth, long long *width) {
  long long n, each;
  if (is_array(type)) {
    if (!array_shape(c, type, depth, &n, &each)) return false;
    return *width = n * each, true;
  }
  if (!port_entry_is(type, "ENUM")) return fields_width(c, type->args[0], type, depth, width);
  return port_eval_number(c, type, "width", port_field(type, "width"), width);
}

/* ---- the types of the file */

/* The entry before e, of the same kind or its relative, that has the same two names; NULL: none. */
static const port_entry_t *same_before(port_reading_t *c, const port_entry_t *e) {
  for (const port_entry_t *b = c->file->text.entries; b < e; b++)
    if ((is_field(e) ? is_field(b) : b->kind == e->kind) && strcmp(b->args[0], e->args[0]) == 0 &&
        strcmp(b->args[1], e->args[1]) == 0)
      return b;
  return NULL;
}

/* The field that a term names in the same struct; NULL: none. */
static const port_entry_t *find_field(port_reading_t *c, const port_entry_t *of, const port_term_t *term) {
  for
    EACH(e, c)
  if (is_field(e) && strcmp(e->args[0], of->args[0]) == 0 && port_term_is(term, e->args[1])) return e;
  return NULL;
}

/* What qualifies a field is 1 bit of the same struct. */
static bool check_field_qualifier(port_reading_t *c, const port_entry_t *e) {
  const char *valid = port_field(e, "valid");
  port_term_t terms[PORT_TERMS_MOST];
  const int num = port_terms(valid, terms);
  long long bits = 0;
  if (num < 0) return port_bad_qualifier(c, e, e->args[1], valid);
  for (int i = 0; i < num; i++) {
    const port_entry_t *by = find_field(c, e, &terms[i]);
    if (by && port_entry_is(by, "FIELD") && field_width(c, by, 0, &bits) && bits == 1) continue;
    return BAD(c, e, "%s(%s, %s, ...) is qualified by %.*s, which is no field of 1 bit of %s; name one or write always",
               e->kind->name, e->args[0], e->args[1], terms[i].length < 80 ? (int)terms[i].length : 80, terms[i].name,
               e->args[0]);
  }
  return true;
}

/* The model has the type as X_type. */
static bool check_type_name(port_reading_t *c, const port_entry_t *e) {
  const char *kind = e->kind->name, *type = e->args[0];
  if (port_view_name(&c->file->view, "STRUCT", type, strlen(type)))
    return BAD(c, e, "%s(%s, ...): %s is a struct of the lists of rtl/; it should be called otherwise", kind, type,
               type);
  if (strcmp(type, "t") == 0 || strcmp(type, "in_t") == 0 || strcmp(type, "out_t") == 0)
    return BAD(c, e, "%s(%s, ...): the model has %s_%s for something else; the %s should be called otherwise", kind,
               type, c->file->view.block, type, is_array(e) ? "array" : "struct");
  return true;
}

static bool check_array(port_reading_t *c, const port_entry_t *e) {
  const char *kind = e->kind->name, *name = e->args[0], *text = port_field(e, "of");
  const port_entry_t *of = find_type(c, text), *first = find_type(c, name);
  long long n, each;
  if (first != e)
    return BAD(c, e, "%s(%s, ...): %s is there twice; the first is in line %u", kind, name, name, first->line);
  if (!check_type_name(c, e) || !array_shape(c, e, 0, &n, &each)) return false;
  if (of && port_entry_is(e, "ARRAY_V"))
    return BAD(c, e, "ARRAY_V(%s, ..., %s): ARRAY is for elements that have a type", name, text);
  return of || port_entry_is(e, "ARRAY_V") || each <= PORT_SCALAR_MOST ||
         BAD(c, e, "ARRAY(%s, ...): %.80s is %lld: an element has 1 to 64 bits; ARRAY_V is for more", name, text, each);
}

static bool check_field(port_reading_t *c, const port_entry_t *e) {
  const char *kind = e->kind->name, *type = e->args[0], *name = e->args[1];
  const port_entry_t *of = find_type(c, port_field(e, "of")), *before = same_before(c, e);
  long long width;
  if (!port_word(name) || name[port_word(name)])
    return BAD(c, e, "%s(%s, %.80s, ...): `%.80s` should be a name: letters, digits and _", kind, type, name, name);
  if (before) return BAD(c, e, "field %s of %s is there twice; the first is in line %u", name, type, before->line);
  if (!check_type_name(c, e)) return false;
  if (!is_field(find_type(c, type)))
    return BAD(c, e, "%s(%s, ...): %s is an %s in line %u", kind, type, type, find_type(c, type)->kind->name,
               find_type(c, type)->line);
  if (!field_width(c, e, 0, &width)) return false;
  if (of && port_entry_is(e, "FIELD_V"))
    return BAD(c, e, "FIELD_V(%s, %s, %s, ...): FIELD is for what has a type", type, name, port_field(e, "of"));
  if (!of && port_entry_is(e, "FIELD") && width > PORT_SCALAR_MOST)
    return BAD(c, e, "FIELD(%s, %s, ...): %.80s is %lld: a field has 1 to 64 bits; FIELD_V is for more", type, name,
               port_field(e, "of"), width);
  return check_field_qualifier(c, e);
}

static bool check_enum(port_reading_t *c, const port_entry_t *e) {
  long long width;
  const port_entry_t *first = find_type(c, e->args[0]);
  if (first != e)
    return BAD(c, e, "ENUM(%s, ...): %s is there twice; the first is in line %u", e->args[0], e->args[0], first->line);
  if (!port_eval_number(c, e, "width", port_field(e, "width"), &width)) return false;
  return (width >= 1 && width <= PORT_SCALAR_MOST) ||
         BAD(c, e, "ENUM(%s, ...): %.80s is %lld: an enum has 1 to 64 bits", e->args[0], port_field(e, "width"), width);
}

static bool check_label(port_reading_t *c, const port_entry_t *e) {
  const port_entry_t *type = find_type(c, e->args[0]), *before = same_before(c, e);
  long long width, value;
  if (!type || !port_entry_is(type, "ENUM"))
    return BAD(c, e, "LABEL(%s, %s, ...): no ENUM of that name is in this file; ENUM(%s, 2) says how many bits it has",
               e->args[0], e->args[1], e->args[0]);
  if (!port_word(e->args[1]) || e->args[1][port_word(e->args[1])])
    return BAD(c, e, "LABEL(%s, %.80s, ...): `%.80s` should be a name: letters, digits and _", e->args[0], e->args[1],
               e->args[1]);
  if (before)
    return BAD(c, e, "label %s of %s is there twice; the first is in line %u", e->args[1], e->args[0], before->line);
  if (!port_eval_number(c, type, "width", port_field(type, "width"), &width) ||
      !port_eval_number(c, e, "value", port_field(e, "value"), &value))
    return false;
  return (value >= 0 && (width > 62 || value >> width == 0)) ||
         BAD(c, e, "LABEL(%s, %s, ...): the value %lld does not fit the %lld bits of %s", e->args[0], e->args[1], value,
             width, e->args[0]);
}

static bool check_types(port_reading_t *c) {
  for
    EACH(e, c) {
      if (port_entry_is(e, "TEXT_VALUE")) return BAD(c, e, "TEXT_VALUE is made of PARAM_TEXT; write that");
      if (strncmp(e->kind->name, "WHEN_", 5) == 0)
        return BAD(c, e, "%s is made of a port's qualifier; write that: OUT(data, 8, !empty)", e->kind->name);
      if (port_kind_is_made(e->kind->name))
        return BAD(c, e, "%s is made of %.*s_S; write that, and the fields of its type", e->kind->name,
                   (int)strcspn(e->kind->name, "_"), e->kind->name);
      if ((is_field(e) && !check_field(c, e)) || (is_array(e) && !check_array(c, e)) ||
          (port_entry_is(e, "ENUM") && !check_enum(c, e)) || (port_entry_is(e, "LABEL") && !check_label(c, e)))
        return false;
    }
  return true;
}

/* ---- the entries that are made */

static void add_entry(expand_t *x, const port_entry_t *e) {
  if (x->num == x->room) {
    port_entry_t *more = port_take(&x->c->file->text.arena, (2 * x->room + 64) * sizeof *more);
    if (x->num) memcpy(more, x->list, x->num * sizeof *more);
    x->list = more, x->room = 2 * x->room + 64;
  }
  x->list[x->num++] = *e;
}

/* Adds an entry of kind IN_FIELD for ending "_FIELD"; `at` is the line that it comes from. */
static void make_entry(expand_t *x, const char *dir, const char *ending, const port_entry_t *at,
                       const char *const *args, unsigned num) {
  port_text_t *text = &x->c->file->text;
  const char *name = port_format(&text->arena, "%s%s", dir, ending);
  port_entry_t e = {
      .kind = port_text_kind(text, name, strlen(name)), .file = at->file, .line = at->line, .num_args = num};
  e.args = port_take(&text->arena, (num + 1) * sizeof *e.args);
  for (unsigned i = 0; i < num; i++) e.args[i] = args[i];
  add_entry(x, &e);
}

static const char *number_text(expand_t *x, long long number) {
  return port_format(&x->c->file->text.arena, "%lld", number);
}

/* Adds the names that the enum `type` has for values of `name`. */
static bool add_labels(expand_t *x, const char *type, const char *name) {
  for (const port_entry_t *e = x->c->file->text.entries; e < port_text_end(&x->c->file->text); e++) {
    long long value;
    if (!port_entry_is(e, "LABEL") || strcmp(e->args[0], type)) continue;
    if (!port_eval_number(x->c, e, "value", port_field(e, "value"), &value)) return false;
    make_entry(x, "NAMED", "", e, (const char *[]){name, e->args[1], number_text(x, value)}, 3);
  }
  return true;
}

static bool add_fields(expand_t *x, const char *type, const char *before, long long base, const char *outer);
static bool add_elements(expand_t *x, const port_entry_t *type, const char *before, long long base, const char *outer);

/* A field, an element of an array: what its value is called, where it lies, what qualifies it. */
typedef struct {
  const port_entry_t *at; /* the line that it comes from */
  const char *name, *member, *of, *by;
  long long lsb;
  bool wide; /* of any width */
} value_t;

/* Adds one value; for a struct or an array those that it is made of. */
static bool add_value(expand_t *x, const value_t *v) {
  const port_entry_t *type = find_type(x->c, v->of);
  const char *text = type && port_entry_is(type, "ENUM") ? port_field(type, "width") : v->of;
  if (has_parts(type)) {
    make_entry(x, x->dir, "_PART", v->at, (const char *[]){v->name, v->member}, 2);
    if (is_array(type) ? !add_elements(x, type, v->name, v->lsb, v->by) : !add_fields(x, v->of, v->name, v->lsb, v->by))
      return false;
    make_entry(x, x->dir, "_PART_END", v->at, (const char *[]){v->name, v->member}, 2);
    return true;
  }
  make_entry(x, x->dir, v->wide ? "_FIELD_V" : "_FIELD", v->at,
             (const char *[]){v->name, x->port->args[0], v->member, number_text(x, v->lsb), text, v->by}, 6);
  return !type || add_labels(x, v->of, v->name);
}

static bool bad_number(expand_t *x) {
  return BAD(x->c, x->port, "%s has more than %d fields", x->port->args[0], ENTRIES_MOST);
}

/* Adds the elements of an array, whose lowest bit is `base` of the port. */
static bool add_elements(expand_t *x, const port_entry_t *type, const char *before, long long base, const char *outer) {
  port_arena_t *arena = &x->c->file->text.arena;
  long long n, each;
  if (!array_shape(x->c, type, 0, &n, &each)) return false;
  for (long long k = 0; k < n; k++) {
    const value_t v = {.at = x->port,
                       .name = port_format(arena, "%s[%lld]", before, k),
                       .member = port_format(arena, "[%lld]", k),
                       .of = port_field(type, "of"),
                       .by = outer,
                       .lsb = base + k * each,
                       .wide = port_entry_is(type, "ARRAY_V")};
    if (x->num > ENTRIES_MOST) return bad_number(x);
    if (!add_value(x, &v)) return false;
  }
  return true;
}

/* Adds one field, whose lowest bit is `lsb` of the port; `outer` qualifies the struct around it. */
static bool add_field(expand_t *x, const port_entry_t *e, const char *before, long long lsb, const char *outer) {
  port_arena_t *arena = &x->c->file->text.arena;
  const char *member = e->args[1];
  const value_t v = {.at = e,
                     .name = port_format(arena, "%s.%s", before, member),
                     .member = member,
                     .of = port_field(e, "of"),
                     .by = port_both(arena, port_within(arena, port_field(e, "valid"), before), outer),
                     .lsb = lsb,
                     .wide = port_entry_is(e, "FIELD_V")};
  return add_value(x, &v);
}

/* Adds the fields of a struct, whose lowest bit is `base` of the port. */
static bool add_fields(expand_t *x, const char *type, const char *before, long long base, const char *outer) {
  port_reading_t *c = x->c;
  const port_entry_t *end = port_text_end(&c->file->text);
  long long below, width;
  if (!fields_width(c, type, c->file->text.entries, 0, &below)) return false;
  for (const port_entry_t *e = c->file->text.entries; e < end; e++) {
    if (!is_field(e) || strcmp(e->args[0], type)) continue;
    if (x->num > ENTRIES_MOST) return bad_number(x);
    if (!field_width(c, e, 0, &width)) return false;
    below -= width;
    if (!add_field(x, e, before, base + below, outer)) return false;
  }
  return true;
}

static bool is_added(const expand_t *x, const port_entry_t *type) {
  for (unsigned i = 0; i < x->num; i++)
    if (strncmp(x->list[i].kind->name, "TYPE_", 5) == 0 && strcmp(x->list[i].args[0], type->args[0]) == 0) return true;
  return false;
}

/* Adds an array for the model; of an enum the model has the numbers. */
static void add_array(expand_t *x, const port_entry_t *type) {
  const port_entry_t *of = find_type(x->c, port_field(type, "of"));
  const bool numbers = of && port_entry_is(of, "ENUM");
  const char *args[] = {type->args[0], port_field(type, "n"),
                        port_field(numbers ? of : type, numbers ? "width" : "of")};
  const char *one = port_entry_is(type, "ARRAY_V") ? "_ARRAY_V" : "_ARRAY";
  make_entry(x, "TYPE", has_parts(of) ? "_ARRAY_S" : one, type, args, 3);
}

/* Adds a struct or an array for the model, once, behind those inside of it. */
static void add_type(expand_t *x, const port_entry_t *type) {
  const port_entry_t *end = port_text_end(&x->c->file->text), *of;
  if (is_added(x, type)) return;
  for (const port_entry_t *e = type; e < end; e++)
    if ((e == type || is_field(e)) && strcmp(e->args[0], type->args[0]) == 0 &&
        has_parts(of = find_type(x->c, port_field(e, "of"))))
      add_type(x, of);
  if (is_array(type)) {
    add_array(x, type);
    return;
  }
  make_entry(x, "TYPE", "_BEGIN", type, type->args, 1);
  for (const port_entry_t *e = type; e < end; e++) {
    if (!is_field(e) || strcmp(e->args[0], type->args[0])) continue;
    if (has_parts(find_type(x->c, port_field(e, "of")))) make_entry(x, "TYPE", "_PART", e, e->args, 3);
    else make_entry(x, "TYPE", port_entry_is(e, "FIELD") ? "_FIELD" : "_FIELD_V", e, e->args, 3);
  }
  make_entry(x, "TYPE", "_END", type, type->args, 1);
}

/* Adds the port that `e` stands for. */
static bool add_port(expand_t *x, const port_entry_t *e, const port_entry_t *type) {
  const char *name = e->args[0], *valid = port_field(e, "valid");
  long long width;
  x->port = e;
  x->dir = port_format(&x->c->file->text.arena, "%.*s", (int)strcspn(e->kind->name, "_"), e->kind->name);
  if (!type_width(x->c, type, 0, &width)) return false;
  if (port_entry_is(type, "ENUM")) {
    make_entry(x, x->dir, "", e, (const char *[]){name, port_field(type, "width"), valid}, 3);
    return add_labels(x, type->args[0], name);
  }
  add_type(x, type);
  make_entry(x, x->dir, "_FIELDS", e, (const char *[]){name, type->args[0], number_text(x, width), valid}, 4);
  if (is_array(type) ? !add_elements(x, type, name, 0, valid) : !add_fields(x, type->args[0], name, 0, valid))
    return false;
  make_entry(x, x->dir, "_FIELDS_END", e, (const char *[]){name}, 1);
  return true;
}

/* Adds the names that a text's values have for the model. */
static void add_values(expand_t *x, const port_entry_t *e) {
  const char *name;
  for (unsigned i = 0; (name = port_choice_name(&x->c->file->text.arena, e, i)); i++)
    make_entry(x, "TEXT", "_VALUE", e, (const char *[]){e->args[0], name, number_text(x, i)}, 3);
}

bool port_expand_fields(port_reading_t *c) {
  expand_t x = {.c = c};
  bool any = false;
  if (!check_types(c)) return false;
  for
    EACH(e, c) {
      const char *type = port_is_port(e) ? port_field(e, "type") : NULL;
      const port_entry_t *own = type ? find_type(c, type) : NULL;
      if (own && !add_port(&x, e, own)) return false;
      if (!own) add_entry(&x, e);
      if (port_entry_is(e, "PARAM_TEXT")) add_values(&x, e);
      any |= own != NULL || port_entry_is(e, "PARAM_TEXT");
    }
  if (any) c->file->text.entries = x.list, c->file->text.num_entries = c->file->text.room = x.num;
  return true;
}

/* ---- for C */

static bool is_about_types(const port_entry_t *e) {
  return is_field(e) || is_array(e) || port_entry_is(e, "ENUM") || port_entry_is(e, "LABEL");
}

/* True for a port whose qualifier C has by a number (port_qualifier.h). */
static bool has_when(const port_entry_t *e) {
  return port_is_port(e) && !port_is_plain(port_field(e, "valid"));
}

/* Kinds that portgen alone has (CLOCK_none, RESET__too) as the file has them: CLOCK(none). */
static void print_entry(const port_entry_t *e, const char *when, port_buffer_t *out) {
  const bool clocking = strncmp(e->kind->name, "CLOCK_", 6) == 0 ||
                        (strncmp(e->kind->name, "RESET_", 6) == 0 && !port_entry_is(e, "RESET_IN"));
  const unsigned num = port_entry_is(e, "CLOCK__too") ? 1 : e->num_args;
  const char *valid = when ? port_field(e, "valid") : NULL;
  port_add(out, e->kind->name, clocking ? 5 : strlen(e->kind->name));
  for (unsigned i = 0; i < num; i++)
    port_add_text(out, i ? ", " : "("), port_add_text(out, e->args[i] == valid ? when : e->args[i]);
  port_add_text(out, num ? ")\n" : "()\n");
}

void port_fields_print(const port_file_t *file, port_buffer_t *out) {
  const port_entry_t *end = port_text_end(&file->text);
  port_buffer_t whens = {0};
  unsigned count = 0;
  bool any = false;
  char line[32], number[16];
  for (const port_entry_t *e = file->text.entries; e < end; e++) any |= is_about_types(e) || has_when(e);
  for (const port_entry_t *e = file->text.entries; any && e < end; e++) {
    if (is_about_types(e) || port_entry_is(e, "TEXT_VALUE")) continue;
    snprintf(line, sizeof line, "#line %u \"", e->line);
    port_add_text(out, line), port_add_text(out, e->file), port_add_text(out, "\"\n");
    snprintf(number, sizeof number, "%u", count);
    print_entry(e, has_when(e) ? number : NULL, out);
    if (has_when(e)) port_when_print(e, count++, &whens);
  }
  if (count) port_add(out, whens.at, whens.size);
  free(whens.at);
}
