/* SPDX-License-Identifier: Apache-2.0
 *
 * What went wrong: whose it is, and one line that says it. The kinds are the exit codes of the
 * command, so that nobody translates:
 *
 *   if (!file) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));       ;
 *   false ...
 *   if (!read_it(path, &trouble)) return fputs(trouble.text, stderr), trouble.kind;
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

/* Always false, so that a function can end with it. Control
 * characters become blanks: a quoted text may have several lines. */
bool trouble_set(trouble_t *trouble, trouble_kind_t kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool trouble_memory(trouble_t *trouble); /* out of memory; false */

#endif
