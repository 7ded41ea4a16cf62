/* SPDX-License-Identifier: Apache-2.0
 *
 * What says when a port or a field has a meaning: `always`, or names of ports that are joined by &,
 * each with or without ! in front of it, as `valid & !err`.
 *
 *   port_term_t terms[PORT_TERMS_MOST];
 *   const int num = port_terms("valid & !err", terms);     2; 0 for always; -1: something else
 */
#ifndef PORT_QUALIFIER_H
#define PORT_QUALIFIER_H

#include "port_reading.h"

enum { PORT_TERMS_MOST = 8 };

typedef struct {
  const char *name; /* not ended by a zero byte */
  size_t length;
  bool inverted;
} port_term_t;

int port_terms(const char *qualifier, port_term_t terms[PORT_TERMS_MOST]);
bool port_term_is(const port_term_t *term, const char *name);

/* True if this port, with or without !, is in the qualifier of `e`. */
bool port_is_term(const port_entry_t *e, const char *name, bool inverted);

/* The text of both: what is qualified by `a` and by `b`. */
const char *port_both(port_arena_t *arena, const char *a, const char *b);
/* Each name of the qualifier with `before` and a dot in front of it: !head.idle. */
const char *port_within(port_arena_t *arena, const char *qualifier, const char *before);

/* Says that a qualifier is none. Returns false. */
bool port_bad_qualifier(port_reading_t *c, const port_entry_t *e, const char *of, const char *qualifier);

/* Rejects ports whose qualifiers are no ports of their direction, have another width, or form a
 * circle. Call it when widths are known. */
bool port_check_qualifiers(port_reading_t *c);

/* ---- for C: a qualifier that is more than a name gets a number in its place, and an entry
 * WHEN_IN(0, "!idle", !no_idle) that says what it is. */

bool port_is_plain(const char *qualifier); /* always, or a name */
void port_when_print(const port_entry_t *e, unsigned number, port_buffer_t *out);

#endif
