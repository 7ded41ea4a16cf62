/* SPDX-License-Identifier: Apache-2.0 */
#include "port_shape.h"
#include "port_reading.h"
#include "xml_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const xml_types_t *types;
  trouble_t *trouble;
} shape_t;

static const char *file_of(const xml_types_t *t, xml_place_t place) {
  const char *name = t->files[place.file], *slash = name ? strrchr(name, '/') : NULL;
  if (!name) return "the RTL";
  return slash ? slash + 1 : name;
}

/* The field whose name is the first n letters of `name`; a word of C has a _ behind it in the port
 * file. *lsb: of it in the struct. NULL: none. */
static const xml_member_t *find_member(const xml_types_t *t, const xml_type_t *in, const char *name, size_t n,
                                       unsigned *lsb) {
  unsigned below = 0;
  for (unsigned i = in->count; i-- > 0;) {
    const char *is = in->members[i].name;
    const size_t m = strlen(is);
    if (strncmp(is, name, m) == 0 && (m == n || (m + 1 == n && name[m] == '_'))) return *lsb = below, &in->members[i];
    below += xml_type_bits(t, in->members[i].type);
  }
  return NULL;
}

/* Sets the error: the struct has no such field; lists those that it has. */
static bool no_member(const shape_t *s, const port_entry_t *e, const xml_type_t *in, const char *name, size_t n) {
  char all[512] = "";
  size_t used = 0;
  for (unsigned i = 0; i < in->count && used < sizeof all; i++)
    used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", in->members[i].name);
  return trouble_set(s->trouble, TROUBLE_INPUT,
                     "%.600s:%u: FIELD(..., %.*s, ...): the struct in %s:%u has no field "
                     "%.*s; it has %s",
                     e->file, e->line, (int)n, name, file_of(s->types, in->place), in->place.line, (int)n, name, all);
}

/* Sets the error: the RTL's array has fewer elements. */
static bool no_element(const shape_t *s, const port_entry_t *e, const xml_port_t *port, unsigned long n) {
  return trouble_set(s->trouble, TROUBLE_INPUT, "%.600s:%u: %.200s: %s has %lu elements in %s:%u", e->file, e->line,
                     e->args[0], port->name, n, file_of(s->types, port->place), port->place.line);
}

/* What a name of the port file stands for in the RTL: req[1].addr. */
typedef struct {
  unsigned type, lsb;
  xml_place_t place; /* of its declaration */
  bool ours;         /* the RTL has a vector there: what it is made of is the port file's */
} found_t;

/* Goes from an array into an element, which is numbered from the least index on. */
static bool take_element(const shape_t *s, const port_entry_t *e, const xml_port_t *port, const char **at, found_t *f) {
  const xml_type_t *in = xml_type_of(s->types, f->type);
  const bool array = in->kind == XML_UNPACKED || in->kind == XML_PACKED;
  const unsigned long k = strtoul(*at + 1, NULL, 10), n = array ? (unsigned long)llabs(in->left - in->right) + 1 : 0;
  *at += strcspn(*at, "]") + 1;
  if (!array) return f->ours = true;
  if (k >= n) return no_element(s, e, port, n);
  f->lsb += (unsigned)k * xml_type_bits(s->types, in->of);
  f->type = in->of;
  return true;
}

static bool take_field(const shape_t *s, const port_entry_t *e, const char **at, found_t *f) {
  const xml_type_t *in = xml_type_of(s->types, f->type);
  const char *name = *at + 1;
  const size_t n = strcspn(name, ".[");
  unsigned below = 0;
  *at = name + n;
  if (in->kind != XML_STRUCT) return f->ours = true;
  const xml_member_t *member = find_member(s->types, in, name, n, &below);
  if (!member) return no_member(s, e, in, name, n);
  f->lsb += below;
  f->type = member->type, f->place = member->place;
  return true;
}

/* Compares one field or element with the RTL's of the same name. */
static bool check_field(const shape_t *s, const port_entry_t *e, const xml_port_t *port) {
  found_t f = {.type = port->type, .place = port->place};
  const char *at = e->args[0] + strcspn(e->args[0], ".[");
  while (*at && !f.ours)
    if (*at == '[' ? !take_element(s, e, port, &at, &f) : !take_field(s, e, &at, &f)) return false;
  const unsigned width = xml_type_bits(s->types, f.type), ours = (unsigned)atoi(e->number);
  const unsigned lsb = (unsigned)atoi(port_field(e, "lsb"));
  if (f.ours || (lsb == f.lsb && ours == width)) return true;
  return trouble_set(
      s->trouble, TROUBLE_INPUT,
      "%.600s:%u: %.200s is bits %u to %u of %s here, and %u to %u in %s:%u; fields should be in the RTL's "
      "order, with its widths",
      e->file, e->line, e->args[0], lsb + ours - 1, lsb, port->name, f.lsb + width - 1, f.lsb,
      file_of(s->types, f.place), f.place.line);
}

/* Compares a label with the RTL's of the same name, where the enum is known. */
static bool check_label(const shape_t *s, const port_entry_t *e, const xml_port_t *port) {
  const xml_type_t *type = strpbrk(e->args[0], ".[") ? NULL : xml_port_enum(s->types, port);
  const long long ours = atoll(e->args[2]);
  for (unsigned i = 0; type && i < type->count; i++) {
    const long long value = (long long)strtoull(type->members[i].value, NULL, 16);
    if (strcmp(type->members[i].name, e->args[1]) || value == ours) continue;
    return trouble_set(s->trouble, TROUBLE_INPUT, "%.600s:%u: LABEL(..., %s, %lld): %s is %lld in %s:%u", e->file,
                       e->line, e->args[1], ours, e->args[1], value, file_of(s->types, type->members[i].place),
                       type->members[i].place.line);
  }
  return true;
}

/* The RTL's port that an entry of a field or label is about: the last one of that name before it,
 * since an input and an output of one name are the two directions of an interface. NULL: none. */
static const xml_port_t *port_of(const port_file_t *file, const xml_types_t *t, const port_entry_t *about) {
  const size_t n = strcspn(about->args[0], ".[");
  for (const port_entry_t *e = about; e-- > file->text.entries;)
    if (e->pin && strncmp(e->args[0], about->args[0], n) == 0 && !e->args[0][n] &&
        (!port_is_port(about) || port_is_input(e) == port_is_input(about)))
      return xml_port(t, e->pin);
  return NULL;
}

bool port_shape(const port_file_t *file, const char *xml, trouble_t *trouble) {
  xml_types_t types;
  const shape_t s = {.types = &types, .trouble = trouble};
  if (!xml_types_read(&types, xml)) return trouble_set(trouble, TROUBLE_INPUT, "%s: cannot be read", xml);
  bool ok = true;
  for (const port_entry_t *e = file->text.entries; ok && e < port_text_end(&file->text); e++) {
    const bool label = port_entry_is(e, "NAMED"), field = port_is_port(e) && port_field(e, "lsb");
    const xml_port_t *port = label || field ? port_of(file, &types, e) : NULL;
    if (port) ok = label ? check_label(&s, e, port) : check_field(&s, e, port);
  }
  xml_types_free(&types);
  return ok;
}
