/* SPDX-License-Identifier: Apache-2.0
 *
 * Completion scripts and the manual page, printed from the verbs' own tables of options. So a new
 * option or verb is completed and documented without a further edit.
 */
#ifndef COMPLETION_H
#define COMPLETION_H

/* Says how a shell completes an option's value: a kind of names.h, "files", "parameters" (those
 * of the block on the line), or NULL for nothing. `option` is its name without dashes,
 * `argument` the word that --help shows for the value: "FILE". */
const char *completion_of_value(const char *option, const char *argument);

/* Says how a shell completes one word of a verb's arguments, such as "BLOCK|FOLDER": writes
 * "blocks files" to text. A word in small letters stands for itself, with = before it. `verb`
 * decides what SUITE means. */
enum { COMPLETION_KINDS = 256 };
void completion_of_argument(const char *verb, const char *word, char text[COMPLETION_KINDS]);

/* Prints the script for "bash" or "zsh", or the manual page ("man"), on standard output. Returns
 * an exit code; another word is EXIT_BAD after a line. */
int completion_print(const char *what);
int manual_print(void);

#endif
