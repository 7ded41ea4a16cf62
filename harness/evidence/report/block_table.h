/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes what was measured of the blocks as Markdown, between two marks of a page: a row for
 * each block (docs/blocks.md), or sums over all blocks (README.md).
 */
#ifndef BLOCK_TABLE_H
#define BLOCK_TABLE_H

#include "json_sure.h"
#include <stddef.h>

typedef enum { BLOCK_TABLE, BLOCK_SUMS } block_table_t;

/* Returns the page with the new table, which the caller frees. NULL: the page has no marks, or
 * no memory. blocks: as `list` has them. rows: as block_rows.h has them. Links in the table
 * start from docs/. */
char *block_table_in(const char *text, block_table_t what, const json_t *blocks, const json_t *rows);

#endif
