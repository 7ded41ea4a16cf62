/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilator's XML as a tree of elements. Reads what Verilator writes: elements and attributes, no
 * text between them.
 *
 *   xml_node_t *root = xml_tree_read("design.xml", &trouble);
 *   ... xml_child(root, "netlist") ...
 *   xml_tree_free(root);
 */
#ifndef XML_TREE_H
#define XML_TREE_H

#include "trouble.h"

#include <stddef.h>

typedef struct xml_attribute_t {
  const char *name, *value; /* the value without entities */
} xml_attribute_t;

typedef struct xml_node_t xml_node_t;
struct xml_node_t {
  const char *tag;
  xml_attribute_t *attributes;
  size_t num_attributes;
  xml_node_t *parent, *first, *last, *next; /* first, last: children */
  void *data;                               /* of the reader's user */
};

/* NULL: `trouble` says why. */
xml_node_t *xml_tree_read(const char *path, trouble_t *trouble);
void xml_tree_free(xml_node_t *root);

const char *xml_value(const xml_node_t *node, const char *name); /* NULL: no such attribute */
bool xml_is(const xml_node_t *node, const char *tag);
xml_node_t *xml_child(const xml_node_t *node, const char *tag); /* the first one; NULL: none */
xml_node_t *xml_at(const xml_node_t *node, unsigned index);     /* child by number; NULL: none */

/* The node that follows `node` in the order of the file, within `top`; NULL: it was the last.
 * xml_after leaves out the children of `node`. */
xml_node_t *xml_next(const xml_node_t *top, xml_node_t *node);
xml_node_t *xml_after(const xml_node_t *top, xml_node_t *node);

/* True if an assignment, or an output of an instance, writes the variable that the node names, or
 * bits of it. */
bool xml_is_written(const xml_node_t *node);

/* Changes: names and values have to live as long as the tree. NULL, false: no memory. xml_add
 * appends a child, xml_copy the copy of a node with all below it; the user's data is not copied.
 * xml_drop makes a comment of a node. */
xml_node_t *xml_add(xml_node_t *parent, const char *tag);
bool xml_set(xml_node_t *node, const char *name, const char *value);
xml_node_t *xml_copy(xml_node_t *to, const xml_node_t *node);
void xml_drop(xml_node_t *node);

#endif
