/* SPDX-License-Identifier: Apache-2.0
 *
 * The project's only error type: the kind of fault, and one line for the user.
 *
 * A function that can fail takes a trouble_t as its last argument and ends in one of two ways:
 *
 *   return trouble_set(trouble, TROUBLE_INPUT, "%s:%u: '%s' should be ...", ...);   false
 *   return trouble_fail(trouble, TROUBLE_BROKEN, "...");                           -1
 *
 * trouble_set overwrites an earlier error. trouble_fail keeps the first error, for code that goes
 * on after one. A caller starts with `trouble_t trouble = {0}`. The kinds are exit codes of the
 * command, so a verb prints the text and returns the kind.
 */
#ifndef TROUBLE_H
#define TROUBLE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  TROUBLE_NONE = 0,
  TROUBLE_BROKEN = 1, /* something checked did not hold */
  /* Bad usage or bad input. The line says file, line number, what is wrong and what would
   * be right. */
  TROUBLE_INPUT = 2,
  TROUBLE_ENVIRONMENT = 3 /* a tool is missing, the disk is full, no memory, interrupted */
} trouble_kind_t;

enum { TROUBLE_TEXT = 512 };

typedef struct {
  trouble_kind_t kind;
  char text[TROUBLE_TEXT]; /* one line, without a line end */
} trouble_t;

/* Sets kind and line; always false. Line ends become blanks, as a quoted text may have several
 * lines; other control characters become '?'. A line that is too long loses the middle of its
 * longest words. */
bool trouble_set(trouble_t *trouble, trouble_kind_t kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets kind and line unless there is an error already; always -1. */
int trouble_fail(trouble_t *trouble, trouble_kind_t kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool trouble_memory(trouble_t *trouble); /* ENVIRONMENT: out of memory; always false */

#endif
