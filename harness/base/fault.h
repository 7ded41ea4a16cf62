/* SPDX-License-Identifier: Apache-2.0
 *
 * What went wrong: whose fault it is, and one line that says it. The kinds are the exit codes of the command, so that nobody translates:
 *
 *   if (!file) return fault_set(fault, FAULT_INPUT, "%s: %s", path, strerror(errno));       ; false
 *   ...
 *   if (!read_it(path, &fault)) return fputs(fault.text, stderr), fault.kind;
 */
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  FAULT_NONE = 0,
  FAULT_BROKEN = 1,     /* something checked did not hold */
  FAULT_INPUT = 2,      /* bad usage or bad input: the line says file, line, what is wrong, what would be right */
  FAULT_ENVIRONMENT = 3 /* a tool is missing, the disk is full, no memory, interrupted */
} fault_kind_t;

enum { FAULT_TEXT = 512 };

typedef struct {
  fault_kind_t kind;
  char text[FAULT_TEXT]; /* one line, without its end */
} fault_t;

/* Always false, so that a function can end with it. Control characters become blanks: a quoted text may have several lines. */
bool fault_set(fault_t *fault, fault_kind_t kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

bool fault_memory(fault_t *fault); /* out of memory; false */

#endif
