/* SPDX-License-Identifier: Apache-2.0
 *
 * What is made of lists: harness/portgen/gen/X.in. README.md of this folder explains the templates'
 * language.
 */
#ifndef PORT_TEMPLATE_H
#define PORT_TEMPLATE_H

#include "port_text.h"

enum { PORT_TEXTS = 16 };

/* What a template sees. */
typedef struct {
  const port_text_t *texts[PORT_TEXTS]; /* whose entries %each goes through, in this order */
  unsigned num_texts;
  const port_text_t *names[PORT_TEXTS]; /* entries NAME(c, verilog, value) and STRUCT(name, verilog, width) */
  unsigned num_names;
  const char *block, *ports; /* @block@, @ports@; "" where there is no port file */
} port_view_t;

/* Adds what the template makes to out. False with one line "path:line: ..." in trouble. */
bool port_template(const char *path, const port_view_t *view, port_buffer_t *out, trouble_t *trouble);

/* The first entry of a kind whose first argument is the word; NULL: none. */
const port_entry_t *port_view_name(const port_view_t *view, const char *kind, const char *word, size_t length);

#endif
