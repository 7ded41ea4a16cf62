/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person sees on a terminal. Texts of files (names, values, identifiers, assertions) reach
 * it without their control characters, which could move the cursor, hide a line or change the
 * window's title; outcomes have a colour on standard output. Elsewhere (a file, a pipe) everything
 * stays as it is.
 */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdio.h>

/* Puts a filter before standard output and standard error where they are terminals. No colours when
 * NO_COLOR is set and not empty, or when TERM is dumb or not set. Once, before anything is
 * printed. */
void terminal_start(void);

/* Standard output for one document alone; all that is printed to standard output from then on, by
 * whomever, goes to standard error. NULL: errno. */
FILE *terminal_for_machines(void);

/* The line that the cursor is in is empty again; on standard error. */
void terminal_clear_line(void);

#endif
