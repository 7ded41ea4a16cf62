/* SPDX-License-Identifier: Apache-2.0
 *
 * The sets of parameters that a port file allows: ranges (PARAM), lists of texts (PARAM_TEXT) and
 * rules across parameters (PARAM_RULE).
 *
 *   port_sets_t sets;
 *   ok = port_sets_open(&sets, root, "X.ports", "Width=8", &trouble);    Width is not to change
 *   values[i] of sets.params[i]
 *   if (port_sets_allow(&sets, values)) port_sets_text(&sets, values, text, size);
 *   port_sets_close(&sets);
 */
#ifndef PORT_SETS_H
#define PORT_SETS_H

#include "port_file.h"

enum { PORT_SETS_PARAMS = 64 };

/* A text is the number of its value in the list. */
typedef struct {
  const char *name;
  long long least, most, value; /* of ranges that depend on other parameters: as these are by default */
  bool fixed;                   /* the caller gave its value */
  port_entry_t *entry;
  unsigned char *seldom; /* port_sets.c's own: by entry, whether its width changes seldom */
} port_set_param_t;

typedef struct {
  port_tree_t tree;
  port_file_t file;
  const char *ports;
  const char **fixed; /* "Width=8" */
  unsigned num_fixed;
  port_set_param_t params[PORT_SETS_PARAMS]; /* in the file's order */
  unsigned num_params;
  port_arena_t arena;
} port_sets_t;

/* fixed: settings that all sets have, separated by commas; "" or NULL: none. INPUT: the file cannot
 * be read with them, or it has more than PORT_SETS_PARAMS parameters. Close it in either case. */
bool port_sets_open(port_sets_t *sets, const char *root, const char *ports, const char *fixed, trouble_t *trouble);
void port_sets_close(port_sets_t *sets);

/* True if these values, one for each of sets->params, keep ranges and rules. port_sets_allow: if
 * the port file can be read with them, too; a width may be none. */
bool port_sets_keep(port_sets_t *sets, const long long *values);
bool port_sets_allow(port_sets_t *sets, const long long *values);

/* The values that differ from the port file's own, behind those that are fixed: "Width=8,Depth=7".
 * False: too long. */
bool port_sets_text(const port_sets_t *sets, const long long *values, char *text, size_t size);

/* True if a port's width is another one at `value` of this parameter than at value - 1, the others
 * being as by default, though most of such steps leave it as it is: CLOG2(Depth) at 5, 9, 17. */
bool port_sets_step(port_sets_t *sets, unsigned param, long long value);

#endif
