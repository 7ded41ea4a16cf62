/* SPDX-License-Identifier: Apache-2.0
 *
 * A block's port file, read and checked with values of its parameters; and the shared lists it may
 * use.
 *
 *   port_tree_t tree;
 *   port_file_t file;
 *   ok = port_tree_read(&tree, "/where/the/tree/is", &trouble)
 *     && port_file_read(&file, &tree, "X.ports", settings, num_settings, &trouble)   settings:
 *     "Depth=4"
 *   ... file.view ...
 *   port_file_free(&file), port_tree_free(&tree)
 */
#ifndef PORT_FILE_H
#define PORT_FILE_H

#include "port_template.h"

/* A family is a folder of rtl/ with lists, rtl/X/Y.def. */
typedef struct {
  const char *name;
  port_text_t lists; /* of all its files */
  port_text_t names; /* made of them by gen/X_names.in, if there is one: what port files may use */
} port_family_t;

typedef struct {
  const char *root;
  port_family_t families[PORT_TEXTS];
  unsigned num_families;
  port_arena_t arena;
} port_tree_t;

typedef struct {
  port_text_t text;
  port_view_t view; /* the file's entries, then those of the families it uses */
  port_tree_t *tree;
} port_file_t;

/* All: INPUT, "path:line: ..." where there is a line. */
bool port_tree_read(port_tree_t *tree, const char *root, trouble_t *trouble);
bool port_file_read(port_file_t *file, port_tree_t *tree, const char *path, const char *const *settings,
                    unsigned num_settings, trouble_t *trouble);

/* RTL with other names: each is "data_i=tx_data", tx_data being the port that
 * would be data_i; bare: the others have no _i and _o. After reading. */
bool port_file_pins(port_file_t *file, const char *const *pins, unsigned num_pins, bool bare, trouble_t *trouble);

/* Is it a port of the RTL: clock, reset, input, output or probe? Its name there (entry->pin) is the
 * first argument and "_i", "_o" or "", unless port_file_pins says another. */
bool port_entry_is_pin(const port_entry_t *entry);
const char *port_entry_suffix(const port_entry_t *entry);

void port_tree_free(port_tree_t *tree);
void port_file_free(port_file_t *file);

/* What the templates of a family see. */
port_view_t port_family_view(const port_tree_t *tree, const port_family_t *family);

#endif
