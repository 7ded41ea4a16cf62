/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person sees on a terminal. Texts of files (names, values, identifiers, assertions) reach a
 * terminal without their control characters, which could move the cursor, hide a line or change the
 * window's title. Outcomes have a colour on standard output. Output to a file or a pipe is not
 * changed.
 */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdio.h>

/* Puts a filter in front of standard output and standard error where they are terminals. There
 * are no colours when NO_COLOR is set and not empty, or when TERM is dumb or not set. Call it
 * once, before anything is printed. */
void terminal_start(void);

/* Returns a stream to the real standard output, for one document alone. From then on, whatever
 * this process or its children print to standard output goes to standard error. NULL: errno says
 * why. */
FILE *terminal_for_machines(void);

/* Empties the line that the cursor is in, on standard error. */
void terminal_clear_line(void);

#endif
