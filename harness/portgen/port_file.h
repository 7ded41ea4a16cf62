/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and checks a block's port file with values for its parameters, and the shared lists that it
 * may use.
 *
 *   port_tree_t tree;
 *   port_file_t file;
 *   ok = port_tree_read(&tree, "/where/the/tree/is", &trouble) &&
 *        port_file_read(&file, &tree, "X.ports", settings, num_settings, &trouble);   "Depth=4"
 *   ... file.view ...
 *   port_file_free(&file), port_tree_free(&tree);
 */
#ifndef PORT_FILE_H
#define PORT_FILE_H

#include "port_template.h"

/* The most cycles of RESET(none, cycles). */
enum { PORT_UNCOMPARED_MOST = 4096 };

/* A folder of rtl/ with shared lists, rtl/X/Y.def. */
typedef struct {
  const char *name;
  port_text_t lists; /* the entries of all its lists */
  /* Made from `lists` by the template gen/X_names.in, if that exists: the names that port files may
   * use. */
  port_text_t names;
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

/* Both read functions set INPUT, "path:line: ..." where there is a line. `root`: the top of the
 * tree. settings: "NAME=VALUE" each, in place of a parameter's default. */
bool port_tree_read(port_tree_t *tree, const char *root, trouble_t *trouble);
bool port_file_read(port_file_t *file, port_tree_t *tree, const char *path, const char *const *settings,
                    unsigned num_settings, trouble_t *trouble);

/* Renames the RTL's ports. A pin "data_i=tx_data" says that the RTL calls port data_i tx_data;
 * clock and reset have no suffix, "int_=int". `bare`: all other ports lack _i and _o. Call
 * port_file_read first. */
bool port_file_pins(port_file_t *file, const char *const *pins, unsigned num_pins, bool bare, trouble_t *trouble);

/* The same of parameters: "IN_=IN" says that the RTL calls parameter IN_ IN. Call port_file_pins
 * first. */
bool port_file_params(port_file_t *file, const char *const *names, unsigned num_names, trouble_t *trouble);
/* The file as C includes it when it has types of its own (FIELD, ENUM): ports in their expanded
 * form, each entry at its line. Adds nothing for other files. */
void port_fields_print(const port_file_t *file, port_buffer_t *out);

/* True for a port of the RTL: clock, reset, input, output or probe. The RTL's name is entry->pin:
 * the first argument with "_i", "_o" or "" behind it, unless port_file_pins changed it. */
bool port_entry_is_pin(const port_entry_t *entry);
const char *port_entry_suffix(const port_entry_t *entry);

void port_tree_free(port_tree_t *tree);
void port_file_free(port_file_t *file);

/* The lists of a family as its templates see them. */
port_view_t port_family_view(const port_tree_t *tree, const port_family_t *family);

#endif
