/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans the statements of a Liberty file: "name : value;", "name (value);" and groups, "name
 * (value) { statements }".
 *
 *   liberty_scan_t s = {.file = "x.lib", .at = text, .line = 1, .trouble = &trouble};
 *   liberty_statement_t t;
 *   while (liberty_next(&s, &t)) ...
 *
 * If t.group is set, the next statements are the group's, until liberty_next returns false.
 */
#ifndef LIBERTY_SCAN_H
#define LIBERTY_SCAN_H

#include "trouble.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *file, *at; /* the name for messages; the position in the text */
  unsigned line;
  unsigned depth; /* groups that are open */
  trouble_t *trouble;
  bool bad; /* the text is wrong; `trouble` has the line */
} liberty_scan_t;

typedef struct {
  const char *begin, *value; /* both point into the text; `value` without its quotes */
  size_t length;
  char name[64];
  unsigned line;
  bool group; /* the statements of the group follow */
} liberty_statement_t;

/* Sets s->bad and, unless there is an error already, "FILE:LINE: what". Returns false. */
bool liberty_wrong(liberty_scan_t *s, unsigned line, const char *what);

void liberty_skip(liberty_scan_t *s); /* skips blanks, comments and statement ends */

/* The next statement of the current group. False: the group ends, or s->bad. */
bool liberty_next(liberty_scan_t *s, liberty_statement_t *t);

bool liberty_is(const liberty_statement_t *t, const char *name);   /* the statement has this name */
bool liberty_has(const liberty_statement_t *t, const char *value); /* the statement has this value  */

#endif
