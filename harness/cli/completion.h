/* SPDX-License-Identifier: Apache-2.0
 *
 * What the shells and man know of the command, printed from the verbs' own tables of options.
 */
#ifndef COMPLETION_H
#define COMPLETION_H

/* What completes an option's value: a kind of names.h, "files",
 * "parameters" (of the block that is named), or NULL. */
const char *completion_of_value(const char *option, const char *argument);

/* What completes one word of a verb's arguments, such as "BLOCK|FOLDER": "blocks files", written to
 * text. A word in small letters stands for itself, with = before it. */
enum { COMPLETION_KINDS = 256 };
void completion_of_argument(const char *verb, const char *word, char text[COMPLETION_KINDS]);

/* Prints the script for "bash" or "zsh", or the manual page ("man"). Returns an exit code. */
int completion_print(const char *what);
int manual_print(void);

#endif
