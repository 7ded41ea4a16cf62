/* SPDX-License-Identifier: Apache-2.0
 *
 * Ports whose type is a struct or an enum become ports of that type in the port file, with an entry
 * for each field and label. Unpacked arrays become arrays of these. Unions and packed arrays are
 * vectors there.
 */
#include "file.h"
#include "module.h"
#include "port_names.h"
#include "port_taken.h"
#include "xml_types.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* names longer than MODULE_NAME are cut, and differ then */

enum { NAMED_MOST = 256, INSIDE_MOST = 16 };

/* Types that have a name in the port file. */
typedef struct {
  module_t *m;
  xml_types_t types;
  const xml_type_t *named[NAMED_MOST];
  char names[NAMED_MOST][MODULE_NAME];
  unsigned count;
  FILE *out; /* the entries */
  trouble_t *trouble;
} types_t;

static bool is_taken(const types_t *t, const char *name) {
  static const char *const ours[] = {"t", "in_t", "out_t"}; /* X_t, X_in_t and X_out_t are the model's */
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    if (strcmp(ours[i], name) == 0) return true;
  for (unsigned i = 0; i < t->count; i++)
    if (strcmp(t->names[i], name) == 0) return true;
  return false;
}

/* The name of a type in the port file; *is_new: its entries are still to be written. A type without
 * a name gets one of what has it. */
static const char *name_type(types_t *t, const xml_type_t *type, const char *of, bool *is_new) {
  *is_new = false;
  for (unsigned i = 0; i < t->count; i++)
    if (t->named[i] == type) return t->names[i];
  if (t->count == NAMED_MOST) return NULL;
  char name[MODULE_NAME];
  const bool anonymous = !*type->name || strncmp(type->name, "__", 2) == 0;
  snprintf(name, sizeof name, "%.100s%s", anonymous ? of : type->name, anonymous ? "_t" : "");
  for (unsigned n = 2; is_taken(t, name); n++) snprintf(name, sizeof name, "%.100s_%u", anonymous ? of : type->name, n);
  *is_new = true;
  t->named[t->count] = type;
  return memcpy(t->names[t->count++], name, sizeof name);
}

/* ---- entries of the port file */

static const char *write_enum(types_t *t, const xml_type_t *type, const char *of) {
  bool is_new;
  const char *name = name_type(t, type, of, &is_new);
  if (!name || !is_new) return name;
  fprintf(t->out, "ENUM(%s, %u)\n", name, xml_type_bits(&t->types, type->of));
  for (unsigned i = 0; i < type->count; i++)
    fprintf(t->out, "LABEL(%s, %s, %llu)\n", name, type->members[i].name, strtoull(type->members[i].value, NULL, 16));
  return name;
}

/* A field's name as the model has it. */
static const char *field_name(const char *name, char text[MODULE_NAME]) {
  snprintf(text, MODULE_NAME, "%.120s%s", name, port_is_word_of_c(name) ? "_" : "");
  return text;
}

/* Writes what the struct is made of first. NULL: too many types. */
static const char *write_struct(types_t *t, const xml_type_t *type, const char *of, unsigned depth) {
  const char **inner = calloc(type->count + 1, sizeof *inner);
  bool ok = inner && depth < INSIDE_MOST, is_new;
  char field[MODULE_NAME];
  const char *name = name_type(t, type, of, &is_new);
  for (unsigned i = 0; ok && name && is_new && i < type->count; i++) {
    const xml_member_t *m = &type->members[i];
    const xml_type_t *in = xml_type_of(&t->types, m->type), *labels = xml_member_enum(&t->types, type, m);
    if (labels) inner[i] = write_enum(t, labels, m->name), ok = inner[i];
    else if (in->kind == XML_STRUCT) inner[i] = write_struct(t, in, m->name, depth + 1), ok = inner[i];
  }
  for (unsigned i = 0; ok && name && is_new && i < type->count; i++) {
    const unsigned bits = xml_type_bits(&t->types, type->members[i].type);
    fprintf(t->out, "%s(%s, %s, ", bits > 64 && !inner[i] ? "FIELD_V" : "FIELD", name,
            field_name(type->members[i].name, field));
    if (inner[i]) fprintf(t->out, "%s, always)\n", inner[i]);
    else fprintf(t->out, "%u, always)\n", bits);
  }
  free(inner);
  return ok ? name : NULL;
}

/* ---- single values, for model and stimulus */

static void add_labels(module_leaf_t *leaf, const xml_type_t *labels) {
  size_t n = 0;
  for (unsigned i = 0; labels && i < labels->count && n < sizeof leaf->labels; i++, leaf->num_labels++)
    n += (size_t)snprintf(leaf->labels + n, sizeof leaf->labels - n, "%s%llu", i ? ", " : "",
                          strtoull(labels->members[i].value, NULL, 16));
  if (n >= sizeof leaf->labels) leaf->num_labels = 0;
}

static void add_leaf(types_t *t, unsigned port, const char *path, unsigned width, const xml_type_t *labels) {
  if (t->m->num_leaves == MODULE_LEAVES) return;
  module_leaf_t *leaf = &t->m->leaves[t->m->num_leaves++];
  *leaf = (module_leaf_t){.port = port, .width = width};
  snprintf(leaf->path, sizeof leaf->path, "%s", path);
  add_labels(leaf, labels);
}

static void add_leaves(types_t *t, unsigned port, const char *path, const xml_type_t *type, unsigned depth) {
  char name[MODULE_NAME], field[MODULE_NAME];
  for (unsigned i = 0; i < type->count && depth < INSIDE_MOST; i++) {
    const xml_member_t *m = &type->members[i];
    const xml_type_t *in = xml_type_of(&t->types, m->type);
    snprintf(name, sizeof name, "%s.%s", path, field_name(m->name, field));
    if (in->kind == XML_STRUCT) add_leaves(t, port, name, in, depth + 1);
    else add_leaf(t, port, name, xml_type_bits(&t->types, m->type), xml_member_enum(&t->types, type, m));
  }
}

/* ---- ports and parameters */

static bool refuse_port(types_t *t, const char *name, const char *what) {
  return trouble_set(t->trouble, TROUBLE_INPUT, "%s: port %s of %s %s", t->m->file, name, t->m->name, what);
}

/* A name for the array type of a port: data_a of data_i. Each port has its own, since ranges may
 * follow other parameters. */
static void name_array(types_t *t, module_port_t *p) {
  static const xml_type_t array = {.name = ""};
  char base[PORT_NAME], name[MODULE_NAME];
  port_name_model(p->name, base);
  const size_t n = strlen(base);
  if (n > 2 && (strcmp(base + n - 2, "_i") == 0 || strcmp(base + n - 2, "_o") == 0)) base[n - 2] = 0;
  snprintf(name, sizeof name, "%.100s_a", base);
  for (unsigned k = 2; is_taken(t, name); k++) snprintf(name, sizeof name, "%.100s_a%u", base, k);
  snprintf(p->type, sizeof p->type, "%s", name);
  if (t->count == NAMED_MOST) return;
  t->named[t->count] = &array;
  memcpy(t->names[t->count++], name, sizeof name);
}

/* An array as the vector of all its bits: it has too many elements or ranges. */
static bool take_as_vector(module_port_t *p, const module_array_t *array) {
  snprintf(p->note, sizeof p->note, "an unpacked array: %u elements of %u bits", p->width / array->width, array->width);
  return true;
}

static bool take_array(types_t *t, unsigned i, const xml_port_t *port) {
  module_port_t *p = &t->m->ports[i];
  const xml_type_t *type = xml_type_of(&t->types, port->type), *labels = xml_port_enum(&t->types, port);
  module_array_t array = {0};
  unsigned element = port->type, dims = 0;
  for (; type->kind == XML_UNPACKED; type = xml_type_of(&t->types, element)) {
    if (dims < MODULE_DIMS) array.dims[dims] = (unsigned)llabs(type->left - type->right) + 1;
    dims++, element = type->of;
  }
  array.width = xml_type_bits(&t->types, element);
  if (!array.width)
    return refuse_port(t, p->name, "is an array of no plain vectors: a wrapper should make vectors of it");
  if (dims > MODULE_DIMS || p->width / array.width > MODULE_ELEMENTS) return take_as_vector(p, &array);
  const char *name = NULL;
  if (labels) name = write_enum(t, labels, p->name);
  else if (type->kind == XML_STRUCT) name = write_struct(t, type, p->name, 0);
  if ((labels || type->kind == XML_STRUCT) && !name) return refuse_port(t, p->name, "has a type of too many types");
  if (name) snprintf(array.type, sizeof array.type, "%s", name);
  array.num_dims = dims;
  p->array = array;
  name_array(t, p);
  if (type->kind == XML_STRUCT) add_leaves(t, i, "", type, 0);
  else add_leaf(t, i, "", array.width, labels);
  return true;
}

static bool take_type(types_t *t, unsigned i) {
  module_port_t *p = &t->m->ports[i];
  const xml_port_t *port = xml_port(&t->types, p->name);
  const xml_type_t *type = port ? xml_type_of(&t->types, port->type) : NULL;
  const xml_type_t *labels = port ? xml_port_enum(&t->types, port) : NULL;
  p->width = port ? xml_type_bits(&t->types, port->type) : 0;
  if (type && type->kind == XML_UNPACKED) return take_array(t, i, port);
  if (!p->width) return refuse_port(t, p->name, "is no plain vector: a wrapper should make vectors of it");
  const char *name = NULL;
  if (labels) name = write_enum(t, labels, p->name);
  else if (type->kind == XML_STRUCT) name = write_struct(t, type, p->name, 0);
  else if (type->kind == XML_PACKED || type->kind == XML_UNION) {
    const char *what = type->kind == XML_UNION ? "a union" : "an array";
    const unsigned each = type->kind == XML_UNION ? 0 : xml_type_bits(&t->types, type->of);
    if (each) snprintf(p->note, sizeof p->note, "%s: %u elements of %u bits", what, p->width / each, each);
    else snprintf(p->note, sizeof p->note, "%s, here as the vector of its bits", what);
  }
  if ((labels || type->kind == XML_STRUCT) && !name) return refuse_port(t, p->name, "has a type of too many types");
  if (name) snprintf(p->type, sizeof p->type, "%s", name);
  if (labels) add_leaf(t, i, "", p->width, labels);
  else if (name) add_leaves(t, i, "", type, 0);
  return true;
}

/* The character of a source at a place; 0: not known. */
static char character_at(const types_t *t, xml_place_t place) {
  char *text = place.file && t->types.files[place.file] ? file_read(t->types.files[place.file]) : NULL;
  const char *at = text;
  for (unsigned line = 1; at && line < place.line; line++) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
  const char found = at && place.column && strcspn(at, "\n") >= place.column ? at[place.column - 1] : 0;
  free(text);
  return found;
}

static void leave_param(module_t *m, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void leave_param(module_t *m, const char *name, const char *format, ...) {
  if (m->num_left == MODULE_PARAMS) return;
  module_left_t *left = &m->left[m->num_left++];
  va_list args;
  va_start(args, format);
  snprintf(left->name, sizeof left->name, "%s", name);
  vsnprintf(left->why, sizeof left->why, format, args);
  va_end(args);
}

/* Parameters that a number cannot set. */
static void take_params(types_t *t) {
  const xml_types_t *x = &t->types;
  for (unsigned i = 0; i < x->num_params; i++) {
    const xml_param_t *p = &x->params[i];
    const xml_type_t *labels = xml_port_enum(x, &p->is), *type = xml_type_of(x, p->is.type);
    if (labels) leave_param(t->m, p->is.name, "an enum");
    else if (character_at(t, p->value) == '"' || strcmp(p->is.type_name, "string") == 0)
      leave_param(t->m, p->is.name, "a text");
    else if (type->kind == XML_STRUCT || type->kind == XML_UNION) leave_param(t->m, p->is.name, "a struct");
    else if (type->kind == XML_PACKED || type->kind == XML_UNPACKED) leave_param(t->m, p->is.name, "an array");
    else if (!xml_type_bits(x, p->is.type)) leave_param(t->m, p->is.name, "no whole number");
  }
  const unsigned last = x->num_ports ? x->ports[x->num_ports - 1].place.line : 0;
  for (unsigned i = 0; i < x->num_types; i++) {
    const xml_type_t *type = &x->types[i];
    if (type->parameter && type->place.file == x->module.file && type->place.line >= x->module.line &&
        type->place.line <= last)
      leave_param(t->m, type->name, "a type, of %u bits by default", xml_type_bits(x, i));
  }
}

bool module_is_left(const module_t *m, const char *name) {
  for (unsigned i = 0; i < m->num_left; i++)
    if (strcmp(m->left[i].name, name) == 0) return true;
  return false;
}

bool module_read_types(module_t *m, const char *path, trouble_t *trouble) {
  types_t *t = calloc(1, sizeof *t);
  char *text = NULL;
  size_t size;
  if (!t || !(t->out = open_memstream(&text, &size))) return free(t), trouble_memory(trouble);
  t->m = m, t->trouble = trouble;
  bool ok = xml_types_read(&t->types, path) || trouble_set(trouble, TROUBLE_INPUT, "%s: cannot be read", path);
  for (unsigned i = 0; ok && i < m->num_ports; i++) ok = take_type(t, i);
  if (ok) take_params(t);
  fclose(t->out);
  if (ok && size >= sizeof m->types)
    ok = trouble_set(trouble, TROUBLE_INPUT, "%s: the types of its ports have too many fields", m->file);
  if (ok) memcpy(m->types, text, size + 1);
  xml_types_free(&t->types);
  free(text), free(t);
  return ok;
}
