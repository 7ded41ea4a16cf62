/* SPDX-License-Identifier: Apache-2.0
 *
 * What Verilator's tree says about the interfaces of the top module's instances, and types of their
 * members as text. Only flat.c uses it.
 */
#ifndef FLAT_TYPES_H
#define FLAT_TYPES_H

#include "flat_header.h"
#include "top_xml.h"
#include "words.h"
#include "xml_tree.h"
#include "xml_types.h"

#include <stdio.h>

typedef struct {
  xml_node_t *root, *netlist, *top;
  xml_types_t types;
  words_t texts;    /* owns texts */
  words_t packages; /* names of those that are written */
} flat_tree_t;

bool flat_tree_read(flat_tree_t *tree, const char *xml, trouble_t *trouble);
void flat_tree_free(flat_tree_t *tree);

/* The elaborated interface of an instance in the top module, and the range of an array of them.
 * NULL: there is none. left, right: 0 and 0 if it is no array. */
const xml_node_t *flat_interface(const flat_tree_t *tree, const char *instance, bool *array, int *left, int *right);

typedef enum { FLAT_INPUT, FLAT_OUTPUT, FLAT_OTHER } flat_dir_t;
flat_dir_t flat_member_dir(const xml_node_t *modportvarref);
const xml_node_t *flat_var(const xml_node_t *scope, const char *name); /* NULL: none */

/* Appends the members of a struct, one a line, to `members`; packages of enums and structs that
 * they need to `packages`. prefix: of packages' names. False: the member has no vector type. */
bool flat_write_member(flat_tree_t *tree, const xml_node_t *var, const char *prefix, FILE *packages, FILE *members);

/* `line for a node. */
void flat_write_line(const flat_tree_t *tree, const xml_node_t *node, FILE *out);
unsigned flat_line(const flat_tree_t *tree, const xml_node_t *node, const char **file);

/* The type of a whole number's parameter as text, "signed [31:0]"; NULL: it is no whole number. */
const char *flat_param_type(flat_tree_t *tree, const xml_node_t *var);

#endif
