/* SPDX-License-Identifier: Apache-2.0
 *
 * The README's table of blocks: Markdown between two marks.
 */
#ifndef BLOCK_TABLE_H
#define BLOCK_TABLE_H

#include <jansson.h>
#include <stddef.h>

/* The text with the table in the place of what is between the marks, to be freed; NULL: it has no marks, or no memory.
 * blocks: as `list` has them; rows: block_rows.h. */
char *block_table_in(const char *text, const json_t *blocks, const json_t *rows);

#endif
