/* SPDX-License-Identifier: Apache-2.0
 *
 * The project's one error type: whose fault it is, and one line for the user.
 *
 * A function that can fail takes a trouble_t as its last argument and ends in one of two ways:
 *
 *   return trouble_set(trouble, TROUBLE_INPUT, "%s:%u: '%s' should be ...", ...);   is false
 *   return trouble_fail(trouble, TROUBLE_BROKEN, "...");                           is -1
 *
 * trouble_set overwrites what was there; trouble_fail keeps the first error, for code that goes on
 * after one. A caller starts with `trouble_t trouble = {0}`. The kinds are the command's exit
 * codes, so a verb prints the text and returns the kind.
 */
#ifndef TROUBLE_H
#define TROUBLE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  TROUBLE_NONE = 0,
  TROUBLE_BROKEN = 1,     /* something checked did not hold */
  TROUBLE_INPUT = 2,      /* bad usage or bad input: the line says file, line, what is wrong, what would be right */
  TROUBLE_ENVIRONMENT = 3 /* a tool is missing, the disk is full, no memory, interrupted */
} trouble_kind_t;

enum { TROUBLE_TEXT = 512 };

typedef struct {
  trouble_kind_t kind;
  char text[TROUBLE_TEXT]; /* one line, without its end */
} trouble_t;

/* Sets kind and line; always false. Line ends become blanks, as a quoted text may have several
 * lines; other control characters become '?'. A line that is too long loses the middle of its
 * longest words. */
bool trouble_set(trouble_t *trouble, trouble_kind_t kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets kind and line unless an error is there already; always -1. */
int trouble_fail(trouble_t *trouble, trouble_kind_t kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool trouble_memory(trouble_t *trouble); /* out of memory; false */

#endif
