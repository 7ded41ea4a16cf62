/* SPDX-License-Identifier: Apache-2.0
 *
 * The statements of a Liberty file: "name : value;", "name (value);" and groups, "name (value) {
 * statements }".
 *
 *   liberty_scan_t s = {.file = "x.lib", .at = text, .line = 1, .trouble = &trouble};
 *   liberty_statement_t t;
 *   while (liberty_next(&s, &t)) ...                of a group (t.group) the next ones are its own,
 *                                                   until liberty_next is false
 */
#ifndef LIBERTY_SCAN_H
#define LIBERTY_SCAN_H

#include "trouble.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *file, *at;
  unsigned line;
  unsigned depth;
  trouble_t *trouble;
  bool bad;
} liberty_scan_t;

typedef struct {
  const char *begin, *value; /* value: without its quotes */
  size_t length;
  char name[64];
  unsigned line;
  bool group; /* its statements follow */
} liberty_statement_t;

/* False, with a line of this place in the file, unless there is one already. */
bool liberty_wrong(liberty_scan_t *s, unsigned line, const char *what);

void liberty_skip(liberty_scan_t *s); /* blanks, comments, ends of statements */

/* The next statement of this group; false: its end, or s->bad. */
bool liberty_next(liberty_scan_t *s, liberty_statement_t *t);

bool liberty_is(const liberty_statement_t *t, const char *name);
bool liberty_has(const liberty_statement_t *t, const char *value);

#endif
