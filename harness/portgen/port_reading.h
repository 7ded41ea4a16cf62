/* SPDX-License-Identifier: Apache-2.0
 *
 * A port file while it is read and checked: its entries, and the numbers in them. port_file.c reads
 * and checks, port_off.c checks the entries OFF.
 */
#ifndef PORT_READING_H
#define PORT_READING_H

#include "port_expr.h"
#include "port_file.h"

enum { PORT_SCALAR_MOST = 64 /* bits of a port that the model has as a number */ };

typedef struct {
  port_file_t *file;
  const char *const *settings; /* "NAME=VALUE" of the caller */
  unsigned num_settings;
  unsigned depth; /* of names that are made of names */
  unsigned steps; /* widths of fields so far; limited */
} port_reading_t;

#define EACH(e, c) \
  (port_entry_t *e = (c)->file->text.entries, *e##_end = port_text_end(&(c)->file->text); e < e##_end; e++)
#define BAD(c, e, ...) port_text_bad(&(c)->file->text, (e)->file, (e)->line, __VA_ARGS__)

const char *port_field(const port_entry_t *e, const char *name);
/* Of this kind, or of one that is made of it: CLOCK_none of CLOCK. */
bool port_kind_begins(const port_entry_t *e, const char *kind);
bool port_is_input(const port_entry_t *e);
bool port_is_port(const port_entry_t *e); /* an input, output or probe */

/* The entry of a kind whose first argument is this name; NULL: none. */
port_entry_t *port_find_entry(port_reading_t *c, const char *kind, const char *name, size_t length);

/* The value of a parameter or of a shared constant, for port_expr; `context` is the port_reading_t.
 * A name that is made of itself is an error. */
bool port_name_value(void *context, const char *name, size_t length, long long *value, trouble_t *trouble);

/* The number that a text of an entry stands for; `what` is named in the error. */
bool port_eval_number(port_reading_t *c, const port_entry_t *e, const char *what, const char *text, long long *value);

bool port_check_offs(port_reading_t *c);

/* Makes clocks and resets behind the first one entries of their own kinds, CLOCK__too and
 * RESET__too, for which port_is_too is true (port_clocks.c). */
bool port_take_clocks(port_reading_t *c);
bool port_is_too(const port_entry_t *e);

/* Checks the types of the file, and replaces each port of such a type by entries for its fields
 * (port_fields.c). Call it when parameters have their numbers. */
bool port_expand_fields(port_reading_t *c);

#endif
