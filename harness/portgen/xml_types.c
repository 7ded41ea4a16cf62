/* SPDX-License-Identifier: Apache-2.0
 *
 * Each element is on a line of its own. What stands inside of a type (fields, labels, a range)
 * comes before its end.
 */
#include "xml_types.h"
#include "top_xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES_MOST = 65536, PORTS_MOST = 4096, NAME = 256, CHAIN = 32, BITS_MOST = 1 << 20 };

typedef struct {
  xml_types_t *t;
  top_xml_place_t at;
  xml_type_t *open, *array; /* the struct or enum, and the array, that lines belong to */
  xml_member_t *label;      /* the label whose value is next */
  xml_param_t *param;       /* the parameter whose value is next */
  unsigned bounds;          /* of the array, so far */
  bool in_module;           /* and in no package */
} reader_t;

static bool begins(const char *line, const char *element) {
  const size_t n = strlen(element);
  return line[0] == '<' && strncmp(line + 1, element, n) == 0 && (line[1 + n] == ' ' || line[1 + n] == '>');
}

static const char *attribute(reader_t *r, const char *line, const char *name) {
  char text[4096];
  top_xml_attribute(line, name, text, sizeof text);
  return port_copy(&r->t->arena, text, strlen(text));
}

static xml_place_t place_of(const char *line) {
  char text[64];
  xml_place_t place = {0};
  unsigned last;
  if (!top_xml_attribute(line, "loc", text, sizeof text) || !strchr(text, ',')) return place;
  place.file = top_xml_file(text);
  if (sscanf(strchr(text, ','), ",%u,%u,%u,%u", &place.line, &place.column, &last, &place.end) != 4) place.end = 0;
  return place;
}

/* The name without packages and modules before it. */
static const char *last_name(const char *name) {
  const char *colon = strrchr(name, ':'), *dot = strrchr(colon ? colon : name, '.');
  if (dot) return dot + 1;
  return colon ? colon + 1 : name;
}

static xml_kind_t kind_of(const char *line) {
  static const struct {
    const char *element;
    xml_kind_t kind;
  } kinds[] = {{"basicdtype", XML_VECTOR}, {"structdtype", XML_STRUCT},    {"uniondtype", XML_UNION},
               {"enumdtype", XML_ENUM},    {"packarraydtype", XML_PACKED}, {"unpackarraydtype", XML_UNPACKED}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (begins(line, kinds[i].element)) return kinds[i].kind;
  return XML_OTHER;
}

/* A vector of no range has one bit; reals, texts and events are none. */
static unsigned vector_width(reader_t *r, const char *line) {
  static const char *const others[] = {"real", "string", "shortreal", "event", "chandle"};
  char left[32], right[32];
  const char *name = attribute(r, line, "name");
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(name, others[i]) == 0) return 0;
  if (!top_xml_attribute(line, "left", left, sizeof left) || !top_xml_attribute(line, "right", right, sizeof right))
    return 1;
  return (unsigned)labs(atol(left) - atol(right)) + 1;
}

static void take_type(reader_t *r, const char *line) {
  const unsigned id = top_xml_number(line, "id");
  if (!id || id >= TYPES_MOST || begins(line, "memberdtype")) return;
  xml_type_t *type = &r->t->types[id];
  *type = (xml_type_t){.kind = kind_of(line), .of = top_xml_number(line, "sub_dtype_id"), .place = place_of(line)};
  type->name = last_name(attribute(r, line, "name"));
  type->parameter = begins(line, "paramtypedtype");
  type->renames = type->parameter || begins(line, "refdtype");
  if (type->kind == XML_VECTOR) type->width = vector_width(r, line);
  if (id >= r->t->num_types) r->t->num_types = id + 1;
  if (type->kind == XML_STRUCT || type->kind == XML_UNION || type->kind == XML_ENUM) r->open = type;
  if (type->kind == XML_PACKED || type->kind == XML_UNPACKED) r->array = type, r->bounds = 0;
}

static void take_member(reader_t *r, const char *line) {
  xml_type_t *type = r->open;
  if (type->count == type->room) {
    xml_member_t *more = port_take(&r->t->arena, (2 * type->room + 8) * sizeof *more);
    if (type->count) memcpy(more, type->members, type->count * sizeof *more);
    type->members = more, type->room = 2 * type->room + 8;
  }
  type->members[type->count++] = (xml_member_t){.name = attribute(r, line, "name"),
                                                .type = top_xml_number(line, "sub_dtype_id"),
                                                .value = "",
                                                .place = place_of(line)};
  if (begins(line, "enumitem")) r->label = &type->members[type->count - 1];
}

/* A bound of an array, or a label's value: "32&apos;sh1f". */
static void take_constant(reader_t *r, const char *line) {
  const char *text = attribute(r, line, "name"), *h = strchr(text, 'h');
  if (r->param) r->param->value = place_of(line), r->param = NULL;
  else if (r->label) r->label->value = h ? h + 1 : text, r->label = NULL;
  else if (r->array) {
    const long long bound = h ? (int)strtoul(h + 1, NULL, 16) : 0;
    *(r->bounds++ ? &r->array->right : &r->array->left) = bound;
    if (r->bounds == 2) r->array = NULL;
  }
}

static void take_var(reader_t *r, const char *line) {
  char dir[16];
  char name[4096];
  const bool port = top_xml_attribute(line, "dir", dir, sizeof dir);
  top_xml_name(line, name, sizeof name);
  const xml_port_t is = {.name = port_copy(&r->t->arena, name, strlen(name)),
                         .type_name = attribute(r, line, "vartype"),
                         .type = top_xml_number(line, "dtype_id"),
                         .output = *dir == 'o',
                         .place = place_of(line)};
  r->param = NULL;
  if (port && r->t->num_ports < PORTS_MOST) r->t->ports[r->t->num_ports++] = is;
  if (port || !top_xml_attribute(line, "param", dir, sizeof dir) || r->t->num_params == PORTS_MOST) return;
  r->param = &r->t->params[r->t->num_params++];
  r->param->is = is;
}

static void take_line(reader_t *r, const char *line) {
  line += strspn(line, " ");
  const bool child = top_xml_follow(&r->at, line);
  char top[8];
  if (begins(line, "module") || strncmp(line, "</module", 8) == 0) r->in_module = *line == '<' && line[1] != '/';
  const unsigned used = r->in_module ? top_xml_number(line, "dtype_id") : 0;
  if (used && used < TYPES_MOST) r->t->used[used] = true;
  if (begins(line, "file")) {
    const unsigned n = top_xml_file(attribute(r, line, "id"));
    if (n && !r->t->files[n]) r->t->files[n] = attribute(r, line, "filename");
  } else if (begins(line, "module") && top_xml_attribute(line, "topModule", top, sizeof top)) {
    r->t->module = place_of(line);
  } else if (child && begins(line, "var")) {
    take_var(r, line);
  } else if (r->open && (begins(line, "memberdtype") || begins(line, "enumitem"))) {
    take_member(r, line);
  } else if (begins(line, "const")) {
    take_constant(r, line);
  } else if (strstr(line, "dtype ") && strstr(line, " id=\"")) {
    take_type(r, line);
  }
}

bool xml_types_read(xml_types_t *t, const char *path) {
  size_t size;
  char *text = port_read_text(path, &size), *rest = NULL;
  *t = (xml_types_t){0};
  if (!text) return false;
  t->types = port_take(&t->arena, TYPES_MOST * sizeof *t->types);
  t->used = port_take(&t->arena, TYPES_MOST * sizeof *t->used);
  t->ports = port_take(&t->arena, PORTS_MOST * sizeof *t->ports);
  t->params = port_take(&t->arena, PORTS_MOST * sizeof *t->params);
  t->files = port_take(&t->arena, TOP_XML_FILES * sizeof *t->files);
  reader_t r = {.t = t};
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) take_line(&r, line);
  for (unsigned i = 0; i < t->num_types; i++)
    if (!t->types[i].name) t->types[i].name = "";
  free(text);
  return true;
}

void xml_types_free(xml_types_t *t) {
  port_release(&t->arena);
  *t = (xml_types_t){0};
}

const xml_type_t *xml_type_of(const xml_types_t *t, unsigned id) {
  static const xml_type_t unknown = {.name = ""};
  for (unsigned steps = 0; id < t->num_types && t->types[id].renames && steps < CHAIN; steps++) id = t->types[id].of;
  return id < t->num_types ? &t->types[id] : &unknown;
}

static unsigned bits_of(const xml_types_t *t, unsigned id, unsigned depth) {
  const xml_type_t *type = xml_type_of(t, id);
  unsigned long long bits = 0;
  if (depth > CHAIN) return 0;
  if (type->kind == XML_VECTOR) return type->width;
  if (type->kind == XML_ENUM) return bits_of(t, type->of, depth + 1);
  if (type->kind == XML_PACKED || type->kind == XML_UNPACKED)
    bits = (unsigned long long)(llabs(type->left - type->right) + 1) * bits_of(t, type->of, depth + 1);
  for (unsigned i = 0; (type->kind == XML_STRUCT || type->kind == XML_UNION) && i < type->count; i++) {
    const unsigned one = bits_of(t, type->members[i].type, depth + 1);
    if (!one || xml_type_of(t, type->members[i].type)->kind == XML_UNPACKED) return 0;
    bits = type->kind == XML_UNION ? one : bits + one;
  }
  return bits <= BITS_MOST ? (unsigned)bits : 0;
}

unsigned xml_type_bits(const xml_types_t *t, unsigned id) {
  return bits_of(t, id, 0);
}

bool xml_types_struct_array(const xml_types_t *t, xml_place_t *place) {
  for (unsigned i = 0; i < t->num_types; i++) {
    const xml_type_t *of = xml_type_of(t, i);
    if (of->kind != XML_UNPACKED || !t->used[i]) continue;
    *place = of->place;
    for (unsigned depth = 0; of->kind == XML_UNPACKED && depth < CHAIN; depth++) of = xml_type_of(t, of->of);
    if (of->kind == XML_STRUCT || of->kind == XML_UNION) return true;
  }
  return false;
}

const xml_port_t *xml_port(const xml_types_t *t, const char *name) {
  for (unsigned i = 0; i < t->num_ports; i++)
    if (strcmp(t->ports[i].name, name) == 0) return &t->ports[i];
  return NULL;
}

/* ---- enums */

static bool same_labels(const xml_type_t *a, const xml_type_t *b) {
  bool same = a->count == b->count;
  for (unsigned i = 0; same && i < a->count; i++)
    same = strcmp(a->members[i].name, b->members[i].name) == 0 && strcmp(a->members[i].value, b->members[i].value) == 0;
  return same;
}

/* The one enum of this name and width; NULL: none, or several that differ. */
static const xml_type_t *enum_called(const xml_types_t *t, const char *name, unsigned bits) {
  const xml_type_t *found = NULL;
  for (unsigned i = 0; *name && i < t->num_types; i++) {
    if (t->types[i].kind != XML_ENUM || strcmp(t->types[i].name, name) || bits_of(t, i, 0) != bits) continue;
    if (found && !same_labels(found, &t->types[i])) return NULL;
    if (!found) found = &t->types[i];
  }
  return found;
}

const xml_type_t *xml_port_enum(const xml_types_t *t, const xml_port_t *port) {
  const xml_type_t *type = xml_type_of(t, port->type);
  while (type->kind == XML_UNPACKED) type = xml_type_of(t, type->of);
  if (type->kind == XML_ENUM) return type;
  return type->kind == XML_VECTOR ? enum_called(t, last_name(port->type_name), type->width) : NULL;
}

static bool is_between(xml_place_t place, unsigned from, const xml_member_t *member) {
  return place.file == member->place.file && place.line == member->place.line && place.column >= from &&
         place.column < member->place.column;
}

/* The name of a type right before the member, on its line: "op_e op". */
const xml_type_t *xml_member_enum(const xml_types_t *t, const xml_type_t *in, const xml_member_t *member) {
  const xml_type_t *type = xml_type_of(t, member->type), *name = NULL;
  if (type->kind == XML_ENUM) return type;
  if (type->kind != XML_VECTOR) return NULL;
  for (unsigned i = 0; i < t->num_types; i++)
    if (t->types[i].renames && is_between(t->types[i].place, 0, member) &&
        (!name || t->types[i].place.column > name->place.column))
      name = &t->types[i];
  for (unsigned i = 0; name && i < in->count; i++)
    if (&in->members[i] != member && is_between(in->members[i].place, name->place.column, member)) name = NULL;
  return name ? enum_called(t, name->name, type->width) : NULL;
}
