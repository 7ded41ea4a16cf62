/* SPDX-License-Identifier: Apache-2.0
 *
 * Types, places, names and variables of the design.
 */
#include "design.h"

#include "file.h"
#include "rtl_units.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = EMIT_NAME, CHAIN = 64, MOST_BITS = 1 << 24 };

const char *emit_text(emit_t *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = words_vadd(&e->texts, format, args);
  va_end(args);
  return text;
}

void emit_put(emit_t *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = words_vadd(&e->texts, format, args);
  va_end(args);
  for (const char *p = text; *p; p++) e->line += *p == '\n';
  fputs(text, e->out);
}

/* ---- places */

const char *emit_place(const emit_t *e, const xml_node_t *node, unsigned *line, unsigned *column) {
  const char *place = NULL;
  *line = *column = 0;
  for (; node && !place; node = node->parent) place = xml_value(node, "loc");
  const size_t n = place ? strcspn(place, ",") : 0;
  if (!n || sscanf(place + n, ",%u,%u", line, column) != 2) return "";
  for (const xml_node_t *file = xml_at(xml_child(e->root, "files"), 0); file; file = file->next) {
    const char *id = xml_value(file, "id"), *name = xml_value(file, "filename");
    if (id && name && strlen(id) == n && strncmp(id, place, n) == 0) return *name == '<' ? "" : name;
  }
  return "";
}

void emit_line(emit_t *e, const xml_node_t *node) {
  unsigned line, column;
  const char *file = emit_place(e, node, &line, &column);
  if (!*file || (e->line == line && e->file && strcmp(e->file, file) == 0)) return;
  emit_put(e, "`line %u \"%s\" 0\n", line, file);
  e->file = file, e->line = line;
}

/* The text of a source; read once. */
static const char *source_text(emit_t *e, const char *file) {
  for (size_t i = 0; i + 1 < e->sources.count; i += 2)
    if (strcmp(e->sources.at[i], file) == 0) return e->sources.at[i + 1];
  const char *slash = *file == '/' ? NULL : strrchr(e->xml, '/');
  const char *path = slash ? emit_text(e, "%.*s/%s", (int)(slash - e->xml), e->xml, file) : file;
  char *text = *file ? file_read(path) : NULL;
  words_add(&e->sources, "%s", file), words_add(&e->sources, "%s", text ? text : "");
  free(text);
  return e->sources.at[e->sources.count - 1];
}

const char *emit_source(emit_t *e, const xml_node_t *node, const char **before) {
  unsigned line, column;
  const char *text = source_text(e, emit_place(e, node, &line, &column));
  for (; line > 1 && *text; line--) {
    text += strcspn(text, "\n");
    text += *text == '\n';
  }
  const size_t length = strcspn(text, "\n");
  if (before) *before = text;
  return column && column <= length ? text + column - 1 : "";
}

bool emit_source_is(emit_t *e, const xml_node_t *node, const char *word) {
  const char *text = emit_source(e, node, NULL);
  const size_t n = strlen(word);
  return strncmp(text, word, n) == 0 && !isalnum((unsigned char)text[n]) && text[n] != '_';
}

void emit_refuse(emit_t *e, const xml_node_t *node, const char *what) {
  unsigned line, column;
  if (e->failed) return;
  e->failed = true;
  const char *file = emit_place(e, node, &line, &column);
  trouble_set(e->trouble, TROUBLE_INPUT, "%s:%u: %s cannot be written as Verilog 2005", file, line, what);
}

/* ---- types */

xml_node_t *emit_dtype_by(emit_t *e, const char *id) {
  for (int steps = 0; id && steps < CHAIN; steps++) {
    const unsigned long n = strtoul(id, NULL, 10);
    xml_node_t *type = n < e->num_types ? e->types[n] : NULL;
    if (!type) return NULL;
    const bool renames = xml_is(type, "refdtype") || xml_is(type, "enumdtype") || xml_is(type, "paramtypedtype") ||
                         xml_is(type, "constdtype");
    if (!renames) return type;
    id = xml_value(type, "sub_dtype_id");
  }
  return NULL;
}

xml_node_t *emit_dtype(emit_t *e, const xml_node_t *node) {
  return emit_dtype_by(e, xml_value(node, "dtype_id"));
}

static unsigned basic_width(const xml_node_t *type) {
  static const char *const others[] = {"real", "string", "shortreal", "event", "chandle"};
  const char *left = xml_value(type, "left"), *right = xml_value(type, "right"), *name = xml_value(type, "name");
  for (size_t i = 0; name && i < sizeof others / sizeof *others; i++)
    if (strcmp(name, others[i]) == 0) return 0;
  return left && right ? (unsigned)labs(strtol(left, NULL, 10) - strtol(right, NULL, 10)) + 1 : 1;
}

static unsigned range_elements(const xml_node_t *type) {
  unsigned long left, right;
  const xml_node_t *range = xml_child(type, "range");
  if (!range || !emit_number(xml_at(range, 0), &left) || !emit_number(xml_at(range, 1), &right)) return 0;
  return (unsigned)labs((long)(int)left - (long)(int)right) + 1;
}

static emit_type_t type_of(emit_t *e, const xml_node_t *type, int depth);

/* The bits of all members of a struct, or of the widest of a union. */
static emit_type_t members_type(emit_t *e, const xml_node_t *type, int depth) {
  emit_type_t all = {0, 1};
  for (const xml_node_t *member = type->first; member; member = member->next) {
    const emit_type_t one = type_of(e, emit_dtype_by(e, xml_value(member, "sub_dtype_id")), depth + 1);
    if (!one.width) return (emit_type_t){0, 1};
    if (xml_is(type, "structdtype")) all.width += one.width;
    else if (one.width > all.width) all.width = one.width;
  }
  return all;
}

static emit_type_t type_of(emit_t *e, const xml_node_t *type, int depth) {
  const emit_type_t none = {0, 1};
  if (!type || depth > CHAIN) return none;
  if (xml_is(type, "basicdtype")) return (emit_type_t){basic_width(type), 1};
  if (xml_is(type, "structdtype") || xml_is(type, "uniondtype")) return members_type(e, type, depth);
  const bool packed = xml_is(type, "packarraydtype");
  if (!packed && !xml_is(type, "unpackarraydtype")) return none;
  emit_type_t t = type_of(e, emit_dtype_by(e, xml_value(type, "sub_dtype_id")), depth + 1);
  const unsigned n = range_elements(type);
  if (!n || !t.width || n > MOST_BITS / t.width) return none;
  t.width *= n;
  if (!packed) t.elements *= n;
  return t;
}

emit_type_t emit_type_of(emit_t *e, const xml_node_t *node) {
  return type_of(e, emit_dtype(e, node), 0);
}

unsigned emit_dtype_width(emit_t *e, const xml_node_t *type) {
  return type_of(e, type, 0).width;
}

unsigned emit_width(emit_t *e, const xml_node_t *node) {
  return emit_type_of(e, node).width;
}

/* ---- names */

void emit_plain_name(const char *name, char to[EMIT_NAME]) {
  static const struct { const char *code, *text; } codes[] = {{"__BRA__", "["}, {"__KET__", "]"}, {"__DOT__", "."}};
  size_t n = 0;
  for (unsigned code; *name && n + 2 < NAME;) {
    size_t i = 0;
    while (i < 3 && strncmp(name, codes[i].code, 7)) i++;
    if (i < 3) to[n++] = *codes[i].text, name += 7;
    else if (strncmp(name, "__0", 3) == 0 && sscanf(name + 3, "%2x", &code) == 1 && code > ' ' && code < 127)
      to[n++] = (char)code, name += 5;
    else to[n++] = *name++;
  }
  to[n] = 0;
}

const char *emit_name(emit_t *e, const char *name) {
  char text[NAME];
  emit_plain_name(name, text);
  const bool plain = !rtl_is_keyword(text) && (isalpha((unsigned char)*text) || *text == '_') &&
                     !text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_$")];
  return plain ? emit_text(e, "%s", text) : emit_text(e, "\\%s ", text);
}

static bool is_routine(const xml_node_t *node) {
  return xml_is(node, "func") || xml_is(node, "task");
}

static bool ends_scope(const xml_node_t *node) {
  return xml_is(node, "module") || xml_is(node, "package") || xml_is(node, "iface") || is_routine(node);
}

const char *emit_scope(emit_t *e, const xml_node_t *node) {
  const char *text = "";
  for (node = node->parent; node && !ends_scope(node); node = node->parent) {
    const char *name = xml_is(node, "begin") ? xml_value(node, "name") : NULL;
    if (name && *name) text = emit_text(e, "%s.%s", name, text);
  }
  return text;
}

/* ---- variables */

static xml_node_t *var_here(const xml_node_t *scope, const char *name) {
  for (xml_node_t *child = scope->first; child; child = child->next)
    if (xml_is(child, "var") && strcmp(xml_value(child, "name"), name) == 0) return child;
  return NULL;
}

/* The scope `path` ("gen[0].b") in `scope`; NULL: it has none. */
static const xml_node_t *scope_by(const xml_node_t *scope, const char *path) {
  if (!*path) return scope;
  for (const xml_node_t *child = scope->first; child; child = child->next) {
    const char *name = xml_is(child, "begin") ? xml_value(child, "name") : NULL;
    const size_t n = name ? strlen(name) : 0;
    if (!n || strncmp(path, name, n) || (path[n] && path[n] != '.')) continue;
    const xml_node_t *found = scope_by(child, path[n] ? path + n + 1 : path + n);
    if (found) return found;
  }
  return NULL;
}

/* A variable "b.q" of an interface b, by the path "gen[0].b" and the name "q". */
static xml_node_t *var_of_interface(emit_t *e, const xml_node_t *scope, const char *path, const char *name) {
  xml_node_t *found = var_here(scope, emit_text(e, "%s.%s", path, name));
  for (const char *dot = strchr(path, '.'); dot && !found; dot = strchr(dot + 1, '.')) {
    const xml_node_t *in = scope_by(scope, emit_text(e, "%.*s", (int)(dot - path), path));
    if (in) found = var_here(in, emit_text(e, "%s.%s", dot + 1, name));
  }
  return found;
}

static xml_node_t *find_var(emit_t *e, const xml_node_t *ref) {
  char path[NAME] = "";
  const char *name = xml_value(ref, "name"), *dotted = xml_value(ref, "dotted");
  xml_node_t *found = NULL;
  if (dotted) emit_plain_name(dotted, path);
  for (const xml_node_t *scope = ref->parent; scope && !found; scope = scope->parent) {
    const xml_node_t *in = scope_by(scope, path);
    found = in ? var_here(in, name) : NULL;
    if (!found && dotted) found = var_of_interface(e, scope, path, name);
    if (ends_scope(scope) && !is_routine(scope)) break;
  }
  return found;
}

bool emit_is_own(emit_t *e, const xml_node_t *ref) {
  const xml_node_t *var = var_here(e->module, xml_value(ref, "name"));
  return var && !xml_is(var->first, "const");
}

emit_var_t *emit_var(emit_t *e, const xml_node_t *ref) {
  const xml_node_t *var = find_var(e, ref);
  if (var && var->data) return var->data;
  emit_refuse(e, ref, emit_text(e, "'%s', which is in another module,", xml_value(ref, "name")));
  return NULL;
}
