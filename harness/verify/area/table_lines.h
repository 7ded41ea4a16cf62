/* SPDX-License-Identifier: Apache-2.0
 *
 * The lines of a table of published figures in synth/, comments (#) aside.
 */
#ifndef TABLE_LINES_H
#define TABLE_LINES_H

#include "trouble.h"

/* take() gets each line with its end; false: it is wrong. False: ENVIRONMENT,
 * the file cannot be read; INPUT, "PATH:LINE: should be: ...". */
bool table_lines(const char *path, bool (*take)(void *context, const char *line), void *context, const char *should_be,
                 trouble_t *trouble);

#endif
