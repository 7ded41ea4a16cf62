/* SPDX-License-Identifier: Apache-2.0
 *
 * Expands templates over lists: harness/portgen/gen/X.in. The README.md of this folder explains the
 * template language.
 */
#ifndef PORT_TEMPLATE_H
#define PORT_TEMPLATE_H

#include "port_text.h"

enum { PORT_TEXTS = 16 };

/* The lists that a template sees. */
typedef struct {
  const port_text_t *texts[PORT_TEXTS]; /* entries of %each, in this order */
  unsigned num_texts;
  /* Entries NAME(c, verilog, value) and STRUCT(name, verilog, width), for lookups by name. */
  const port_text_t *names[PORT_TEXTS];
  unsigned num_names;
  /* @block@, @stem@ (of the block's names in C) and @ports@ of a template; "": no port file */
  const char *block, *stem, *ports;
} port_view_t;

/* Expands the template at `path` and appends to `out`. False: `trouble` has "path:line: ...". */
bool port_template(const char *path, const port_view_t *view, port_buffer_t *out, trouble_t *trouble);

/* The first entry of kind `kind` whose first argument is `word`; NULL: none. */
const port_entry_t *port_view_name(const port_view_t *view, const char *kind, const char *word, size_t length);

#endif
