/* SPDX-License-Identifier: Apache-2.0
 *
 * An error is one line, also where it quotes a file's text that has several.
 */
#ifndef ONE_LINE_H
#define ONE_LINE_H

/* Control characters become blanks. */
void make_one_line(char *text);

#endif
