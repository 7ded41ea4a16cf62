/* SPDX-License-Identifier: Apache-2.0 */
#include "flat_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 16 };

bool flat_tree_read(flat_tree_t *t, const char *xml, trouble_t *trouble) {
  *t = (flat_tree_t){.root = xml_tree_read(xml, trouble)};
  if (!t->root) return false;
  const xml_node_t *file = xml_child(t->root, "verilator_xml");
  t->netlist = file ? xml_child(file, "netlist") : NULL;
  for (xml_node_t *m = t->netlist ? t->netlist->first : NULL; m; m = m->next)
    if (xml_is(m, "module") && xml_value(m, "topModule")) t->top = m;
  if (t->top && xml_types_read(&t->types, xml)) return true;
  flat_tree_free(t);
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: should be an XML file of Verilator's with a module", xml);
}

void flat_tree_free(flat_tree_t *t) {
  xml_types_free(&t->types);
  if (t->root) xml_tree_free(t->root);
  words_free(&t->texts), words_free(&t->packages);
  *t = (flat_tree_t){0};
}

/* ---- interfaces */

static const xml_node_t *named(const xml_node_t *scope, const char *tag, const char *name) {
  for (const xml_node_t *node = scope ? scope->first : NULL; node; node = node->next)
    if (xml_is(node, tag) && strcmp(xml_value(node, "name"), name) == 0) return node;
  return NULL;
}

const xml_node_t *flat_var(const xml_node_t *scope, const char *name) {
  return named(scope, "var", name);
}

static int bound(const xml_node_t *constant) {
  const char *text = constant ? xml_value(constant, "name") : "", *h = strchr(text, 'h');
  return h ? (int)strtoul(h + 1, NULL, 16) : 0;
}

const xml_node_t *flat_interface(const flat_tree_t *t, const char *name, bool *array, int *left, int *right) {
  const xml_node_t *instance = named(t->top, "instance", name);
  const xml_node_t *range = instance ? xml_child(instance, "range") : NULL;
  *array = range, *left = *right = 0;
  if (range) *left = bound(xml_at(range, 0)), *right = bound(xml_at(range, 1));
  return instance ? named(t->netlist, "iface", xml_value(instance, "defName")) : NULL;
}

flat_dir_t flat_member_dir(const xml_node_t *ref) {
  const char *dir = xml_value(ref, "direction");
  if (dir && strcmp(dir, "in") == 0) return FLAT_INPUT;
  return dir && strcmp(dir, "out") == 0 ? FLAT_OUTPUT : FLAT_OTHER;
}

/* ---- places */

unsigned flat_line(const flat_tree_t *t, const xml_node_t *node, const char **file) {
  const char *place = xml_value(node, "loc");
  const unsigned n = place ? top_xml_file(place) : 0;
  *file = n && t->types.files[n] ? t->types.files[n] : "";
  return place && strchr(place, ',') ? (unsigned)strtoul(strchr(place, ',') + 1, NULL, 10) : 0;
}

void flat_write_line(const flat_tree_t *t, const xml_node_t *node, FILE *out) {
  const char *file;
  const unsigned line = flat_line(t, node, &file);
  if (*file && *file != '<') fprintf(out, "`line %u \"%s\" 0\n", line, file);
}

static void write_place(const flat_tree_t *t, xml_place_t place, FILE *out) {
  const char *file = place.file ? t->types.files[place.file] : NULL;
  if (file && *file != '<') fprintf(out, "`line %u \"%s\" 0\n", place.line, file);
}

/* ---- types */

static const char *type_text(flat_tree_t *t, unsigned id, const xml_type_t *labels, const char *prefix, FILE *packages,
                             unsigned depth);

/* A package for each type: labels of two enums may have one name. Returns the type's whole name. */
static const char *write_enum(flat_tree_t *t, const xml_type_t *type, const char *prefix, FILE *packages) {
  const unsigned bits = xml_type_bits(&t->types, type->of), id = (unsigned)(type - t->types.types);
  const char *name = *type->name && strncmp(type->name, "__", 2) ? type->name : "enum_t";
  const char *package = words_add(&t->texts, "%s_%u", prefix, id);
  if (words_add_new(&t->packages, package)) {
    write_place(t, type->place, packages);
    fprintf(packages, "package %s; typedef enum logic [%u:0] {", package, bits - 1);
    for (unsigned i = 0; i < type->count; i++) {
      fputc('\n', packages);
      write_place(t, type->members[i].place, packages);
      fprintf(packages, "%s = %u'h%s%s", type->members[i].name, bits, type->members[i].value,
              i + 1 < type->count ? "," : "");
    }
    fprintf(packages, "} %s; endpackage\n", name);
  }
  return words_add(&t->texts, "%s::%s", package, name);
}

static const char *write_struct(flat_tree_t *t, const xml_type_t *type, const char *prefix, FILE *packages,
                                unsigned depth) {
  const unsigned id = (unsigned)(type - t->types.types);
  const char *name = *type->name && strncmp(type->name, "__", 2) ? type->name : "struct_t";
  const char *package = words_add(&t->texts, "%s_%u", prefix, id);
  if (!words_add_new(&t->packages, package)) return words_add(&t->texts, "%s::%s", package, name);
  const char **inner = calloc(type->count + 1, sizeof *inner);
  bool ok = inner;
  for (unsigned i = 0; ok && i < type->count; i++) {
    const xml_type_t *labels = xml_member_enum(&t->types, type, &type->members[i]);
    ok = (inner[i] = type_text(t, type->members[i].type, labels, prefix, packages, depth + 1));
  }
  if (ok) write_place(t, type->place, packages), fprintf(packages, "package %s; typedef struct packed {", package);
  for (unsigned i = 0; ok && i < type->count; i++) {
    fputc('\n', packages);
    write_place(t, type->members[i].place, packages);
    fprintf(packages, "%s \\%s ;", inner[i], type->members[i].name);
  }
  if (ok) fprintf(packages, "} %s; endpackage\n", name);
  free(inner);
  return ok ? words_add(&t->texts, "%s::%s", package, name) : NULL;
}

/* NULL: no bits. Unions and arrays are vectors. */
static const char *type_text(flat_tree_t *t, unsigned id, const xml_type_t *labels, const char *prefix, FILE *packages,
                             unsigned depth) {
  const xml_type_t *type = xml_type_of(&t->types, id);
  const unsigned bits = xml_type_bits(&t->types, id);
  if (!bits || depth > DEPTH) return NULL;
  if (labels) return write_enum(t, labels, prefix, packages);
  if (type->kind == XML_STRUCT) return write_struct(t, type, prefix, packages, depth);
  return bits == 1 ? "logic" : words_add(&t->texts, "logic [%u:0]", bits - 1);
}

bool flat_write_member(flat_tree_t *t, const xml_node_t *var, const char *prefix, FILE *packages, FILE *members) {
  const char *vartype = xml_value(var, "vartype");
  const xml_port_t port = {.name = xml_value(var, "name"),
                           .type_name = vartype ? vartype : "",
                           .type = (unsigned)strtoul(xml_value(var, "dtype_id"), NULL, 10)};
  const char *text = type_text(t, port.type, xml_port_enum(&t->types, &port), prefix, packages, 0);
  if (!text || xml_type_of(&t->types, port.type)->kind == XML_UNPACKED) return false;
  fputc('\n', members);
  flat_write_line(t, var, members);
  fprintf(members, "%s \\%s ;", text, port.name);
  return true;
}

/* ---- parameters */

static const xml_node_t *type_node(const flat_tree_t *t, const char *id) {
  const xml_node_t *table = xml_child(t->netlist, "typetable");
  for (unsigned steps = 0; id && table && steps < DEPTH; steps++) {
    const xml_node_t *type = table->first;
    while (type && (!xml_value(type, "id") || strcmp(xml_value(type, "id"), id))) type = type->next;
    if (!type || !xml_is(type, "refdtype")) return type;
    id = xml_value(type, "sub_dtype_id");
  }
  return NULL;
}

const char *flat_param_type(flat_tree_t *t, const xml_node_t *var) {
  const xml_node_t *type = type_node(t, xml_value(var, "dtype_id"));
  const unsigned bits = type ? xml_type_bits(&t->types, (unsigned)strtoul(xml_value(type, "id"), NULL, 10)) : 0;
  const char *sign = type ? xml_value(type, "signed") : NULL, *value = var->first ? xml_value(var->first, "name") : "";
  if (!bits || bits > 64 || !xml_is(type, "basicdtype") || !xml_is(var->first, "const") || *value == '"') return NULL;
  return words_add(&t->texts, "%s [%u:0]", sign && strcmp(sign, "true") == 0 ? "signed" : "", bits - 1);
}
