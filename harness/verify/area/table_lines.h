/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the lines of a table of published figures in synth/, without its comments (#).
 */
#ifndef TABLE_LINES_H
#define TABLE_LINES_H

#include "trouble.h"

/* Calls take() with each line, its line end included; take() says false when the line is wrong.
 * False: ENVIRONMENT, the file cannot be read, or INPUT, "PATH:LINE: should be: ...". */
bool table_lines(const char *path, bool (*take)(void *context, const char *line), void *context, const char *should_be,
                 trouble_t *trouble);

#endif
