/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree keeps the file's text: names and values are parts of it, ended by zero bytes.
 */
#include "xml_tree.h"

#include "entities.h"
#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  xml_node_t node; /* the root; it has the file's elements as children */
  char *text;
} xml_tree_t;

bool xml_set(xml_node_t *node, const char *name, const char *value) {
  for (size_t i = 0; i < node->num_attributes; i++)
    if (strcmp(node->attributes[i].name, name) == 0) return node->attributes[i].value = value, true;
  xml_attribute_t *more = realloc(node->attributes, (node->num_attributes + 1) * sizeof *more);
  if (!more) return false;
  more[node->num_attributes++] = (xml_attribute_t){name, value};
  node->attributes = more;
  return true;
}

xml_node_t *xml_add(xml_node_t *parent, const char *tag) {
  xml_node_t *node = calloc(1, sizeof *node);
  if (!node) return NULL;
  node->tag = tag, node->parent = parent;
  if (parent->last) parent->last->next = node;
  else parent->first = node;
  return parent->last = node;
}

/* Takes ` name="value"` at `at`. Returns the text behind it; NULL: there is none. */
static char *take_attribute(xml_node_t *node, char *at) {
  at += strspn(at, " \n");
  char *equals = strchr(at, '='), *end = equals && equals[1] == '"' ? strchr(equals + 2, '"') : NULL;
  if (!end) return NULL;
  *equals = *end = 0;
  entities_decode(equals + 2);
  return xml_set(node, at, equals + 2) ? end + 1 : NULL;
}

/* Takes an element at `at`, behind its "<". Returns the text behind its ">"; NULL: it is none. */
static char *take_element(xml_node_t **in, char *at) {
  const size_t n = strcspn(at, " />\n");
  char *rest = at + n;
  xml_node_t *node = xml_add(*in, at);
  if (!node) return NULL;
  const char ends = *rest;
  *rest = 0;
  if (ends == '>') return *in = node, rest + 1;
  if (ends == '/') return rest[1] == '>' ? rest + 2 : NULL;
  for (rest++; rest; rest = take_attribute(node, rest)) {
    rest += strspn(rest, " \n");
    if (rest[0] == '/' && rest[1] == '>') return rest + 2;
    if (rest[0] == '>') return *in = node, rest + 1;
  }
  return NULL;
}

/* False: the text ends early, or is no XML of Verilator's. */
static bool parse(xml_tree_t *tree) {
  xml_node_t *in = &tree->node;
  for (char *at = strchr(tree->text, '<'); at; at = strchr(at, '<')) {
    at++;
    if (*at == '?' || *at == '!') continue;
    if (*at == '/') {
      if (!in->parent) return false;
      in = in->parent;
    } else if (!(at = take_element(&in, at))) return false;
  }
  return in == &tree->node && in->first;
}

xml_node_t *xml_tree_read(const char *path, trouble_t *trouble) {
  xml_tree_t *tree = calloc(1, sizeof *tree);
  if (!tree) return trouble_memory(trouble), NULL;
  tree->node.tag = "";
  tree->text = file_read(path);
  if (!tree->text) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
  else if (parse(tree)) return &tree->node;
  else trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: should be a whole XML file of Verilator's", path);
  xml_tree_free(&tree->node);
  return NULL;
}

/* Frees what is below a node. */
static void clear(xml_node_t *root) {
  for (xml_node_t *node = root->first; node;) { /* leaves first */
    while (node->first) node = node->first;
    xml_node_t *parent = node->parent, *next = node->next;
    parent->first = next;
    free(node->attributes), free(node);
    node = next ? next : parent;
    if (node == root) node = NULL;
  }
  root->first = root->last = NULL;
}

void xml_tree_free(xml_node_t *root) {
  if (!root) return;
  clear(root);
  free(((xml_tree_t *)root)->text), free(root);
}

void xml_drop(xml_node_t *node) {
  clear(node);
  node->tag = "comment";
}

xml_node_t *xml_copy(xml_node_t *to, const xml_node_t *node) {
  xml_node_t *copy = xml_add(to, node->tag);
  bool ok = copy;
  for (size_t i = 0; ok && i < node->num_attributes; i++)
    ok = xml_set(copy, node->attributes[i].name, node->attributes[i].value);
  for (const xml_node_t *child = node->first; ok && child; child = child->next) ok = xml_copy(copy, child);
  return ok ? copy : NULL;
}

const char *xml_value(const xml_node_t *node, const char *name) {
  for (size_t i = 0; i < node->num_attributes; i++)
    if (strcmp(node->attributes[i].name, name) == 0) return node->attributes[i].value;
  return NULL;
}

bool xml_is(const xml_node_t *node, const char *tag) {
  return node && strcmp(node->tag, tag) == 0;
}

xml_node_t *xml_child(const xml_node_t *node, const char *tag) {
  xml_node_t *child = node ? node->first : NULL;
  while (child && strcmp(child->tag, tag)) child = child->next;
  return child;
}

xml_node_t *xml_at(const xml_node_t *node, unsigned index) {
  xml_node_t *child = node ? node->first : NULL;
  while (child && index--) child = child->next;
  return child;
}

xml_node_t *xml_after(const xml_node_t *top, xml_node_t *node) {
  while (node && node != top && !node->next) node = node->parent;
  return node && node != top ? node->next : NULL;
}

xml_node_t *xml_next(const xml_node_t *top, xml_node_t *node) {
  return node->first ? node->first : xml_after(top, node);
}

static bool is_part(const xml_node_t *node) {
  return xml_is(node, "sel") || xml_is(node, "arraysel") || xml_is(node, "structsel");
}

bool xml_is_written(const xml_node_t *node) {
  const xml_node_t *at = node->parent;
  while (xml_is(at, "concat") || (is_part(at) && at->first == node)) node = at, at = at->parent;
  if (xml_is(at, "port")) return xml_value(at, "direction") && strcmp(xml_value(at, "direction"), "in");
  return (xml_is(at, "assign") || xml_is(at, "assigndly") || xml_is(at, "contassign")) && xml_at(at, 1) == node;
}
